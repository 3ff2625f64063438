package terminal

import "bytes"

// mostPicture is how far behind a viewer may be because of pictures, in bytes: the
// page takes no larger one.
const mostPicture = 16 << 20

// pictures notices sixel and iTerm pictures in what a viewer is sent. A screen
// would have a word in their place, so a viewer is not sent one while it is busy
// with a picture.
type pictures struct {
	open bool
	end  uint64 // behind the last byte of the last one
}

// pass takes the bytes from number off on. A picture whose first two bytes are
// parted is not noticed: it may be drawn or not.
func (p *pictures) pass(off uint64, b []byte) {
	if p.open {
		i := bytes.IndexAny(b, "\x1b\x07\x18\x1a")
		if i < 0 {
			p.end = off + uint64(len(b))
			return
		}
		p.open, p.end = false, off+uint64(i)+1
	}
	i := bytes.LastIndexByte(b, 0x1b)
	if i < 0 {
		return
	}
	// A short one in the middle of other things needs no care.
	rest := b[i:]
	sixel := bytes.HasPrefix(rest, []byte("\x1bP"))
	file := bytes.HasPrefix(rest, []byte("\x1b]1337;")) && bytes.IndexByte(rest, 0x07) < 0
	if sixel || file {
		p.open, p.end = true, off+uint64(len(b))
	}
}

// busy says whether a viewer that has shown the bytes below acked, and is far bytes
// behind the end, has a picture on its way.
func (p *pictures) busy(acked, far uint64) bool {
	return (p.open || acked < p.end) && far < mostPicture
}
