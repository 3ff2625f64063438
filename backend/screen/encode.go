package screen

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"drover/backend/width"
)

// A kept line is a byte of flags and then its cells up to the last that is not
// zero: characters in their natural width as UTF-8, everything else behind one of
// these bytes, which are never text.
const (
	tokenBlank   = 0x00 // a cell without text
	tokenStyle   = 0x01 // a mask, and the fields that are not zero, as varints
	tokenBlanks  = 0x02 // a varint: so many cells without text
	tokenCluster = 0x03 // its width, its length, its bytes
	tokenHalf    = 0x04 // a second half that its first does not imply
)

// Flags of a kept line.
const (
	lineWrapped = 1 << iota // goes on from the line before
	lineLinks               // a style in it has a link
	lineASCII               // nothing but printable ASCII in default colours
)

// alone, in the width of a tokenCluster: no second half follows by itself.
const alone = 4

// style is the look of a cell, without numbers that may be given anew.
type style struct {
	fg, bg    uint32
	attr      uint32 // flags and underline style
	underline uint32
	link      uint16
}

func (s *Screen) style(c cell) style {
	if c.attr>>attrExtraShift == 0 {
		return style{fg: c.fg, bg: c.bg, attr: c.attr}
	}
	e := s.extras.at(c.attr >> attrExtraShift)
	return style{c.fg, c.bg, c.attr & (1<<attrExtraShift - 1), e.underline, e.link}
}

// encodeRow appends the cells as a kept line. The last cells that are zero may be
// left out by the caller.
func (s *Screen) encodeRow(dst []byte, cells []cell, wrapped bool) []byte {
	start := len(dst)
	dst, done := appendASCII(append(dst, 0), cells)
	flags := byte(0)
	if done == len(cells) {
		flags = lineASCII // as most lines are
	}
	if wrapped {
		flags |= lineWrapped
	}
	var last cell // of the style that is written
	for i := done; i < len(cells); {
		c := &cells[i]
		if !c.looksLike(&last) {
			last = *c
			st := s.style(last)
			if st.link != 0 {
				flags |= lineLinks
			}
			dst = st.append(dst)
		}
		if isASCII(c.text) {
			dst = append(dst, byte(c.text))
			i++
			continue
		}
		var n int
		dst, n = s.encodeOther(dst, cells[i:])
		i += n
	}
	dst[start] = flags
	return dst
}

// appendASCII appends the cells at the front of cells that have ASCII in default
// colours, and returns how many these are.
func appendASCII(dst []byte, cells []cell) ([]byte, int) {
	at := len(dst)
	dst = slices.Grow(dst, len(cells)) // once, so that the loop need not ask
	out := dst[at : at+len(cells)]
	n := 0
	for n < len(out) && isASCII(cells[n].text) && cells[n].fg|cells[n].bg|cells[n].attr == 0 {
		out[n] = byte(cells[n].text)
		n++
	}
	return dst[:at+n], n
}

// encodeOther appends the first of cells, which is no ASCII, with what belongs to
// it, and returns how many cells that is. Its style is written.
func (s *Screen) encodeOther(dst []byte, cells []cell) ([]byte, int) {
	c := cells[0]
	switch c.text {
	case 0:
		n := 1
		for n < len(cells) && cells[n] == c {
			n++
		}
		return appendBlanks(dst, n), n
	case textHalf:
		return append(dst, tokenHalf), 1
	}
	n, whole := 1, true
	if c.wide() {
		if whole = len(cells) > 1 && cells[1].text == textHalf && cells[1].looksLike(&c); whole {
			n = 2
		}
	}
	if r := rune(c.text & textMask); whole && c.text&textCluster == 0 && naturalWidth(r) == c.width() {
		return utf8.AppendRune(dst, r), n
	}
	return s.encodeText(dst, c, whole), n
}

// naturalWidth is what a character alone has; those that others join may be wider.
func naturalWidth(r rune) int {
	_, w, _ := width.Next(0, r)
	return w
}

func appendBlanks(dst []byte, n int) []byte {
	if n == 1 {
		return append(dst, tokenBlank)
	}
	return binary.AppendUvarint(append(dst, tokenBlanks), uint64(n))
}

func (s *Screen) encodeText(dst []byte, c cell, whole bool) []byte {
	w := c.width()
	if w == 2 && !whole {
		w |= alone
	}
	dst = append(dst, tokenCluster, byte(w), 0)
	at := len(dst)
	dst = s.appendText(dst, c)
	dst[at-1] = byte(len(dst) - at)
	return dst
}

// append writes the style; colours have their kind in the low bits, so that those
// of the palette are short.
func (st style) append(dst []byte) []byte {
	at := len(dst) + 1
	dst = append(dst, tokenStyle, 0)
	mask := byte(0)
	if st.fg != 0 {
		mask |= 1
		dst = binary.AppendUvarint(dst, packColour(st.fg))
	}
	if st.bg != 0 {
		mask |= 2
		dst = binary.AppendUvarint(dst, packColour(st.bg))
	}
	if st.attr != 0 {
		mask |= 4
		dst = binary.AppendUvarint(dst, uint64(st.attr))
	}
	if st.underline != 0 {
		mask |= 8
		dst = binary.AppendUvarint(dst, packColour(st.underline))
	}
	if st.link != 0 {
		mask |= 16
		dst = binary.AppendUvarint(dst, uint64(st.link))
	}
	dst[at] = mask
	return dst
}

func packColour(c uint32) uint64 { return uint64(c&colourValue)<<2 | uint64(c>>24) }

// lineReader walks over a kept line, cell by cell.
type lineReader struct {
	b      []byte
	style  style
	blanks int

	// The cell: its text (none for a blank or a half) and width. A wide one with
	// half set implies its second half.
	text  []byte
	width int
	half  bool
}

func readLine(line []byte) lineReader { return lineReader{b: line[1:]} }

// next goes to the next cell; false at the end.
func (r *lineReader) next() bool {
	r.text, r.width, r.half = nil, 1, false
	if r.blanks > 0 {
		r.blanks--
		return true
	}
	for len(r.b) > 0 && r.b[0] == tokenStyle {
		r.readStyle()
	}
	if len(r.b) == 0 {
		return false
	}
	switch r.b[0] {
	case tokenBlank:
		r.b = r.b[1:]
	case tokenBlanks:
		n, size := binary.Uvarint(r.b[1:])
		r.blanks = int(n) - 1
		r.b = r.b[1+size:]
	case tokenHalf:
		r.width = 0
		r.b = r.b[1:]
	case tokenCluster:
		end := 3 + int(r.b[2])
		r.width, r.half = int(r.b[1]&3), r.b[1] == 2
		r.text = r.b[3:end]
		r.b = r.b[end:]
	default:
		n := 1
		if r.b[0] >= utf8.RuneSelf {
			var c rune
			c, n = utf8.DecodeRune(r.b)
			r.width = naturalWidth(c)
			r.half = r.width == 2
		}
		r.text, r.b = r.b[:n], r.b[n:]
	}
	return true
}

func (r *lineReader) readStyle() {
	mask := r.b[1]
	r.b = r.b[2:]
	var f [5]uint64
	for i := range f {
		if mask>>i&1 != 0 {
			var size int
			f[i], size = binary.Uvarint(r.b)
			r.b = r.b[size:]
		}
	}
	unpack := func(v uint64) uint32 { return uint32(v&3)<<24 | uint32(v>>2) }
	r.style = style{unpack(f[0]), unpack(f[1]), uint32(f[2]), unpack(f[3]), uint16(f[4])}
}

// columns is how many cells a kept line has.
func columns(line []byte) int {
	if line[0]&lineASCII != 0 {
		return len(line) - 1
	}
	n := 0
	for r := readLine(line); r.next(); n++ {
		if r.half {
			n++
		}
	}
	return n
}

// decodeRow makes dst the kept line; cells beyond its width are dropped, and of a
// wide character at the edge its second half.
func (s *Screen) decodeRow(dst *row, line []byte) {
	dst.fill(0, len(dst.cells), cell{})
	dst.wrapped = line[0]&lineWrapped != 0
	if line[0]&lineASCII != 0 {
		dst.used = min(len(line)-1, len(dst.cells))
		for x, c := range line[1 : 1+dst.used] {
			dst.cells[x].text = uint32(c)
		}
		return
	}
	x, cols := 0, len(dst.cells)
	var st style
	var look cell
	for r := readLine(line); x < cols && r.next(); {
		if r.style != st {
			st = r.style
			look = cell{fg: st.fg, bg: st.bg, attr: st.attr}
			if st.underline != 0 || st.link != 0 {
				look.attr |= s.extra(extra{st.underline, st.link}) << attrExtraShift
			}
		}
		c := look
		c.text = sized(0, r.width)
		if len(r.text) > 0 {
			c.text |= s.textOf(r.text)
		}
		dst.set(x, c)
		x++
		if r.half && x < cols {
			c.text = textHalf
			dst.set(x, c)
			x++
		}
	}
}

func (s *Screen) textOf(b []byte) uint32 {
	r, n := utf8.DecodeRune(b)
	if n == len(b) {
		return uint32(r)
	}
	return s.clusterText(b, uint32(r))
}
