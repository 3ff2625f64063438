// Package search finds text in a terminal's log: in all of it, also in what the
// screen's scrollback has lost. What a program wrote is read as plain text, line
// by line, without its escape sequences.
//
// Promises: the newest lines come first; a call does a bounded piece of work and
// says where the next one goes on, so that whoever asks shows what there is and
// stops by not asking again; the log's writer is never waited for or stopped.
package search

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// Log is what is searched: the numbered bytes of a terminal.
type Log interface {
	First() uint64
	End() uint64
	ReadAt(off uint64, p []byte) (int, error)
}

// Query says what to look for.
type Query struct {
	Text      string
	Regexp    bool // Text is a regular expression in the syntax of Go's regexp, for one line
	MatchCase bool
	Word      bool // only where no letter, digit or underscore stands beside it
}

// Hit is one line that holds what was looked for.
type Hit struct {
	Line                 uint64 // number of the line's first byte
	Before, Match, After string // its text around the first match; cut to what a row can show
}

// Hits are what one call found, the newest line first.
type Hits struct {
	Lines []Hit
	// Next is where the next call goes on: before this byte nothing has been
	// looked at. Done: there is nothing there.
	Next uint64
	Done bool
}

// window is how much of the log is read at a time. A line is not longer than
// that: what goes on without a line end is looked at in pieces of it.
const window = 1 << 20

// mostAround bounds the text of a hit before its match and after it, in bytes;
// mostMatch that of the match.
const (
	mostAround = 160
	mostMatch  = 400
)

// MaxText bounds Query.Text, in bytes.
const MaxText = 1000

// Matcher is a compiled Query. It is safe for use by many goroutines.
type Matcher struct {
	literal []byte // lowered if fold
	fold    bool
	word    bool
	expr    *regexp.Regexp // else
}

// Compile reads a query. Its errors are for the person who typed it.
func Compile(q Query) (*Matcher, error) {
	switch {
	case q.Text == "":
		return nil, errors.New("there is nothing to look for")
	case len(q.Text) > MaxText:
		return nil, fmt.Errorf("the text to look for is longer than %d bytes", MaxText)
	}
	m := &Matcher{fold: !q.MatchCase, word: q.Word}
	if !q.Regexp && (q.MatchCase || ascii(q.Text)) {
		m.literal = []byte(q.Text)
		if m.fold {
			m.literal = appendLower(nil, m.literal)
		}
		return m, nil
	}
	text := q.Text
	if !q.Regexp {
		text = regexp.QuoteMeta(text)
	}
	if m.fold {
		text = "(?i)" + text
	}
	expr, err := regexp.Compile(text)
	if err != nil {
		var wrong *syntax.Error
		if errors.As(err, &wrong) {
			expr := wrong.Expr
			if m.fold {
				expr = strings.TrimPrefix(expr, "(?i)") // ours, not the person's
			}
			return nil, fmt.Errorf("this is no regular expression: %s in %q", wrong.Code, expr)
		}
		return nil, err
	}
	m.expr = expr
	return m, nil
}

// Back looks through the log from the byte before on towards its beginning,
// until it has found most lines or looked at about limit bytes. It reads from
// disk, and returns ctx's error once that has ended.
func (m *Matcher) Back(ctx context.Context, log Log, before uint64, most int, limit int64) (Hits, error) {
	r := reader{log: log}
	hits := Hits{Next: min(before, log.End())}
	for stop := hits.Next - min(hits.Next, uint64(limit)); ; {
		if err := ctx.Err(); err != nil {
			return hits, err
		}
		first := log.First()
		if hits.Next <= first {
			hits.Done = true
			return hits, nil
		}
		if hits.Next <= stop || len(hits.Lines) >= most {
			return hits, nil
		}
		from, err := r.back(hits.Next)
		if err != nil {
			return hits, err
		}
		found := m.lines(&r.text)
		room := most - len(hits.Lines)
		if len(found) > room {
			// The next call begins at the oldest line that is told, which it does not
			// tell again.
			found = found[len(found)-room:]
			from = found[0].Line
		}
		slices.Reverse(found)
		hits.Lines = append(hits.Lines, found...)
		hits.Next = from
	}
}

// lines are the lines of a text that match, oldest first.
func (m *Matcher) lines(t *text) []Hit {
	if m.expr != nil {
		return m.linesOfExpr(t)
	}
	plain := t.plain
	if m.fold {
		t.lowered = appendLower(t.lowered[:0], plain)
		plain = t.lowered
	}
	var out []Hit
	for at := 0; ; {
		i := bytes.Index(plain[at:], m.literal)
		if i < 0 {
			return out
		}
		i += at
		end := i + len(m.literal)
		if m.word && !alone(t.plain, i, end) {
			at = i + 1
			continue
		}
		n, from, to := t.line(i)
		out = append(out, hit(t.starts[n].off, t.plain[from:to], i-from, min(end, to)-from))
		at = to
	}
}

func (m *Matcher) linesOfExpr(t *text) []Hit {
	var out []Hit
	for n := range t.starts {
		from, to := t.bounds(n)
		line := t.plain[from:to]
		for _, at := range m.expr.FindAllIndex(line, -1) {
			if at[0] == at[1] || m.word && !alone(line, at[0], at[1]) {
				continue
			}
			out = append(out, hit(t.starts[n].off, line, at[0], at[1]))
			break
		}
	}
	return out
}

func hit(off uint64, line []byte, from, to int) Hit {
	before, match, after := line[:from], line[from:to], line[to:]
	if len(before) > mostAround {
		before = before[len(before)-mostAround:]
		for len(before) > 0 && !utf8.RuneStart(before[0]) {
			before = before[1:]
		}
	}
	return Hit{Line: off, Before: valid(before), Match: valid(cut(match, mostMatch)), After: valid(cut(after, mostAround))}
}

// cut shortens b to at most n bytes, at the border of a character.
func cut(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

func valid(b []byte) string { return string(bytes.ToValidUTF8(b, []byte("\uFFFD"))) }

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// appendLower appends src with the letters of ASCII lowered, eight at a time: a
// search that takes any case does this to all that it looks at.
func appendLower(dst, src []byte) []byte {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	n := len(dst)
	dst = append(dst, src...)
	b := dst[n:]
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		low := x &^ highs
		// The high bit of each byte from 'A' on, without those beyond 'Z' or ASCII.
		letters := (low + (0x80-'A')*ones) &^ (low + (0x7f-'Z')*ones) &^ x & highs
		binary.LittleEndian.PutUint64(b, x|letters>>2)
	}
	for i, c := range b {
		if c-'A' < 26 {
			b[i] = c | 0x20
		}
	}
	return dst
}

// alone says whether no character of a word stands beside line[from:to].
func alone(line []byte, from, to int) bool {
	before, _ := utf8.DecodeLastRune(line[:from])
	after, _ := utf8.DecodeRune(line[to:])
	return !wordRune(before) && !wordRune(after)
}
