package screen

// eraser is what clearing leaves behind: the background of the pen, nothing else.
func (s *Screen) eraser() cell { return cell{bg: s.pen.bg} }

// scroll moves the region up by one. From the top of the main screen the line goes
// to the scrollback.
func (s *Screen) scroll(wrapped bool) {
	b := s.cur
	r := b.rows[b.top]
	if b.top == 0 && b == &s.main {
		s.keepLine(r)
		if b.bottom < s.rows-1 {
			// What is below the region stays where it is, so its numbers rise.
			s.marks.shift(s.topLine()+int64(b.bottom), 1)
		}
	} else if b == &s.main {
		s.marks.remove(s.topLine()+int64(b.top), s.topLine()+int64(b.bottom), 1)
	}
	if b.bottom-b.top == len(b.rows)-1 {
		b.roll()
	} else {
		copy(b.rows[b.top:b.bottom], b.rows[b.top+1:b.bottom+1])
		b.rows[b.bottom] = r
	}
	r.reset(s.cols, s.eraser(), wrapped)
}

// insertRows puts n blank rows at y and drops as many at the region's bottom.
func (s *Screen) insertRows(y, n int, c cell) {
	b := s.cur
	n = min(n, b.bottom-y+1)
	if b == &s.main {
		s.marks.insert(s.topLine()+int64(y), s.topLine()+int64(b.bottom), n)
	}
	b.spare = append(b.spare[:0], b.rows[b.bottom-n+1:b.bottom+1]...)
	copy(b.rows[y+n:b.bottom+1], b.rows[y:b.bottom+1-n])
	copy(b.rows[y:], b.spare)
	for _, r := range b.spare {
		r.reset(s.cols, c, false)
	}
}

// removeRows drops n rows at y and puts as many blank ones at the region's bottom.
// None goes to the scrollback.
func (s *Screen) removeRows(y, n int, c cell) {
	b := s.cur
	n = min(n, b.bottom-y+1)
	if b == &s.main {
		s.marks.remove(s.topLine()+int64(y), s.topLine()+int64(b.bottom), n)
	}
	b.spare = append(b.spare[:0], b.rows[y:y+n]...)
	copy(b.rows[y:b.bottom+1-n], b.rows[y+n:b.bottom+1])
	copy(b.rows[b.bottom+1-n:], b.spare)
	for _, r := range b.spare {
		r.reset(s.cols, c, false)
	}
}

func (s *Screen) inRegion() bool { return s.cur.y >= s.cur.top && s.cur.y <= s.cur.bottom }

// insertLines and deleteLines are IL and DL: from the cursor's row, if it is in
// the region.
func (s *Screen) insertLines(n int) {
	s.restrict(s.cols - 1)
	if s.inRegion() {
		s.insertRows(s.cur.y, n, s.eraser())
		s.cur.x = 0
	}
}

func (s *Screen) deleteLines(n int) {
	s.restrict(s.cols - 1)
	if s.inRegion() {
		s.removeRows(s.cur.y, n, s.eraser())
		s.cur.x = 0
	}
}

// shiftColumns inserts (or removes) n columns at x in every row of the region.
func (s *Screen) shiftColumns(x, n int, insert bool) {
	if !s.inRegion() {
		return
	}
	for y := s.cur.top; y <= s.cur.bottom; y++ {
		r := s.cur.rows[y]
		if insert {
			r.insert(x, n, s.eraser())
		} else {
			r.remove(x, n, s.eraser())
		}
		r.wrapped = false
	}
}
