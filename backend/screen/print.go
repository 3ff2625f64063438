package screen

import (
	"encoding/binary"
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
		n := 0
		switch {
		case plain && longASCII(b[i:]):
			n = s.printASCII(b[i:])
		case plain:
			n = s.printText(b[i:])
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
	if n = r.putASCII(b.x, s.cols, p, &s.ink); n == 0 {
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
			// Without wrapping, the cursor may be within a wide character. As in
			// xterm.js, its first half stays.
			s.halves = s.halves || b.x > 0 && r.cells[b.x-1].wide()
		}
	}
}

// longASCII says whether p begins with so much ASCII that its own loop is worth while.
func longASCII(p []byte) bool {
	return len(p) >= 8 && binary.LittleEndian.Uint64(p)&0x8080808080808080 == 0
}

// printASCII prints the ASCII text that p begins with and returns how much that
// was. Insert mode is off, the set is ASCII.
func (s *Screen) printASCII(p []byte) int {
	b := s.cur
	i := 0
	for i < len(p) && isASCII(uint32(p[i])) {
		if b.x >= s.cols {
			s.makeRoom(1, 0)
		}
		n := b.rows[b.y].putASCII(b.x, s.cols, p[i:], &s.ink)
		b.x += n
		i += n
	}
	if i > 0 {
		s.tail = tail{ascii: p[i-1], cells: 1}
	}
	return i
}

// putASCII writes the ASCII text that p begins with from column x on, as far as
// there is room before column end, and returns how many characters that was.
func (r *row) putASCII(x, end int, p []byte, ink *cell) int {
	fg, bg, attr := ink.fg, ink.bg, ink.attr
	cells := r.cells[x:end]
	p = p[:min(len(p), len(cells))]
	n := 0
	if x >= r.used && fg|bg|attr == 0 {
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
			cells[i] = cell{uint32(c), fg, bg, attr}
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
func (s *Screen) printText(p []byte) int {
	b := s.cur
	i := 0
	for i < len(p) {
		n, columns := b.rows[b.y].putText(b.x, s.cols, p[i:], &s.ink, &s.tail)
		b.x += columns
		i += n
		joined := s.printJoined(p[i:])
		i += joined
		if joined == 0 {
			break
		}
	}
	return i
}

// putText writes the characters that p begins with from column x on, as long as
// they begin clusters of their own and have room before column end. It returns how
// many bytes and columns that was and brings t up to date.
//
// All scripts go the same way through the tables of package width: that costs less
// than telling them apart, for text mixes them as no processor can foresee. The
// loop decodes by itself, since a call costs as much as a character.
func (r *row) putText(x, end int, p []byte, ink *cell, t *tail) (n, columns int) {
	fg, bg, attr := ink.fg, ink.bg, ink.attr
	cells := r.cells[x:end]
	state, last := t.state(), 0
	size := 1
	for n < len(p) {
		c := rune(p[n])
		if c < utf8.RuneSelf {
			if size > 1 && longASCII(p[n:]) {
				break
			}
			size = 1
		} else {
			switch rest := p[n:]; {
			case c >= 0xe1 && c < 0xf0 && len(rest) > 2 && rest[1]&0xc0 == 0x80 && rest[2]&0xc0 == 0x80:
				c, size = c&0x0f<<12|rune(rest[1]&0x3f)<<6|rune(rest[2]&0x3f), 3
				if c&0xf800 == 0xd800 || c == 0xfeff {
					c = 0 // half of a pair, or a mark of byte order
				}
			case c >= 0xc2 && c < 0xe0 && len(rest) > 1 && rest[1]&0xc0 == 0x80:
				c, size = c&0x1f<<6|rune(rest[1]&0x3f), 2
			case c == 0xf0 && len(rest) > 3 && rest[1] >= 0x90 && rest[1]&0xc0 == 0x80 && rest[2]&0xc0 == 0x80 && rest[3]&0xc0 == 0x80:
				c, size = rune(rest[1]&0x3f)<<12|rune(rest[2]&0x3f)<<6|rune(rest[3]&0x3f), 4
			default:
				c, size = 0, 1 // something that decode must look at
			}
		}
		next, w, join := width.Next(state, c)
		if w == 0 || join || columns+w > len(cells) { // controls have no width
			break
		}
		text := uint32(c)
		if w == 2 {
			text |= textWide
			cells[columns+1] = cell{textHalf, fg, bg, attr}
		}
		cells[columns] = cell{text, fg, bg, attr}
		n, columns = n+size, columns+w
		state, last = next, w
	}
	if n > 0 {
		r.used = max(r.used, x+columns)
		*t = tail{after: state, cells: int8(last)}
	}
	return n, columns
}

// printJoined prints the characters that p begins with and that join what is before
// them, as long as there is room. It returns how many bytes they were.
func (s *Screen) printJoined(p []byte) int {
	b := s.cur
	i := 0
	for i < len(p) && p[i] >= utf8.RuneSelf {
		r, n := decode(p[i:])
		next, w, join := width.Next(s.tail.state(), r)
		had := int(s.tail.cells)
		if !join || n == 0 || b.x == 0 || b.x+w-had > s.cols {
			break
		}
		s.tail = tail{after: next, cells: int8(w), joins: true}
		s.join(b.rows[b.y], r, w, had)
		i += n
	}
	return i
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
