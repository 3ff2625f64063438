package screen

// A colour is 0 for the default one, or a kind and a value.
const (
	colourKind    uint32 = 3 << 24
	colour16      uint32 = 1 << 24 // value 0 to 15, as set by SGR 30 to 37 and 90 to 97
	colour256     uint32 = 2 << 24 // value 0 to 255
	colourRGB     uint32 = 3 << 24 // value 0xrrggbb
	colourValue   uint32 = 1<<24 - 1
	underlineNone        = colourRGB | colourValue // see SGR 59
)

// Underline styles, as in SGR 4:n.
const (
	underlineOff = iota
	underlineSingle
	underlineDouble
	underlineCurly
	underlineDotted
	underlineDashed
)

// pen is what SGR, DECSCA and OSC 8 have set for the characters to come. fg and bg
// are not neighbours, or inkPen would copy both at once and the processor wait until
// the one that was just set is in memory.
type pen struct {
	fg        uint32
	flags     uint32 // attr bits
	bg        uint32
	style     uint32 // of the underline
	underline uint32 // its colour
	link      uint16 // index into links; 0: none
}

// updateExtended is called where xterm.js looks at it, no more often: a colour of
// the underline counts only once a style or a link is set after it.
func (p *pen) updateExtended() {
	if p.style != underlineOff || p.link != 0 {
		p.flags |= attrExtended
	} else {
		p.flags &^= attrExtended
	}
}

// inkPen makes the cell that the pen writes. It is called after each change.
func (s *Screen) inkPen() {
	p := &s.pen
	attr := p.flags
	if attr&attrExtended != 0 {
		attr |= p.style << attrStyleShift
		if p.underline != 0 || p.link != 0 {
			attr |= s.extra(extra{p.underline, p.link}) << attrExtraShift
		}
	}
	s.ink = cell{fg: p.fg, bg: p.bg, attr: attr}
}

// setUnderline is SGR 4, 4:n, 21 and 24. What xterm.js does not know is single.
func (p *pen) setUnderline(style int) {
	if style < 0 || style > underlineDashed {
		style = underlineSingle
	}
	p.style = uint32(style)
	p.flags |= attrUnderline
	if style == underlineOff {
		p.flags &^= attrUnderline
	}
	p.updateExtended()
}

// clear is SGR 0: everything but the link.
func (p *pen) clear() {
	p.fg, p.bg, p.flags, p.style, p.underline = 0, 0, 0, underlineOff, 0
	p.updateExtended()
}
