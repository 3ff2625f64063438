package screen

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// RGB is a colour, 0xrrggbb.
type RGB uint32

// Theme is what the user has chosen: what programs are told when they ask, until
// they set colours of their own.
type Theme struct {
	Foreground, Background, Cursor RGB
	Palette                        [16]RGB
}

// DefaultTheme is xterm.js's own.
func DefaultTheme() Theme {
	return Theme{
		Foreground: 0xffffff, Background: 0, Cursor: 0xffffff,
		Palette: [16]RGB{
			0x2e3436, 0xcc0000, 0x4e9a06, 0xc4a000, 0x3465a4, 0x75507b, 0x06989a, 0xd3d7cf,
			0x555753, 0xef2929, 0x8ae234, 0xfce94f, 0x729fcf, 0xad7fa8, 0x34e2e2, 0xeeeeec,
		},
	}
}

// SetTheme changes what the program's queries for colours are answered with.
func (s *Screen) SetTheme(t Theme) { s.theme = t }

// colours are those that the program has set itself: 0 to 255 the palette, then
// the three special ones.
type colours struct {
	set     map[int]RGB
	changes int // how often they were changed
}

const (
	foreground = 256 + iota // OSC 10
	background              // OSC 11
	cursorTint              // OSC 12
)

func (s *Screen) colour(n int) RGB {
	if c, ok := s.colours.set[n]; ok {
		return c
	}
	switch {
	case n == foreground:
		return s.theme.Foreground
	case n == background:
		return s.theme.Background
	case n == cursorTint:
		return s.theme.Cursor
	case n < 16:
		return s.theme.Palette[n]
	case n < 232: // a cube of six levels each
		level := func(v int) RGB {
			if v == 0 {
				return 0
			}
			return RGB(55 + 40*v)
		}
		n -= 16
		return level(n/36)<<16 | level(n/6%6)<<8 | level(n%6)
	}
	return RGB(8+10*(n-232)) * 0x010101 // greys
}

func (s *Screen) setColour(n int, c RGB) {
	if s.colours.set == nil {
		s.colours.set = map[int]RGB{}
	}
	s.colours.set[n] = c
	s.colours.changes++
}

func (s *Screen) resetColour(n int) {
	if _, ok := s.colours.set[n]; ok {
		delete(s.colours.set, n)
		s.colours.changes++
	}
}

// answerColour answers a query; prefix is what names the colour in an OSC.
func (s *Screen) answerColour(prefix string, n int) {
	c := s.colour(n)
	r, g, b := c>>16, c>>8&0xff, c&0xff
	s.answer(fmt.Sprintf("\x1b]%s;rgb:%02x%02x/%02x%02x/%02x%02x\x1b\\", prefix, r, r, g, g, b, b))
}

// indexedColours is OSC 4: pairs of an index and a colour or "?".
func (s *Screen) indexedColours(arg string) {
	for {
		var index, spec string
		var ok bool
		if index, arg, ok = strings.Cut(arg, ";"); !ok {
			return
		}
		spec, arg, _ = strings.Cut(arg, ";")
		n, valid := paletteIndex(index)
		if !valid {
			continue
		}
		if spec == "?" {
			s.answerColour("4;"+strconv.Itoa(n), n)
		} else if c, ok := parseColour(spec); ok {
			s.setColour(n, c)
		}
	}
}

// specialColours is OSC 10 to 12: the first colour is that of the number, further
// ones are of the numbers after it.
func (s *Screen) specialColours(first int, arg string) {
	for spec := range strings.SplitSeq(arg, ";") {
		if first > cursorTint {
			return
		}
		if spec == "?" {
			s.answerColour(strconv.Itoa(first-foreground+10), first)
		} else if c, ok := parseColour(spec); ok {
			s.setColour(first, c)
		}
		first++
	}
}

// resetColours is OSC 104: the indices, or none for all.
func (s *Screen) resetColours(arg string) {
	if arg == "" && len(s.colours.set) > 0 {
		for n := range 256 {
			s.resetColour(n)
		}
		return
	}
	for index := range strings.SplitSeq(arg, ";") {
		if n, ok := paletteIndex(index); ok {
			s.resetColour(n)
		}
	}
}

func paletteIndex(index string) (int, bool) {
	n, err := strconv.ParseUint(index, 10, 31)
	return int(n), err == nil && n < 256
}

// parseColour reads "rgb:r/g/b" with one to four hexadecimal digits each, and
// "#rgb" with the same. Names are not known, as in xterm.js.
func parseColour(spec string) (RGB, bool) {
	spec = strings.ToLower(spec)
	var parts []string
	scaled := false
	if rest, ok := strings.CutPrefix(spec, "rgb:"); ok {
		parts, scaled = strings.Split(rest, "/"), true
	} else if rest, ok := strings.CutPrefix(spec, "#"); ok && len(rest)%3 == 0 {
		n := len(rest) / 3
		parts = []string{rest[:n], rest[n : 2*n], rest[2*n:]}
	}
	if len(parts) != 3 {
		return 0, false
	}
	var c RGB
	for _, p := range parts {
		n := len(p)
		v, err := strconv.ParseUint(p, 16, 16)
		if err != nil || n > 4 || n != len(parts[0]) {
			return 0, false
		}
		if scaled { // f is ff, and so is fff
			v = uint64(math.Round(float64(v) / float64(uint64(1)<<(4*n)-1) * 255))
		} else if n == 1 {
			v <<= 4
		} else {
			v >>= 4*n - 8
		}
		c = c<<8 | RGB(v)
	}
	return c, true
}
