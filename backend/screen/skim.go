package screen

import "bytes"

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

// scanBlock is looked through several times, which is fast while it is in the cache.
const scanBlock = 32 << 10

// plainLines is how much of b does nothing but write on lines: text, line ends,
// colours, erasing in the line.
func plainLines(b []byte) int {
	for n := 0; n < len(b); {
		block := b[n:min(n+scanBlock, len(b))]
		end := len(block)
		// A bell is to be told, and a change of character sets changes what follows.
		for _, c := range []byte{0x07, 0x0e, 0x0f} {
			if i := bytes.IndexByte(block[:end], c); i >= 0 {
				end = i
			}
		}
		if i := controlC1(b[n : n+end]); i >= 0 {
			end = i
		}
		i := 0
		for i < end {
			j := bytes.IndexByte(block[i:end], 0x1b)
			if j < 0 {
				break
			}
			i += j
			seq := lineSequence(b[n+i:])
			if seq == 0 {
				return n + i
			}
			i += seq // perhaps into the next block
		}
		if end < len(block) {
			return n + max(i, end)
		}
		n += max(i, end)
	}
	return len(b)
}

// controlC1 is where the first C1 control of b begins, or may begin, else -1. In
// UTF-8 they are 0xc2 and a byte below 0xa0.
func controlC1(b []byte) int {
	for i := 0; ; i++ {
		j := bytes.IndexByte(b[i:], 0xc2)
		if j < 0 {
			return -1
		}
		i += j
		if i+1 == len(b) || b[i+1] < 0xa0 {
			return i
		}
	}
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
