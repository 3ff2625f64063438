package termlog

import (
	"errors"
	"fmt"
	"time"
)

const (
	flushDelay = 50 * time.Millisecond
	retryFirst = 250 * time.Millisecond
	retryMost  = 8 * time.Second
)

// flush is the log's goroutine. It lives from the first byte until nothing has come for
// flushDelay.
func (l *Log) flush() {
	delay := time.NewTimer(flushDelay)
	defer delay.Stop()
	failing := false
	retry := retryFirst
	// The first pass is at once and takes everything: what a reader can see of a
	// single line is on disk before a crash could give its numbers away again.
	all := true
	for {
		wrote, err := l.writeOwed(all)
		if err == nil {
			failing, retry = false, retryFirst
			if closing := l.isClosing(); closing || (all && !wrote) {
				if l.settle(closing) {
					return
				}
				all = true
				continue
			}
		} else {
			l.out.close() // it may be another file system after a remount
			if l.isClosing() {
				l.stop(err)
				return
			}
			if !failing && l.onError != nil {
				l.onError(err)
			}
			failing = true
			delay.Reset(retry)
			retry = min(2*retry, retryMost)
		}
		kick := l.kick
		if failing {
			kick = nil
		}
		select {
		case <-delay.C:
			all = true
			delay.Reset(flushDelay)
		case <-kick:
			all = false
		case <-l.closing:
			all = true
		}
	}
}

func (l *Log) isClosing() bool {
	select {
	case <-l.closing:
		return true
	default:
		return false
	}
}

// writeOwed writes what is in memory only: full chunks, or all of them. It reports whether
// there was anything.
func (l *Log) writeOwed(all bool) (wrote bool, err error) {
	defer l.passed()
	for {
		l.mu.Lock()
		l.kicked = false
		all = all || l.flushAll
		if l.removed || l.flushed == len(l.items) {
			break
		}
		it := &l.items[l.flushed]
		last := l.flushed == len(l.items)-1
		if last && !all && it.kind == frameData && len(it.buf) < cap(it.buf) {
			break
		}
		it.sealed, l.busy = true, true
		todo := *it
		l.mu.Unlock()

		wrote = true
		err = l.out.write(l, todo)

		l.mu.Lock()
		l.busy = false
		if err != nil {
			l.mu.Unlock()
			return wrote, fmt.Errorf("cannot write the terminal's log in %s: %w", l.dir, err)
		}
		l.flushed++
		l.segs[len(l.segs)-1].size = l.out.pos
		l.pending -= int64(cap(todo.buf))
		l.reserve += int64(cap(todo.buf))
		for l.flushed > 0 && l.reserve > memoryReserve {
			l.reserve -= l.popLocked()
			l.flushed--
		}
		l.mu.Unlock()
	}
	l.flushAll = false
	removed := l.removed
	l.mu.Unlock()
	if removed {
		return wrote, nil
	}
	marked, err := l.writeMarks()
	if err != nil {
		err = fmt.Errorf("cannot write the marks of the terminal's log in %s: %w", l.dir, err)
	}
	return wrote || marked, err
}

// passed tells those who wait in Flush.
func (l *Log) passed() {
	l.mu.Lock()
	ch := l.progress
	l.progress = nil
	l.mu.Unlock()
	if ch != nil {
		close(ch)
	}
}

// settle ends the flusher, unless something has come meanwhile.
func (l *Log) settle(closing bool) bool {
	l.mu.Lock()
	removed := l.removed
	l.mu.Unlock()
	if removed {
		l.stop(nil)
		return true
	}
	err := l.out.settle(l)
	if err != nil && !closing {
		// The file will look as if its writer had been killed; the next
		// frame tries again.
		err = nil
	}
	// Before running is false: the next flusher owns the writer then.
	l.out.close()
	l.mu.Lock()
	if l.owedLocked() {
		l.mu.Unlock()
		return false
	}
	l.running = false
	l.chunkSize = 0
	for len(l.items) > 0 {
		l.popLocked()
	}
	l.items, l.flushed, l.reserve = nil, 0, 0
	if err != nil {
		l.closeErr = fmt.Errorf("cannot finish the terminal's log in %s: %w", l.dir, err)
	}
	l.mu.Unlock()
	return true
}

// stop ends the flusher with the work undone.
func (l *Log) stop(err error) {
	l.out.close()
	l.mu.Lock()
	l.running = false
	l.closeErr = errors.Join(l.closeErr, err)
	l.mu.Unlock()
	l.passed()
}
