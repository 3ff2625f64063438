package screen

// restrict puts the cursor inside the screen, in origin mode inside the region.
// maxX is the last column, or one more where a pending wrap may stay.
func (s *Screen) restrict(maxX int) {
	b := s.cur
	b.x = min(max(b.x, 0), maxX)
	if s.modes.origin {
		b.y = min(max(b.y, b.top), b.bottom)
	} else {
		b.y = min(max(b.y, 0), s.rows-1)
	}
}

// moveTo goes to a place; in origin mode y counts from the region's top.
func (s *Screen) moveTo(x, y int) {
	if s.modes.origin {
		y += s.cur.top
	}
	s.cur.x, s.cur.y = x, y
	s.restrict(s.cols - 1)
}

// moveBy moves relatively. In origin mode xterm.js counts the region's top in
// here too, although y is absolute already; so does this.
func (s *Screen) moveBy(dx, dy int) {
	s.restrict(s.cols - 1)
	s.moveTo(s.cur.x+dx, s.cur.y+dy)
}

// up stops at the region's top if it began inside.
func (s *Screen) up(n int) {
	if d := s.cur.y - s.cur.top; d >= 0 {
		n = min(n, d)
	}
	s.moveBy(0, -n)
}

func (s *Screen) down(n int) {
	if d := s.cur.bottom - s.cur.y; d >= 0 {
		n = min(n, d)
	}
	s.moveBy(0, n)
}

func (s *Screen) lineFeed() {
	b := s.cur
	if s.modes.newLine {
		b.x = 0
	}
	b.y++
	switch {
	case b.y == b.bottom+1:
		b.y--
		s.scroll(false)
	case b.y >= s.rows:
		b.y = s.rows - 1
	default:
		b.rows[b.y].wrapped = false
	}
	if b.x >= s.cols {
		b.x = s.cols - 1
	}
}

func (s *Screen) index() {
	s.restrict(s.cols - 1)
	b := s.cur
	b.y++
	if b.y == b.bottom+1 {
		b.y--
		s.scroll(false)
	}
	s.restrict(s.cols - 1)
}

func (s *Screen) reverseIndex() {
	s.restrict(s.cols - 1)
	b := s.cur
	if b.y == b.top {
		s.insertRows(b.top, 1, s.eraser())
		return
	}
	b.y--
	s.restrict(s.cols - 1)
}

// backspace goes back over a soft wrap if that mode is on.
func (s *Screen) backspace() {
	b := s.cur
	if !s.modes.reverseWrap {
		s.restrict(s.cols - 1)
		b.x = max(b.x-1, 0)
		return
	}
	s.restrict(s.cols) // from a pending wrap, the last column is one step back
	switch {
	case b.x > 0:
		b.x--
	case b.y > b.top && b.y <= b.bottom && b.rows[b.y].wrapped:
		b.rows[b.y].wrapped = false
		b.y--
		b.x = s.cols - 1
		// A wide character that did not fit has left the last column empty.
		if last := b.rows[b.y].cells[b.x]; last.text&hasText == 0 && last.width() != 0 {
			b.x--
		}
	}
	s.restrict(s.cols - 1)
}
