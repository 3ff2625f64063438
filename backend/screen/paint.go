package screen

import (
	"unicode/utf8"

	"drover/backend/width"
)

// oddCell says whether the cell's text may join what is printed beside it.
func (p *painter) oddCell(c cell) bool {
	return c.text&textCluster != 0 || plainWidth(rune(c.text&textMask)) == 0
}

// row paints the row that the cursor is in, from its start. It is empty so far,
// but for the cell under the cursor if that is marked.
func (p *painter) row(r *row) {
	switch {
	case p.x >= p.s.cols, p.x == p.s.cols-1 && r.wrapped && r.cells[0].wide() && !p.marked:
		p.x = 0 // the first character wraps
	case p.x == 0:
		p.shiftedMark(r)
	}
	cells := r.cells[:min(r.drawn(), p.s.cols)]
	if len(cells) == 0 && p.marked {
		p.erase(1)
	}
	if p.hollowEnd(r) { // wrapWide makes those
		cells = cells[:len(cells)-1]
		if n := len(cells); hollow(cells[n-1]) && !p.halfAt(r, n-1) {
			cells = cells[:n-1]
		}
	}
	for x := 0; x < len(cells); {
		c := cells[x]
		if c.text&hasText == 0 {
			x = p.blanks(cells, x)
			continue
		}
		if isASCII(c.text) {
			x = p.ascii(cells, x)
			continue
		}
		if (x > 0 || c.width() == 1) && p.markAlone(c) {
			p.joinBlank(c, x)
			x++
			continue
		}
		p.right(x)
		p.lookOf(c)
		odd := p.oddCell(c)
		if odd || p.odd {
			p.dst = append(p.dst, 0) // does nothing, and parts them
		}
		p.dst = p.s.appendText(p.dst, c)
		x += max(c.width(), 1)
		p.x, p.odd, p.marked = x, odd, false
	}
	if p.marked && p.x < p.s.cols {
		p.look(look{})
		p.erase(1)
	}
}

// ascii paints the cells from x on that have ASCII and one look, and returns where
// they end.
func (p *painter) ascii(cells []cell, x int) int {
	p.right(x)
	first := &cells[x]
	p.lookOf(*first)
	if p.odd {
		p.dst = append(p.dst, 0) // does nothing, and parts them
	}
	dst := p.dst
	for x < len(cells) && isASCII(cells[x].text) && cells[x].looksLike(first) {
		dst = append(dst, byte(cells[x].text))
		x++
	}
	p.dst = dst
	p.x, p.odd, p.marked = x, false, false
	return x
}

// erase clears n cells at the cursor.
func (p *painter) erase(n int) {
	p.csi(n, 'X')
	p.marked = false
}

// blanks paints the cells without text from x on and returns where they end. The
// cursor may be left before them.
func (p *painter) blanks(cells []cell, x int) int {
	c := cells[x].blank()
	end := x + 1
	for end < len(cells) && cells[end].text&hasText == 0 && cells[end].blank() == c {
		end++
	}
	switch c {
	case cell{}:
		if p.marked {
			p.right(x)
			p.lookOf(c)
			p.erase(1)
		}
	case cell{bg: c.bg}:
		p.right(x)
		p.lookOf(c)
		p.erase(end - x)
	default:
		for ; x < end && x+1 < p.s.cols; x++ {
			p.hollow(c, x)
		}
	}
	return end
}

// hollow makes an empty cell with attributes: what is left of a wide character when
// something is printed on its second half.
func (p *painter) hollow(c cell, x int) {
	p.right(x)
	p.lookOf(c)
	p.text("\x00中")
	p.csi(x+2, 'G')
	p.text(" ")
	p.csi(x+2, 'G')
	p.x, p.marked = x+1, true
}

// markAlone says whether the cell holds marks without a character to bear them.
func (p *painter) markAlone(c cell) bool {
	if !p.oddCell(c) {
		return false
	}
	r := rune(c.text & textMask)
	if c.text&textCluster != 0 {
		r, _ = utf8.DecodeRuneInString(p.s.clusters.at(c.text & textMask))
	}
	_, _, join := width.Next(0, r)
	return join
}

// shiftedMark makes a mark that has no column of its own: it begins a row, and from
// there it can only have been shifted.
func (p *painter) shiftedMark(r *row) {
	for x, c := range r.cells[:min(r.used, p.s.cols)] {
		if x > 0 && c.text&hasText != 0 && c.width() == 0 {
			p.lookOf(c)
			p.dst = p.s.appendText(append(p.dst, 0), c)
			p.look(look{})
			p.text("\r")
			p.csi(x, '@')
			return
		}
	}
}

// joinBlank writes such a cell: marks join what is left of the cursor, which is
// empty.
func (p *painter) joinBlank(c cell, x int) {
	if c.width() == 0 {
		return // shiftedMark has made it
	}
	if hollow(cell{fg: c.fg, bg: c.bg, attr: c.attr}) && x+1 < p.s.cols {
		p.hollow(c, x)
	} else if c.bg != 0 || p.marked {
		p.right(x)
		p.look(look{bg: c.bg})
		p.erase(1)
	}
	if x+1 < p.s.cols {
		p.right(x + 1)
	} else { // there is no place right of it
		p.right(x)
		p.lookOf(c)
		p.text(" ")
	}
	p.dst = p.s.appendText(append(p.dst, 0), c)
	p.x, p.odd = x+1, true
}

// look is what SGR, DECSCA and OSC 8 have to make of the reader's pen.
type look struct {
	fg, bg    uint32
	flags     uint32 // but for the underline
	underline uint32 // style
	tint      uint32 // the underline's colour
	link      uint16
}

const lookFlags = attrFlags &^ (attrUnderline | attrExtended)

func (p *pen) look() look {
	l := look{fg: p.fg, bg: p.bg, flags: p.flags & lookFlags, tint: p.underline}
	if p.flags&attrExtended != 0 {
		l.link = p.link
	}
	if p.flags&attrUnderline != 0 {
		l.underline = underlineSingle
		if p.flags&attrExtended != 0 {
			l.underline = p.style
		}
	}
	return l
}

// lookOf makes the reader's pen that of the cell.
func (p *painter) lookOf(c cell) {
	c.text = 0
	if c == p.cell {
		return
	}
	if c.attr&^lookFlags == 0 { // neither underline nor link: most cells
		p.look(look{fg: c.fg, bg: c.bg, flags: c.attr})
	} else {
		st := p.s.style(c)
		pen := pen{
			fg: st.fg, bg: st.bg, flags: st.attr & attrFlags,
			style: st.attr & attrStyleMask >> attrStyleShift, underline: st.underline, link: st.link,
		}
		p.look(pen.look())
	}
	p.cell = c
}

func (p *painter) look(l look) {
	if l == p.now {
		p.cell = cell{fg: p.cell.fg, bg: p.cell.bg, attr: p.cell.attr, text: 1}
		if l == (look{}) {
			p.cell = cell{}
		}
		return
	}
	p.cell = cell{text: 1} // none: lookOf says which
	if l == (look{}) {
		p.cell = cell{}
	}
	// SGR neither sets the protection nor a link.
	link, protected := l.link, l.flags&attrProtected
	from := p.now
	from.flags &^= attrProtected
	l.link, l.flags = from.link, l.flags&^attrProtected
	if l != from {
		p.text("\x1b[")
		var reset bool
		p.dst, reset = appendSGR(p.dst, from, l)
		p.dst = append(p.dst, 'm')
		if reset {
			p.now.flags &^= attrProtected
		}
	}
	if p.now.flags&attrProtected != protected {
		if protected != 0 {
			p.text("\x1b[1\"q")
		} else {
			p.text("\x1b[0\"q")
		}
	}
	if link != from.link {
		p.link(link)
	}
	l.link, l.flags = link, l.flags|protected
	p.now, p.odd = l, false
}

func (p *painter) link(n uint16) {
	l := p.s.links.at(uint32(n))
	p.text("\x1b]8;")
	if l.id != "" {
		p.text("id=" + l.id)
	}
	p.text(";" + l.uri + "\a")
}

// appendSGR appends the parameters that make from to to, which differ. reset: they
// begin with 0, which takes the protection too.
func appendSGR(dst []byte, from, to look) (out []byte, reset bool) {
	start := len(dst)
	add := func(s string) {
		if len(dst) > start {
			dst = append(dst, ';')
		}
		dst = append(dst, s...)
	}
	if from.flags&^to.flags != 0 || (from.underline != 0 && to.underline == 0) || (from.tint != 0 && to.tint == 0) || (to.fg == 0 && from.fg != 0 && to.bg == 0) {
		reset = true
		from = look{}
		if to == (look{link: to.link}) {
			return dst, true // CSI m
		}
		add("0")
	}
	for i, n := range [...]string{"1", "2", "3", "", "5", "7", "8", "9", "53"} {
		if bit := uint32(1) << i; n != "" && to.flags&^from.flags&bit != 0 {
			add(n)
		}
	}
	if to.underline != from.underline {
		if to.underline == underlineSingle {
			add("4")
		} else {
			add("4:" + string(rune('0'+to.underline)))
		}
	}
	if to.fg != from.fg {
		add("")
		dst = appendColour(dst, to.fg, 30)
	}
	if to.bg != from.bg {
		add("")
		dst = appendColour(dst, to.bg, 40)
	}
	if to.tint != from.tint {
		add("")
		dst = appendColour(dst, to.tint, 50)
	}
	return dst, reset
}
