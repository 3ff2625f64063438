package screen

import (
	"slices"
	"strconv"
)

// AppendSnapshot appends what makes an xterm.js of the same size, in whatever
// state it is, show this screen: text, attributes, links, both screens, cursor,
// saved cursor, modes, character sets, region, tab stops, the colours that the
// program has set, and the prompt marks. Up to lines lines of the scrollback come before it, wrapped as
// they are here.
//
// A sequence or character whose end has not come yet is at its end, so that the
// bytes that are written to the screen next can follow; before it is the last
// character once more, as what follows may join or repeat that one.
//
// What no sequence can make is left out: a pending wrap behind an empty cell of
// the alternate screen, and what xterm.js keeps of an alternate screen that was
// made smaller. The first half of a wide character that has lost its second is a
// blank in its look, as it is shown there; a mark that stands alone in the last
// column stands on a space.
func (s *Screen) AppendSnapshot(dst []byte, lines int) []byte {
	p := painter{s: s, dst: dst}
	p.text("\x1bc\x1b[20l\x1b[?12l")
	p.colours()
	lines = min(max(lines, 0), s.history.len())
	p.takeMarks(s.topLine() - int64(lines))
	p.main(lines)
	p.screenMarks()
	p.rest(&s.main)
	if s.Alternate() {
		p.moveTo(s.main.x, s.main.y)
		p.look(look{})
		p.text("\x1b[?47h")
		p.buffer(&s.alt, false)
		p.rest(&s.alt)
	} else if s.alt.saved != (saved{}) {
		p.text("\x1b[?47h")
		p.saved(&s.alt)
		p.look(look{})
		p.text("\x1b[?47l")
	}
	p.state()
	p.tail()
	p.dst = s.parser.appendOpen(p.dst)
	return p.dst
}

// painter writes a snapshot.
type painter struct {
	s   *Screen
	dst []byte

	now    look // what the pen of the reader is
	cell   cell // the cell whose look now is, to compare quickly
	odd    bool // the character before could join the next
	x      int  // where the reader's cursor is in its row; cols: a wrap is pending
	y      int
	marked bool // the cell at x was written on the way and must be written again

	marks []Mark // those to come
}

func (p *painter) text(s string) { p.dst = append(p.dst, s...) }

func (p *painter) number(n int) { p.dst = strconv.AppendInt(p.dst, int64(n), 10) }

// csi is a sequence with one number, left out where it is 1.
func (p *painter) csi(n int, final byte) {
	p.text("\x1b[")
	if n != 1 {
		p.number(n)
	}
	p.dst = append(p.dst, final)
	p.odd = false
}

func (p *painter) moveTo(x, y int) {
	p.text("\x1b[")
	if y > 0 {
		p.number(y + 1)
	}
	if x > 0 {
		p.dst = append(p.dst, ';')
		p.number(x + 1)
	}
	p.dst = append(p.dst, 'H')
	p.x, p.y, p.odd = x, y, false
}

// right goes to column x, from the left of it or from anywhere.
func (p *painter) right(x int) {
	if x > p.x && p.x < p.s.cols {
		p.csi(x-p.x, 'C')
	} else if x != p.x {
		p.csi(x+1, 'G')
	}
	p.x = x
}

// main paints the main screen and the last lines above it.
func (p *painter) main(lines int) {
	s := p.s
	joined := false
	if lines > 0 {
		above := p.history(lines)
		if joined = s.main.rows[0].wrapped; joined {
			p.forceWrap(above)
		} else if p.hollowEnd(above) {
			p.forceWrap(above)
			p.text("\x1b[2K")
		} else {
			p.newline()
		}
		if p.marked {
			p.erase(1)
		}
		p.look(look{})
		for range s.rows - 1 {
			p.text("\n")
		}
		p.y = -1
	}
	p.buffer(&s.main, joined)
}

// history prints lines, leaves the cursor at the end of the last one, and returns
// that one.
func (p *painter) history(lines int) *row {
	s := p.s
	first := s.history.len() - lines
	last, next := newRow(s.cols), newRow(s.cols)
	s.scratch = []*row{last, next}
	defer func() { s.scratch = nil }()
	if s.history.line(first)[0]&lineWrapped != 0 {
		p.wrapFirst(false)
	}
	for i := first; i < s.history.len(); i++ {
		s.decodeRow(next, s.history.line(i))
		next.mend()
		marks := p.marksOf(s.history.first + int64(i))
		if i > first {
			switch {
			case !next.wrapped && p.hollowEnd(last):
				p.forceWrap(last)
				p.text("\x1b[2K") // takes the wrap again
			case !next.wrapped:
				p.newline()
			case len(marks) == 0 && p.flows(last, next) && next.cells[0].bg == 0:
				// It wraps by itself. A coloured background would fill the row.
			default:
				p.forceWrap(last)
			}
		}
		marks = p.rowMarks(marks)
		p.row(next)
		for _, m := range marks {
			p.mark(m)
		}
		last, next = next, last
	}
	return last
}

func (p *painter) newline() {
	if p.now.bg != 0 {
		p.look(look{}) // or the new row would be coloured
	}
	p.text("\r\n")
	p.x, p.odd = 0, false
}

// flows says whether the text of next, printed behind that of row, wraps into the
// next row by itself and leaves row as it is.
func (p *painter) flows(above, next *row) bool {
	first := next.cells[0]
	if first.text&(hasText|textHalf) == 0 || first.text&textHalf != 0 || p.oddCell(first) || p.odd {
		return false
	}
	if p.x == p.s.cols {
		return true
	}
	// A wide character wraps one column early, and leaves its own look there.
	return p.x == p.s.cols-1 && first.wide() && !p.marked && above.cells[p.x] == first.blank()
}

// forceWrap makes the row below go on from this one, which is r, and goes to its
// start. It may scroll.
func (p *painter) forceWrap(r *row) {
	if p.x == p.s.cols {
		p.look(look{})
		p.text("x\r")
		p.marked = true
	} else {
		p.wrapWide(r)
		p.text("\r")
		p.look(look{})
		n := 2
		if r.cells[p.s.cols-1].bg != 0 {
			n = p.s.cols // scrolling may have coloured the row
		}
		p.erase(n)
	}
	p.x, p.odd = 0, false
}

// wrapWide wraps a wide character that does not fit into the last column: the one
// thing that leaves an empty cell there in any look. r is the row as it shall be.
func (p *painter) wrapWide(r *row) {
	last := p.s.cols - 1
	if before := r.cells[last-1]; p.hollowEnd(r) && hollow(before) && !p.halfAt(r, last-1) {
		p.hollow(before, last-1)
	}
	p.right(last)
	p.lookOf(r.cells[last].blank())
	p.text("\x00中")
	p.marked = false
}

// wrapFirst makes the top row of an empty screen one that goes on from above.
// alternate: the screen has no scrollback.
func (p *painter) wrapFirst(alternate bool) {
	p.moveTo(p.s.cols-1, 0)
	p.text("xx")
	if p.s.rows > 1 {
		p.moveTo(0, 0)
		p.text("\x1b[M")
	} else {
		p.text("\r")
		if !alternate {
			p.text("\x1b[3J")
		}
		p.x = 0
	}
	p.marked = true
}

// buffer paints the rows of a screen that is empty. joined: the first row is
// marked as wrapped already.
func (p *painter) buffer(b *buffer, joined bool) {
	s := p.s
	p.look(look{})
	rows := p.visible(b.rows)
	if rows[0].wrapped && !joined {
		p.wrapFirst(b == &s.alt)
		p.erase(1)
	}
	if r := rows[s.rows-1]; s.rows > 2 && p.hollowEnd(r) {
		p.hollowBottom(r)
	}
	p.y = -1
	for y, r := range rows {
		if y+1 == s.rows {
			break
		}
		if next := rows[y+1]; next.wrapped && !p.willFlow(r, next) || p.hollowEnd(r) {
			p.skeleton(y, r, next)
		}
	}
	p.look(look{})
	for y, r := range rows {
		if r.drawn() == 0 {
			continue
		}
		switch {
		case p.y >= 0 && p.y == y-1 && r.wrapped && p.flows(rows[y-1], r):
		case p.y >= 0 && p.y == y-1 && !r.wrapped && p.now.bg == 0:
			p.text("\r\n")
			p.x, p.odd = 0, false
		default:
			p.moveTo(0, y)
		}
		p.row(r)
		p.y = y
	}
}

// willFlow is what flows will say once row was painted.
func (p *painter) willFlow(above, next *row) bool {
	last := p.s.cols - 1
	first, end := next.cells[0], above.cells[last]
	if first.text&hasText == 0 || first.text&textHalf != 0 || p.oddCell(first) {
		return false
	}
	if end.text != 0 && end.text&textHalf == 0 {
		return !p.oddCell(end)
	}
	if end.emptyHalf() {
		return above.cells[last-1].wide() && !p.oddCell(above.cells[last-1])
	}
	before := above.cells[last-1]
	return first.wide() && end == first.blank() && before.text != 0 && !p.oddCell(before)
}

// hollowEnd says whether the row's last cell is one that only wrapWide makes.
func (p *painter) hollowEnd(r *row) bool {
	last := p.s.cols - 1
	return hollow(r.cells[last]) && !p.halfAt(r, last)
}

// hollow says whether a cell has no text, but attributes that erasing does not give.
func hollow(c cell) bool { return c.text&hasText == 0 && c.blank() != cell{bg: c.bg} }

// halfAt says whether the cell is the second half of a wide character.
func (p *painter) halfAt(r *row, x int) bool {
	return r.cells[x].emptyHalf() && x > 0 && r.cells[x-1].wide()
}

// skeleton makes, before they are painted, the row at y and the next one what
// painting does not: the next one wrapped, and the last cell here in its look.
func (p *painter) skeleton(y int, r, next *row) {
	last := p.s.cols - 1
	end := r.cells[last]
	p.moveTo(last, y)
	if end.text&hasText == 0 && !p.halfAt(r, last) {
		p.wrapWide(r)
	} else {
		p.text("xx") // the first one will be painted over
	}
	p.look(look{})
	p.moveTo(0, y+1)
	if next.wrapped {
		p.erase(2)
	} else {
		p.text("\x1b[2K") // takes the wrap too
	}
}

// hollowBottom does for the last row of an empty screen what skeleton does for the
// others: it lets it scroll, in a region that has no scrollback, and back.
func (p *painter) hollowBottom(r *row) {
	p.text("\x1b[2r")
	p.moveTo(p.s.cols-1, p.s.rows-1)
	p.wrapWide(r)
	p.look(look{})
	p.moveTo(0, 1)
	p.text("\x1b[L\x1b[r")
}

// visible are the rows as they can be shown: halves that are left of wide
// characters are blank.
func (p *painter) visible(rows []*row) []*row {
	if !p.s.halves {
		return rows
	}
	out := make([]*row, len(rows))
	for y, r := range rows {
		cells := slices.Clone(r.cells[:p.s.cols])
		out[y] = &row{cells: cells, used: min(r.used, p.s.cols), wrapped: r.wrapped}
		out[y].mend()
	}
	return out
}

// mend makes wide characters without their second half blank.
func (r *row) mend() {
	for x := range r.used {
		if c := r.cells[x]; c.wide() && (x+1 == len(r.cells) || !r.cells[x+1].emptyHalf()) {
			r.cells[x] = c.blank()
		}
	}
}
