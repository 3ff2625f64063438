package screen

import (
	"encoding/binary"
	"math/bits"
)

// Programs that colour their output send the same few SGR sequences again and again,
// one for every few characters of text. What each of them does to the pen is kept,
// found by its bytes: reading the numbers anew costs more than drawing the text
// between them, for no processor can foresee how many digits come.

// A deed is what an SGR sequence does to a pen without underline style and link. A
// bit that it sets is set in both outcomes, one that it clears in neither, and one
// that it keeps only in the second.
type deed struct {
	lo, hi    uint64 // the bytes up to the final m, which is left out
	known     bool   // or it has been seen only once
	none, all ink    // what it makes of a pen that has nothing, and of one that has everything
}

// ink is the part of a pen that a deed is about.
type ink struct{ fg, bg, flags uint32 }

const (
	deedBits   = 9 // 512 of them: a palette of 256 in both grounds
	everything = 1<<32 - 1
	longest    = len("\x1b[") + 2*8 // what is looked at, in bytes
	eachByte   = 0x0101010101010101 // times a byte: it in all eight
)

type deeds [1 << deedBits]deed

// sgrKey is what b begins with, an SGR sequence of up to 16 bytes perhaps. n is its
// length, 0 if it is none.
func sgrKey(b []byte) (lo, hi uint64, n int) {
	if len(b) < longest || b[1] != '[' {
		return 0, 0, 0
	}
	lo, hi = binary.LittleEndian.Uint64(b[2:]), binary.LittleEndian.Uint64(b[10:])
	if at := firstM(lo); at < 8 {
		return lo & (1<<(8*at) - 1), 0, 3 + at
	}
	if at := firstM(hi); at < 8 {
		return lo, hi & (1<<(8*at) - 1), 11 + at
	}
	return 0, 0, 0
}

// firstM is the place of the first m among eight bytes, 8 if there is none.
func firstM(word uint64) int {
	word ^= 'm' * eachByte
	return bits.TrailingZeros64((word-eachByte)&^word&(0x80*eachByte)) / 8
}

func (d *deeds) at(lo, hi uint64) *deed {
	return &d[(lo*0x9e3779b97f4a7c15^hi*0xc2b2ae3d27d4eb4f)>>(64-deedBits)]
}

// again does what the SGR sequence that b begins with is known to do. It returns its
// length, 0 if it is not known, or if the pen has what it says nothing of.
func (s *Screen) again(b []byte) int {
	lo, hi, n := sgrKey(b)
	p := &s.pen
	if n == 0 || p.style|p.underline|uint32(p.link) != 0 {
		return 0
	}
	d := s.deeds.at(lo, hi)
	if !d.known || d.lo != lo || d.hi != hi {
		return 0
	}
	fg, bg, flags := p.fg&d.all.fg|d.none.fg, p.bg&d.all.bg|d.none.bg, p.flags&d.all.flags|d.none.flags
	p.fg, p.bg, p.flags = fg, bg, flags
	s.ink = cell{fg: fg, bg: bg, attr: flags}
	s.tail.clear()
	return n
}

// remember keeps what the SGR sequence of n bytes does that b begins with, whose
// numbers have just been read: once it has come twice, for colours that are mixed
// anew for every cell come once.
func (s *Screen) remember(b []byte, n int) {
	lo, hi, have := sgrKey(b)
	if have != n {
		return
	}
	d := s.deeds.at(lo, hi)
	if d.lo != lo || d.hi != hi {
		*d = deed{lo: lo, hi: hi}
		return
	}
	p := s.pen
	s.pen = pen{}
	s.attributes()
	none := s.pen
	s.pen = pen{fg: everything, bg: everything, flags: everything}
	s.attributes()
	all := s.pen
	s.pen = p
	*d = deed{
		lo: lo, hi: hi,
		known: none.style|none.underline == 0, // the underline's style and colour are not in it
		none:  ink{none.fg, none.bg, none.flags},
		all:   ink{all.fg, all.bg, all.flags},
	}
}
