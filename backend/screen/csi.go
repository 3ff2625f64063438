package screen

// csi acts on a control sequence: prefix and intermediates (a byte each) and the
// final byte.
func (s *Screen) csi(id uint32) {
	p := &s.parser.params
	v, n := int(p.v[0]), p.count(0)
	switch id {
	case 'm':
		s.sgr()
	case 'H', 'f':
		col := 1
		if p.n >= 2 {
			col = p.count(1)
		}
		s.moveTo(col-1, n-1)
	case 'A':
		s.up(n)
	case 'B':
		s.down(n)
	case 'C', 'a':
		s.moveBy(n, 0)
	case 'D':
		s.moveBy(-n, 0)
	case 'E':
		s.down(n)
		s.cur.x = 0
	case 'F':
		s.up(n)
		s.cur.x = 0
	case 'G', '`':
		s.moveTo(n-1, s.cur.y)
	case 'd':
		s.moveTo(s.cur.x, n-1)
	case 'e':
		s.moveBy(0, n)
	case 'I':
		s.tabForward(n)
	case 'Z':
		s.tabBackward(n)
	case 'g':
		s.clearTabs(v)
	case 'J':
		s.eraseDisplay(v, false)
	case 'K':
		s.eraseLine(v, false)
	case '?'<<8 | 'J':
		s.eraseDisplay(v, true)
	case '?'<<8 | 'K':
		s.eraseLine(v, true)
	case 'r':
		s.setRegion()
	case 's':
		s.saveCursor()
	case 'u':
		s.restoreCursor()
	case 'b':
		s.repeat(n)
	case 'h':
		s.setModes(true)
	case 'l':
		s.setModes(false)
	case '?'<<8 | 'h':
		s.setPrivateModes(true)
	case '?'<<8 | 'l':
		s.setPrivateModes(false)
	case '!'<<8 | 'p':
		s.softReset()
	case ' '<<8 | 'q':
		s.setCursorStyle(v)
	case '"'<<8 | 'q':
		s.protect(v)
	default:
		if !s.edit(id, n) {
			s.query(id)
		}
	}
}

// edit acts on the sequences that insert, delete and shift.
func (s *Screen) edit(id uint32, n int) bool {
	b := s.cur
	switch id {
	case '@':
		s.restrict(s.cols - 1)
		b.rows[b.y].insert(b.x, n, s.eraser())
	case 'P':
		s.restrict(s.cols - 1)
		b.rows[b.y].remove(b.x, n, s.eraser())
	case 'X':
		s.restrict(s.cols - 1)
		b.rows[b.y].erase(b.x, b.x+n, s.eraser(), false)
	case 'L':
		s.insertLines(n)
	case 'M':
		s.deleteLines(n)
	case 'S':
		s.removeRows(b.top, n, s.eraser())
	case 'T':
		s.insertRows(b.top, n, cell{}) // without the pen's background
	case ' '<<8 | '@':
		s.shiftColumns(0, n, false)
	case ' '<<8 | 'A':
		s.shiftColumns(0, n, true)
	case '\''<<8 | '}':
		s.shiftColumns(b.x, n, true)
	case '\''<<8 | '~':
		s.shiftColumns(b.x, n, false)
	default:
		return false
	}
	return true
}

// setRegion is DECSTBM. A region of less than two rows is none.
func (s *Screen) setRegion() {
	p := &s.parser.params
	top, bottom := p.count(0), s.rows
	if p.n >= 2 && p.v[1] > 0 {
		bottom = min(int(p.v[1]), s.rows)
	}
	if bottom > top {
		s.cur.top, s.cur.bottom = top-1, bottom-1
		s.moveTo(0, 0)
	}
}

// protect is DECSCA.
func (s *Screen) protect(v int) {
	switch v {
	case 0, 2:
		s.pen.flags &^= attrProtected
	case 1:
		s.pen.flags |= attrProtected
	}
	s.inkPen()
}

// setCursorStyle is DECSCUSR: 0 is the user's own style, odd ones blink.
func (s *Screen) setCursorStyle(v int) {
	switch v {
	case 0:
		s.modes.cursorShape, s.modes.cursorBlink = CursorDefault, false
		return
	case 1, 2:
		s.modes.cursorShape = CursorBlock
	case 3, 4:
		s.modes.cursorShape = CursorUnderline
	case 5, 6:
		s.modes.cursorShape = CursorBar
	}
	s.modes.cursorBlink = v%2 == 1
}

// softReset is DECSTR.
func (s *Screen) softReset() {
	s.modes.hidden = false
	s.cur.top, s.cur.bottom = 0, s.rows-1
	s.pen = pen{}
	s.inkPen()
	s.modes.reset()
	s.sets = charsets{}
	s.cur.saved = saved{line: s.base()}
}
