package screen

import "unicode/utf8"

// state is where the parser stands: the machine of the VT500 as xterm.js has it,
// in code points.
type state uint8

const (
	ground state = iota
	escape
	escapeIntermediate
	csiEntry
	csiParam
	csiIntermediate
	csiIgnore
	ignoredString // SOS, PM, APC
	oscString
	dcsEntry
	dcsParam
	dcsIgnore
	dcsIntermediate
	dcsPassthrough
)

// maxString bounds OSC and DCS payloads, in bytes: what is longer is dropped whole.
const maxString = 1 << 20

// keptString is how much scratch stays allocated after a long string.
const keptString = 64 << 10

type parser struct {
	state   state
	collect uint32 // prefix and intermediates, a byte each
	params  params
	str     []byte // payload of OSC or DCS
	long    bool   // the payload was longer than maxString
	hooked  uint32 // the DCS that is being read

	partial  [utf8.UTFMax]byte // a character whose end has not come yet
	npartial int
}

// reset leaves the partial character: it belongs to the decoder.
func (p *parser) reset() {
	p.state = ground
	p.clear()
	p.dropString()
}

func (p *parser) clear() {
	p.params.clear()
	p.collect = 0
}

func (p *parser) dropString() {
	if cap(p.str) > keptString {
		p.str = nil
	}
	p.str, p.long = p.str[:0], false
}

func (p *parser) put(b []byte) {
	if p.long || len(p.str)+len(b) > maxString {
		p.dropString()
		p.long = true
		return
	}
	p.str = append(p.str, b...)
}

// Write takes what a program wrote. It never fails and takes everything; a
// character may be split between two writes.
func (s *Screen) Write(b []byte) (int, error) {
	n := len(b)
	b = s.finishPartial(b)
	for len(b) > 0 {
		var used int
		switch s.parser.state {
		case ground:
			switch c := b[0]; {
			case c == 0x1b:
				if used = s.again(b); used == 0 {
					used = s.wholeCSI(b)
				}
			case c == '\n':
				s.lineFeed()
				s.tail.clear()
				used = 1
			case c < 0x20:
				s.control(c)
				used = 1
			default:
				used = s.printRun(b)
			}
		case oscString, dcsPassthrough:
			used = s.putRun(b)
		default:
		}
		if used == 0 {
			used = s.one(b)
		}
		b = b[used:]
	}
	return n, nil
}

// wholeCSI acts on the control sequence that b begins with, if it is there to its
// end and of the common form: digits and semicolons, a '?' before them perhaps, and
// the final byte. It returns its length, 0 if it is left to the state machine.
func (s *Screen) wholeCSI(b []byte) int {
	if len(b) < 3 || b[1] != '[' {
		return 0
	}
	i, prefix := 2, uint32(0)
	if b[2] == '?' {
		i, prefix = 3, '?'
	}
	p := &s.parser.params
	p.clear()
	n, v := 0, int32(0)
	for ; i < len(b); i++ {
		c := b[i]
		switch {
		case c-'0' < 10:
			if v = v*10 + int32(c-'0'); v > 1<<20 {
				return 0
			}
		case c == ';':
			p.v[n&(maxParams-1)] = v // the mask spares a check of bounds
			if n++; n == maxParams {
				return 0
			}
			v = 0
		case c >= 0x40 && c < 0x7f:
			p.v[n&(maxParams-1)] = v
			p.n = n + 1
			if prefix == 0 && c == 'm' {
				s.sgr()
				s.remember(b, i+1)
			} else {
				s.csi(prefix<<8 | uint32(c))
			}
			s.tail.clear()
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// one steps over the first character of b and returns its length.
func (s *Screen) one(b []byte) int {
	if b[0] < utf8.RuneSelf {
		s.step(rune(b[0]))
		return 1
	}
	r, n := decode(b)
	switch {
	case n == 0:
		s.parser.npartial = copy(s.parser.partial[:], b)
		return len(b)
	case r >= 0:
		s.step(r)
	}
	return n
}

// finishPartial completes a character that the last write began, and returns what
// is left of b.
func (s *Screen) finishPartial(b []byte) []byte {
	p := &s.parser
	if p.npartial == 0 || len(b) == 0 {
		return b
	}
	var whole [2 * utf8.UTFMax]byte
	had := copy(whole[:], p.partial[:p.npartial])
	have := had + copy(whole[had:], b)
	r, n := decode(whole[:min(have, utf8.UTFMax)])
	if n == 0 { // still not whole: all of b is part of it
		p.npartial = copy(p.partial[:], whole[:have])
		return nil
	}
	p.npartial = 0
	if r >= 0 {
		if p.state == ground && r >= 0xa0 {
			s.printRun(whole[:n])
		} else {
			s.step(r)
		}
	}
	return b[max(n-had, 0):]
}

// decode takes a character beyond ASCII from the front of b. n is 0 if its end is
// missing; r is -1 for what is none (xterm.js drops it without a trace, and the
// byte order mark too).
func decode(b []byte) (r rune, n int) {
	c := b[0]
	var low rune
	switch {
	case c < 0xc0:
		return -1, 1
	case c < 0xe0:
		r, n, low = rune(c&0x1f), 2, 0x80
	case c < 0xf0:
		r, n, low = rune(c&0x0f), 3, 0x800
	case c < 0xf8:
		r, n, low = rune(c&0x07), 4, 0x10000
	default:
		return -1, 1
	}
	for i := 1; i < n; i++ {
		if i >= len(b) {
			return 0, 0
		}
		if b[i]&0xc0 != 0x80 {
			return -1, i
		}
		r = r<<6 | rune(b[i]&0x3f)
	}
	if r < low || r > utf8.MaxRune || r == 0xfeff || (r >= 0xd800 && r < 0xe000) {
		return -1, n
	}
	return r, n
}

// putRun takes what belongs to a string's payload from the front of b: everything
// but controls, in DCS most controls too.
func (s *Screen) putRun(b []byte) int {
	i := 0
	for ; i < len(b) && b[i] < utf8.RuneSelf; i++ {
		c := b[i]
		if c < 0x20 && (s.parser.state == oscString || c == 0x1b || c == 0x18 || c == 0x1a) {
			break
		}
	}
	if i == 0 && b[0] >= 0xc3 { // C2 may be a control
		r, n := decode(b)
		if n == 0 || r < 0 {
			return 0
		}
		i = n
	}
	s.parser.put(b[:i])
	return i
}
