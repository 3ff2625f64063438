package supervisor

import (
	"context"
	"sync"

	"drover/backend/controller"
	"drover/backend/proc"
)

// block runs the operations of one block, one at a time, in its own goroutine.
type block struct {
	id   string
	ctl  *controller.Controller
	more chan struct{} // one token: queue or ended changed
	done chan struct{} // the goroutine has ended

	mu       sync.Mutex
	queue    []*operation
	current  *operation
	closing  bool // its pane is closed: nothing may start it
	ended    bool
	identity controller.Identity
	instance uint64  // the one whose process root is; 0 for none
	root     proc.ID // its program, zero if it had ended before we looked
}

// operation is one thing to do for a block.
type operation struct {
	ctx    context.Context
	cancel context.CancelFunc
	run    func(context.Context) error
	ends   bool // it stops or closes: what comes before it is given up
	reply  chan error
}

func newBlock(id string, ctl *controller.Controller) *block {
	b := &block{
		id: id, ctl: ctl, identity: ctl.Status().Identity,
		more: make(chan struct{}, 1), done: make(chan struct{}),
	}
	go b.run()
	return b
}

func (b *block) run() {
	defer close(b.done)
	for range b.more {
		for {
			op, ended := b.next()
			if ended {
				return
			}
			if op == nil {
				break
			}
			op.reply <- op.run(op.ctx)
			op.cancel()
		}
	}
}

// next takes the operation that is due; ended says that there will be none.
func (b *block) next() (op *operation, ended bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.current = nil
	if len(b.queue) == 0 {
		return nil, b.ended
	}
	b.current = b.queue[0]
	b.queue = b.queue[1:]
	return b.current, false
}

// do runs f as the block's next operation and returns its error. One that ends
// the block's program first gives up what starts it: whatever waits, and the one
// under way.
func (b *block) do(ctx context.Context, ends bool, f func(context.Context) error) error {
	op := newOperation(ctx, ends, f)
	if err := b.submit(op); err != nil {
		op.cancel()
		return err
	}
	return <-op.reply
}

func newOperation(ctx context.Context, ends bool, f func(context.Context) error) *operation {
	ctx, cancel := context.WithCancel(ctx)
	return &operation{ctx: ctx, cancel: cancel, run: f, ends: ends, reply: make(chan error, 1)}
}

func (b *block) submit(op *operation) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.ended:
		return ErrUnknown
	case b.closing && !op.ends:
		return ErrClosing
	}
	if op.ends {
		b.giveUpLocked()
	}
	b.queue = append(b.queue, op)
	b.wake()
	return nil
}

func (b *block) giveUpLocked() {
	if b.current != nil && !b.current.ends {
		b.current.cancel()
	}
	var left []*operation
	for _, op := range b.queue {
		if op.ends {
			left = append(left, op)
			continue
		}
		op.cancel()
		op.reply <- ErrGivenUp
	}
	b.queue = left
}

func (b *block) wake() {
	select {
	case b.more <- struct{}{}:
	default:
	}
}

// setClosing bars the block from starting, or lets it again, and gates its
// input.
func (b *block) setClosing(closing bool) {
	b.mu.Lock()
	b.closing = closing
	if closing {
		b.giveUpLocked()
	}
	b.mu.Unlock()
	b.ctl.Gate(closing)
}

// end closes the controller and returns when the goroutine has ended.
func (b *block) end() {
	b.mu.Lock()
	b.ended, b.closing = true, true
	b.giveUpLocked()
	b.wake()
	b.mu.Unlock()
	<-b.done
	_ = b.ctl.Close()
}

// become changes who the block is, within Identity's rules.
func (b *block) become(next controller.Identity) (controller.Identity, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	identity, err := b.identity.With(next)
	if err == nil {
		b.identity = identity
	}
	return identity, err
}
