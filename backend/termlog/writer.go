package termlog

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
)

// writer writes the newest segment. It belongs to the flusher; its file is open only
// while one runs.
type writer struct {
	file  *os.File
	salt  uint32
	pos   int64  // where the next frame goes
	next  uint64 // the number after the last frame
	owing bool   // the file does not end with a settled frame
}

func (w *writer) close() {
	if w.file != nil {
		_ = w.file.Close()
		w.file = nil
	}
}

// write appends one item. A frame that failed half-way is written again at the same place,
// so nothing of it can stay.
func (w *writer) write(l *Log, it item) error {
	b := it.buf
	if it.kind != frameData {
		b = make([]byte, headerLen+8)
		binary.BigEndian.PutUint64(b[headerLen:], it.to)
	}
	if err := w.open(l, it.from, int64(len(b))); err != nil {
		return err
	}
	putFrame(b, w.salt, it.kind, it.from, it.at)
	w.owing = true
	if _, err := w.file.WriteAt(b, w.pos); err != nil {
		return errors.Join(err, w.file.Truncate(w.pos))
	}
	w.pos += int64(len(b))
	w.next = it.to
	return nil
}

// settle notes that nothing is owed.
func (w *writer) settle(l *Log) error {
	if !w.owing {
		return nil
	}
	if w.file == nil {
		l.mu.Lock()
		last := l.segs[len(l.segs)-1]
		l.mu.Unlock()
		if err := w.reopen(l, last); err != nil {
			return err
		}
	}
	b := make([]byte, headerLen)
	putFrame(b, w.salt, frameSettled, w.next, nowMilli())
	if _, err := w.file.WriteAt(b, w.pos); err != nil {
		return err
	}
	w.owing = false
	return nil
}

// open makes w.file the segment that takes a frame of size bytes, whose first number is
// from.
func (w *writer) open(l *Log, from uint64, size int64) error {
	l.mu.Lock()
	n := len(l.segs)
	var last segment
	if n > 0 {
		last = l.segs[n-1]
	}
	l.mu.Unlock()
	if n > 0 && (last.size <= headerLen || last.size+size <= l.segSize) {
		if w.file != nil {
			return nil
		}
		return w.reopen(l, last)
	}
	w.close()
	f, err := os.OpenFile(segmentName(l.dir, from), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	header, salt := newHeader(segmentMagic, from)
	if _, err := f.WriteAt(header, 0); err != nil {
		_ = f.Close()
		return errors.Join(err, os.Remove(f.Name()))
	}
	w.file, w.salt, w.pos = f, salt, headerLen
	l.mu.Lock()
	l.segs = append(l.segs, segment{first: from, size: headerLen})
	l.mu.Unlock()
	l.trim()
	return nil
}

func (w *writer) reopen(l *Log, s segment) error {
	f, err := os.OpenFile(segmentName(l.dir, s.first), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	_, salt, err := readHeader(f, segmentMagic)
	if err != nil {
		_ = f.Close()
		return err
	}
	w.file, w.salt, w.pos = f, salt, s.size
	return nil
}

// trim deletes the oldest segments beyond the limit, and the marks that stood in them.
func (l *Log) trim() {
	l.mu.Lock()
	// The newest segment will grow to its full size.
	for n := l.storedLocked() + l.segSize; n > l.limit && len(l.segs) > 1; {
		n -= l.segs[0].size
		l.doomed = append(l.doomed, l.segs[0].first)
		l.segs = append(l.segs[:0], l.segs[1:]...)
	}
	doomed := l.doomed
	l.doomed = nil
	if len(doomed) > 0 {
		l.trimMarksLocked()
	}
	l.mu.Unlock()
	var stuck []uint64
	for _, first := range doomed {
		// On Windows a file that somebody reads stays; it is tried again.
		if err := os.Remove(segmentName(l.dir, first)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			stuck = append(stuck, first)
		}
	}
	if len(stuck) > 0 {
		l.mu.Lock()
		l.doomed = append(l.doomed, stuck...)
		l.mu.Unlock()
	}
}
