package screen

import "bytes"

// Underline is the form of an underline.
type Underline uint8

// The underlines of SGR 4:n.
const (
	NoUnderline Underline = iota
	SingleUnderline
	DoubleUnderline
	CurlyUnderline
	DottedUnderline
	DashedUnderline
)

// ColourKind says how to read a Colour.
type ColourKind uint8

// The kinds: the theme's own, one of the first 16 or of all 256, or red, green, blue.
const (
	DefaultColour ColourKind = iota
	Colour16
	Colour256
	ColourRGB
)

// Colour is a colour as a program asked for it.
type Colour struct {
	Kind  ColourKind
	Value uint32 // an index, or 0xrrggbb
}

// Cell is one place of a line.
type Cell struct {
	Text                   string // a cluster; empty where nothing was written
	Width                  int    // 2: the next cell belongs to it and has width 0
	Foreground, Background Colour
	Bold, Dim, Italic      bool
	Blink, Inverse         bool
	Invisible, Strike      bool
	Overline, Protected    bool
	Underline              Underline
	UnderlineColour        Colour // default: as the text
	Link, LinkID           string
}

// Line is one line of the screen or above it.
type Line struct {
	Wrapped bool // goes on from the line before
	Cells   []Cell
}

// FirstLine is the number of the oldest line kept. Lines are numbered from 0 for
// ever, main screen and scrollback as one; a resize that wraps lines anew gives the
// lines after them new numbers (Marks follow).
func (s *Screen) FirstLine() int64 { return s.history.first }

// ScreenLine is the number of the main screen's first line; it has as many as the
// screen has rows.
func (s *Screen) ScreenLine() int64 { return s.topLine() }

// AppendLine appends the text of line n, without blanks at its end; wrapped says
// whether it goes on from the line before. Lines that are not kept are empty.
func (s *Screen) AppendLine(dst []byte, n int64) (text []byte, wrapped bool) {
	start := len(dst)
	text, wrapped = s.appendLine(dst, n)
	return text[:start+len(bytes.TrimRight(text[start:], " "))], wrapped
}

// appendLine keeps the spaces that were written at the line's end: where it wraps,
// they are between two words.
func (s *Screen) appendLine(dst []byte, n int64) (text []byte, wrapped bool) {
	switch i := n - s.history.first; {
	case i < 0:
		return dst, false
	case i < int64(s.history.n):
		line := s.history.line(int(i))
		return appendLineText(dst, line), line[0]&lineWrapped != 0
	case i < int64(s.history.n+s.rows):
		r := s.main.rows[i-int64(s.history.n)]
		return s.appendRowText(dst, r), r.wrapped
	}
	return dst, false
}

// Text is the lines from a up to b, a line each; with join, lines that were wrapped
// are one.
func (s *Screen) Text(a, b int64, join bool) []string {
	a, b = max(a, s.FirstLine()), min(b, s.topLine()+int64(s.rows))
	var out lineJoiner
	for n := a; n < b; n++ {
		text, wrapped := s.appendLine(s.cellBuffer[:0], n)
		s.cellBuffer = text
		out.add(text, wrapped && join)
	}
	return out.finish()
}

// ScreenText is what is on the screen that is shown, main or alternate, a line a
// row; with join, rows that were wrapped are one line.
func (s *Screen) ScreenText(join bool) []string {
	var out lineJoiner
	for _, r := range s.cur.rows {
		s.cellBuffer = s.appendRowText(s.cellBuffer[:0], r)
		out.add(s.cellBuffer, r.wrapped && join)
	}
	return out.finish()
}

type lineJoiner struct {
	lines []string
	open  []byte // the last line, which may go on
	begun bool
}

func (j *lineJoiner) add(text []byte, join bool) {
	if !join {
		j.finish()
	}
	j.open, j.begun = append(j.open, text...), true
}

func (j *lineJoiner) finish() []string {
	if j.begun {
		j.lines = append(j.lines, string(bytes.TrimRight(j.open, " ")))
	}
	j.open, j.begun = j.open[:0], false
	return j.lines
}

func (s *Screen) appendRowText(dst []byte, r *row) []byte {
	cells := r.cells[:min(r.used, s.cols)]
	end := len(dst) // of what was written, without the blanks behind
	for i := 0; i < len(cells); i++ {
		c := cells[i]
		if c.text&hasText == 0 {
			dst = append(dst, ' ')
			continue
		}
		dst = s.appendText(dst, c)
		end = len(dst)
		if c.wide() && i+1 < len(cells) && cells[i+1].emptyHalf() {
			i++
		}
	}
	return dst[:end]
}

func appendLineText(dst, line []byte) []byte {
	if line[0]&lineASCII != 0 {
		return append(dst, line[1:]...)
	}
	end := len(dst)
	open := false // a wide character may be followed by its half in another style
	for r := readLine(line); r.next(); {
		switch {
		case r.text != nil:
			dst = append(dst, r.text...)
			end = len(dst)
		case !open || r.width != 0:
			dst = append(dst, ' ')
		}
		open = r.width == 2 && !r.half
	}
	return dst[:end]
}

// Line is line n with all that is known of its cells; those behind the last that
// was written are left out. On the alternate screen, ScreenRow gives what is shown.
func (s *Screen) Line(n int64) Line {
	i := n - s.history.first
	if i < 0 || i >= int64(s.history.n+s.rows) {
		return Line{}
	}
	if i >= int64(s.history.n) {
		return s.lineOf(s.main.rows[i-int64(s.history.n)])
	}
	line := s.history.line(int(i))
	r := newRow(max(columns(line), 1))
	s.scratch = []*row{r}
	defer func() { s.scratch = nil }()
	s.decodeRow(r, line)
	return s.lineOf(r)
}

// ScreenRow is row y, from 0, of the screen that is shown.
func (s *Screen) ScreenRow(y int) Line {
	if y < 0 || y >= s.rows {
		return Line{}
	}
	return s.lineOf(s.cur.rows[y])
}

func (s *Screen) lineOf(r *row) Line {
	l := Line{Wrapped: r.wrapped}
	for _, c := range r.cells[:min(r.used, s.cols)] {
		l.Cells = append(l.Cells, s.export(c))
	}
	return l
}

func (s *Screen) export(c cell) Cell {
	colour := func(v uint32) Colour { return Colour{ColourKind(v >> 24), v & colourValue} }
	out := Cell{
		Text: string(s.appendText(nil, c)), Width: c.width(),
		Foreground: colour(c.fg), Background: colour(c.bg),
		Bold: c.attr&attrBold != 0, Dim: c.attr&attrDim != 0, Italic: c.attr&attrItalic != 0,
		Blink: c.attr&attrBlink != 0, Inverse: c.attr&attrInverse != 0,
		Invisible: c.attr&attrInvisible != 0, Strike: c.attr&attrStrike != 0,
		Overline: c.attr&attrOverline != 0, Protected: c.attr&attrProtected != 0,
	}
	st := s.style(c)
	if c.attr&attrUnderline != 0 {
		out.Underline = SingleUnderline
		if c.attr&attrExtended != 0 {
			out.Underline = Underline(c.attr & attrStyleMask >> attrStyleShift)
		}
	}
	if c.attr&attrExtended != 0 {
		l := s.links.at(uint32(st.link))
		out.Link, out.LinkID = l.uri, l.id
		if out.Underline != NoUnderline {
			out.UnderlineColour = colour(st.underline)
		}
	}
	return out
}
