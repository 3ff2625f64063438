package width_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"drover/backend/width"
)

type sample struct {
	text  string
	cells int
	name  string
}

// cases are the lines of testdata/cases.txt, which the page's tests read too.
func cases(t testing.TB) []sample {
	t.Helper()
	text, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []sample
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), " ; ")
		if len(f) != 3 {
			continue
		}
		cells, err := strconv.Atoi(f[1])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sample{runes(t, f[0]), cells, f[2]})
	}
	if len(all) < 50 {
		t.Fatalf("only %d cases", len(all))
	}
	return all
}

func runes(t testing.TB, hex string) string {
	t.Helper()
	var s []rune
	for h := range strings.FieldsSeq(hex) {
		r, err := strconv.ParseUint(h, 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		s = append(s, rune(r))
	}
	return string(s)
}

func TestCases(t *testing.T) {
	for _, c := range cases(t) {
		if got := cellsOf(c.text); got != c.cells {
			t.Errorf("%s: %+q is %d cells, want %d", c.name, c.text, got, c.cells)
		}
	}
}

// kinds is a rune of every kind that Next knows apart.
func kinds() []rune {
	var all []rune
	seen := map[[16]byte]bool{}
	for r := rune(0); r <= 0x10ffff; r++ {
		var acts [16]byte
		for s := range acts {
			next, cells, join := width.Next(width.State(s), r)
			acts[s] = byte(next)<<3 | byte(cells)<<1
			if join {
				acts[s] |= 1
			}
		}
		if !seen[acts] {
			seen[acts] = true
			all = append(all, r)
		}
	}
	return all
}

// states are those that some text leads to, with their widths.
func states(t *testing.T, kinds []rune) map[width.State]int {
	t.Helper()
	found := map[width.State]int{0: 0}
	for todo := []width.State{0}; len(todo) > 0; todo = todo[1:] {
		for _, r := range kinds {
			next, cells, _ := width.Next(todo[0], r)
			was, ok := found[next]
			if ok && was != cells {
				t.Fatalf("state %d has %d cells and %d", next, was, cells)
			}
			if !ok {
				found[next] = cells
				todo = append(todo, next)
			}
		}
	}
	return found
}

// A cluster never shrinks, and every width is 0, 1 or 2: the screen relies on it.
func TestWidthsOnlyGrow(t *testing.T) {
	kinds := kinds()
	for s, before := range states(t, kinds) {
		for _, r := range kinds {
			_, cells, join := width.Next(s, r)
			if cells < 0 || cells > 2 || join && cells < before {
				t.Errorf("%U after state %d: %d cells, before it %d", r, s, cells, before)
			}
		}
	}
}

// Whoever keeps no state over ASCII must lose nothing by it.
func TestASCIIForgets(t *testing.T) {
	for s := range states(t, kinds()) {
		for r := rune(0); r < 0x80; r++ {
			next, cells, join := width.Next(s, r)
			if n0, c0, _ := width.Next(0, r); next != n0 || cells != c0 || join {
				t.Errorf("%q after state %d: %d %d %v, after nothing %d %d", r, s, next, cells, join, n0, c0)
			}
		}
	}
}

func TestControls(t *testing.T) {
	for s := range states(t, kinds()) {
		for _, r := range []rune{0, '\n', 0x1b, 0x7f, 0x80, 0x9f} {
			if next, cells, join := width.Next(s, r); next != 0 || cells != 0 || join {
				t.Errorf("%U after state %d: %d %d %v", r, s, next, cells, join)
			}
		}
	}
}

func TestNotACodePoint(t *testing.T) {
	for _, r := range []rune{-1, 0x110000, 1<<31 - 1, -1 << 31} {
		if _, cells, join := width.Next(0, r); cells != 1 || join {
			t.Errorf("%d: %d cells, join %v", r, cells, join)
		}
	}
}

func TestNoAllocation(t *testing.T) {
	text := "Привет 世界 👨\u200d👩\u200d👧"
	total := 0
	if n := testing.AllocsPerRun(100, func() { total += cellsOf(text) }); n != 0 || total == 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkString(b *testing.B) {
	for name, text := range map[string]string{
		"mixed":    strings.Repeat("世界，你好。Привет, мир! 👍🏽 ❤️ 👨\u200d👩\u200d👧 ", 100),
		"cjk":      strings.Repeat("世界你好中文字符", 100),
		"cyrillic": strings.Repeat("Привет", 100),
		"emoji":    strings.Repeat("👨\u200d👩\u200d👧👍🏽", 100),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				cellsOf(text)
			}
		})
	}
}

// Without the decoding of UTF-8, which the screen does in its own loop.
func BenchmarkNext(b *testing.B) {
	text := strings.Repeat("世界，你好。Привет, мир! 👍🏽 ❤️ 👨\u200d👩\u200d👧 ", 100)
	runes := []rune(text)
	b.SetBytes(int64(len(text)))
	total := 0
	for b.Loop() {
		var s width.State
		for i := range runes {
			next, cells, _ := width.Next(s, runes[i])
			s, total = next, total+cells
		}
	}
	_ = total
}

// cellsOf is the width of s in cells, on a line without an end.
func cellsOf(s string) int {
	total, last := 0, 0
	var state width.State
	for _, r := range s {
		next, cells, join := width.Next(state, r)
		if join {
			total -= last
		}
		total, last, state = total+cells, cells, next
	}
	return total
}
