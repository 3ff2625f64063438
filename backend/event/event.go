// Package event is the typed bus: one Topic for each kind of news, and one queue
// for each subscriber.
//
// Two verbs say what a piece of news is worth. Offer may be dropped when a
// subscriber is behind; what is dropped is counted. Deliver must arrive: it
// waits in the subscriber's queue however long that takes. Neither ever blocks
// the one who tells, and nothing is called out to under a lock: a subscriber
// takes what waits for it in its own goroutine, in the order of the telling.
package event

import (
	"context"
	"errors"
	"sync"
)

// ErrClosed is returned by Next after the topic or the subscription was closed
// and everything that waited has been taken.
var ErrClosed = errors.New("the subscription is closed")

// queueLimit is how much may wait for a subscriber before an Offer to it is
// dropped.
const queueLimit = 256

// Topic tells values of one type to its subscribers. The zero value is ready.
type Topic[T any] struct {
	mu     sync.Mutex
	subs   map[*Subscription[T]]struct{}
	closed bool
}

// Subscription is one subscriber's queue. Next is called by one goroutine.
type Subscription[T any] struct {
	topic *Topic[T]
	more  chan struct{} // one token: the queue or closed changed

	mu      sync.Mutex
	queue   []T
	dropped uint64
	closed  bool
}

// Subscribe makes a subscription, which its owner closes.
func (t *Topic[T]) Subscribe() *Subscription[T] {
	s := &Subscription[T]{topic: t, more: make(chan struct{}, 1)}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		s.closed = true
		s.more <- struct{}{}
		return s
	}
	if t.subs == nil {
		t.subs = map[*Subscription[T]]struct{}{}
	}
	t.subs[s] = struct{}{}
	return s
}

// Offer tells v to every subscriber that is not too far behind.
func (t *Topic[T]) Offer(v T) { t.tell(v, queueLimit) }

// Deliver tells v to every subscriber.
func (t *Topic[T]) Deliver(v T) { t.tell(v, -1) }

// tell holds the topic's lock while it queues, so that two tellings come to all
// subscribers in the same order.
func (t *Topic[T]) tell(v T, limit int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for s := range t.subs {
		s.push(v, limit)
	}
}

// Close ends every subscription, once it has taken what waits. What is told
// afterwards is told to nobody.
func (t *Topic[T]) Close() {
	t.mu.Lock()
	subs := t.subs
	t.subs, t.closed = nil, true
	t.mu.Unlock()
	for s := range subs {
		s.end()
	}
}

func (s *Subscription[T]) push(v T, limit int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if limit >= 0 && len(s.queue) >= limit {
		s.dropped++
		return
	}
	s.queue = append(s.queue, v)
	s.wake()
}

func (s *Subscription[T]) wake() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// Next waits for the next value: it returns ErrClosed after the end, or ctx's
// error.
func (s *Subscription[T]) Next(ctx context.Context) (T, error) {
	var none T
	for {
		s.mu.Lock()
		if len(s.queue) > 0 {
			v := s.queue[0]
			s.queue[0] = none
			s.queue = s.queue[1:]
			s.mu.Unlock()
			return v, nil
		}
		closed := s.closed
		s.mu.Unlock()
		if closed {
			return none, ErrClosed
		}
		select {
		case <-s.more:
		case <-ctx.Done():
			return none, ctx.Err()
		}
	}
}

// Dropped is how many offers this subscriber missed so far.
func (s *Subscription[T]) Dropped() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dropped
}

// Close ends the subscription. It may be called twice.
func (s *Subscription[T]) Close() {
	s.topic.mu.Lock()
	delete(s.topic.subs, s)
	s.topic.mu.Unlock()
	s.end()
}

func (s *Subscription[T]) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.wake()
}
