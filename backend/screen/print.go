package screen

import (
	"unicode/utf8"

	"drover/backend/width"
)

// printRun prints what b begins with, up to the next control, and returns how many
// bytes that was.
func (s *Screen) printRun(b []byte) int {
	plain := !s.modes.insert && s.sets.current == 0
	i, begun := 0, false
	if plain {
		n, done := s.printWord(b)
		if done {
			return n
		}
		i, begun = n, n > 0
	}
	for i < len(b) && b[i] >= 0x20 && b[i] != 0x7f {
		if !begun && (b[i] < utf8.RuneSelf || isText(b[i:])) {
			begun = true
			s.beginRun()
		}
		if plain {
			if n := s.printText(b[i:]); n > 0 {
				i += n
				continue
			}
		}
		n := s.printNext(b[i:])
		if n == 0 {
			break
		}
		i += n
	}
	if begun {
		s.endRun()
	}
	return i
}

// printWord prints the ASCII text that a run begins with, as far as it has room
// behind the cursor. Most runs are no more than that; then it does all of what
// printRun does and says so.
func (s *Screen) printWord(p []byte) (n int, done bool) {
	b := s.cur
	if b.x >= s.cols {
		return 0, false
	}
	r := b.rows[b.y]
	if b.x > 0 && r.cells[b.x-1].wide() {
		return 0, false
	}
	if n = r.putASCII(b.x, s.cols, p, s.ink); n == 0 {
		return 0, false
	}
	b.x += n
	s.tail = tail{ascii: p[n-1], cells: 1}
	if n < len(p) && p[n] >= 0x20 && p[n] != 0x7f {
		return n, false
	}
	if b.x < r.used {
		s.endRun()
	}
	return n, true
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
		if r := b.rows[b.y]; b.x < r.used && r.cells[b.x].emptyHalf() {
			r.set(b.x, s.ink)
			// Without wrapping, the cursor may be within a wide character.
			if b.x > 0 && r.cells[b.x-1].wide() {
				r.set(b.x-1, r.cells[b.x-1].blank())
			}
		}
	}
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
			if !isASCII(uint32(c)) {
				break
			}
			cells[i].text = uint32(c)
			n++
		}
	} else {
		for i, c := range p {
			if !isASCII(uint32(c)) {
				break
			}
			cells[i] = cell{uint32(c), ink.fg, ink.bg, ink.attr}
			n++
		}
	}
	if n > 0 {
		r.used = max(r.used, x+n)
	}
	return n
}

// printText prints what p begins with as long as nothing is special: characters
// that take room and have it, and what joins them. It returns how many bytes that
// was. Insert mode is off, the set is ASCII.
//
// All scripts go the same way through the tables of package width: that costs less
// than telling them apart, for text mixes them as no processor can foresee.
func (s *Screen) printText(p []byte) int {
	b, ink := s.cur, s.ink
	row, x := b.rows[b.y], b.x
	cells := row.cells[:s.cols]
	state, last := s.tail.state(), int(s.tail.cells)
	i, end := 0, 0 // end of what was written, but for what join has
	for i < len(p) {
		r, n := shortRune(p[i:])
		if n == 0 {
			r, n = decode(p[i:])
		}
		next, w, join := width.Next(state, r)
		if join {
			if x == 0 || x+w-last > len(cells) {
				break
			}
			b.x = x
			s.join(row, r, w, last)
			x = b.x
		} else {
			if w == 0 || x+w > len(cells) || r < 0 {
				break // controls have no width
			}
			ink.text = uint32(r)
			if w == 2 {
				ink.text |= textWide
				cells[x+1] = cell{textHalf, ink.fg, ink.bg, ink.attr}
			}
			cells[x] = ink
			x += w
			end = x
		}
		i += n
		state, last = next, w
	}
	if i > 0 {
		b.x, row.used = x, max(row.used, end)
		s.tail = tail{after: state, cells: int8(last)}
	}
	return i
}

// shortRune decodes most characters of up to three bytes as decode does, but
// without a loop; n is 0 for everything else.
func shortRune(p []byte) (r rune, n int) {
	switch c := p[0]; {
	case c < utf8.RuneSelf:
		return rune(c), 1
	case c >= 0xe1 && c < 0xed: // neither too small nor half of a pair nor a mark of order
		if len(p) > 2 && p[1]&0xc0 == 0x80 && p[2]&0xc0 == 0x80 {
			return rune(c&0x0f)<<12 | rune(p[1]&0x3f)<<6 | rune(p[2]&0x3f), 3
		}
	case c >= 0xc2 && c < 0xe0:
		if len(p) > 1 && p[1]&0xc0 == 0x80 {
			return rune(c&0x1f)<<6 | rune(p[1]&0x3f), 2
		}
	}
	return 0, 0
}

// plainWidth is the width of the characters that most text is made of, and 0 for
// all others. No plain character joins the one before, unless that is an odd one.
func plainWidth(r rune) int {
	switch {
	case r < 0x7f, r >= 0xc0 && r < 0x300, r >= 0x400 && r < 0x483, r >= 0x48a && r < 0x530:
		return 1
	case r < 0x2500:
		return 0
	case r >= 0x4e00 && r < 0xa000, r >= 0xac00 && r < 0xd7a4, r >= 0x3041 && r < 0x3097, r >= 0x30a1 && r < 0x30fb:
		return 2
	case r < 0x25a0: // boxes and blocks
		return 1
	}
	return 0
}
