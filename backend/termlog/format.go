package termlog

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"time"
)

const (
	headerLen = 24 // of a file and of a frame alike

	maxPayload     = 64 << 10 // of a frame in a segment; also the size of a full chunk
	maxMarkPayload = 4 << 10

	// maxOffset keeps sums of numbers and lengths far from overflow when a
	// damaged file claims absurd ones.
	maxOffset = 1 << 62

	segmentMagic = "DRVLOG1\n"
	marksMagic   = "DRVMRK1\n"
)

// Frame kinds of a segment. In the marks file the kind is that of the mark.
const (
	frameData    = 1
	frameGap     = 2 // payload: u64, the first number that is not lost
	frameUnsure  = 3 // the same, but the count is an upper bound
	frameSettled = 4 // nothing is owed; always last, overwritten by the next frame
)

type frame struct {
	kind    byte
	off     uint64
	at      int64 // unix ms
	payload []byte
	pos     int64 // in the file
}

// end returns the number after the last one that a segment's frame speaks of.
func (f frame) end() uint64 {
	switch f.kind {
	case frameData:
		return f.off + uint64(len(f.payload))
	case frameGap, frameUnsure:
		return binary.BigEndian.Uint64(f.payload)
	}
	return f.off
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

func checksum(salt uint32, head, payload []byte) uint32 {
	t := castagnoli()
	return crc32.Update(crc32.Update(salt, t, head), t, payload)
}

// putFrame fills the first headerLen bytes of b, whose rest is the payload.
func putFrame(b []byte, salt uint32, kind byte, off uint64, at int64) {
	payload := b[headerLen:]
	binary.BigEndian.PutUint32(b, uint32(kind)<<24|uint32(len(payload)))
	binary.BigEndian.PutUint64(b[4:], off)
	binary.BigEndian.PutUint64(b[12:], uint64(at))
	binary.BigEndian.PutUint32(b[20:], checksum(salt, b[:20], payload))
}

func newHeader(magic string, first uint64) (header []byte, salt uint32) {
	b := make([]byte, headerLen)
	copy(b, magic)
	binary.BigEndian.PutUint64(b[8:], first)
	_, _ = rand.Read(b[16:20]) // crypto/rand.Read never fails
	binary.BigEndian.PutUint32(b[20:], checksum(0, b[:20], nil))
	return b, binary.BigEndian.Uint32(b[16:])
}

var errHeader = errors.New("not a log file, or its header is damaged")

func readHeader(r io.ReaderAt, magic string) (first uint64, salt uint32, err error) {
	var b [headerLen]byte
	if _, err := r.ReadAt(b[:], 0); err != nil {
		if errors.Is(err, io.EOF) {
			return 0, 0, errHeader
		}
		return 0, 0, err
	}
	if string(b[:8]) != magic || binary.BigEndian.Uint32(b[20:]) != checksum(0, b[:20], nil) {
		return 0, 0, errHeader
	}
	return binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint32(b[16:]), nil
}

func nowMilli() int64 { return time.Now().UnixMilli() }

// walker reads the frames of one file in order, over damage if need be.
type walker struct {
	r     io.ReaderAt
	size  int64 // bytes of r that count
	salt  uint32
	marks bool
	pos   int64  // of the next frame
	want  uint64 // no frame may speak of less
	max   uint64 // no frame may begin beyond

	buf []byte // at least headerLen+maxPayload
	lo  int64  // position of buf[0]
	n   int    // bytes of buf that are filled
}

// window returns size bytes at pos, or fewer at the end of the file. It is valid
// until the next call.
func (w *walker) window(pos int64, size int) ([]byte, error) {
	if pos < w.lo || pos+int64(size) > w.lo+int64(w.n) {
		n := min(int64(len(w.buf)), w.size-pos)
		if n <= 0 {
			return nil, nil
		}
		got, err := w.r.ReadAt(w.buf[:n], pos)
		if err != nil && !errors.Is(err, io.EOF) {
			w.n = 0
			return nil, err
		}
		w.lo, w.n = pos, got
	}
	from := int(pos - w.lo)
	return w.buf[from:min(from+size, w.n)], nil
}

// frameAt returns the frame at pos, if a whole and plausible one is there.
func (w *walker) frameAt(pos int64) (f frame, ok bool, err error) {
	h, err := w.window(pos, headerLen)
	if err != nil || len(h) < headerLen {
		return frame{}, false, err
	}
	size := int(binary.BigEndian.Uint32(h) & 0xffffff)
	f = frame{kind: h[0], off: binary.BigEndian.Uint64(h[4:]), at: int64(binary.BigEndian.Uint64(h[12:])), pos: pos}
	if f.off < w.want || f.off > w.max || !w.plausible(f.kind, size) {
		return frame{}, false, nil
	}
	whole, err := w.window(pos, headerLen+size)
	if err != nil || len(whole) < headerLen+size {
		return frame{}, false, err
	}
	f.payload = whole[headerLen:]
	if binary.BigEndian.Uint32(whole[20:]) != checksum(w.salt, whole[:20], f.payload) {
		return frame{}, false, nil
	}
	if !w.marks {
		if end := f.end(); end < f.off || end > maxOffset {
			return frame{}, false, nil
		}
	}
	return f, true, nil
}

func (w *walker) plausible(kind byte, size int) bool {
	if w.marks {
		return kind != 0 && size <= maxMarkPayload
	}
	switch kind {
	case frameData:
		return 0 < size && size <= maxPayload
	case frameGap, frameUnsure:
		return size == 8
	case frameSettled:
		return size == 0
	}
	return false
}

// next returns the next whole frame, skipping damage; io.EOF when there is none, and
// then pos is where the last whole frame ended. The payload is valid until the next
// call.
func (w *walker) next() (frame, error) {
	for pos := w.pos; pos+headerLen <= w.size; pos++ {
		f, ok, err := w.frameAt(pos)
		if err != nil {
			return frame{}, err
		}
		if ok {
			w.pos = pos + headerLen + int64(len(f.payload))
			w.want = f.off
			if !w.marks {
				w.want = f.end()
			}
			return f, nil
		}
	}
	return frame{}, io.EOF
}
