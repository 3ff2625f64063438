package screen

// eraseRow clears a whole row and what was marked on it.
func (s *Screen) eraseRow(y int, keep bool) {
	r := s.cur.rows[y]
	if keep {
		r.erase(0, len(r.cells), s.eraser(), true)
	} else {
		r.fill(0, len(r.cells), s.eraser())
	}
	r.wrapped = false
	if s.cur == &s.main {
		s.marks.drop(s.topLine() + int64(y))
	}
}

// eraseDisplay is ED, and DECSED with keep.
func (s *Screen) eraseDisplay(what int, keep bool) {
	s.restrict(s.cols) // a pending wrap stays pending
	b := s.cur
	r := b.rows[b.y]
	switch what {
	case 0:
		r.erase(b.x, s.cols, s.eraser(), keep)
		if b.x == 0 {
			r.wrapped = false
		}
		for y := b.y + 1; y < s.rows; y++ {
			s.eraseRow(y, keep)
		}
	case 1:
		r.erase(0, b.x+1, s.eraser(), keep)
		r.wrapped = false
		if b.x+1 >= s.cols && b.y+1 < s.rows {
			b.rows[b.y+1].wrapped = false // nothing is left that it could go on from
		}
		for y := range b.y {
			s.eraseRow(y, keep)
		}
	case 2:
		for y := range s.rows {
			s.eraseRow(y, keep)
		}
	case 3:
		if b == &s.main {
			s.forget()
		}
	}
}

// eraseLine is EL, and DECSEL with keep.
func (s *Screen) eraseLine(what int, keep bool) {
	s.restrict(s.cols)
	b := s.cur
	r := b.rows[b.y]
	switch what {
	case 0:
		r.erase(b.x, s.cols, s.eraser(), keep)
		if b.x == 0 {
			r.wrapped = false
		}
	case 1:
		r.erase(0, b.x+1, s.eraser(), keep)
	case 2:
		r.erase(0, s.cols, s.eraser(), keep)
		r.wrapped = false
	}
}

// align is DECALN: the screen full of E in the pen's attributes.
func (s *Screen) align() {
	s.moveTo(0, 0)
	c := s.ink
	c.text = 'E'
	c.attr &= attrFlags // neither the underline's style and colour nor the link
	// In origin mode xterm.js fills the main screen from the region's top on.
	top := s.cur.y
	if s.Alternate() {
		top = 0
	}
	for y := top; y < s.rows; y++ {
		r := s.cur.rows[y]
		r.fill(0, len(r.cells), c)
		r.wrapped = false
	}
	s.moveTo(0, 0)
}
