package screen

const tabWidth = 8

func defaultTabs(cols int) []bool {
	t := make([]bool, cols+1)
	for x := 0; x < cols; x += tabWidth {
		t[x] = true
	}
	return t
}

func (b *buffer) tab(x int) bool { return x >= 0 && x < len(b.tabs) && b.tabs[x] }

func (b *buffer) growTabs(n int) {
	if n > len(b.tabs) {
		b.tabs = append(b.tabs, make([]bool, n-len(b.tabs))...)
	}
}

// resizeTabs is xterm.js's: from the last stop left of the new edge on, stops are
// set every eight columns, also where the program had cleared them.
func (b *buffer) resizeTabs(cols int) {
	b.growTabs(cols + 1)
	x := cols
	if !b.tabs[x] {
		x = b.previousStop(x, cols)
	}
	for ; x < cols; x += tabWidth {
		b.tabs[x] = true
	}
}

func (b *buffer) previousStop(x, cols int) int {
	x--
	for x > 0 && !b.tab(x) {
		x--
	}
	return min(max(x, 0), cols-1)
}

func (s *Screen) setTab() {
	s.cur.growTabs(s.cur.x + 1)
	s.cur.tabs[s.cur.x] = true
}

// clearTabs is TBC.
func (s *Screen) clearTabs(what int) {
	switch what {
	case 0:
		if s.cur.tab(s.cur.x) {
			s.cur.tabs[s.cur.x] = false
		}
	case 3:
		clear(s.cur.tabs)
	}
}

func (s *Screen) tabForward(n int) {
	b := s.cur
	for ; n > 0 && b.x < s.cols; n-- {
		x := b.x + 1
		for x < s.cols && !b.tab(x) {
			x++
		}
		if x >= s.cols {
			b.x = s.cols - 1
			return
		}
		b.x = x
	}
}

func (s *Screen) tabBackward(n int) {
	b := s.cur
	if b.x >= s.cols {
		return
	}
	for ; n > 0 && b.x > 0; n-- {
		b.x = b.previousStop(b.x, s.cols)
	}
}
