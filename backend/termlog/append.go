package termlog

import "context"

const (
	flushBytes   = 256 << 10 // wakes the flusher before its delay is over
	firstChunk   = 1 << 10
	chunkGrowth  = 4
	maxMarks     = 16 << 10
	maxMarkBytes = 2 << 20
)

// Append adds p, which may be reused at once, and returns the number of its first byte.
// It never waits for the disk; it may wait for a reader that copies 64 KiB. After Close it
// adds nothing and returns End.
func (l *Log) Append(p []byte) (off uint64) {
	l.mu.Lock()
	off = l.end
	if l.closed || len(p) == 0 {
		l.mu.Unlock()
		return off
	}
	for len(p) > 0 {
		it := l.openLocked(len(p))
		used := len(it.buf)
		room := it.buf[:cap(it.buf)]
		n := copy(room[used:], p)
		it.buf = room[:used+n]
		p = p[n:]
		it.to += uint64(n)
		l.end += uint64(n)
		l.boundLocked()
	}
	kick := l.wakeLocked()
	ch := l.changedLocked()
	l.mu.Unlock()
	if kick {
		select {
		case l.kick <- struct{}{}:
		default:
		}
	}
	if ch != nil {
		close(ch)
	}
	return off
}

// openLocked returns the chunk that takes the next byte.
func (l *Log) openLocked(want int) *item {
	if n := len(l.items); n > 0 {
		it := &l.items[n-1]
		if !it.sealed && it.kind == frameData && len(it.buf) < cap(it.buf) {
			return it
		}
	}
	// Chunks grow with the run of bytes, so that a key's echo costs 1 KiB and a
	// flood few chunks.
	size := max(l.chunkSize, firstChunk)
	for size < want && size < maxPayload {
		size *= chunkGrowth
	}
	l.chunkSize = min(size*chunkGrowth, maxPayload)
	var buf []byte
	if size >= maxPayload {
		buf = l.pool.chunk()
	} else {
		buf = make([]byte, headerLen+size)
	}
	l.pending += int64(cap(buf))
	l.items = append(l.items, item{from: l.end, to: l.end, at: nowMilli(), buf: buf[:headerLen], kind: frameData})
	return &l.items[len(l.items)-1]
}

// boundLocked drops the oldest bytes in memory beyond the bound. With a disk behind,
// only those that are not written, and a gap stays in their place.
func (l *Log) boundLocked() {
	if l.dir == "" {
		for l.pending > l.limit && len(l.items) > 1 {
			l.pending -= l.popLocked()
		}
		return
	}
	for l.pending > memoryBound {
		v := l.flushed
		if l.busy {
			v++
		}
		oldest := v
		for v < len(l.items)-1 && l.items[v].kind != frameData {
			v++
		}
		if v >= len(l.items)-1 {
			return
		}
		it := &l.items[v]
		l.pending -= int64(cap(it.buf))
		l.pool.put(it.buf)
		it.buf, it.kind, it.sealed = nil, frameGap, true
		if v > oldest && l.items[v-1].kind == frameGap {
			l.items[v-1].to = it.to
			l.items = append(l.items[:v], l.items[v+1:]...)
		}
	}
}

// popLocked drops the oldest item and returns the bytes of its buffer.
func (l *Log) popLocked() int64 {
	buf := l.items[0].buf
	l.items[0] = item{}
	l.items = l.items[1:]
	l.pool.put(buf)
	return int64(cap(buf))
}

// wakeLocked sees to it that a flusher runs, and reports whether it should be kicked.
func (l *Log) wakeLocked() bool {
	if l.dir == "" || !l.owedLocked() || l.closed {
		return false
	}
	if !l.running {
		l.running = true
		l.flusher.Go(l.flush)
		return false
	}
	if l.pending < flushBytes || l.kicked {
		return false
	}
	l.kicked = true
	return true
}

// owedLocked reports whether something is not on disk yet.
func (l *Log) owedLocked() bool {
	return l.flushed < len(l.items) || l.marksFlushed < len(l.marks)
}

// Changed returns a channel that is closed at the next Append, Mark or Close; after Close
// it is closed. Take it before reading: what comes after is then not missed.
func (l *Log) Changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return l.closing
	}
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	return l.changed
}

// changedLocked takes the channel that the caller has to close after unlocking, or nil.
func (l *Log) changedLocked() chan struct{} {
	ch := l.changed
	l.changed = nil
	return ch
}

// Wait returns nil as soon as End() > off, ErrClosed when the log is closed before, or
// the context's error.
func (l *Log) Wait(ctx context.Context, off uint64) error {
	for {
		ch := l.Changed()
		if l.End() > off {
			return nil
		}
		select {
		case <-l.closing:
			// Nothing is appended after closing, so one last look is enough.
			if l.End() > off {
				return nil
			}
			return ErrClosed
		default:
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Flush waits until all that was appended before is with the system. While the disk
// fails it waits for ctx.
func (l *Log) Flush(ctx context.Context) error {
	l.mu.Lock()
	end, marks := l.end, len(l.marks)
	l.mu.Unlock()
	for {
		l.mu.Lock()
		on := l.flushed == len(l.items) || l.items[l.flushed].from >= end
		if l.dir == "" || (on && l.marksFlushed >= min(marks, len(l.marks))) {
			l.mu.Unlock()
			return nil
		}
		if l.closed && !l.running {
			err := l.closeErr
			l.mu.Unlock()
			return err
		}
		if l.progress == nil {
			l.progress = make(chan struct{})
		}
		ch := l.progress
		l.flushAll = true
		l.wakeLocked()
		l.mu.Unlock()
		select {
		case l.kick <- struct{}{}:
		default:
		}
		select {
		case <-ch:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
