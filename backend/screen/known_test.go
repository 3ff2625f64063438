package screen_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"drover/backend/screen"
)

// What is done again from memory is what its numbers say: a screen that gets the
// bytes one at a time never sees a whole sequence, and reads each of them.
func TestKnownSequencesDoWhatTheirNumbersSay(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	number := func() string {
		return []string{
			"", "0", "1", "2", "3", "4", "5", "7", "8", "9", "21", "22", "23", "24", "25", "27", "28", "29", "31", "42", "39", "49",
			"53", "55", "59", "97", "107", "38;5;200", "48;5;16", "38;2;1;22;255", "58;5;3", "4:3", "300", "00031",
		}[r.IntN(34)]
	}
	var known []string
	for range 60 {
		sequence := "\x1b[" + number()
		for range r.IntN(3) {
			sequence += ";" + number()
		}
		known = append(known, sequence+"m")
	}
	known = append(known, "\x1b7", "\x1b8", "\x1b]8;;http://a\a", "\x1b]8;;\a", "\x1b[2;3H", "\x1b[mm", "\x1b[?1m", "\x1b[1\x1b[mm")
	whole := screen.New(screen.Options{Cols: 80, Rows: 24})
	bytewise := screen.New(screen.Options{Cols: 80, Rows: 24})
	for round := range 4000 {
		sequence := known[r.IntN(len(known))] + fmt.Sprintf("%c a long text behind it", 'a'+r.IntN(26))
		_, _ = whole.Write([]byte(sequence))
		for i := range len(sequence) {
			_, _ = bytewise.Write([]byte{sequence[i]})
		}
		if got, want := whole.AppendSnapshot(nil, 0), bytewise.AppendSnapshot(nil, 0); !bytes.Equal(got, want) {
			t.Fatalf("after %d, %q:\n%q\nnot\n%q", round, sequence, got, want)
		}
	}
}
