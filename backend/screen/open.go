package screen

import (
	"strconv"
	"unicode/utf8"

	"drover/backend/width"
)

// tail prints the last character again, so that what comes next may join or repeat
// it there as here. Nothing but appendOpen may follow. The cursor stays where it is
// and so does the rest of the row; where that cannot be, the tail is left out: in
// insert mode, and for a mark that bears itself.
func (p *painter) tail() {
	s, b := p.s, p.s.cur
	x := b.x - int(s.tail.cells)
	if s.tail.cells <= 0 || x < 0 || s.modes.insert {
		return
	}
	cells := b.rows[b.y].cells[:s.cols]
	c := cells[x]
	if c.text&hasText == 0 || c.width() != int(s.tail.cells) || !c.looksLike(&s.ink) || p.markAlone(c) ||
		x > 0 && cells[x-1].wide() || b.x < s.cols && cells[b.x].emptyHalf() {
		return
	}
	text := s.appendText(s.cellBuffer[:0], c)
	s.cellBuffer = text
	if isASCII(c.text) && translate(s.sets.current, rune(text[0])) != rune(text[0]) {
		return
	}
	var after width.State
	for rest := text; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		after, _, _ = width.Next(after, r)
		rest = rest[n:]
	}
	if after != s.tail.state() {
		return // a cluster that was cut short
	}
	top := 0
	if s.modes.origin {
		top = b.top
	}
	p.moveTo(x, b.y-top)
	p.dst = append(p.dst, text...)
}

// appendOpen appends what was read of a sequence or character that has not ended.
func (p *parser) appendOpen(dst []byte) []byte {
	prefix, inter := split(p.collect)
	switch p.state {
	case escape, escapeIntermediate:
		dst = append(append(dst, 0x1b), inter...)
	case csiEntry, csiParam, csiIntermediate:
		dst = append(append(dst, "\x1b["...), prefix...)
		if p.state != csiEntry {
			dst = p.params.append(dst)
		}
		dst = append(dst, inter...)
	case csiIgnore:
		dst = append(dst, "\x1b[0<"...)
	case ignoredString:
		dst = append(dst, "\x1b_"...)
	case oscString:
		dst = append(dst, "\x1b]"...)
		if p.long {
			dst = append(dst, 'x') // no number: it will be dropped there too
		}
		dst = append(dst, p.str...)
	case dcsEntry, dcsParam, dcsIntermediate:
		dst = append(append(dst, "\x1bP"...), prefix...)
		if p.state != dcsEntry {
			dst = p.params.append(dst)
		}
		dst = append(dst, inter...)
	case dcsIgnore:
		dst = append(dst, "\x1bP0<"...)
	case dcsPassthrough:
		prefix, inter = split(p.hooked >> 8)
		dst = append(append(append(dst, "\x1bP"...), prefix...), inter...)
		dst = append(append(dst, byte(p.hooked)), p.str...)
	case ground:
	}
	return append(dst, p.partial[:p.npartial]...)
}

// split parts the bytes before a final one into the prefix and the intermediates.
func split(collect uint32) (prefix, inter []byte) {
	for shift := 24; shift >= 0; shift -= 8 {
		switch b := byte(collect >> shift); {
		case b >= 0x3c:
			prefix = append(prefix, b)
		case b != 0:
			inter = append(inter, b)
		}
	}
	return prefix, inter
}

func (p *params) append(dst []byte) []byte {
	for i := range p.n {
		if i > 0 {
			dst = append(dst, ';')
		}
		if p.v[i] != 0 {
			dst = strconv.AppendInt(dst, int64(p.v[i]), 10)
		}
		for _, sub := range p.subs(i) {
			dst = append(dst, ':')
			if sub >= 0 {
				dst = strconv.AppendInt(dst, int64(sub), 10)
			}
		}
	}
	return dst
}
