package screen

import (
	"unicode/utf8"

	"drover/backend/width"
)

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

// makeRoom is for a character of w columns that does not fit behind the cursor. It
// wraps, taking along the moved columns before the cursor that the character
// belongs to; or, without wrapping, goes to the last column. It says whether the
// character has room now.
func (s *Screen) makeRoom(w, moved int) bool {
	b := s.cur
	if s.modes.noWrap {
		b.x = s.cols - 1
		// What comes there may take the second half of a wide character.
		s.halves = s.halves || b.rows[b.y].cells[b.x-1].wide()
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
	next, w, join := width.Next(s.tail.state(), r)
	had := 0
	if join {
		had = int(s.tail.cells)
	}
	s.tail = tail{after: next, cells: int8(w), joins: join}
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
	x := b.x - int(s.tail.cells)
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
