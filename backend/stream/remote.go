package stream

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"

	"drover/backend/terminal"
)

// Remote is a view of a terminal that another process owns, and takes input.
type Remote struct {
	c      *Client
	id     uint32
	opened chan error    // told once
	wake   chan struct{} // one token: something came, or it ended

	mu     sync.Mutex
	queue  []terminal.Chunk // bounded by the window that the other side keeps to, but for sizes
	inputs []pending        // under way, in order
	seq    uint64           // of the next input
	err    error            // why it ended
}

type pending struct {
	first, last uint64 // a long input is sent in pieces
	done        func(error)
}

// Next is terminal.Viewer's. What it returns is the caller's.
func (r *Remote) Next(ctx context.Context) (terminal.Chunk, error) {
	for {
		r.mu.Lock()
		if len(r.queue) > 0 {
			c := r.queue[0]
			r.queue = r.queue[1:]
			r.mu.Unlock()
			return c, nil
		}
		err := r.err
		r.mu.Unlock()
		if err != nil {
			return terminal.Chunk{}, err
		}
		select {
		case <-r.wake:
		case <-ctx.Done():
			return terminal.Chunk{}, ctx.Err()
		}
	}
}

// Ack is terminal.Viewer's.
func (r *Remote) Ack(off uint64) { r.c.out.rise(r.id, off) }

// Input sends p and calls done once: with nil when the program has taken it, else with
// why it, or a piece of it, was refused. If the view has ended meanwhile, with why: then
// it is open whether the program has it. done may be called by the reader of the socket:
// it must not wait, nor close the Client.
func (r *Remote) Input(p []byte, done func(error)) {
	r.mu.Lock()
	if err := r.err; err != nil {
		r.mu.Unlock()
		done(err)
		return
	}
	first := r.seq
	for {
		piece := p[:min(len(p), maxInput)]
		p = p[len(piece):]
		b := binary.BigEndian.AppendUint64(head(nil, frameInput, r.id), r.seq)
		r.c.out.add(append(b, piece...)) // with the lock: in order
		if len(p) == 0 {
			break
		}
		r.seq++
	}
	r.inputs = append(r.inputs, pending{first, r.seq, done})
	r.seq++
	r.mu.Unlock()
}

// Close detaches.
func (r *Remote) Close() {
	r.c.mu.Lock()
	_, attached := r.c.channels[r.id]
	delete(r.c.channels, r.id)
	r.c.mu.Unlock()
	if attached {
		r.c.out.add(head(nil, frameDetach, r.id))
	}
	r.end(terminal.ErrClosed)
}

// end ends it for everybody who waits.
func (r *Remote) end(err error) {
	r.mu.Lock()
	if r.err == nil {
		r.err = err
	}
	if errors.Is(err, terminal.ErrClosed) {
		r.queue = nil
	}
	inputs := r.inputs
	r.inputs = nil
	r.mu.Unlock()
	for _, in := range inputs {
		in.done(err)
	}
	r.poke()
}

func (r *Remote) poke() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// receive takes a frame; false if it breaks the protocol. One of a kind that is not
// known is a newer version's, and skipped.
func (r *Remote) receive(kind byte, body []byte) bool {
	fixed, known := bodies[kind]
	if !known {
		return true
	}
	if len(body) < fixed {
		return false
	}
	be := binary.BigEndian
	switch kind {
	case frameOpened:
		r.tellOpened(nil)
	case frameError:
		err := errors.New(string(body))
		r.tellOpened(err)
		r.end(err)
	case frameData:
		r.came(terminal.Chunk{Kind: terminal.Data, Offset: be.Uint64(body), Data: body[8:]})
	case frameSize:
		r.came(terminal.Chunk{Kind: terminal.Resized, Offset: be.Uint64(body), Size: size(body[8:]), Owner: body[12] == 1})
	case frameLost:
		r.came(terminal.Chunk{Kind: terminal.Lost, Offset: be.Uint64(body), To: be.Uint64(body[8:]), Unsure: body[16] == 1})
	case frameScreen:
		r.came(terminal.Chunk{
			Kind: terminal.Screen, Offset: be.Uint64(body), Size: size(body[8:]),
			Owner: body[12] == 1, Whole: body[13] == 1, Data: body[14:],
		})
	case frameTaken:
		r.taken(be.Uint64(body), nil)
	case frameRefused:
		r.taken(be.Uint64(body), errors.New(string(body[8:])))
	}
	return true
}

// bodies is the least body of each kind that a view understands, in bytes.
var bodies = map[byte]int{
	frameOpened: 20, frameData: 8, frameSize: 13, frameLost: 17, frameTaken: 8, frameRefused: 8, frameError: 0, frameScreen: 14,
}

func size(b []byte) terminal.Size {
	return terminal.Size{Cols: int(binary.BigEndian.Uint16(b)), Rows: int(binary.BigEndian.Uint16(b[2:]))}
}

func (r *Remote) tellOpened(err error) {
	select {
	case r.opened <- err:
	default:
	}
}

func (r *Remote) came(c terminal.Chunk) {
	r.mu.Lock()
	if r.err != nil {
		r.mu.Unlock()
		return
	}
	if c.Kind == terminal.Screen { // what waits is on it
		clear(r.queue)
		r.queue = r.queue[:0]
	}
	r.queue = append(r.queue, c)
	r.mu.Unlock()
	r.poke()
}

// taken ends the inputs up to seq, or, with an error, that which it is a piece of.
func (r *Remote) taken(seq uint64, err error) {
	var over []pending
	r.mu.Lock()
	rest := r.inputs[:0]
	for _, in := range r.inputs {
		if err == nil && in.last <= seq || err != nil && in.first <= seq && seq <= in.last {
			over = append(over, in)
		} else {
			rest = append(rest, in)
		}
	}
	r.inputs = rest
	r.mu.Unlock()
	for _, in := range over {
		in.done(err)
	}
}
