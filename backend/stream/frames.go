package stream

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The frames, all integers big-endian: type u8, channel u32 (chosen by the
// page, one for each attached view), body.
const (
	frameAttach  = 1 // from u64, cols u16, rows u16, flags u8 (below), client u64, block UTF-8
	frameDetach  = 2 // –
	frameInput   = 3 // seq u64, bytes
	frameAck     = 4 // offset u64
	frameResize  = 5 // cols u16, rows u16, xpixel u16, ypixel u16
	frameVisible = 6 // flag u8
	frameLoad    = 7 // late u8; channel 0
	frameRedraw  = 8 // –

	frameOpened  = 65 // first u64, next u64, cols u16, rows u16
	frameData    = 66 // offset u64, bytes
	frameSize    = 67 // offset u64, cols u16, rows u16, owner u8
	frameLost    = 68 // from u64, to u64, unsure u8: the count is the most that it can be
	frameTaken   = 69 // seq u64
	frameRefused = 70 // seq u64, reason UTF-8
	frameError   = 71 // text UTF-8
	frameScreen  = 72 // offset u64, cols u16, rows u16, owner u8, whole u8, bytes
)

// The flags of an attach: somebody looks; it takes screens.
const (
	attachVisible = 1
	attachScreens = 2
)

// headSize is the type and the channel; maxInput and maxName bound the bodies
// that a page sends.
const (
	headSize = 5
	maxInput = 16 << 10
	maxName  = 256
	// maxFrame is the largest that a page may send.
	maxFrame = headSize + 8 + maxInput
)

var errFrame = errors.New("a frame that breaks the protocol")

// frame is one that a page sent; which fields count depends on its kind.
type frame struct {
	kind    byte
	channel uint32
	number  uint64 // attach: from; input: seq; ack: offset
	cols    uint16
	rows    uint16
	xpixel  uint16
	ypixel  uint16
	flag    bool
	flags   byte // attach
	client  uint64
	block   string
	bytes   []byte // of the frame's own buffer
}

// parse reads a frame, whose bytes it keeps.
func parse(b []byte) (frame, error) {
	if len(b) < headSize {
		return frame{}, fmt.Errorf("%w: %d bytes", errFrame, len(b))
	}
	f := frame{kind: b[0], channel: binary.BigEndian.Uint32(b[1:])}
	body := b[headSize:]
	fixed, open := 0, false // the body's size, and whether more may follow
	switch f.kind {
	case frameAttach:
		fixed, open = 21, true
	case frameDetach, frameRedraw:
	case frameInput:
		fixed, open = 8, true
	case frameAck, frameResize:
		fixed = 8
	case frameVisible, frameLoad:
		fixed = 1
	default:
		return f, fmt.Errorf("%w: type %d", errFrame, f.kind)
	}
	if len(body) < fixed || !open && len(body) > fixed {
		return f, fmt.Errorf("%w: type %d with a body of %d bytes", errFrame, f.kind, len(body))
	}
	be := binary.BigEndian
	switch f.kind {
	case frameAttach:
		f.number, f.cols, f.rows = be.Uint64(body), be.Uint16(body[8:]), be.Uint16(body[10:])
		f.flags, f.client = body[12], be.Uint64(body[13:])
		if len(body) > fixed+maxName {
			return f, fmt.Errorf("%w: a name of %d bytes", errFrame, len(body)-fixed)
		}
		f.block = string(body[fixed:])
	case frameInput:
		f.number, f.bytes = be.Uint64(body), body[8:]
		if len(f.bytes) > maxInput {
			return f, fmt.Errorf("%w: an input of %d bytes", errFrame, len(f.bytes))
		}
	case frameAck:
		f.number = be.Uint64(body)
	case frameResize:
		f.cols, f.rows, f.xpixel, f.ypixel = be.Uint16(body), be.Uint16(body[2:]), be.Uint16(body[4:]), be.Uint16(body[6:])
	case frameVisible, frameLoad:
		f.flag = body[0] == 1
	}
	return f, nil
}

// head begins a frame for the page in b.
func head(b []byte, kind byte, channel uint32) []byte {
	return binary.BigEndian.AppendUint32(append(b[:0], kind), channel)
}

func flag(on bool) byte {
	if on {
		return 1
	}
	return 0
}
