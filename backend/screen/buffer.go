package screen

// A buffer is one of the two screens: rows, cursor, scroll region, tab stops and
// the saved cursor are its own.
type buffer struct {
	rows        []*row // none while the alternate screen is not shown
	x, y        int    // x == cols: the next character wraps
	top, bottom int    // the scroll region, inclusive
	saved       saved
	tabs        []bool // may be longer than the screen is wide: stops come back with the width
	spare       []*row // scratch for scroll
	room        []*row // where rows moves up: see roll
}

// saved is what DECSC keeps. line counts from the oldest line kept, so that the
// saved place moves with the text, as in xterm.js.
type saved struct {
	x, line int
	fg, bg  uint32
	flags   uint32
	charset byte
}

func newBuffer(cols, rows int) buffer {
	return buffer{bottom: rows - 1, tabs: defaultTabs(cols)}
}

func (b *buffer) fillRows(cols, rows int, c cell) {
	cells := make([]cell, cols*rows) // in one piece: neighbours in memory too
	b.rows = make([]*row, rows)
	all := make([]row, rows)
	for y := range b.rows {
		all[y].cells = cells[y*cols : (y+1)*cols : (y+1)*cols]
		all[y].fill(0, cols, c)
		b.rows[y] = &all[y]
	}
}

// roll moves the first row to the end. rows is a window that goes up through room,
// so that the pointers need moving only once in as many lines as there are rows.
func (b *buffer) roll() {
	n := len(b.rows)
	first := b.rows[0]
	if cap(b.rows) == n {
		if len(b.room) != 2*n {
			b.room = make([]*row, 2*n)
		}
		copy(b.room, b.rows)
		b.rows = b.room[:n]
	}
	b.rows = append(b.rows[1:], first)
}

// base is how many lines lie above the active screen.
func (s *Screen) base() int {
	if s.cur == &s.main {
		return s.history.len()
	}
	return 0
}

func (s *Screen) saveCursor() {
	b := s.cur
	b.saved = saved{
		x: b.x, line: s.base() + b.y,
		fg: s.pen.fg, bg: s.pen.bg, flags: s.pen.flags,
		charset: s.sets.current,
	}
}

// restoreCursor leaves underline style and colour and the link as they are, and so
// does xterm.js.
func (s *Screen) restoreCursor() {
	b := s.cur
	b.x, b.y = b.saved.x, max(b.saved.line-s.base(), 0)
	s.pen.fg, s.pen.bg, s.pen.flags = b.saved.fg, b.saved.bg, b.saved.flags
	s.sets.current = b.saved.charset
	s.inkPen()
	s.restrict(s.cols - 1)
}

func (s *Screen) enterAlternate() {
	if s.cur == &s.alt {
		return
	}
	if s.alt.rows == nil {
		s.alt.fillRows(s.cols, s.rows, s.eraser())
	}
	s.alt.x, s.alt.y = s.main.x, s.main.y
	s.cur = &s.alt
}

// leaveAlternate drops the alternate screen: it is new when it is entered again.
// Its saved cursor stays.
func (s *Screen) leaveAlternate() {
	if s.cur == &s.main {
		return
	}
	s.main.x, s.main.y = s.alt.x, s.alt.y
	kept := s.alt.saved
	s.alt = newBuffer(s.cols, s.rows)
	s.alt.saved = kept
	s.cur = &s.main
}
