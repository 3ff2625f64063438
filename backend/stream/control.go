package stream

import (
	"context"
	"encoding/binary"
	"sync"
)

// control collects the small frames that others have for a page, who must not
// wait for its socket. What can be folded is: of "taken" only the highest of a
// channel waits.
type control struct {
	more chan struct{} // one token: something was added

	mu     sync.Mutex
	frames [][]byte
	seqs   map[uint32]uint64
	cause  error
}

func newControl() *control {
	return &control{more: make(chan struct{}, 1), seqs: map[uint32]uint64{}}
}

func (c *control) wake() {
	select {
	case c.more <- struct{}{}:
	default:
	}
}

func (c *control) add(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frames = append(c.frames, b)
	c.wake()
}

func (c *control) taken(channel uint32, seq uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.seqs[channel]; !ok || seq > old {
		c.seqs[channel] = seq
	}
	c.wake()
}

// fail notes why the socket has to be closed; the first reason stays.
func (c *control) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause == nil {
		c.cause = err
	}
}

func (c *control) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause
}

// take waits for frames; false once ctx has ended.
func (c *control) take(ctx context.Context) ([][]byte, bool) {
	select {
	case <-c.more:
	case <-ctx.Done():
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.frames
	for channel, seq := range c.seqs {
		out = append(out, binary.BigEndian.AppendUint64(head(nil, frameTaken, channel), seq))
	}
	c.frames = nil
	clear(c.seqs)
	return out, true
}
