package screen_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"drover/backend/screen"
)

// An emulator that was sent a snapshot and then parts shows what the screen shows,
// whatever was written between them.
func TestPartsBringAScreenUpToDate(t *testing.T) {
	texts := [][]byte{}
	for _, text := range streams() {
		texts = append(texts, text)
	}
	cases, err := filepath.Glob("../../e2e/screen/cases/*.bin")
	if err != nil || len(cases) == 0 {
		t.Fatal("the hand cases are not there")
	}
	for _, name := range cases {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, b)
	}
	r := rand.New(rand.NewPCG(7, 7))
	const cols, rows = 40, 12
	parted := 0
	for round := range 800 {
		s := screen.New(screen.Options{Cols: cols, Rows: rows, Scrollback: 100})
		there := screen.New(screen.Options{Cols: cols, Rows: rows, Scrollback: 100})
		write := func() {
			text := texts[r.IntN(len(texts))]
			from := r.IntN(len(text))
			_, _ = s.Write(text[from:min(len(text), from+r.IntN(3000))])
		}
		write()
		_, _ = there.Write(s.AppendSnapshot(nil, 0))
		frame := s.Frame()
		write()
		if s.Frame() != frame {
			continue
		}
		ok := true
		for row := 0; row < rows && ok; row += 5 {
			var part []byte
			if part, ok = s.AppendPart(nil, row, row+5, r.IntN(2*rows)-rows/2); ok {
				_, _ = there.Write(part)
			}
		}
		if !ok {
			continue
		}
		parted++
		if err := there.Check(); err != nil {
			t.Fatal(err)
		}
		got, want := look(there), look(s)
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("round %d, at %d,%d: %s, not %s", round, i%cols, i/cols, got[i], want[i])
			}
		}
	}
	if parted < 250 {
		t.Errorf("only %d rounds went by parts", parted)
	}
}

// look is what is to be seen of a screen: its cells.
func look(s *screen.Screen) []string {
	var out []string
	cols, rows := s.Size()
	for y := range rows {
		cells := s.ScreenRow(y).Cells
		for x := range cols {
			c := screen.Cell{Width: 1}
			if x < len(cells) {
				c = cells[x]
			}
			if half := c.Width == 2 && (x+1 >= len(cells) || cells[x+1].Width != 0); half || c.Text == "" {
				c.Text, c.Width = "", 1 // a half of a wide character is a blank
			}
			if x == cols-1 && c.Text == "" {
				c = screen.Cell{Width: 1} // parts do not make the look that wrapping leaves here
			}
			out = append(out, fmt.Sprintf("%+v", c))
		}
	}
	return out
}

// What changes more than rows needs a snapshot.
func TestPartsAreForRowsAlone(t *testing.T) {
	for _, change := range []string{"\x1b[?2004h", "\x1b[?1049h", "\x1b[?25l", "\x1b]4;1;#123456\a", "\x1b[?1000h", "\x1b[5 q"} {
		s := screen.New(screen.Options{Cols: 40, Rows: 12})
		frame := s.Frame()
		_, _ = s.Write([]byte("text\r\n"))
		if s.Frame() != frame {
			t.Fatal("text changes the frame")
		}
		if _, _ = s.Write([]byte(change)); s.Frame() == frame {
			t.Errorf("%q does not change the frame", change)
		}
	}
	for _, state := range []string{"\x1b[2;5r", "\x1b[?6h", "\x1b[4h", "\x1b(0", "\x1b[?7l", "\x1b[?2026h"} {
		s := screen.New(screen.Options{Cols: 40, Rows: 12})
		_, _ = s.Write([]byte(state))
		if part, ok := s.AppendPart([]byte("before"), 0, 12, 0); ok || string(part) != "before" {
			t.Errorf("after %q there is a part: %q", state, part)
		}
	}
}
