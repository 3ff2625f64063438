package screen_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"drover/backend/screen"
)

// What is left out of a flood makes no difference to what is shown afterwards.
func TestSkimShowsWhatWriteShows(t *testing.T) {
	pieces := []string{
		"plain text ", "\x1b[31mred", "\x1b[0m", "\x1b[m", "\x1b[1;4:3;58;5;9m", "\x1b[K", "Größe ", "漢字", "e\u0301", "👩‍👩‍👧", "\t", "\b",
		"\xc2\xa0", "\xff", "\r\n", "\r\n", "\r\n", "\r\n", "a long line that wraps at the end of a narrow screen, whatever happens ",
	}
	odd := []string{"\n", "\x1b[5;10r", "\x1b[?1049h", "\x0e", "\xc2\x9b31m", "\x1b]0;t\a", "\x1b[3A", "\x1b[4h", "\x1b[>4m"}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		o := screen.Options{Cols: 20 + r.IntN(40), Rows: 2 + r.IntN(10), Scrollback: r.IntN(30)}
		a, b := screen.New(o), screen.New(o)
		for range 1 + r.IntN(4) {
			var buf bytes.Buffer
			for range 2000 {
				buf.WriteString(pieces[r.IntN(len(pieces))])
				if seed%2 == 1 && r.IntN(500) == 0 {
					buf.WriteString(odd[r.IntN(len(odd))])
				}
			}
			p := buf.Bytes()[:buf.Len()-r.IntN(3)]
			_, _ = a.Write(p)
			b.Skim(p)
		}
		if want, got := a.AppendSnapshot(nil, 1000), b.AppendSnapshot(nil, 1000); !bytes.Equal(want, got) {
			t.Fatalf("seed %d: %d by %d shows\n%q\nwant\n%q", seed, o.Cols, o.Rows, got, want)
		}
	}
}

func BenchmarkSkim(b *testing.B) {
	for name, line := range map[string]string{
		"yes": "y\r\n", "text": "the quick brown fox jumps over the lazy dog, and goes on to the end of it\r\n",
		"colours": "\x1b[32mthe\x1b[0m \x1b[1mquick\x1b[0m brown \x1b[38;5;12mfox\x1b[0m jumps over the lazy dog\r\n",
		"unicode": "Größe 漢字 Привет мир, und noch mehr Text 漢字漢字 bis zum Ende der Zeile\r\n",
	} {
		for _, kib := range []int{4, 1 << 10, 4 << 10} {
			b.Run(fmt.Sprintf("%s/%dKiB", name, kib), func(b *testing.B) {
				s := screen.New(screen.Options{Cols: 120, Rows: 40, Scrollback: 5000})
				p := bytes.Repeat([]byte(line), kib<<10/len(line))
				b.SetBytes(int64(len(p)))
				for b.Loop() {
					s.Skim(p)
				}
			})
		}
	}
}
