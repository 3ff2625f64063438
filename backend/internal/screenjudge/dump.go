package main

import (
	"fmt"
	"strconv"
	"strings"

	"drover/backend/screen"
)

// dump is what a terminal shows, in the words of e2e/screen/judge.mjs.
type dump struct {
	Cols      int    `json:"cols"`
	Rows      int    `json:"rows"`
	X         int    `json:"x"`
	Y         int    `json:"y"`
	Alternate bool   `json:"alternate"`
	Base      int    `json:"base"`
	Main      []line `json:"main"`
	Alt       []line `json:"alt"`
	Modes     modes  `json:"modes"`
}

type line struct {
	Wrapped bool   `json:"wrapped"`
	Text    string `json:"text"`
	Cells   string `json:"cells"`
}

type modes struct {
	CursorKeys    bool   `json:"cursorKeys"`
	Origin        bool   `json:"origin"`
	Wrap          bool   `json:"wrap"`
	ReverseWrap   bool   `json:"reverseWrap"`
	Keypad        bool   `json:"keypad"`
	Focus         bool   `json:"focus"`
	Bracketed     bool   `json:"bracketed"`
	Synchronized  bool   `json:"synchronized"`
	Insert        bool   `json:"insert"`
	NewLine       bool   `json:"newLine"`
	CursorVisible bool   `json:"cursorVisible"`
	BlinkDefault  bool   `json:"blinkDefault"`
	Cursor        string `json:"cursor"`
	Mouse         string `json:"mouse"`
	Encoding      string `json:"encoding"`
}

func dumpOf(s *screen.Screen) *dump {
	d := &dump{Alternate: s.Alternate(), Base: int(s.ScreenLine() - s.FirstLine()), Modes: modesOf(s.Modes())}
	d.Cols, d.Rows = s.Size()
	row, col, pending := s.Cursor()
	d.X, d.Y = col, row
	if pending {
		d.X++
	}
	for n := s.FirstLine(); n < s.ScreenLine()+int64(d.Rows); n++ {
		d.Main = append(d.Main, lineOf(s.Line(n)))
	}
	if d.Alternate {
		for y := range d.Rows {
			d.Alt = append(d.Alt, lineOf(s.ScreenRow(y)))
		}
	}
	return d
}

func lineOf(l screen.Line) line {
	cells := l.Cells
	halved := func(x int) bool { return x < len(cells) && cells[x].Width == 0 && cells[x].Text == "" }
	for x := 0; x < len(cells); x++ {
		switch {
		case cells[x].Width == 2 && halved(x+1):
			x++
		case cells[x].Width == 2:
			cells[x].Text, cells[x].Width = "", 1
		case halved(x):
			cells[x].Width = 1
		}
	}
	var text strings.Builder
	var out []string
	for _, c := range cells {
		if c.Text != "" {
			text.WriteString(c.Text)
		} else if c.Width != 0 {
			text.WriteByte(' ')
		}
		out = append(out, c.Text+"|"+strconv.Itoa(c.Width)+"|"+look(c))
	}
	for len(out) > 0 && out[len(out)-1] == "|1|" {
		out = out[:len(out)-1]
	}
	return line{l.Wrapped, strings.TrimRight(text.String(), " "), strings.Join(out, "\n")}
}

func look(c screen.Cell) string {
	plain := screen.Cell{Text: c.Text, Width: c.Width}
	if c == plain {
		return ""
	}
	flags := 0
	for i, on := range []bool{c.Bold, c.Dim, c.Italic, c.Blink, c.Inverse, c.Invisible, c.Strike, c.Overline, c.Protected} {
		if on {
			flags |= 1 << i
		}
	}
	link := ""
	if c.Link != "" {
		link = c.LinkID + " " + c.Link
	}
	parts := []string{colour(c.Foreground), colour(c.Background), number(flags), number(int(c.Underline)), colour(c.UnderlineColour), link}
	return strings.TrimRight(strings.Join(parts, ","), ",")
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func colour(c screen.Colour) string {
	switch c.Kind {
	case screen.Colour16:
		return fmt.Sprintf("a%d", c.Value)
	case screen.Colour256:
		return fmt.Sprintf("p%d", c.Value)
	case screen.ColourRGB:
		return fmt.Sprintf("#%x", c.Value)
	}
	return ""
}

func modesOf(m screen.Modes) modes {
	shape := [...]string{"", "block", "underline", "bar"}[m.CursorShape]
	if shape != "" {
		shape = fmt.Sprintf("%s %t", shape, m.CursorBlink)
	}
	return modes{
		m.CursorKeys, m.Origin, m.Wrap, m.ReverseWrap, m.Keypad, m.Focus, m.Bracketed, m.Synchronized,
		m.Insert, m.NewLine, m.CursorVisible, m.BlinkDefault, shape,
		[...]string{"NONE", "X10", "VT200", "DRAG", "ANY"}[m.Mouse],
		[...]string{"DEFAULT", "SGR", "SGR_PIXELS"}[m.Encoding],
	}
}
