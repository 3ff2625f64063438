package width_test

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"drover/backend/width"
)

// TestGraphemeBreaks holds Next against Unicode's own cases. Where it parts with
// them, one of the reasons in exception must hold, and each must be met.
func TestGraphemeBreaks(t *testing.T) {
	text, err := os.ReadFile("testdata/GraphemeBreakTest.txt")
	if err != nil {
		t.Fatal(err)
	}
	kept, met := 0, map[string]int{}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "÷") {
			continue
		}
		fields := strings.Fields(line)
		var state width.State
		var before rune
		for i := 1; i < len(fields); i += 2 {
			n, err := strconv.ParseUint(fields[i], 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			r := rune(n)
			next, _, join := width.Next(state, r)
			if want := fields[i-1] == "×"; i > 1 && join != want {
				why := exception(state, before, r, want)
				if why == "" {
					t.Errorf("%s: %U after %U: join %v", strings.TrimSpace(line), r, before, join)
				}
				met[why]++
			} else {
				kept++
			}
			state, before = next, r
		}
	}
	t.Log(kept, "as Unicode has it;", met)
	if len(met) != 9 || met[""] > 0 || kept < 2000 {
		t.Errorf("%d as Unicode has it, exceptions met: %v", kept, met)
	}
}

// exception is why a terminal does not do at this place what Unicode says, or "".
func exception(s width.State, before, r rune, want bool) string {
	_, cells, _ := width.Next(0, r)
	jamo := func(r rune) bool { return r >= 0x1100 && r <= 0x11ff || r >= 0xac00 && r <= 0xd7ff }
	switch {
	case want && before == '\r' && r == '\n':
		return "line ends are no characters here"
	case !want && cells == 0 && s == 0:
		return "a mark after nothing belongs to the cell at the left"
	case !want && cells == 0 && jamo(r):
		return "vowels and tails of Hangul have no cell of their own, whatever is before"
	case want && jamo(before) && jamo(r):
		return "each lead of Hangul has its own cells"
	case want && unicode.Is(unicode.Mc, r):
		return "spacing marks that find no room begin a cluster"
	case want && (unicode.Is(unicode.Prepended_Concatenation_Mark, before) || before == 0x0d4e):
		return "prepended marks have a cell of their own"
	case want && unicode.Is(unicode.Devanagari, r) && cells == 1:
		return "conjuncts keep the cells of their letters"
	case want && unicode.Is(unicode.Sk, r):
		return "skin tones are shown alone after what is no emoji"
	case want && before == 0x200d && !emojiInTest(r):
		return "only emoji are joined, not every pictograph"
	}
	return ""
}

// Unicode's cases have U+2701, a pictograph that is no emoji.
func emojiInTest(r rune) bool { return r != 0x2701 }
