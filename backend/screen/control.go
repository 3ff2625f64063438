package screen

// control acts on a C0 control; it may come within a sequence.
func (s *Screen) control(b byte) {
	switch b {
	case 0x07:
		s.emit(Event{Kind: Bell})
	case 0x08:
		s.backspace()
	case 0x09:
		s.tabForward(1)
	case 0x0a, 0x0b, 0x0c:
		s.lineFeed()
	case 0x0d:
		s.cur.x = 0
	case 0x0e:
		s.sets.shift(1)
	case 0x0f:
		s.sets.shift(0)
	}
	s.tail.clear()
}

// escape acts on ESC, its intermediates (a byte each) and a final byte.
func (s *Screen) escape(id uint32) {
	switch id {
	case '7':
		s.saveCursor()
	case '8':
		s.restoreCursor()
	case 'D':
		s.index()
	case 'E':
		s.cur.x = 0
		s.index()
	case 'H':
		s.setTab()
	case 'M':
		s.reverseIndex()
	case 'c':
		s.reset()
	case '=':
		s.modes.appKeypad = true
	case '>':
		s.modes.appKeypad = false
	case 'n', '}':
		s.sets.shift(2)
	case 'o', '|':
		s.sets.shift(3)
	case '~':
		s.sets.shift(1)
	case '#'<<8 | '8':
		s.align()
	case '%'<<8 | '@', '%'<<8 | 'G':
		s.sets.shift(0)
		s.sets.designate(0, 0)
	default:
		s.designate(byte(id>>8), byte(id))
	}
	s.tail.clear()
}
