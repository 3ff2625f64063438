package search_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"drover/backend/search"
	"drover/backend/termlog"
)

// logOf is a log that holds a text.
func logOf(t testing.TB, text string) *termlog.Log {
	l := termlog.NewMemory(termlog.Options{})
	t.Cleanup(func() { _ = l.Close() })
	for b := []byte(text); len(b) > 0; {
		n := min(len(b), 4000)
		l.Append(b[:n])
		b = b[n:]
	}
	return l
}

// all asks until everything has been looked at.
func all(t *testing.T, l search.Log, q search.Query, most int, limit int64) []search.Hit {
	t.Helper()
	m, err := search.Compile(q)
	if err != nil {
		t.Fatal(err)
	}
	var out []search.Hit
	for before := l.End(); ; {
		hits, err := m.Back(t.Context(), l, before, most, limit)
		if err != nil {
			t.Fatal(err)
		}
		if len(hits.Lines) > most {
			t.Fatalf("%d lines at once, asked for %d", len(hits.Lines), most)
		}
		out = append(out, hits.Lines...)
		if hits.Done {
			return out
		}
		if hits.Next >= before {
			t.Fatalf("goes on at %d, after %d", hits.Next, before)
		}
		before = hits.Next
	}
}

func shown(hits []search.Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%d %s[%s]%s", h.Line, h.Before, h.Match, h.After))
	}
	return strings.Join(out, "|")
}

func TestWhatIsFound(t *testing.T) {
	for _, row := range []struct {
		name, log string
		query     search.Query
		want      string
	}{
		{"newest first", "one a\r\ntwo\r\nthree a\r\n", search.Query{Text: "a"}, "12 three [a]|0 one [a]"},
		{"any case", "Error\r\nerror\r\n", search.Query{Text: "ERROR"}, "7 [error]|0 [Error]"},
		{"any case, every letter", "ABCDEFGHIJKLMNOPQRSTUVWXYZ@[`{ÀÁ\r\n", search.Query{Text: "abcdefghijklmnopqrstuvwxyz@[`{"}, "0 [ABCDEFGHIJKLMNOPQRSTUVWXYZ@[`{]ÀÁ"},
		{"no letters", "@[`{@[`{\r\n", search.Query{Text: "`{@["}, "0 @[[`{@[]`{"},
		{"this case", "Error\r\nerror\r\n", search.Query{Text: "error", MatchCase: true}, "7 [error]"},
		{"any case beyond ASCII", "Größe\r\n", search.Query{Text: "GRÖSSE"}, ""},
		{"any case of umlauts", "ÄRGER\r\n", search.Query{Text: "ärger"}, "0 [ÄRGER]"},
		{"whole words", "cat concat cat_\r\ncat\r\n", search.Query{Text: "cat", Word: true}, "17 [cat]|0 [cat] concat cat_"},
		{"colours inside", "e\x1b[31mrr\x1b[0mor\r\n", search.Query{Text: "error"}, "0 [error]"},
		{"a title is no text", "\x1b]0;error\x07fine\r\n", search.Query{Text: "error"}, ""},
		{"a title ended by ST", "\x1b]0;x\x1b\\error\r\n", search.Query{Text: "error"}, "0 [error]"},
		{"typed and taken back", "helx\bp\r\n", search.Query{Text: "helx"}, ""},
		{"one taken back", "hex\blo\r\n", search.Query{Text: "helo"}, "0 [helo]"},
		{"overwritten progress", "10%\r20%\r\n", search.Query{Text: "10%"}, "0 [10%]"},
		{"drawn at places", "\x1b[1;1Hred\x1b[5;1Hblue\x1b[5;20Hgreen", search.Query{Text: "green"}, "26 [green]"},
		{"moved to the right", "a\x1b[5Cb\r\n", search.Query{Text: "a b"}, "0 [a b]"},
		{"a pattern", "x=12\r\ny=ab\r\n", search.Query{Text: `\w=\d+`, Regexp: true}, "0 [x=12]"},
		{"a pattern of nothing", "abc\r\n", search.Query{Text: `x*`, Regexp: true}, ""},
		{"a pattern within a line", "a\r\nb\r\n", search.Query{Text: `a\s*b`, Regexp: true}, ""},
		{"the end of the log", "no line end", search.Query{Text: "end"}, "0 no line [end]"},
		{"one hit a line", "aa aa\r\n", search.Query{Text: "aa"}, "0 [aa] aa"},
		{"broken characters", "\xff\xfeerror\xff\r\n", search.Query{Text: "error"}, "0 \uFFFD[error]\uFFFD"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := shown(all(t, logOf(t, row.log), row.query, 10, 1<<20)); got != row.want {
				t.Errorf("found %q, want %q", got, row.want)
			}
		})
	}
}

// The same lines come whatever a call may do, each once.
func TestPiecesOfWork(t *testing.T) {
	var b strings.Builder
	var want []string
	for i := range 30_000 {
		line := fmt.Sprintf("%06d some text to fill the line with, as programs do", i)
		if i%397 == 0 {
			line += " needle"
			want = append([]string{fmt.Sprintf("%06d", i)}, want...)
		}
		b.WriteString(line + "\r\n")
	}
	l := logOf(t, b.String())
	for _, c := range []struct {
		most  int
		limit int64
	}{{1000, 1 << 30}, {7, 1 << 30}, {1000, 1}, {1, 1}} {
		var got []string
		for _, h := range all(t, l, search.Query{Text: "needle"}, c.most, c.limit) {
			got = append(got, h.Before[:6])
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("with %d lines and %d bytes at a time: %d lines, want %d, in order", c.most, c.limit, len(got), len(want))
		}
	}
}

func TestLinesWithoutEnd(t *testing.T) {
	l := logOf(t, strings.Repeat("x", 3<<20)+"needle"+strings.Repeat("y", 1<<20))
	if got := all(t, l, search.Query{Text: "needle"}, 10, 1<<30); len(got) != 1 || len(got[0].Before) > 200 || len(got[0].After) > 200 {
		t.Errorf("found %d lines: %.200v", len(got), got)
	}
}

func TestWhatIsGone(t *testing.T) {
	l := termlog.NewMemory(termlog.Options{Limit: 2 << 20})
	defer l.Close()
	for i := range 40_000 {
		l.Append(fmt.Appendf(nil, "%06d needle and some more text for the length of it all\r\n", i))
	}
	if l.First() == 0 {
		t.Fatal("nothing has left the log")
	}
	got := all(t, l, search.Query{Text: "needle"}, 100_000, 1<<30)
	if len(got) == 0 || got[len(got)-1].Line < l.First() {
		t.Errorf("%d lines, the oldest at %d; the log begins at %d", len(got), got[len(got)-1].Line, l.First())
	}
}

func TestCompileRefuses(t *testing.T) {
	for _, row := range []struct {
		query search.Query
		want  string
	}{
		{search.Query{}, "nothing to look for"},
		{search.Query{Text: strings.Repeat("x", search.MaxText+1)}, "longer than"},
		{search.Query{Text: "(", Regexp: true}, "no regular expression: missing closing ) in \"(\""},
	} {
		if _, err := search.Compile(row.query); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%.20v: %v, want %q", row.query, err, row.want)
		}
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, err := search.Compile(search.Query{Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Back(ctx, logOf(t, "x"), 1, 1, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("goes on: %v", err)
	}
}

func TestAround(t *testing.T) {
	var b strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&b, "\x1b[32mline %05d\x1b[0m and more text\r\n", i)
	}
	l := logOf(t, b.String())
	hits := all(t, l, search.Query{Text: "line 00777"}, 1, 1<<30)
	lines, at, err := search.Around(t.Context(), l, hits[0].Line, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range lines {
		got = append(got, line.Text[5:10])
	}
	if s := strings.Join(got, " "); s != "00775 00776 00777 00778 00779 00780" || at != 2 {
		t.Errorf("around it: %s, at %d", s, at)
	}
	for _, off := range []uint64{0, l.End(), l.End() + 5} {
		if _, at, err := search.Around(t.Context(), l, off, 5, 5); err != nil || off == 0 && at != 0 || off > 0 && at != 5 {
			t.Errorf("around %d of %d: at %d, %v", off, l.End(), at, err)
		}
	}
}

// Empty lines are a part of how output looks, however they were ended.
func TestAroundKeepsEmptyLines(t *testing.T) {
	l := logOf(t, "one\r\n\r\n\x1b[1m\r\ntwo\n\n\nhere\r\r\n\x1b[?2004l\rthree\r\n\r\n")
	hits := all(t, l, search.Query{Text: "here"}, 1, 1<<30)
	lines, at, err := search.Around(t.Context(), l, hits[0].Line, 10, 10)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range lines {
		got = append(got, line.Text)
	}
	if s := strings.Join(got, "|"); s != "one|||two|||here|three|" || at != 6 {
		t.Errorf("around it %q, at %d", s, at)
	}
}

func FuzzSearch(f *testing.F) {
	f.Add([]byte("a\x1b[31mb\r\nc\x1b]0;t\x07d"), "a", false)
	f.Add([]byte("\x1b\x1b[\x1bP\x1b\\\b\b\xc3\xa9\b"), "é", true)
	f.Fuzz(func(t *testing.T, b []byte, text string, expr bool) {
		m, err := search.Compile(search.Query{Text: text, Regexp: expr})
		if err != nil {
			return
		}
		l := logOf(t, string(b))
		for before := l.End(); ; {
			hits, err := m.Back(t.Context(), l, before, 2, 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range hits.Lines {
				if h.Line >= before || h.Match == "" {
					t.Fatalf("%+v before %d", h, before)
				}
			}
			if hits.Done {
				return
			}
			if hits.Next >= before {
				t.Fatalf("no way forward at %d", before)
			}
			before = hits.Next
		}
	})
}

func BenchmarkBack(b *testing.B) {
	for name, line := range map[string]string{
		"plain":   "the quick brown fox jumps over the lazy dog, and goes on to the end of the line\r\n",
		"colours": "\x1b[32mthe\x1b[0m \x1b[1mquick\x1b[0m brown \x1b[38;5;12mfox\x1b[0m jumps over the lazy dog\r\n",
	} {
		for _, q := range []search.Query{{Text: "needle"}, {Text: "needle", MatchCase: true}, {Text: "n[e]+dle", Regexp: true}} {
			b.Run(fmt.Sprintf("%s/%s/%v", name, q.Text, q.MatchCase), func(b *testing.B) {
				l := logOf(b, strings.Repeat(line, 8<<20/len(line)))
				m, err := search.Compile(q)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(l.End()))
				for b.Loop() {
					if _, err := m.Back(b.Context(), l, l.End(), 10, 1<<30); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
