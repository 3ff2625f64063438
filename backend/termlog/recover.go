package termlog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// unsureBytes is how far the numbers jump after a writer that was killed: more than it
// can have given away between two writes. A flood of 100 MB/s gives 5 MB in flushDelay, and
// memoryBound waits at most. A log that was idle jumps not at all: of its next bytes only
// those count as given that its flusher has written, which it does at once.
const unsureBytes = 2 * memoryBound

// errStale: the segment is an old one that was renamed to become a new one; what it holds had
// left the log.
var errStale = errors.New("stale segment")

// recover reads what is on disk, cuts a torn tail and decides where numbers go on.
func (l *Log) recover() error {
	if err := l.listSegments(); err != nil {
		return err
	}
	var known uint64 // numbers below it may have been given
	settled := true
	for len(l.segs) > 0 {
		last := &l.segs[len(l.segs)-1]
		end, whole, err := l.recoverLast(last)
		if err == nil {
			last.size = l.out.pos
			l.resumeAt(end, max(known, end), settled && whole)
			return l.recoverMarks()
		}
		if errors.Is(err, errStale) {
			last.size = 0
		} else if !errors.Is(err, errHeader) {
			return err
		}
		// Made by a writer that was killed before the header was whole, or
		// damaged: its salt is gone, so nothing in it can be trusted. Numbers
		// go on after all that it can have held.
		settled = false
		known = max(known, last.first+uint64(max(last.size-headerLen, 0)))
		if err := setAside(segmentName(l.dir, last.first), last.size); err != nil {
			return err
		}
		l.segs = l.segs[:len(l.segs)-1]
	}
	if !settled {
		l.resumeAt(0, known, false)
	}
	return l.recoverMarks()
}

// setAside takes a segment out of the log; one that may hold something is kept beside it.
func setAside(name string, size int64) error {
	if size <= headerLen {
		return os.Remove(name)
	}
	return os.Rename(name, name+".damaged")
}

// resumeAt lets numbers go on after known, or further when some may have been given away.
func (l *Log) resumeAt(readable, known uint64, settled bool) {
	l.end = known
	if !settled {
		l.end += unsureBytes
	}
	l.skipFrom(readable)
}

// skipFrom puts a gap from readable to the end.
func (l *Log) skipFrom(readable uint64) {
	if l.end > readable {
		l.items = append(l.items[:0], item{
			from: readable, to: l.end, at: nowMilli(), kind: frameUnsure, sealed: true,
		})
	}
}

func (l *Log) listSegments() error {
	entries, err := os.ReadDir(l.dir) // sorted by name, so by number
	if err != nil {
		return err
	}
	for _, e := range entries {
		digits, ok := strings.CutSuffix(e.Name(), segmentSuffix)
		if !ok || len(digits) != 20 || !e.Type().IsRegular() {
			continue
		}
		first, err := strconv.ParseUint(digits, 10, 64)
		if err != nil || first > maxOffset {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		l.segs = append(l.segs, segment{first: first, size: info.Size()})
	}
	return nil
}

// recoverLast reads the newest segment, cuts its torn tail, and leaves l.out ready to go on.
// It reports where its frames end and whether its writer had finished.
func (l *Log) recoverLast(s *segment) (end uint64, settled bool, err error) {
	f, err := os.OpenFile(segmentName(l.dir, s.first), os.O_RDWR, 0)
	if err != nil {
		return 0, false, err
	}
	defer f.Close()
	first, salt, err := readHeader(f, segmentMagic)
	if err != nil {
		return 0, false, err
	}
	if first != s.first {
		return 0, false, errStale
	}
	buf := l.pool.chunk()
	defer l.pool.put(buf)
	w := walker{r: f, size: s.size, salt: salt, pos: headerLen, want: first, max: maxOffset, buf: buf}
	keep := w.pos
	for {
		fr, err := w.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, false, err
		}
		settled = fr.kind == frameSettled
		if !settled {
			keep = w.pos
		}
	}
	if w.pos < s.size {
		if err := f.Truncate(w.pos); err != nil {
			return 0, false, fmt.Errorf("cannot cut a torn tail: %w", err)
		}
	}
	l.out.pos, l.out.next, l.out.owing = keep, w.want, !settled
	return w.want, settled, nil
}
