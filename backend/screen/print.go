package screen

import "unicode/utf8"

// printRun prints what b begins with, up to the next control, and returns how many
// bytes that was.
func (s *Screen) printRun(b []byte) int {
	plain := !s.modes.insert && s.sets.current == 0
	i, begun := 0, false
	for i < len(b) && b[i] >= 0x20 && b[i] != 0x7f {
		if !begun && (b[i] < utf8.RuneSelf || isText(b[i:])) {
			begun = true
			s.beginRun()
		}
		n := 0
		switch {
		case !plain:
		case b[i] < utf8.RuneSelf: // joins nothing, whatever came before
			n = s.printASCII(b[i:])
		case s.tail.open():
			n = s.printPlain(b[i:])
		}
		if n == 0 {
			if n = s.printNext(b[i:]); n == 0 {
				break
			}
		}
		i += n
	}
	if begun {
		s.endRun()
	}
	return i
}

// isText says whether b, which is no ASCII, begins with a whole character that is
// printed.
func isText(b []byte) bool {
	r, n := decode(b)
	return n > 0 && r >= 0xa0
}

// printNext prints the character that b begins with, of whatever kind, and returns
// its length: 0 if its end is missing, or if it is a control, which is not for us.
// What is no character is skipped.
func (s *Screen) printNext(b []byte) int {
	r, n := rune(b[0]), 1
	if r >= utf8.RuneSelf {
		if r, n = decode(b); n == 0 || (r >= 0 && r < 0xa0) {
			return 0
		}
	}
	if r >= 0 {
		s.print(r)
	}
	return n
}

// beginRun: a run that begins on the second half of a wide character leaves none
// of it.
func (s *Screen) beginRun() {
	b := s.cur
	if b.x > 0 && b.x <= s.cols {
		if r := b.rows[b.y]; r.cells[b.x-1].wide() {
			r.set(b.x-1, s.ink)
		}
	}
}

// endRun does the same for what is behind the run.
func (s *Screen) endRun() {
	b := s.cur
	if b.x < s.cols {
		if r := b.rows[b.y]; r.cells[b.x].emptyHalf() {
			r.set(b.x, s.ink)
			// Without wrapping, the cursor may be within a wide character.
			if b.x > 0 && r.cells[b.x-1].wide() {
				r.set(b.x-1, r.cells[b.x-1].blank())
			}
		}
	}
}

// printASCII prints the ASCII text that p begins with and returns how much that
// was. Insert mode is off, the set is ASCII.
func (s *Screen) printASCII(p []byte) int {
	b := s.cur
	i := 0
	for i < len(p) && p[i] >= 0x20 && p[i] < 0x7f {
		if b.x >= s.cols {
			s.makeRoom(1, 0)
		}
		n := b.rows[b.y].putASCII(b.x, s.cols, p[i:], s.ink)
		b.x += n
		i += n
	}
	if i > 0 {
		s.tail = tail{plain: rune(p[i-1]), cells: 1}
	}
	return i
}

// putASCII writes the ASCII text that p begins with from column x on, as far as
// there is room before column end, and returns how many characters that was.
func (r *row) putASCII(x, end int, p []byte, ink cell) int {
	cells := r.cells[x:end]
	p = p[:min(len(p), len(cells))]
	n := 0
	if x >= r.used && ink == (cell{}) {
		// The cells are zero, so that only their text is missing: a quarter of the
		// memory.
		for i, c := range p {
			if c-0x20 >= 0x7f-0x20 {
				break
			}
			cells[i].text = uint32(c)
			n++
		}
	} else {
		for i, c := range p {
			if c-0x20 >= 0x7f-0x20 {
				break
			}
			cells[i] = cell{uint32(c), ink.fg, ink.bg, ink.attr}
			n++
		}
	}
	r.used = max(r.used, x+n)
	return n
}

// printPlain prints the plain characters beyond ASCII that p begins with and
// returns how many bytes they were. Insert mode is off, the set is ASCII, and
// nothing plain joins what is before.
func (s *Screen) printPlain(p []byte) int {
	b, ink := s.cur, s.ink
	row, x := b.rows[b.y], b.x
	last := tail{}
	i := 0
	for i < len(p) {
		r, w, n := plainRune(p[i:])
		if n == 0 {
			break
		}
		i += n
		last = tail{plain: r, cells: w}
		if x+w > s.cols {
			b.x = x
			room := s.makeRoom(w, 0)
			row, x = b.rows[b.y], b.x
			if !room {
				continue
			}
		}
		ink.text = uint32(r)
		if w == 2 {
			ink.text |= textWide
			row.cells[x+1] = cell{textHalf, ink.fg, ink.bg, ink.attr}
		}
		row.cells[x] = ink
		x += w
		row.used = max(row.used, x)
	}
	if i > 0 {
		b.x, s.tail = x, last
	}
	return i
}

// plainRune decodes a plain character beyond ASCII and gives its width; n is 0 for
// everything else.
func plainRune(p []byte) (r rune, w, n int) {
	c := p[0]
	if c >= 0xe1 && c < 0xf0 && len(p) > 2 && p[1]&0xc0 == 0x80 && p[2]&0xc0 == 0x80 {
		r = rune(c&0x0f)<<12 | rune(p[1]&0x3f)<<6 | rune(p[2]&0x3f)
		if w = plainWidth3(r); w > 0 {
			return r, w, 3
		}
	} else if c >= 0xc3 && c < 0xe0 && len(p) > 1 && p[1]&0xc0 == 0x80 {
		r = rune(c&0x1f)<<6 | rune(p[1]&0x3f)
		if w = plainWidth2(r); w > 0 {
			return r, w, 2
		}
	}
	return 0, 0, 0
}

// plainWidth is the width of the characters that most text is made of, and 0 for
// all others. No plain character joins the one before, unless that is an odd one.
func plainWidth(r rune) int {
	switch {
	case r < 0x7f:
		return 1
	case r < 0x800:
		return plainWidth2(r)
	}
	return plainWidth3(r)
}

// plainWidth2 is plainWidth for what is two bytes of UTF-8: Latin and Cyrillic.
func plainWidth2(r rune) int {
	if r >= 0xc0 && r < 0x300 || r >= 0x400 && r < 0x483 || r >= 0x48a && r < 0x530 {
		return 1
	}
	return 0
}

// plainWidth3 is plainWidth for what is three bytes: ideographs, Hangul, kana,
// boxes and blocks. The most frequent ones come first.
func plainWidth3(r rune) int {
	switch {
	case r >= 0x4e00:
		if r < 0xa000 || r >= 0xac00 && r < 0xd7a4 {
			return 2
		}
	case r >= 0x3041:
		if r < 0x3097 || r >= 0x30a1 && r < 0x30fb {
			return 2
		}
	case r >= 0x2500 && r < 0x25a0:
		return 1
	}
	return 0
}
