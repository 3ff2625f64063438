// Package controllertest holds a driver with a knob for every failure, and the
// conformance suite that every driver must pass.
package controllertest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"drover/backend/controller"
	"drover/backend/turn"
)

// Fake is a driver whose sessions do what its fields say. Change them between
// starts only.
type Fake struct {
	HangInStart   bool  // Start waits for its context's end
	Fail          error // Start fails with it
	DieAtOnce     bool  // the session has ended before Start returns
	IgnoreTerm    bool  // only Kill ends the session
	EmitAfterExit bool  // the session goes on talking when it is over
	Code          int   // the exit code when it ends by itself

	mu       sync.Mutex
	sessions []*FakeSession
}

// FirstPID is the pid of a Fake's first session; the next ones count on. No process
// can have such a pid, so that nothing is found, or ended, in a fake's place.
const FirstPID = 1 << 30

// ErrFake is a failure to use for Fail.
var ErrFake = errors.New("the fake was told to fail")

// Start makes a FakeSession.
func (f *Fake) Start(ctx context.Context, spec controller.Spec) (controller.Session, error) {
	if f.HangInStart {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if f.Fail != nil {
		return nil, f.Fail
	}
	f.mu.Lock()
	s := &FakeSession{fake: f, spec: spec, done: make(chan struct{}), pid: FirstPID + len(f.sessions)}
	f.sessions = append(f.sessions, s)
	f.mu.Unlock()
	spec.Report(controller.Report{PID: s.pid, Process: "fake"})
	if f.DieAtOnce {
		s.End(f.Code)
	}
	return s, nil
}

// Session is the n-th session that was started.
func (f *Fake) Session(n int) *FakeSession {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sessions[n]
}

// FakeSession is a session of a Fake. It has every power.
type FakeSession struct {
	fake *Fake
	spec controller.Spec
	pid  int
	done chan struct{}

	mu      sync.Mutex
	over    bool
	exit    controller.Exit
	got     []byte
	sizes   []controller.Size
	signals []string
	calls   []string
}

// End ends the session by itself.
func (s *FakeSession) End(code int) {
	s.end(controller.Exit{Known: true, Code: code})
}

func (s *FakeSession) end(e controller.Exit) {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return
	}
	s.over, s.exit = true, e
	s.mu.Unlock()
	close(s.done)
	if s.fake.EmitAfterExit {
		s.spec.Emit(turn.Text{Text: "late"})
		s.spec.Report(controller.Report{Message: "late", PID: 1})
	}
}

// Done implements controller.Session.
func (s *FakeSession) Done() <-chan struct{} { return s.done }

// Exit implements controller.Session.
func (s *FakeSession) Exit() controller.Exit {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exit
}

// Terminate implements controller.Session.
func (s *FakeSession) Terminate(context.Context) error {
	s.note("terminate")
	if !s.fake.IgnoreTerm {
		s.end(controller.Exit{Known: true, Code: -1, Signal: "SIGTERM"})
	}
	return nil
}

// Kill implements controller.Session.
func (s *FakeSession) Kill() error {
	s.note("kill")
	s.end(controller.Exit{Known: true, Code: -1, Signal: "SIGKILL"})
	return nil
}

// Input implements controller.Inputter.
func (s *FakeSession) Input(p []byte, taken func()) error {
	s.mu.Lock()
	if s.over {
		s.mu.Unlock()
		return controller.ErrNotRunning
	}
	s.got = append(s.got, p...)
	s.mu.Unlock()
	if taken != nil {
		taken()
	}
	return nil
}

// Resize implements controller.Resizer.
func (s *FakeSession) Resize(size controller.Size) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sizes = append(s.sizes, size)
	return nil
}

// Signal implements controller.Signaler.
func (s *FakeSession) Signal(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signals = append(s.signals, name)
	return nil
}

// Interrupt implements controller.Interrupter.
func (s *FakeSession) Interrupt(context.Context) error {
	s.note("interrupt")
	return nil
}

func (s *FakeSession) note(call string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
}

// Got is all input so far.
func (s *FakeSession) Got() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return string(s.got)
}

// Log is what was asked of it besides input, in order.
func (s *FakeSession) Log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprint(s.calls, s.sizes, s.signals)
}

// Spec is what it was started with.
func (s *FakeSession) Spec() controller.Spec { return s.spec }
