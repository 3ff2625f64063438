package search

import (
	"encoding/binary"
	"sort"
	"unicode"
)

// text is a piece of what a program wrote, as plain text.
type text struct {
	plain   []byte // the lines, each with '\n' behind it
	starts  []start
	lowered []byte // by whoever compares without case

	blanks bool // lines without text count, where a line end makes them
	fresh  bool // the line that is read was begun by a line end
}

// start is where a line begins.
type start struct {
	off uint64 // in the log
	at  int    // in plain
}

// read takes the bytes from number off on, which begin a line. Escape sequences
// vanish; one that moves the cursor to another line ends the line, one that
// moves it to the right leaves a space. A return in the middle of a line begins
// a new one: what it overwrites was there to be read too.
func (t *text) read(off uint64, b []byte) {
	t.plain, t.starts = t.plain[:0], t.starts[:0]
	t.begin(off)
	t.fresh = true
	for i := 0; i < len(b); {
		if n := printable(b[i:]); n > 0 {
			t.plain = append(t.plain, b[i:i+n]...)
			i += n
			continue
		}
		switch c := b[i]; c {
		case '\n':
			t.feed(off + uint64(i) + 1)
		case '\v', '\f', '\r':
			t.end(off + uint64(i) + 1)
		case '\t':
			t.plain = append(t.plain, '\t')
		case '\b':
			t.erase()
		case 0x1b:
			n, line, space := sequence(b[i:])
			i += n
			if line {
				t.end(off + uint64(i))
			} else if space {
				t.plain = append(t.plain, ' ')
			}
			continue
		}
		i++
	}
	t.plain = append(t.plain, '\n')
}

func (t *text) begin(off uint64) { t.starts = append(t.starts, start{off: off, at: len(t.plain)}) }

// end ends the line; the next one begins with the byte off. A line without text
// is not worth one.
func (t *text) end(off uint64) {
	last := &t.starts[len(t.starts)-1]
	if last.at == len(t.plain) {
		last.off = off
		return
	}
	t.plain = append(t.plain, '\n')
	t.begin(off)
	t.fresh = false
}

// feed is a line end. Behind a return it ends the line that the return has ended.
func (t *text) feed(off uint64) {
	if empty := t.starts[len(t.starts)-1].at == len(t.plain); empty && t.blanks && t.fresh {
		t.plain = append(t.plain, '\n')
		t.begin(off)
	} else {
		t.end(off)
	}
	t.fresh = true
}

// erase takes the last character of the line back.
func (t *text) erase() {
	from := t.starts[len(t.starts)-1].at
	for n := len(t.plain); n > from; {
		n--
		last := t.plain[n]
		t.plain = t.plain[:n]
		if last&0xc0 != 0x80 {
			return
		}
	}
}

// line is the line that holds plain[i], and its bounds.
func (t *text) line(i int) (n, from, to int) {
	n = sort.Search(len(t.starts), func(n int) bool { return t.starts[n].at > i }) - 1
	from, to = t.bounds(n)
	return n, from, to
}

// bounds are those of a line in plain, without its '\n'.
func (t *text) bounds(n int) (from, to int) {
	to = len(t.plain)
	if n+1 < len(t.starts) {
		to = t.starts[n+1].at
	}
	return t.starts[n].at, to - 1
}

// printable is how many bytes at the front of b are text, found eight at a time.
func printable(b []byte) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	n := 0
	for ; n+8 <= len(b); n += 8 {
		x := binary.LittleEndian.Uint64(b[n:])
		// The high bit of each byte below 0x20; 0x7f is looked for below.
		if (x-0x20*ones)&^x&highs != 0 {
			break
		}
	}
	for n < len(b) && b[n] >= 0x20 {
		n++
	}
	return n
}

// sequence is the length of the escape sequence at the front of b, and what it
// does to the text: whether the cursor leaves the line, or goes to the right.
func sequence(b []byte) (n int, line, space bool) {
	if len(b) < 2 {
		return len(b), false, false
	}
	switch b[1] {
	case '[':
		for n = 2; n < len(b) && (b[n] < 0x40 || b[n] > 0x7e); n++ {
			if b[n] < 0x20 {
				return n, false, false // cut short
			}
		}
		if n == len(b) {
			return n, false, false
		}
		switch b[n] {
		case 'A', 'B', 'E', 'F', 'H', 'd', 'f':
			line = true
		case 'C', 'G', '`', 'a':
			space = true
		}
		return n + 1, line, space
	case ']', 'P', 'X', '^', '_':
		return str(b), false, false
	case 'D', 'E', 'M', 'c':
		return 2, true, false
	}
	for n = 1; n < len(b) && b[n] >= 0x20 && b[n] < 0x30; n++ {
	}
	return min(n+1, len(b)), false, false
}

// str is the length of a string sequence: to BEL or ST, or to another sequence.
func str(b []byte) int {
	for n := 2; n < len(b); n++ {
		switch b[n] {
		case 0x07, 0x18, 0x1a:
			return n + 1
		case 0x1b:
			if n+1 < len(b) && b[n+1] == '\\' {
				return n + 2
			}
			return n
		}
	}
	return len(b)
}

func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
