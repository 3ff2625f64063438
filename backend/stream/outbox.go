package stream

import (
	"context"
	"encoding/binary"
	"sync"
)

// outbox is the small frames that wait to be sent, for those who must not wait for the
// socket: in order, but for numbers that rise, of which only the highest of each channel
// is sent.
type outbox struct {
	rising byte          // the kind of the frames with those numbers
	more   chan struct{} // one token: something was added

	mu      sync.Mutex
	frames  [][]byte
	highest map[uint32]uint64
}

func newOutbox(rising byte) *outbox {
	return &outbox{rising: rising, more: make(chan struct{}, 1), highest: map[uint32]uint64{}}
}

func (o *outbox) wake() {
	select {
	case o.more <- struct{}{}:
	default:
	}
}

func (o *outbox) add(b []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.frames = append(o.frames, b)
	o.wake()
}

// rise sends a channel's number, or a higher one.
func (o *outbox) rise(channel uint32, number uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.highest[channel] = max(o.highest[channel], number)
	o.wake()
}

// take waits for frames; false once ctx has ended.
func (o *outbox) take(ctx context.Context) ([][]byte, bool) {
	select {
	case <-o.more:
	case <-ctx.Done():
		return nil, false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	out := o.frames
	for channel, number := range o.highest {
		out = append(out, binary.BigEndian.AppendUint64(head(nil, o.rising, channel), number))
	}
	o.frames = nil
	clear(o.highest)
	return out, true
}
