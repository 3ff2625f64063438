package screen

import (
	"fmt"
	"slices"
	"strconv"
)

// appendColour appends a colour's SGR parameters; base is 30, 40, or 50 for the
// underline's.
func appendColour(dst []byte, c uint32, base int) []byte {
	number := func(n int) { dst = strconv.AppendInt(dst, int64(n), 10) }
	v := int(c & colourValue)
	switch c & colourKind {
	case 0:
		number(base + 9)
	case colour16:
		if v < 8 {
			number(base + v)
		} else {
			number(base + 60 + v - 8)
		}
	case colour256:
		number(base + 8)
		dst = append(dst, ";5;"...)
		number(v)
	default:
		number(base + 8)
		dst = append(dst, ";2;"...)
		number(v >> 16)
		dst = append(dst, ';')
		number(v >> 8 & 0xff)
		dst = append(dst, ';')
		number(v & 0xff)
	}
	return dst
}

// colours sets what the program has set, and what it has not back: each of them
// once, so that a reader who remembers what it has need not touch any.
func (p *painter) colours() {
	set := p.s.colours.set
	p.text("\x1b]104")
	if len(set) > 0 {
		for n := range 256 {
			if _, ok := set[n]; !ok {
				p.dst = append(p.dst, ';')
				p.number(n)
			}
		}
	}
	p.text("\a")
	for n := range cursorTint + 1 {
		c, ok := set[n]
		switch {
		case ok && n < 256:
			p.text(fmt.Sprintf("\x1b]4;%d;#%06x\a", n, c))
		case ok:
			p.text(fmt.Sprintf("\x1b]%d;#%06x\a", n-foreground+10, c))
		case n >= 256:
			p.text(fmt.Sprintf("\x1b]%d\a", n-foreground+110))
		}
	}
}

// rest is what a buffer has beside its rows: tab stops, saved cursor, region.
func (p *painter) rest(b *buffer) {
	s := p.s
	if !slices.Equal(b.tabs[:s.cols], defaultTabs(s.cols)[:s.cols]) {
		p.text("\x1b[3g")
		for x, on := range b.tabs[:s.cols] {
			if on {
				p.moveTo(x, 0)
				p.text("\x1bH")
			}
		}
	}
	if b.saved != (saved{}) {
		p.saved(b)
	}
	if b.top != 0 || b.bottom != s.rows-1 {
		p.text(fmt.Sprintf("\x1b[%d;%dr", b.top+1, b.bottom+1))
		p.x, p.y = 0, 0
	}
}

// saved puts the saved cursor where restoring would bring it.
func (p *painter) saved(b *buffer) {
	s := p.s
	base := 0
	if b == &s.main {
		base = s.history.len()
	}
	p.moveTo(min(b.saved.x, s.cols-1), min(max(b.saved.line-base, 0), s.rows-1))
	pen := pen{fg: b.saved.fg, bg: b.saved.bg, flags: b.saved.flags &^ attrExtended}
	p.look(pen.look())
	p.designate(0, b.saved.charset)
	if b.saved.flags&attrExtended != 0 {
		p.text("\x1b]8;;x\a\x1b7\x1b]8;;\a") // a link sets that flag, and is not saved itself
	} else {
		p.text("\x1b7")
	}
	if b.saved.charset != 0 {
		p.designate(0, 0)
		p.text("\x1b(B")
	}
}

func (p *painter) designate(g int, set byte) {
	if set != 0 {
		p.dst = append(p.dst, 0x1b, "()*+"[g], set)
	}
}

// state is what is not the screens': modes, cursor, sets, pen.
func (p *painter) state() {
	s := p.s
	m := &s.modes
	for _, mode := range [...]struct {
		n  string
		on bool
	}{
		{"1", m.appCursor},
		{"12", m.blink},
		{"45", m.reverseWrap},
		{"66", m.appKeypad},
		{"1004", m.focus},
		{"2004", m.bracketed},
		{"2026", m.sync},
		{"6", m.origin},
		{"9", m.mouse == MouseX10},
		{"1000", m.mouse == MouseNormal},
		{"1002", m.mouse == MouseDrag},
		{"1003", m.mouse == MouseAny},
		{"1006", m.encoding == EncodingSGR},
		{"1016", m.encoding == EncodingSGRPixels},
	} {
		if mode.on {
			p.text("\x1b[?" + mode.n + "h")
		}
	}
	if m.hidden {
		p.text("\x1b[?25l")
	} else {
		p.text("\x1b[?25h")
	}
	if n := s.cursorStyle(); n != 0 {
		p.csi(n, ' ')
		p.text("q")
	}
	p.cursor()
	p.charsets()
	if m.noWrap {
		p.text("\x1b[?7l")
	}
	if m.insert {
		p.text("\x1b[4h")
	}
	if m.newLine {
		p.text("\x1b[20h")
	}
	p.look(s.pen.look())
}

// cursor puts the cursor where it is; a wrap is made pending by printing the last
// column again.
func (p *painter) cursor() {
	s, b := p.s, p.s.cur
	top := 0
	if s.modes.origin {
		top = b.top
	}
	if b.x < s.cols {
		p.moveTo(b.x, b.y-top)
		return
	}
	switch {
	case p.pending(b, b.y, b.y-top):
	case b == &s.main:
		// Both screens share the column, so the other one can be printed on.
		p.text("\x1b[?47h")
		p.moveTo(s.cols-1, b.y)
		p.text("x\x1b[?47l")
	default:
		p.moveTo(s.cols-1, b.y-top)
	}
}

func (p *painter) charsets() {
	sets := &p.s.sets
	for g, set := range sets.g {
		p.designate(g, set)
	}
	p.text([...]string{"", "\x0e", "\x1bn", "\x1bo"}[sets.level])
	// A set that a restored cursor has brought comes from there again.
	if b := p.s.cur; sets.current != sets.g[sets.level] && sets.current == b.saved.charset && b.x < p.s.cols {
		p.text("\x1b8")
		p.now = look{tint: underlineNone, underline: underlineDashed} // unknown: the next look begins anew
		p.look(look{link: 0})
		p.cursor()
	}
}

// appendPen appends the pen's SGR parameters, as DECRQSS tells them.
func (s *Screen) appendPen(dst []byte) []byte {
	l := s.pen.look()
	l.flags &^= attrProtected
	l.link = 0
	if l == (look{}) {
		return append(dst, '0')
	}
	out, _ := appendSGR(append(dst, "0;"...), look{}, l)
	return out
}
