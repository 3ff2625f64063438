package controller

import (
	"context"
	"fmt"
	"time"

	"drover/backend/turn"
)

// message is what the owner goroutine handles, one at a time.
type message interface{ message() }

type (
	startRequest struct {
		ctx    context.Context
		driver Driver
		spec   Spec
		reply  chan<- error // buffered
	}
	stopRequest struct {
		opts  StopOptions
		reply chan<- Outcome // buffered
	}
	request struct {
		in    Input
		order Order
		done  func(error)
	}
	gateRequest     bool
	identityRequest Identity

	// What comes from a session; ignored when its instance is over.
	startedMail struct {
		instance uint64
		session  Session
		err      error
	}
	endedMail  struct{ instance uint64 }
	reportMail struct {
		instance uint64
		report   Report
	}
	eventMail struct {
		instance uint64
		event    turn.Event
	}
)

func (startRequest) message()    {}
func (stopRequest) message()     {}
func (*request) message()        {}
func (gateRequest) message()     {}
func (identityRequest) message() {}
func (startedMail) message()     {}
func (endedMail) message()       {}
func (reportMail) message()      {}
func (eventMail) message()       {}

// life is a controller's state; only the goroutine in run touches it.
type life struct {
	c      *Controller
	status Status

	// Of the current instance.
	session     Session            // nil before it runs and after it has ended
	cancelStart context.CancelFunc // not nil while the driver starts
	startReply  chan<- error
	askCancel   context.CancelFunc // ends the asking of a Stop
	stopReason  Reason
	killAt      time.Time // when Stopping becomes Killing; zero if not set
	killed      bool      // KILL was sent
	waiters     []chan<- Outcome
	held        []*request // input that came while it starts
	heldBytes   int

	// Input order, over all instances.
	orders map[uint64]*ordering
	uses   uint64

	quitting bool
}

func (l *life) run() {
	defer close(l.c.done)
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	quit := l.c.quit
	for {
		l.arm(timer)
		select {
		case m := <-l.c.mail:
			l.handle(m)
		case <-timer.C:
			l.timeout(time.Now())
		case <-quit:
			quit, l.quitting = nil, true
			l.stop(StopOptions{Reason: ReasonQuit, Now: true}, nil)
		}
		if l.quitting && !l.status.State.Live() {
			l.refuse(l.takeHeld(), ErrClosed)
			return
		}
	}
}

// takeHeld takes out all input that waits, for a start or for its turn.
func (l *life) takeHeld() []*request {
	held := l.held
	l.held, l.heldBytes = nil, 0
	for _, o := range l.orders {
		held = append(held, o.drain()...)
		o.until = time.Time{}
	}
	return held
}

func (l *life) refuse(held []*request, why error) {
	for _, r := range held {
		r.done(why)
	}
}

// arm sets the one timer to the next thing that time brings.
func (l *life) arm(timer *time.Timer) {
	next := l.killAt
	for _, o := range l.orders {
		if !o.until.IsZero() && (next.IsZero() || o.until.Before(next)) {
			next = o.until
		}
	}
	if next.IsZero() {
		timer.Stop()
		return
	}
	timer.Reset(time.Until(next))
}

func (l *life) timeout(now time.Time) {
	if !l.killAt.IsZero() && !now.Before(l.killAt) {
		l.kill()
	}
	for _, o := range l.orders {
		if !o.until.IsZero() && !now.Before(o.until) {
			l.endGap(o)
		}
	}
}

func (l *life) handle(m message) {
	switch m := m.(type) {
	case startRequest:
		l.start(m)
	case stopRequest:
		l.stop(m.opts, m.reply)
	case *request:
		l.input(m)
	case gateRequest:
		if l.status.Closing != bool(m) {
			l.status.Closing = bool(m)
			l.publish()
		}
	case identityRequest:
		l.status.Identity = Identity(m)
		l.publish()
	case startedMail:
		if m.instance == l.status.Instance {
			l.started(m.session, m.err)
		}
	case endedMail:
		if m.instance == l.status.Instance && l.session != nil {
			l.ended(l.session.Exit())
		}
	case reportMail:
		if l.current(m.instance) {
			l.report(m.report)
		}
	case eventMail:
		if l.current(m.instance) {
			l.c.opts.OnEvent(m.instance, m.event)
		}
	default:
		panic(fmt.Sprintf("controller: unknown message %T", m))
	}
}

// current reports whether what an instance says still counts.
func (l *life) current(instance uint64) bool {
	return instance == l.status.Instance && l.status.State.Live()
}

// step is the only writer of the state.
func (l *life) step(to State, why Reason, message string) {
	if !canFollow(l.status.State, to) {
		panic(fmt.Sprintf("controller: %s cannot follow %s", to, l.status.State))
	}
	now := time.Now()
	l.status.State, l.status.Reason, l.status.Message, l.status.Since = to, why, message, now
	switch to {
	case Starting:
		l.status.Started, l.status.Ended = now, time.Time{}
	case Exited, Failed:
		l.status.Ended = now
		l.status.Can = Capabilities{}
		l.status.Activity = turn.None
	case Idle, Running, Reconnecting, Stopping, Killing:
	}
	l.publish()
}

// publish tells of the status as it is now, under a new version.
func (l *life) publish() {
	l.status.Version++
	s := l.status
	l.c.status.Store(&s)
	l.c.opts.OnStatus(s)
}

func (l *life) start(m startRequest) {
	if l.quitting {
		m.reply <- ErrClosed
		return
	}
	if l.status.State.Live() {
		m.reply <- ErrLive
		return
	}
	ctx, cancel := context.WithCancel(m.ctx)
	instance := l.status.Instance + 1
	l.status.Instance, l.status.Kind = instance, m.spec.Kind
	l.status.PID, l.status.Process, l.status.Exit = 0, "", Exit{}
	l.cancelStart, l.startReply = cancel, m.reply
	l.stopReason, l.killed = ReasonNone, false

	c, spec := l.c, m.spec
	spec.Block, spec.Instance, spec.Identity = c.opts.Block, instance, l.status.Identity
	spec.Emit = func(e turn.Event) { _ = c.post(eventMail{instance, e}) }
	spec.Report = func(r Report) { _ = c.post(reportMail{instance, r}) }
	l.step(Starting, ReasonNone, spec.Note)
	c.spawn(func() {
		session, err := m.driver.Start(ctx, spec)
		_ = c.post(startedMail{instance, session, err})
	})
}

// started takes the driver's answer. No state but the three below can be met:
// an instance is not over before its driver has answered.
func (l *life) started(s Session, err error) {
	l.cancelStart()
	l.cancelStart = nil
	if err == nil {
		l.session = s
		l.status.Can = capabilities(s)
		instance := l.status.Instance
		l.c.spawn(func() {
			<-s.Done()
			_ = l.c.post(endedMail{instance})
		})
	}
	switch l.status.State {
	case Starting:
		if err != nil {
			l.over(Failed, ReasonFailure, err.Error(), err)
			return
		}
		l.step(Running, ReasonNone, l.status.Message) // what was said of the start stands
		l.startReply <- nil
		l.startReply = nil
		held := l.held
		l.held, l.heldBytes = nil, 0
		for _, r := range held {
			l.apply(r)
		}
	case Stopping:
		if err != nil {
			l.over(finalState(l.stopReason), l.stopReason, "", ErrStopping)
			return
		}
		l.ask()
	case Killing:
		if err != nil {
			l.over(finalState(l.stopReason), l.stopReason, "", ErrStopping)
			return
		}
		l.killSession()
	case Idle, Running, Reconnecting, Exited, Failed:
		panic("controller: a driver answered in state " + string(l.status.State))
	}
}

// stop begins or joins a stop; reply, if not nil, hears when it is over.
func (l *life) stop(o StopOptions, reply chan<- Outcome) {
	if !l.status.State.Live() {
		if reply != nil {
			reply <- Outcome{Result: NotRunning}
		}
		return
	}
	if reply != nil {
		l.waiters = append(l.waiters, reply)
	}
	killAt := time.Now().Add(o.grace())
	switch l.status.State {
	case Starting:
		l.stopReason, l.killAt = o.Reason, killAt
		l.step(Stopping, o.Reason, "")
		l.cancelStart()
	case Running, Reconnecting:
		l.stopReason, l.killAt = o.Reason, killAt
		l.step(Stopping, o.Reason, "")
		if !o.Now {
			l.ask()
		}
	case Stopping:
		if killAt.Before(l.killAt) {
			l.killAt = killAt
		}
	case Killing:
	case Idle, Exited, Failed: // ruled out above
	}
	if o.Now && l.status.State == Stopping {
		l.kill()
	}
}

// ask interrupts the turn, if there is one, and asks the program to end.
func (l *life) ask() {
	ctx, cancel := context.WithDeadline(context.Background(), l.killAt)
	l.askCancel = cancel
	s, busy := l.session, l.status.Activity != turn.None && l.status.Activity != turn.Resting
	c, instance := l.c, l.status.Instance
	c.spawn(func() {
		if busy {
			_ = interrupt(ctx, s) // what it refuses, Terminate asks for anyway
		}
		if err := s.Terminate(ctx); err != nil {
			_ = c.post(reportMail{instance, Report{Message: "it could not be asked to end: " + err.Error()}})
		}
	})
}

// kill ends the grace.
func (l *life) kill() {
	l.killAt = time.Time{}
	l.step(Killing, l.stopReason, "")
	if l.session != nil {
		l.killSession()
	}
}

func (l *life) killSession() {
	l.killed = true
	s, c, instance := l.session, l.c, l.status.Instance
	c.spawn(func() {
		if err := s.Kill(); err != nil {
			_ = c.post(reportMail{instance, Report{Message: "it could not be killed: " + err.Error()}})
		}
	})
}

// ended takes the end of the session.
func (l *life) ended(e Exit) {
	l.session = nil
	l.status.Exit = e
	switch l.status.State {
	case Running, Reconnecting:
		if e.Error != "" {
			l.over(Failed, ReasonFailure, e.Error, ErrNotRunning)
			return
		}
		l.over(Exited, ReasonSelf, e.Note, ErrNotRunning)
	case Stopping, Killing:
		l.over(finalState(l.stopReason), l.stopReason, e.Error, ErrStopping)
	case Idle, Starting, Exited, Failed:
		panic("controller: a session ended in state " + string(l.status.State))
	}
}

// over ends the instance: everything that was held for it is cleared at once,
// so that the next start meets nothing of it, and whoever waits is told. refusal
// is what held input and a waiting Start hear.
func (l *life) over(to State, why Reason, message string, refusal error) {
	l.killAt = time.Time{}
	if l.askCancel != nil {
		l.askCancel()
		l.askCancel = nil
	}
	held := l.takeHeld()
	out := Outcome{Result: Ended}
	if l.killed {
		out.Result = Killed
	}
	waiters, startReply := l.waiters, l.startReply
	l.waiters, l.startReply = nil, nil

	l.step(to, why, message)
	if startReply != nil {
		startReply <- refusal
	}
	l.refuse(held, refusal)
	for _, w := range waiters {
		w <- out
	}
}

func (l *life) report(r Report) {
	changed := false
	set := func(field *string, v string) {
		if v != "" && *field != v {
			*field, changed = v, true
		}
	}
	set(&l.status.Process, r.Process)
	set(&l.status.Message, r.Message)
	if r.PID != 0 && r.PID != l.status.PID {
		l.status.PID, changed = r.PID, true
	}
	switch {
	case r.Link == LinkLost && l.status.State == Running:
		l.step(Reconnecting, ReasonFailure, r.Message)
	case r.Link == LinkBack && l.status.State == Reconnecting:
		l.step(Running, ReasonNone, r.Message)
	case changed:
		l.publish()
	}
}
