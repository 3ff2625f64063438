package controller

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"drover/backend/turn"
)

// Options make a Controller.
type Options struct {
	Block    string
	Identity Identity
	// Last is the block's last status in an earlier run of the app, if there was
	// one: its version is gone on from, its end is kept. A live state in it is
	// taken for an end that nobody saw.
	Last *Status
	// OnStatus is told of every change, in order, and OnEvent of every typed
	// output of the current instance. Both are called from the controller's
	// goroutine, hold no lock, and must not block or call the controller.
	OnStatus func(Status)
	OnEvent  func(instance uint64, e turn.Event)
}

// Controller runs the sessions of one block, one after another. All methods may
// be called from any goroutine.
//
// One goroutine owns its state (life) and never waits on a driver, a process or
// a write: those run in goroutines of their own and report by mail.
type Controller struct {
	opts   Options
	mail   chan message
	quit   chan struct{}
	once   sync.Once
	done   chan struct{} // the owner goroutine has ended
	wg     sync.WaitGroup
	status atomic.Pointer[Status]
}

// New makes a controller in state Idle. Close ends it.
func New(o Options) *Controller {
	if o.OnStatus == nil {
		o.OnStatus = func(Status) {}
	}
	if o.OnEvent == nil {
		o.OnEvent = func(uint64, turn.Event) {}
	}
	c := &Controller{
		opts: o,
		mail: make(chan message),
		quit: make(chan struct{}),
		done: make(chan struct{}),
	}
	first := firstStatus(o)
	c.status.Store(&first)
	l := &life{c: c, status: first, orders: map[uint64]*ordering{}}
	go l.run()
	return c
}

// versionLeap is added to the version of an earlier run, whose last statuses may
// not have reached the disk.
const versionLeap = 1 << 16

func firstStatus(o Options) Status {
	s := Status{State: Idle, Since: time.Now()}
	if o.Last != nil {
		s = *o.Last
		s.Version += versionLeap
		s.PID, s.Closing, s.Can, s.Activity = 0, false, Capabilities{}, turn.None
		if s.State.Live() {
			s.State, s.Reason, s.Exit = Exited, ReasonFailure, Exit{}
			s.Message = "Drover ended while this ran, so how it ended is not known."
		}
	}
	s.Block, s.Identity = o.Block, o.Identity
	return s
}

// BlockID is the block it runs.
func (c *Controller) BlockID() string { return c.opts.Block }

// Kind is that of the last start, "" before the first.
func (c *Controller) Kind() string { return c.Status().Kind }

// Status is a consistent copy of what is known.
func (c *Controller) Status() Status { return *c.status.Load() }

// Start starts spec with d and returns when the session runs or could not be
// started. It fails with ErrLive if one lives already. When ctx ends first the
// start is given up.
func (c *Controller) Start(ctx context.Context, d Driver, spec Spec) error {
	reply := make(chan error, 1)
	if err := c.post(startRequest{ctx: ctx, driver: d, spec: spec, reply: reply}); err != nil {
		return err
	}
	return <-reply
}

// DefaultGrace is the time from asking to KILL when StopOptions name none, and
// killPatience how long the system gets to carry a KILL out before callers are
// told that the process survived it.
const (
	DefaultGrace = 5 * time.Second
	killPatience = 3 * time.Second
)

// StopOptions say why and how to stop.
type StopOptions struct {
	Reason Reason
	// Grace is the time from asking to KILL; 0 is DefaultGrace.
	Grace time.Duration
	// Now kills without asking.
	Now bool
}

func (o StopOptions) grace() time.Duration {
	switch {
	case o.Now:
		return 0
	case o.Grace <= 0:
		return DefaultGrace
	}
	return o.Grace
}

// Stop ends the session and returns when it is gone, or with ctx's error. It
// ends the session's own program and nothing that it left in the background.
// Without a session it does nothing. A second Stop joins the first; the shorter
// grace counts.
func (c *Controller) Stop(ctx context.Context, o StopOptions) error {
	_, err := c.stop(ctx, o)
	return err
}

func (c *Controller) stop(ctx context.Context, o StopOptions) (Outcome, error) {
	reply := make(chan Outcome, 1)
	if err := c.post(stopRequest{opts: o, reply: reply}); err != nil {
		return Outcome{Result: NotRunning}, nil //nolint:nilerr // a closed controller has no session
	}
	select {
	case out := <-reply:
		return out, nil
	case <-ctx.Done():
		return Outcome{Result: Survived}, ctx.Err()
	}
}

// Result is how a Shutdown went.
type Result string

// The results.
const (
	NotRunning Result = "not-running" // there was nothing to end
	Ended      Result = "exited"      // gone before KILL was sent
	Killed     Result = "killed"
	Survived   Result = "survived" // not known to be gone
)

// Outcome tells how a Shutdown went and how long it took.
type Outcome struct {
	Result Result
	Took   time.Duration
}

// Shutdown ends the session because its block is closed or the app quits: it
// interrupts the turn, asks the program to end, and kills it at ctx's deadline (DefaultGrace
// without one). It returns when the process is gone, or with an error when the
// system has not ended it some seconds after the KILL. The process tree around
// it is the supervisor's.
func (c *Controller) Shutdown(ctx context.Context, why Reason) (Outcome, error) {
	began := time.Now()
	o := StopOptions{Reason: why}
	if deadline, ok := ctx.Deadline(); ok {
		o.Grace = time.Until(deadline)
		o.Now = o.Grace <= 0
	}
	// Not ctx itself: its end is what sends the KILL, whose effect is waited for.
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.grace()+killPatience)
	defer cancel()
	out, err := c.stop(wait, o)
	out.Took = time.Since(began)
	return out, err
}

// Input is what may be sent to a session: bytes, a size and a signal, applied
// in that order.
type Input struct {
	Bytes  []byte
	Size   *Size
	Signal string
	// Taken, if not nil, is called once the program's side has taken all Bytes,
	// from any goroutine; it must not block.
	Taken func()
}

// Send delivers an input and returns when the session has accepted it, or with
// the reason for which it was refused. A duplicate counts as accepted.
func (c *Controller) Send(ctx context.Context, in Input, ord Order) error {
	reply := make(chan error, 1)
	c.Post(in, ord, func(err error) { reply <- err })
	select {
	case err := <-reply:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Post is Send for callers that do not wait: done is called exactly once, from
// any goroutine, and must not block. Inputs posted by one goroutine keep their
// order.
func (c *Controller) Post(in Input, ord Order, done func(error)) {
	if err := c.post(&request{in: in, order: ord, done: done}); err != nil {
		done(err)
	}
}

// Gate refuses all input while closed is true: the block's pane is closed, and
// may yet be brought back.
func (c *Controller) Gate(closed bool) { _ = c.post(gateRequest(closed)) }

// SetIdentity replaces who the block is. What its running process was given at
// its start stays as it was.
func (c *Controller) SetIdentity(id Identity) { _ = c.post(identityRequest(id)) }

// Close kills what lives and returns when every goroutine of the controller has
// ended. It may be called twice.
func (c *Controller) Close() error {
	c.once.Do(func() { close(c.quit) })
	<-c.done
	c.wg.Wait()
	return nil
}

func (c *Controller) post(m message) error {
	select {
	case c.mail <- m:
		return nil
	case <-c.done:
		return ErrClosed
	}
}

// spawn runs f in a goroutine that Close waits for.
func (c *Controller) spawn(f func()) {
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		f()
	}()
}
