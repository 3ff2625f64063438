package screen

import (
	"encoding/binary"
	"unicode/utf8"

	"drover/backend/width"
)

// printRun prints what b begins with, up to the next control, and returns how many
// bytes that was.
func (s *Screen) printRun(b []byte) int {
	if b[0] < 0x20 || b[0] == 0x7f {
		return 0
	}
	i, begun := 0, false
	for i < len(b) {
		c := b[i]
		if c < 0x20 || c == 0x7f {
			break
		}
		r, n := rune(c), 1
		if c >= utf8.RuneSelf {
			if r, n = decode(b[i:]); n == 0 || (r >= 0 && r < 0xa0) {
				break // its end is missing, or it is a control: not for us
			}
			if r < 0 {
				i += n
				continue
			}
		}
		if !begun {
			begun = true
			s.beginRun()
		}
		if s.tail.open() && !s.modes.insert && s.sets.current == 0 {
			if n := s.printPlain(b[i:]); n > 0 {
				i += n
				continue
			}
		}
		s.print(r)
		i += n
	}
	if begun {
		s.endRun()
	}
	return i
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

// ascii is how many printable ASCII bytes b begins with, found eight at a time.
func ascii(b []byte) int {
	const ones = 0x0101010101010101
	n := 0
	for ; n+8 <= len(b); n += 8 {
		x := binary.LittleEndian.Uint64(b[n:])
		// A byte below 0x20, one of 0x7f, or one from 0x80 on sets its high bit.
		if odd := (x - 0x20*ones) | (x + ones) | x; odd&(0x80*ones) != 0 {
			break
		}
	}
	for n < len(b) && b[n] >= 0x20 && b[n] < 0x7f {
		n++
	}
	return n
}

// printPlain prints the plain characters that b begins with and returns how many
// bytes they were. Insert mode is off, the set is ASCII, and nothing joins.
func (s *Screen) printPlain(p []byte) int {
	b, ink := s.cur, s.ink
	row := b.rows[b.y]
	last := tail{}
	i := 0
	for i < len(p) {
		r, n := plainRune(p[i:])
		w := plainWidth(r)
		if w == 0 {
			break
		}
		if n == 1 && i+1 < len(p) && p[i+1] < utf8.RuneSelf {
			n = ascii(p[i:])
			s.printASCII(p[i : i+n])
			row, last = b.rows[b.y], s.tail
			i += n
			continue
		}
		i += n
		last = tail{plain: r, cells: w}
		if b.x+w > s.cols {
			if !s.makeRoom(w, 0) {
				continue
			}
			row = b.rows[b.y]
		}
		x := b.x
		ink.text = uint32(r)
		if w == 2 {
			half := ink
			ink.text |= textWide
			half.text = textHalf
			row.cells[x+1] = half
		}
		row.cells[x] = ink
		b.x = x + w
		row.used = max(row.used, b.x)
	}
	if i > 0 {
		s.tail = last
	}
	return i
}

// plainRune decodes a character that may be plain, from the front of p; 0x7f, which
// is none, for everything else.
func plainRune(p []byte) (rune, int) {
	switch c := p[0]; {
	case c < utf8.RuneSelf:
		if c >= 0x20 {
			return rune(c), 1
		}
	case c < 0xe0:
		if c >= 0xc3 && len(p) > 1 && p[1]&0xc0 == 0x80 {
			return rune(c&0x1f)<<6 | rune(p[1]&0x3f), 2
		}
	case c < 0xf0:
		if c > 0xe0 && len(p) > 2 && p[1]&0xc0 == 0x80 && p[2]&0xc0 == 0x80 {
			return rune(c&0x0f)<<12 | rune(p[1]&0x3f)<<6 | rune(p[2]&0x3f), 3
		}
	}
	return 0x7f, 1
}

// printASCII prints bytes from 0x20 to 0x7e.
func (s *Screen) printASCII(p []byte) {
	b, ink := s.cur, s.ink
	s.tail = tail{plain: rune(p[len(p)-1]), cells: 1}
	for len(p) > 0 {
		if b.x >= s.cols {
			if s.modes.noWrap {
				p = p[len(p)-1:] // all but the last would be overwritten
			}
			s.makeRoom(1, 0)
		}
		r := b.rows[b.y]
		n := min(s.cols-b.x, len(p))
		cells := r.cells[b.x : b.x+n]
		for i, c := range p[:len(cells)] {
			cells[i] = cell{uint32(c), ink.fg, ink.bg, ink.attr}
		}
		b.x += n
		r.used = max(r.used, b.x)
		p = p[n:]
	}
}

// makeRoom is for a character of w columns that does not fit behind the cursor. It
// wraps, taking along the moved columns before the cursor that the character
// belongs to; or, without wrapping, goes to the last column. It says whether the
// character has room now.
func (s *Screen) makeRoom(w, moved int) bool {
	b := s.cur
	if s.modes.noWrap {
		b.x = s.cols - 1
		r := b.rows[b.y]
		if r.cells[b.x-1].wide() && w == 1 {
			r.set(b.x-1, r.cells[b.x-1].blank()) // its second half goes
		}
		return w < 2
	}
	var carried [2]cell
	from := max(b.x-moved, 0)
	old := b.rows[b.y]
	n := copy(carried[:min(moved, 2)], old.cells[from:])
	for x := from; x < s.cols; x++ {
		old.set(x, s.ink)
	}
	b.y++
	if b.y == b.bottom+1 {
		b.y--
		s.scroll(true)
	} else {
		b.y = min(b.y, s.rows-1)
		b.rows[b.y].wrapped = true
	}
	if s.rows == 1 && b == &s.alt { // the row is its own successor
		b.rows[0].fill(from, s.cols, s.ink)
	}
	for x, c := range carried[:n] {
		b.rows[b.y].set(x, c)
	}
	b.x = moved
	return true
}

// print prints any character.
func (s *Screen) print(r rune) {
	if s.sets.current != 0 && r < 0x7f {
		r = translate(s.sets.current, r)
	}
	next, w, join := width.Next(s.tail.joinState(), r)
	had := 0
	if join {
		had = s.tail.cells
	}
	s.tail = tail{state: next, cells: w}
	if !join && plainWidth(r) != 0 {
		s.tail = tail{plain: r, cells: w}
	}
	b := s.cur
	if b.x+w-had > s.cols && !s.makeRoom(w, had) {
		return
	}
	row := b.rows[b.y]
	if join && b.x > 0 {
		s.join(row, r, w, had)
		return
	}
	if s.modes.insert {
		row.insert(b.x, w-had, s.ink)
		if last := &row.cells[s.cols-1]; last.wide() {
			*last = s.ink
		}
	}
	if b.x >= s.cols {
		return // a character without a width, while a wrap is pending
	}
	c := s.ink
	c.text = sized(uint32(r), w)
	row.set(b.x, c)
	b.x++
	if w == 2 {
		c.text = textHalf
		row.set(b.x, c)
		b.x++
	}
}

// join adds r to the cluster before the cursor, which was had columns wide and is
// w now.
func (s *Screen) join(row *row, r rune, w, had int) {
	b := s.cur
	x := b.x - 1
	if row.cells[x].width() == 0 {
		// A mark that stands alone takes no second one; before it, there must be
		// something that does.
		if x--; x < 0 || row.cells[x].emptyHalf() && !row.cells[x+1].emptyHalf() {
			return
		}
	}
	c := row.cells[x]
	if c.text&hasText == 0 {
		c.text = uint32(r) // nothing to join was there
	} else {
		c.text = s.cluster(c.text, r) | c.text&^hasText
	}
	if w > 0 {
		c.text = sized(c.text&hasText, w)
	}
	row.set(x, c)
	for ; had < w && b.x < s.cols; had++ {
		half := s.ink
		half.text = textHalf
		row.set(b.x, half)
		b.x++
	}
}

// minRepeat is how often REP may repeat on the smallest screen.
const minRepeat = 1024

// repeat is REP: the last character again, if nothing but printing came since; no
// more often than fills the screen.
func (s *Screen) repeat(n int) {
	if s.tail == (tail{}) {
		return
	}
	b := s.cur
	x := b.x - s.tail.cells
	if x < 0 || x >= s.cols {
		return
	}
	c := b.rows[b.y].cells[x]
	if c.text&hasText == 0 {
		return
	}
	one := s.appendText(s.cellBuffer[:0], c)
	s.cellBuffer = one
	var all []byte
	for range min(n, max(s.cols*s.rows, minRepeat)) {
		all = append(all, one...)
	}
	s.printRun(all)
}
