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
	stale int64  // how long the file was when it became this segment
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
	if w.stale > w.pos+headerLen {
		// Else the next Open would search the rest for frames.
		w.stale = 0
		return w.file.Truncate(w.pos + headerLen)
	}
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
	if w.file != nil && w.stale > w.pos {
		if err := w.file.Truncate(w.pos); err != nil {
			return err
		}
	}
	w.close()
	f, stale, err := l.create(from)
	if err != nil {
		return err
	}
	header, salt := newHeader(segmentMagic, from)
	if _, err := f.WriteAt(header, 0); err != nil {
		_ = f.Close()
		return errors.Join(err, os.Remove(f.Name()))
	}
	w.file, w.salt, w.pos, w.stale = f, salt, headerLen, stale
	l.mu.Lock()
	l.segs = append(l.segs, segment{first: from, size: headerLen})
	l.mu.Unlock()
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
	w.file, w.salt, w.pos, w.stale = f, salt, s.size, 0
	return nil
}

// create makes the file of a new segment, from the oldest one if that has to go anyway: to
// write over pages that the system has costs a quarter of getting new ones. What the old
// file still holds behind the frames of the new one (stale bytes) has another salt.
func (l *Log) create(first uint64) (f *os.File, stale int64, err error) {
	name := segmentName(l.dir, first)
	flags := os.O_RDWR | os.O_CREATE
	doomed := l.trim()
	if n := len(doomed); n > 0 {
		if os.Rename(segmentName(l.dir, doomed[n-1].first), name) == nil {
			stale = doomed[n-1].size
			doomed = doomed[:n-1]
		}
	}
	if stale == 0 {
		flags |= os.O_TRUNC
	}
	var stuck []segment
	for _, s := range doomed {
		// On Windows a file that somebody reads stays; it is tried again.
		if err := os.Remove(segmentName(l.dir, s.first)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			stuck = append(stuck, s)
		}
	}
	if len(stuck) > 0 {
		l.mu.Lock()
		l.doomed = append(l.doomed, stuck...)
		l.mu.Unlock()
	}
	f, err = os.OpenFile(name, flags, 0o600)
	return f, stale, err
}

// trim takes the oldest segments out of the log when one more would pass the limit, with the
// marks that stood in them.
func (l *Log) trim() (doomed []segment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for n := l.storedLocked() + l.segSize; n > l.limit && len(l.segs) > 1; {
		n -= l.segs[0].size
		l.doomed = append(l.doomed, l.segs[0])
		l.segs = append(l.segs[:0], l.segs[1:]...)
	}
	doomed = l.doomed
	l.doomed = nil
	if len(doomed) > 0 {
		l.trimMarksLocked()
	}
	return doomed
}
