package terminal

import (
	"strings"
	"testing"

	"drover/backend/pty"
)

// TestTracker asks for the cursor after some output, as a program would.
func TestTracker(t *testing.T) {
	for _, c := range []struct{ name, output, want string }{
		{"at first", "", "1;1"},
		{"after text", "abc", "1;4"},
		{"after lines", "abc\r\nde", "2;3"},
		{"a line feed keeps the column", "abc\nd", "2;5"},
		{"the last column waits to wrap", strings.Repeat("x", 20), "1;20"},
		{"and wraps", strings.Repeat("x", 21), "2;2"},
		{"far", strings.Repeat("x", 105), "5;6"},
		{"scrolls at the bottom", strings.Repeat("\r\n", 50) + "x", "5;2"},
		{"wide characters", "日本", "1;5"},
		{"a wide character with no room", strings.Repeat("x", 19) + "日", "2;3"},
		{"marks have no width", "e\u0301x", "1;3"},
		{"cut characters", "\xe2\x80", "1;1"},
		{"tabs", "a\tb", "1;10"},
		{"backspace", "abc\b\b", "1;2"},
		{"cursor position", "\x1b[3;7H", "3;7"},
		{"beyond the edge", "\x1b[99;99H", "5;20"},
		{"relative moves", "\x1b[3;7H\x1b[A\x1b[2C", "2;9"},
		{"save and restore", "\x1b[2;2H\x1b7\x1b[4;4H\x1b8", "2;2"},
		{"a fresh start writes below what is there", "a\r\nbc" + modeReset, "3;1"},
		{"in a region, too", "a\r\nbc\x1b7\x1b[2;4r\x1b[3;5H" + modeReset, "4;1"},
		{"and below what was there before an alternate screen", "a\r\nbc\x1b[?1049h\x1b[5;5H" + modeReset, "3;1"},
		{"the alternate screen has its own", "\x1b[2;3H\x1b[?1049h\x1b[5;5H\x1b[?1049l", "2;3"},
		{"a scroll region", "\x1b[2;3r\x1b[3;1H\n\n\n", "3;1"},
		{"strings are skipped", "\x1b]0;a title\x07\x1bPdata\x1b\\ab", "1;3"},
		{"colours have no width", "\x1b[1;38:2::1:2:3mab\x1b[0m", "1;3"},
		{"controls within a sequence", "\x1b[3\r;5H", "3;5"},
		{"a sequence that another cuts short", "\x1b[3;\x1b[2;2H", "2;2"},
		{"a reset", "\x1b[3;3H\x1bc", "1;1"},
		{"reverse index", "\x1b[3;3H\x1bM", "2;3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			tr := newTracker(pty.Size{Cols: 20, Rows: 5}, func(b []byte) { got += string(b) })
			for _, b := range []byte(c.output) { // byte by byte: reads may cut anywhere
				tr.write([]byte{b})
			}
			tr.write([]byte("\x1b[6n"))
			whole := ""
			tr = newTracker(pty.Size{Cols: 20, Rows: 5}, func(b []byte) { whole += string(b) })
			tr.write([]byte(c.output + "\x1b[6n"))
			if want := "\x1b[" + c.want + "R"; got != want || whole != want {
				t.Errorf("%q and %q, want %q", got, whole, want)
			}
		})
	}
}

func TestTrackerAnswers(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"\x1b[c", "\x1b[?1;2c"},
		{"\x1b[0c", "\x1b[?1;2c"},
		{"\x1b[>c", "\x1b[>0;276;0c"},
		{"\x1b[5n", "\x1b[0n"},
		{"\x1b[?6n", "\x1b[?1;1R"},
		{"\x1b[1c\x1b[7n\x1b]11;?\x07", ""},
		{"\x1b[c\x1b[6n", "\x1b[?1;2c\x1b[1;1R"},
	} {
		got := ""
		newTracker(pty.Size{Cols: 20, Rows: 5}, func(b []byte) { got += string(b) }).write([]byte(c.query))
		if got != c.want {
			t.Errorf("%q is answered %q, want %q", c.query, got, c.want)
		}
	}
}

// A program that asks and never reads cannot make answers pile up.
func TestAnswersAreBounded(t *testing.T) {
	q := newInputQueue()
	tr := newTracker(pty.Size{Cols: 20, Rows: 5}, q.reply)
	for range 10000 {
		tr.write([]byte("\x1b[6n"))
	}
	if q.bytes > replyLimit {
		t.Errorf("%d bytes of answers wait", q.bytes)
	}
}

// Whatever a program writes, the cursor stays on the screen, and is the same
// however the reads have cut the output.
func FuzzTracker(f *testing.F) {
	f.Add("\x1b[3;7H日本\x1b[?1049h\r\n\t", 20, 5)
	f.Add("\x1b[1;99999999999999r\x1b[;;;;;;;;;;;;;;;;;;;;;;H", 1, 1)
	f.Add(strings.Repeat("\x1b[32mok\x1b[0m a line\r\n", 9)+"x\x1b[2;4r\r\n\r\ny", 20, 5)
	f.Fuzz(func(t *testing.T, output string, cols, rows int) {
		size := pty.Size{Cols: cols, Rows: rows}.Clamp()
		whole, cut := newTracker(size, func([]byte) {}), newTracker(size, func([]byte) {})
		whole.write([]byte(output))
		for _, b := range []byte(output) {
			cut.write([]byte{b})
		}
		if c := whole.cur; c.row < 0 || c.row >= size.Rows || c.col < 0 || c.col >= size.Cols {
			t.Errorf("the cursor is at %+v of %+v", c, size)
		}
		if whole.cur != cut.cur || whole.state != cut.state {
			t.Errorf("at once %+v, byte by byte %+v", whole.cur, cut.cur)
		}
	})
}

func BenchmarkTracker(b *testing.B) {
	for name, line := range map[string]string{
		"plain":   "000123 the quick brown fox jumps over the lazy dog, again and again\r\n",
		"sgr":     "\x1b[1;34mline 12\x1b[0m of a \x1b[38;5;123mcoloured\x1b[0m flood\r\n",
		"unicode": "строка 12 — 日本語のテキスト, ça va\r\n",
		"tui":     "\x1b[12;1H\x1b[K\x1b[7m status \x1b[0m\x1b[13;40Hcell\x1b[2C!",
	} {
		p := []byte(strings.Repeat(line, 4096/len(line)))
		b.Run(name, func(b *testing.B) {
			tr := newTracker(pty.Size{Cols: 120, Rows: 40}, func([]byte) {})
			b.SetBytes(int64(len(p)))
			for b.Loop() {
				tr.write(p)
			}
		})
	}
}
