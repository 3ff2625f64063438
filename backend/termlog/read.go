package termlog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"sort"
	"time"
)

// hint remembers the frame at which a reader stopped in a segment, so that reading on costs no search.
type hint struct {
	first uint64 // the segment
	off   uint64
	pos   int64 // of the frame that begins with off
	set   bool
}

// Span is a piece of the log whose bytes came together.
type Span struct {
	From, To uint64 // To is exclusive
	At       time.Time
}

// ReadAt copies bytes from off on into p and returns how many: at least one, at most
// 64 KiB, perhaps fewer than are there. At End it returns io.EOF, beyond it ErrAhead. For bytes that are gone it
// returns a *LostError. It may read up to one segment (1 MiB) from disk when off is not
// where an earlier call stopped; best with buffers of 64 KiB.
func (l *Log) ReadAt(off uint64, p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	p = p[:min(len(p), maxPayload)] // what is copied under the lock
	n := 0
	err := l.visit(off, func(f frame) bool {
		n += copy(p[n:], f.payload[off+uint64(n)-f.off:])
		return n < len(p)
	})
	if n > 0 {
		return n, nil
	}
	return 0, err
}

// Span returns the piece that holds the byte at off, with the time at which its first byte
// came: to the millisecond, by the system's clock. Pieces have at most 64 KiB, and 50 ms in a log on
// disk. Its errors are those of ReadAt.
func (l *Log) Span(off uint64) (Span, error) {
	var s Span
	err := l.visit(off, func(f frame) bool {
		s = Span{From: f.off, To: f.end(), At: time.UnixMilli(f.at)}
		return false
	})
	if !s.At.IsZero() {
		return s, nil
	}
	return Span{}, err
}

// visit calls fn with the data frame that holds off and with those that follow it without a
// gap, as far as they come in one go, until fn returns false. fn must only copy: it may be
// called under the lock.
func (l *Log) visit(off uint64, fn func(frame) (more bool)) error {
	l.mu.Lock()
	if off >= l.end {
		defer l.mu.Unlock()
		if off > l.end {
			return ErrAhead
		}
		return io.EOF
	}
	if first := l.firstLocked(); off < first {
		l.mu.Unlock()
		return &LostError{From: off, To: first}
	}
	if len(l.items) > 0 && off >= l.items[0].from {
		defer l.mu.Unlock()
		return l.visitItemsLocked(off, fn)
	}
	i := sort.Search(len(l.segs), func(i int) bool { return l.segs[i].first > off }) - 1
	seg := l.segs[i]
	bound := l.end
	if l.flushed < len(l.items) {
		bound = l.items[l.flushed].from
	}
	if i+1 < len(l.segs) {
		bound = l.segs[i+1].first
	}
	at := hint{first: seg.first, off: seg.first, pos: headerLen}
	for _, h := range l.hints {
		if h.set && h.first == seg.first && h.off <= off && h.off >= at.off {
			at = h
		}
	}
	l.mu.Unlock()

	h, err := l.visitFile(seg, at, bound, off, fn)
	l.mu.Lock()
	defer l.mu.Unlock()
	if errors.Is(err, fs.ErrNotExist) {
		// Trimmed while we came, or deleted by hand.
		return &LostError{From: off, To: max(bound, l.firstLocked())}
	}
	if err == nil {
		l.hintLocked(at, h)
	}
	return err
}

// hintLocked replaces the hint that was used, else the oldest.
func (l *Log) hintLocked(old, h hint) {
	for i := range l.hints {
		if old.set && l.hints[i] == old {
			l.hints[i] = h
			return
		}
	}
	l.hints[l.nextHint] = h
	l.nextHint = (l.nextHint + 1) % len(l.hints)
}

func (l *Log) visitItemsLocked(off uint64, fn func(frame) bool) error {
	i := sort.Search(len(l.items), func(i int) bool { return l.items[i].to > off })
	if it := l.items[i]; it.kind != frameData {
		lost := &LostError{From: off, To: it.to, Unsure: it.kind == frameUnsure}
		for i++; i < len(l.items) && l.items[i].kind == it.kind; i++ {
			lost.To = l.items[i].to
		}
		return lost
	}
	for ; i < len(l.items) && l.items[i].kind == frameData; i++ {
		it := l.items[i]
		if !fn(frame{kind: frameData, off: it.from, at: it.at, payload: it.buf[headerLen:]}) {
			break
		}
	}
	return nil
}

// visitFile is visit for one segment, of whose bytes those below bound are on disk.
func (l *Log) visitFile(seg segment, at hint, bound, off uint64, fn func(frame) bool) (hint, error) {
	f, err := os.Open(segmentName(l.dir, seg.first))
	if err != nil {
		return at, err
	}
	defer f.Close()
	lost := &LostError{From: off, To: bound}
	_, salt, err := readHeader(f, segmentMagic)
	if errors.Is(err, errHeader) {
		return at, lost
	}
	if err != nil {
		return at, fmt.Errorf("cannot read the terminal's log: %w", err)
	}
	buf := l.pool.chunk()
	defer l.pool.put(buf)
	w := walker{r: f, size: seg.size, salt: salt, pos: at.pos, want: at.off, max: bound, buf: buf}
	h := hint{first: seg.first, set: true}
	next := uint64(math.MaxUint64) // the number that continues what fn has seen
	for {
		fr, err := w.next()
		switch {
		case errors.Is(err, io.EOF):
			if next != math.MaxUint64 {
				return h, nil
			}
			return at, lost
		case err != nil:
			if next != math.MaxUint64 {
				return h, nil
			}
			return at, fmt.Errorf("cannot read the terminal's log: %w", err)
		case next != math.MaxUint64:
			if fr.kind != frameData || fr.off != next {
				return h, nil
			}
		case fr.end() <= off:
			continue
		case fr.off > off:
			lost.To = min(fr.off, bound)
			return at, lost
		case fr.kind != frameData:
			lost.To, lost.Unsure = fr.end(), fr.kind == frameUnsure
			return at, lost
		}
		next = fr.end()
		h.off, h.pos = fr.off, fr.pos
		if !fn(fr) {
			return h, nil
		}
	}
}
