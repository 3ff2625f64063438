package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generate makes case number seed: always the same one.
func generate(seed uint64) testCase {
	g := &generator{r: rand.New(rand.NewPCG(seed, 1))}
	sizes := [][2]int{{80, 24}, {20, 6}, {40, 10}, {10, 3}, {120, 40}, {7, 5}, {2, 1}, {3, 2}}
	size := sizes[min(g.r.IntN(len(sizes)+6), g.r.IntN(len(sizes)))]
	g.cols, g.rows = size[0], size[1]
	c := testCase{name: fmt.Sprintf("seed %d", seed), cols: g.cols, rows: g.rows, scrollback: []int{1000, 200, 10}[g.r.IntN(3)]}
	resizes := g.r.IntN(3) == 0
	for range 1 + g.r.IntN(6) {
		var b strings.Builder
		for range 5 + g.r.IntN(40) {
			b.WriteString(g.piece())
		}
		c.steps = append(c.steps, split(g.r, []byte(b.String()))...)
		if resizes {
			g.cols, g.rows = 2+g.r.IntN(g.cols*3/2), 1+g.r.IntN(g.rows*3/2)
			c.steps = append(c.steps, step{Resize: []int{g.cols, g.rows}})
		}
	}
	return c
}

// split cuts at random places, in the middle of characters and sequences too.
func split(r *rand.Rand, b []byte) []step {
	var out []step
	for len(b) > 0 {
		n := 1 + r.IntN(min(len(b), 1+r.IntN(400)))
		out = append(out, step{Write: b[:n]})
		b = b[n:]
	}
	return out
}

type generator struct {
	r          *rand.Rand
	cols, rows int
}

func (g *generator) pick(s ...string) string { return s[g.r.IntN(len(s))] }

// n is a number as programs write them: mostly small, sometimes none, zero or large.
func (g *generator) n(most int) string {
	switch g.r.IntN(12) {
	case 0:
		return ""
	case 1:
		return "0"
	case 2:
		return "999"
	}
	return fmt.Sprint(1 + g.r.IntN(max(most, 1)))
}

// place is a number that may be huge: as a count of lines, xterm.js would loop for
// minutes.
func (g *generator) place(most int) string {
	if g.r.IntN(20) == 0 {
		return g.pick("65536", "2147483648")
	}
	return g.n(most)
}

func (g *generator) piece() string {
	switch k := g.r.IntN(100); {
	case k < 34:
		return g.text()
	case k < 46:
		return g.pick("\r\n", "\r\n", "\n", "\r", "\t", "\b", "\x0b", "\x0c", "\a", "\x0e", "\x0f", "\x7f", "\x00")
	case k < 60:
		return g.sgr()
	case k < 72:
		return g.move()
	case k < 84:
		return g.edit()
	case k < 92:
		return g.mode()
	case k < 96:
		return g.other()
	}
	return g.broken()
}

func (g *generator) text() string {
	words := []string{
		"hello", "world ", "foo bar ", "   ", "x", "日本語", "한국어 텍스트", "Привет, мир ", "naïve café ", "e\u0301", "a\u0308\u0323o",
		"👍", "🙂🙃", "❤", "中", "ｆｕｌｌ", "\u0301", "─│┌┐", "→ ✓ …", "नमस्ते", "ab日cd",
	}
	switch g.r.IntN(8) {
	case 0:
		return strings.Repeat(words[g.r.IntN(len(words))], 1+g.r.IntN(30))
	case 1:
		return strings.Repeat(string(rune('a'+g.r.IntN(26))), g.cols+g.r.IntN(3)-1)
	}
	return words[g.r.IntN(len(words))]
}

func (g *generator) sgr() string {
	one := func() string {
		n := g.r.IntN(256)
		switch g.r.IntN(8) {
		case 0:
			return fmt.Sprintf("%d;5;%d", []int{38, 48, 58}[g.r.IntN(3)], n)
		case 1:
			return fmt.Sprintf("%d:2::%d:%d:%d", []int{38, 48, 58}[g.r.IntN(3)], n, n/2, n/3)
		case 2:
			return fmt.Sprintf("%d;2;%d;%d;%d", []int{38, 48, 58}[g.r.IntN(3)], n, n/2, n/3)
		case 3:
			return fmt.Sprintf("4:%d", g.r.IntN(7))
		case 4:
			return g.pick("38:5:9", "58:5:3", "38", "48;5", "38;2;1", "59", "38;9;1", "38:2:1:2:3", "4:", ":4")
		case 5:
			return fmt.Sprint(g.r.IntN(108))
		case 6:
			return fmt.Sprint(30 + g.r.IntN(20))
		}
		return g.pick("", "0", "1", "7", "4", "24", "53", "9", "49", "39")
	}
	out := "\x1b[" + one()
	for range g.r.IntN(3) {
		out += ";" + one()
	}
	return out + "m"
}

func (g *generator) move() string {
	switch g.r.IntN(5) {
	case 0, 1:
		return fmt.Sprintf("\x1b[%s;%sH", g.place(g.rows), g.place(g.cols))
	case 2:
		return fmt.Sprintf("\x1b[%s%s", g.place(g.rows), g.pick("A", "B", "E", "F", "d", "e"))
	case 3:
		return fmt.Sprintf("\x1b[%s%s", g.n(g.cols), g.pick("C", "D", "G", "`", "a", "I", "Z"))
	}
	return g.pick("\x1b7", "\x1b8", "\x1b[s", "\x1b[u", "\x1bD", "\x1bE", "\x1bM", "\u0084", "\u0085", "\x1bH", "\u0088", "\x1b[g", "\x1b[3g")
}

func (g *generator) edit() string {
	switch g.r.IntN(6) {
	case 0, 1:
		return fmt.Sprintf("\x1b[%s%s", g.pick("", "0", "1", "2", "0", "3"), g.pick("J", "K", "K"))
	case 2:
		return fmt.Sprintf("\x1b[%s%s", g.n(g.cols), g.pick("@", "P", "X"))
	case 3:
		return fmt.Sprintf("\x1b[%s%s", g.n(g.rows), g.pick("L", "M", "S", "T"))
	case 4:
		return fmt.Sprintf("\x1b[%s%s", g.n(9), g.pick("b", " @", " A", "'}", "'~"))
	}
	return g.pick("\x1b[?J", "\x1b[?1K", "\x1b[?2J", "\x1b[1\"q", "\x1b[0\"q", "\x1b#8")
}

func (g *generator) mode() string {
	on := g.pick("h", "l")
	switch g.r.IntN(6) {
	case 0:
		return fmt.Sprintf("\x1b[%s;%sr", g.n(g.rows), g.n(g.rows))
	case 1:
		return "\x1b[" + g.pick("4", "20", "4;20") + g.pick("h", "l", "l")
	case 2:
		return "\x1b[?" + g.pick("47", "1047", "1048", "1049", "1049") + on
	case 3:
		return "\x1b[?" + g.pick("7", "6", "45", "6") + on
	case 4:
		return "\x1b[?" + g.pick("1", "9", "12", "25", "66", "1000", "1002", "1003", "1004", "1006", "1016", "2004", "2026", "2", "1;25;1004") + on
	}
	return g.pick("\x1b=", "\x1b>", "\x1b[0 q", "\x1b[3 q", "\x1b[6 q", "\x1b[!p", "\x1bc", "\x1b[r", "\x1b[?7h")
}

func (g *generator) other() string {
	switch g.r.IntN(4) {
	case 0:
		return "\x1b" + g.pick("(", ")", "*", "+", "-", ".", "/") + g.pick("0", "B", "A", "4", "K", "R", "=", "q")
	case 1:
		return g.pick("\x1bn", "\x1bo", "\x1b|", "\x1b}", "\x1b~", "\x1b%G", "\x1b%@")
	case 2:
		return "\x1b]8;" + g.pick("", "id=a", "id=b:x=y", "x") + ";" + g.pick("", "http://a.example/b;c", "file:///tmp/x") + g.pick("\a", "\x1b\\", "\u009c")
	}
	return g.pick("\x1b]0;title\a", "\x1b]2;日本\x1b\\", "\x1b]4;1;#ff0000\a", "\x1b]11;?\a", "\x1b]133;A\a", "\x1b]133;D;1\a",
		"\x1b[c", "\x1b[6n", "\x1b[?6n", "\x1b[5n", "\x1b[22;0t", "\x1b[23;0t", "\x1bP$qm\x1b\\", "\x1b[?1$p", "\x1b]52;c;aGk=\a", "\x1b]104\a")
}

// broken is what no program means to send.
func (g *generator) broken() string {
	return g.pick("\xff", "\xc3(", "\xe2\x82d", "\xf0\x9f\x91e", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80", "\xef\xbb\xbf",
		"\x1b[12;34!!!z", "\x1b[?;;h", "\x1b[1;2\x18", "\x1b\x1b[31m", "\x1bP1;2|junk\x1b\\", "\x1b_apc\x1b\\", "\x1b^pm\u009c", "\x1b[1~",
		"\x1b[\r1m", "\x1b[3\x1b[1m", "\x1b]0;half", "\x1b]no\a", "\x1bPq\x1b", "\x1b[é", "\x1b(é", "\x1b[1é", "\x1bXé", "\u0090q\u0084x", "\u009b1m",
		"\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26;27;28;29;30;31;32;33;34;35m",
		"\x1b]8;;http://a\u0085b\a", "\x1b[>1z", "\x1b[<5;1M", "\x1b#3", "\x1b F")
}
