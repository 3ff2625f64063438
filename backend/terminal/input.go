package terminal

import (
	"io"
	"sync"
)

// Bounds of what waits for the program to read: everybody's input together
// (each client is held to 256 KiB by its credit), and our own answers, which a
// program could otherwise make pile up by asking and never reading.
const (
	inputLimit = 4 << 20
	replyLimit = 4 << 10
)

type inputItem struct {
	bytes []byte
	taken func()
	reply bool
}

// inputQueue is the one way into a PTY: a queue with one writer, so that
// nothing overtakes anything and nobody else waits for the program to read.
type inputQueue struct {
	more chan struct{} // one token: something was added, or closed

	mu      sync.Mutex
	items   []inputItem
	bytes   int // waiting or being written
	replies int // of these, our own answers
	closed  bool
}

func newInputQueue() *inputQueue { return &inputQueue{more: make(chan struct{}, 1)} }

func (q *inputQueue) add(b []byte, taken func()) error {
	return q.push(inputItem{bytes: b, taken: taken})
}

// reply queues an answer to a query; one too many is dropped, as a terminal
// drops it whose queue is full.
func (q *inputQueue) reply(b []byte) { _ = q.push(inputItem{bytes: b, reply: true}) }

func (q *inputQueue) push(it inputItem) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return ErrEnded
	case it.reply && q.replies+len(it.bytes) > replyLimit, q.bytes+len(it.bytes) > inputLimit:
		return ErrFull
	}
	q.items = append(q.items, it)
	q.countLocked(it, 1)
	q.wake()
	return nil
}

func (q *inputQueue) countLocked(it inputItem, sign int) {
	q.bytes += sign * len(it.bytes)
	if it.reply {
		q.replies += sign * len(it.bytes)
	}
}

func (q *inputQueue) wake() {
	select {
	case q.more <- struct{}{}:
	default:
	}
}

// close refuses what comes and ends writeTo, which may still wait in a write:
// closing the PTY wakes that.
func (q *inputQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.items = nil
	q.wake()
}

// writeTo writes what is queued until close or a failing write. A write may
// wait for as long as the program does not read.
func (q *inputQueue) writeTo(w io.Writer) {
	for range q.more {
		for {
			it, ok, closed := q.next()
			if closed {
				return
			}
			if !ok {
				break
			}
			_, err := w.Write(it.bytes)
			q.mu.Lock()
			q.countLocked(it, -1)
			q.mu.Unlock()
			if err != nil {
				return
			}
			if it.taken != nil {
				it.taken()
			}
		}
	}
}

func (q *inputQueue) next() (it inputItem, ok, closed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || len(q.items) == 0 {
		return it, false, q.closed
	}
	it = q.items[0]
	q.items[0] = inputItem{}
	q.items = q.items[1:]
	return it, true, false
}
