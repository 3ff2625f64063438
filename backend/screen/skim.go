package screen

import (
	"bytes"
	"encoding/binary"
)

// Skim takes what a program wrote, as Write does, without drawing the lines that
// the rest of b scrolls out of everything that is kept: a flood costs the lines
// that stay. The numbers of lines do not count those that were left out.
func (s *Screen) Skim(b []byte) { _, _ = s.Write(b[s.Skip(b):]) }

// Skip takes as much from the front of b as the rest scrolls out of everything
// that is kept, and returns how much that is. The rest must follow, in any pieces.
func (s *Screen) Skip(b []byte) int {
	n := s.skippable(b)
	if n > 0 {
		s.pass(b[:n])
	}
	return n
}

// skippable is how much of b need not be drawn: lines of text and colours, in
// front of as many as the main screen and its scrollback hold.
func (s *Screen) skippable(b []byte) int {
	keep := s.history.max + 2*s.rows // the cursor may be at the top
	m := &s.main
	if s.cur != m || m.top != 0 || m.bottom != s.rows-1 || s.parser.state != ground || s.parser.npartial > 0 {
		return 0
	}
	if len(b) < 4*keep {
		return 0
	}
	end := plainLines(b)
	for range keep {
		end = bytes.LastIndexByte(b[:end], '\n')
		if end <= 0 {
			return 0
		}
	}
	if b[end-1] != '\r' {
		return 0 // where the next line begins depends on this one
	}
	return end + 1
}

// pass is what is left to do of lines that are not drawn: the pen's look.
func (s *Screen) pass(b []byte) {
	for b = b[lastReset(b):]; ; {
		i := bytes.IndexByte(b, 0x1b)
		if i < 0 {
			break
		}
		n := lineSequence(b[i:])
		if b[i+n-1] == 'm' {
			_, _ = s.Write(b[i : i+n])
		}
		b = b[i+n:]
	}
	_, _ = s.Write([]byte("\r\n"))
}

// lastReset is where the pen was put back last, else 0.
func lastReset(b []byte) int {
	if bytes.IndexByte(b, 0x1b) < 0 { // much faster than backwards
		return 0
	}
	for i := len(b); i > 0; {
		i = bytes.LastIndexByte(b[:i], 0x1b)
		if i < 0 {
			break
		}
		if bytes.HasPrefix(b[i:], []byte("\x1b[m")) || bytes.HasPrefix(b[i:], []byte("\x1b[0m")) {
			return i
		}
	}
	return 0
}

// plainLines is how much of b does nothing but write on lines: text, line ends,
// colours, erasing in the line.
func plainLines(b []byte) int {
	for n := 0; n < len(b); {
		n += textRun(b[n:])
		if n == len(b) {
			break
		}
		switch b[n] {
		case '\n', '\r', '\t', '\b':
			n++
		case 0xc2: // what begins with it may be a C1 control
			if n+1 == len(b) || b[n+1] < 0xa0 {
				return n
			}
			n += 2
		case 0x1b:
			seq := lineSequence(b[n:])
			if seq == 0 {
				return n
			}
			n += seq
		default:
			return n
		}
	}
	return len(b)
}

// textRun is how many bytes at the front of b are neither controls nor 0xc2,
// found eight at a time.
func textRun(b []byte) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	n := 0
	for ; n+8 <= len(b); n += 8 {
		x := binary.LittleEndian.Uint64(b[n:])
		y := x ^ 0xc2*ones
		if ((x-0x20*ones)&^x|(y-ones)&^y)&highs != 0 {
			break
		}
	}
	for n < len(b) && b[n] >= 0x20 && b[n] != 0xc2 {
		n++
	}
	return n
}

// lineSequence is the length of the sequence at the front of b that sets colours
// or erases in the line, else 0.
func lineSequence(b []byte) int {
	if len(b) < 3 || b[1] != '[' {
		return 0
	}
	n := 2
	for n < len(b) && b[n] >= '0' && b[n] <= ';' {
		n++
	}
	if n < len(b) && (b[n] == 'm' || b[n] == 'K') {
		return n + 1
	}
	return 0
}
