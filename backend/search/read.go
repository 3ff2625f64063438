package search

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"drover/backend/termlog"
)

// reader reads windows of a log as text.
type reader struct {
	log  Log
	buf  []byte
	text text
}

// back reads the window of whole lines that ends before the byte end, which is
// the start of a line or the log's end, and says where it begins.
func (r *reader) back(end uint64) (from uint64, err error) {
	first := r.log.First()
	from = max(first, end-min(end, window))
	b, from, err := r.read(from, end)
	if err != nil {
		return 0, err
	}
	if from > first {
		// What stands before the first line end belongs to a line of the window before.
		if i := bytes.IndexByte(b, '\n'); i >= 0 && i+1 < len(b) {
			b, from = b[i+1:], from+uint64(i)+1
		}
	}
	r.text.read(from, b)
	return from, nil
}

// read is the bytes from from to end, or from where the log now begins.
func (r *reader) read(from, end uint64) ([]byte, uint64, error) {
	r.buf = r.buf[:0]
	for at := from; at < end; {
		r.buf = slices.Grow(r.buf, int(end-at))
		n, err := r.log.ReadAt(at, r.buf[len(r.buf):len(r.buf)+int(end-at)])
		var lost *termlog.LostError
		switch {
		case errors.As(err, &lost):
			// What comes behind a gap has nothing to do with what stands before it.
			at = min(lost.To, end)
			r.buf, from = r.buf[:0], at
			continue
		case errors.Is(err, io.EOF):
			return r.buf, from, nil
		case err != nil:
			return nil, 0, err
		}
		r.buf = r.buf[:len(r.buf)+n]
		at += uint64(n)
	}
	return r.buf, from, nil
}
