// Package supervisor runs the controllers: it starts, replaces, closes and
// restores the blocks that the workspace's records name, and owns who they are.
//
// Promises: one operation at a time runs for a block, and blocks do not wait for
// each other; Ensure is the only way to a running controller; a block's last
// status is on the disk before anybody is told of it; a process is stopped
// before what names it is forgotten.
package supervisor

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sirupsen/logrus"

	"drover/backend/controller"
	"drover/backend/event"
	"drover/backend/proc"
	"drover/backend/turn"
	"drover/backend/workspace"
)

// What the supervisor refuses.
var (
	ErrUnknown = errors.New("there is no such block (any more)")
	ErrClosing = errors.New("it is being closed")
	ErrGivenUp = errors.New("given up: the block was stopped or closed meanwhile")
	ErrQuit    = errors.New("the app is quitting")
)

// Store keeps the last status of each block. The methods return when it is on
// the disk.
type Store interface {
	PutStatus(ctx context.Context, s Saved) error
	// DropStatus forgets a block whose processes are known to be gone.
	DropStatus(ctx context.Context, block string) error
	Statuses(ctx context.Context) ([]Saved, error)
}

// Saved is what is kept of a block over a crash.
type Saved struct {
	Status  controller.Status
	Process proc.ID // of its program; zero without one
}

// Options are what a Supervisor is handed.
type Options struct {
	Records *Records
	Store   Store
	Drivers map[workspace.Kind]controller.Driver
	Procs   *proc.Scanner
	Log     logrus.FieldLogger
	// CloseOnExit is what holds for blocks that leave it open.
	CloseOnExit func() workspace.CloseOnExit
	// Removed is told of a block that is gone for good, with its processes.
	Removed func(block string)
	// LeftRunning is told of processes that outlive their block by their own
	// choice.
	LeftRunning func(b workspace.Block, left []proc.ID)
}

// Supervisor is safe for use by many goroutines.
type Supervisor struct {
	o Options
	// Statuses tells every status of every block, Closings every change of a
	// closing, Typed what agents emit.
	Statuses event.Topic[controller.Status]
	Closings event.Topic[Closing]
	Typed    event.Topic[Typed]

	inbox event.Topic[controller.Status] // statuses on their way to the disk
	kept  chan struct{}                  // closed when the goroutine that saves has ended
	wg    sync.WaitGroup

	mu       sync.Mutex
	blocks   map[string]*block
	closings map[string]*closing
	quitting bool
}

// Typed is typed output with where it comes from.
type Typed struct {
	Block    string
	Instance uint64
	Event    turn.Event
}

// New makes a supervisor that runs nothing yet. Quit ends it.
func New(o Options) *Supervisor {
	s := &Supervisor{o: o, blocks: map[string]*block{}, closings: map[string]*closing{}, kept: make(chan struct{})}
	go s.keep(s.inbox.Subscribe())
	return s
}

// block finds a block's runner, and makes it if the records know the block.
func (s *Supervisor) block(id string, last *controller.Status) (*block, error) {
	rec, ok := s.o.Records.Block(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.blocks[id]; b != nil {
		return b, nil
	}
	if s.quitting {
		return nil, ErrQuit
	}
	if !ok {
		return nil, fmt.Errorf("cannot find block %s: %w", id, ErrUnknown)
	}
	b := newBlock(id, controller.New(controller.Options{
		Block:    id,
		Identity: controller.Identity{Name: rec.Name},
		Last:     last,
		OnStatus: s.inbox.Deliver,
		OnEvent:  func(instance uint64, e turn.Event) { s.Typed.Deliver(Typed{id, instance, e}) },
	}))
	s.blocks[id] = b
	return b, nil
}

func (s *Supervisor) known(id string) *block {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.blocks[id]
}

// Controller is a block's controller, for input and status; nil before its first
// Ensure.
func (s *Supervisor) Controller(id string) *controller.Controller {
	if b := s.known(id); b != nil {
		return b.ctl
	}
	return nil
}

// List is the status of every block that was ever ensured.
func (s *Supervisor) List() []controller.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]controller.Status, 0, len(s.blocks))
	for _, b := range s.blocks {
		out = append(out, b.ctl.Status())
	}
	return out
}

// EnsureOptions say what Ensure may do.
type EnsureOptions struct {
	Force  bool // replace one that runs
	Revive bool // start one that has ended
	Size   controller.Size
	Note   string // what a person should know of this start
}

// Ensure makes a block run: one that never ran is started, one that has ended
// only to revive it, one that runs is replaced only by force or when its record
// has become another kind. It returns when that is done; ctx gives it up.
func (s *Supervisor) Ensure(ctx context.Context, id string, o EnsureOptions) (controller.Status, error) {
	b, err := s.block(id, nil)
	if err != nil {
		return controller.Status{}, err
	}
	err = b.do(ctx, false, func(ctx context.Context) error { return s.ensure(ctx, b, o) })
	return b.ctl.Status(), err
}

// Begin is Ensure for callers that do not wait: how it went is in the block's
// status.
func (s *Supervisor) Begin(id string, o EnsureOptions) {
	s.spawn(func() {
		if _, err := s.Ensure(context.Background(), id, o); err != nil {
			s.o.Log.WithError(err).WithField("block", id).Info("a block could not be started")
		}
	})
}

// spawn runs f in a goroutine that Quit waits for; not at all once the app quits.
func (s *Supervisor) spawn(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.quitting {
		s.wg.Go(f)
	}
}

func (s *Supervisor) ensure(ctx context.Context, b *block, o EnsureOptions) error {
	rec, ok := s.o.Records.Block(b.id)
	if !ok {
		return ErrUnknown
	}
	driver := s.o.Drivers[rec.Kind]
	if driver == nil {
		return fmt.Errorf("cannot start it: this version of Drover does not run %q", rec.Kind)
	}
	st := b.ctl.Status()
	switch st.State {
	case controller.Idle:
	case controller.Exited, controller.Failed:
		if !o.Revive && !o.Force {
			return nil
		}
	case controller.Starting, controller.Running, controller.Reconnecting, controller.Stopping, controller.Killing:
		if !o.Force && st.Kind == string(rec.Kind) {
			return nil
		}
		if err := b.ctl.Stop(ctx, controller.StopOptions{Reason: controller.ReasonReplace}); err != nil {
			return fmt.Errorf("cannot replace it: the old one has not ended: %w", err)
		}
	}
	return b.ctl.Start(ctx, driver, controller.Spec{
		Kind:    string(rec.Kind),
		Size:    o.Size,
		Command: rec.Command, CommandLine: rec.CommandLine, Shell: rec.Shell,
		Dir: rec.Dir, Env: rec.Env,
		Note: o.Note,
	})
}

// Stop stops a block's program and whatever start of it is under way.
func (s *Supervisor) Stop(ctx context.Context, id string, o controller.StopOptions) error {
	b := s.known(id)
	if b == nil {
		return nil
	}
	return b.do(ctx, true, func(ctx context.Context) error { return b.ctl.Stop(ctx, o) })
}

// SetIdentity changes who a block is, within Identity's rules.
func (s *Supervisor) SetIdentity(id string, next controller.Identity) error {
	b, err := s.block(id, nil)
	if err != nil {
		return err
	}
	identity, err := b.become(next)
	if err == nil {
		b.ctl.SetIdentity(identity)
	}
	return err
}

// closeTimeout is the one deadline of a close, over all its blocks.
const closeTimeout = 5 * time.Second
