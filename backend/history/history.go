// Package history keeps the commands that shells have run, over all terminals, for
// the person to find again.
//
// It owns what is kept and in which order; how it is stored is the Store's. It
// promises to keep nothing that the person does not want kept: a command that
// begins with a blank, as shells have it, or one of a block that Keeps says no of.
// Tell never waits, and Close returns when all that was told is with the Store.
package history

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/sirupsen/logrus"
)

// Command is one that a shell ran.
type Command struct {
	ID     int64 // the store's
	Text   string
	Dir    string // where it ran; "" if that is not known
	Block  string
	Exit   int
	Exited bool // whether Exit is known
	Began  time.Time
	Took   time.Duration
}

// Store keeps commands over the end of the app. Its methods may block for the disk.
type Store interface {
	// AddCommands adds rows, of which the last is the newest. One with the same text
	// in the same directory gives way.
	AddCommands(ctx context.Context, rows ...Command) error
	// Commands returns those that have every word, the newest first, at most so
	// many, and how many there are.
	Commands(ctx context.Context, words []string, most int) (found []Command, total int, err error)
	DropCommand(ctx context.Context, id int64) error
	ClearCommands(ctx context.Context) error
}

// Options are what a Keeper is handed.
type Options struct {
	Store Store
	// Keeps says whether the commands of a block are kept now. It must not wait.
	Keeps func(block string) bool
	Log   logrus.FieldLogger
}

// maxWaiting bounds what waits for the disk: the oldest goes first.
const maxWaiting = 1000

// saveTimeout is how long one writing may take.
const saveTimeout = 30 * time.Second

// Keeper is safe for use by many goroutines.
type Keeper struct {
	o    Options
	more chan struct{} // one token: there is something to write
	done chan struct{}

	mu      sync.Mutex
	waiting []Command
	saving  bool
	closed  bool
	idle    chan struct{} // closed when nothing waits; nil while nobody asks
}

// Open starts a Keeper.
func Open(o Options) *Keeper {
	k := &Keeper{o: o, more: make(chan struct{}, 1), done: make(chan struct{})}
	go k.run()
	return k
}

// Tell keeps a command that ended, unless it should not be kept. Its text is as
// it was typed.
func (k *Keeper) Tell(c Command) {
	text := strings.TrimSpace(c.Text)
	if text == "" || strings.HasPrefix(c.Text, " ") || !k.o.Keeps(c.Block) {
		return
	}
	c.Text = text
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return
	}
	if len(k.waiting) == maxWaiting {
		k.waiting = k.waiting[1:]
	}
	k.waiting = append(k.waiting, c)
	select {
	case k.more <- struct{}{}:
	default:
	}
}

func (k *Keeper) run() {
	defer close(k.done)
	for range k.more {
		k.save()
	}
	k.save()
}

func (k *Keeper) save() {
	k.mu.Lock()
	rows := k.waiting
	k.waiting, k.saving = nil, true
	k.mu.Unlock()
	if len(rows) > 0 {
		ctx, cancel := context.WithTimeout(context.Background(), saveTimeout)
		err := k.o.Store.AddCommands(ctx, rows...)
		cancel()
		if err != nil {
			k.o.Log.WithError(err).Warn("cannot keep commands for the history")
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.saving = false
	if len(k.waiting) == 0 && k.idle != nil {
		close(k.idle)
		k.idle = nil
	}
}

// Find returns the commands that have every word of text in their text or
// directory, the newest first, at most so many, and how many there are. What was
// told before is among them. It reads from disk.
func (k *Keeper) Find(ctx context.Context, text string, most int) (found []Command, total int, err error) {
	if err := k.settle(ctx); err != nil {
		return nil, 0, err
	}
	return k.o.Store.Commands(ctx, strings.Fields(text), most)
}

// Forget removes a command; one that is not there is no error.
func (k *Keeper) Forget(ctx context.Context, id int64) error { return k.o.Store.DropCommand(ctx, id) }

// Clear removes all commands that were told so far.
func (k *Keeper) Clear(ctx context.Context) error {
	if err := k.settle(ctx); err != nil {
		return err
	}
	return k.o.Store.ClearCommands(ctx)
}

// settle waits until what was told is with the store.
func (k *Keeper) settle(ctx context.Context) error {
	k.mu.Lock()
	if len(k.waiting) == 0 && !k.saving {
		k.mu.Unlock()
		return nil
	}
	if k.idle == nil {
		k.idle = make(chan struct{})
	}
	idle := k.idle
	k.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close ends it: what is told from then on is not kept. It may be called twice.
func (k *Keeper) Close() {
	k.mu.Lock()
	if !k.closed {
		k.closed = true
		close(k.more)
	}
	k.mu.Unlock()
	<-k.done
}
