package controllertest

import (
	"sync"
	"testing"
	"time"

	"drover/backend/controller"
	"drover/backend/turn"
)

// patience bounds how long a test waits for what must come. It is no measure of
// speed: it is there so that a hang fails with a message.
const patience = 30 * time.Second

// Recorder keeps every status and event of a controller, and checks what holds
// for all of them.
type Recorder struct {
	t testing.TB

	mu       sync.Mutex
	statuses []controller.Status
	events   []turn.Event
	changed  chan struct{}
}

// Record makes a controller for block b whose statuses go to a Recorder. The
// controller is closed at the test's end.
func Record(t testing.TB, block string) (*controller.Controller, *Recorder) {
	r := &Recorder{t: t, changed: make(chan struct{})}
	c := controller.New(controller.Options{
		Block:    block,
		OnStatus: r.status,
		OnEvent:  r.event,
	})
	t.Cleanup(func() { _ = c.Close() })
	return c, r
}

func (r *Recorder) status(s controller.Status) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.statuses); n > 0 && s.Version <= r.statuses[n-1].Version {
		r.t.Errorf("version %d after %d", s.Version, r.statuses[n-1].Version)
	}
	if s.Version == 0 {
		r.t.Error("a status with version 0")
	}
	r.statuses = append(r.statuses, s)
	r.bumpLocked()
}

func (r *Recorder) event(_ uint64, e turn.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
	r.bumpLocked()
}

func (r *Recorder) bumpLocked() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// Statuses are all so far.
func (r *Recorder) Statuses() []controller.Status {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]controller.Status(nil), r.statuses...)
}

// Events are all so far.
func (r *Recorder) Events() []turn.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]turn.Event(nil), r.events...)
}

// Wait returns the first status, past or to come, that ok accepts.
func (r *Recorder) Wait(what string, ok func(controller.Status) bool) controller.Status {
	r.t.Helper()
	timeout := time.After(patience)
	for seen := 0; ; {
		r.mu.Lock()
		statuses, changed := r.statuses, r.changed
		r.mu.Unlock()
		for ; seen < len(statuses); seen++ {
			if ok(statuses[seen]) {
				return statuses[seen]
			}
		}
		select {
		case <-changed:
		case <-timeout:
			r.t.Fatalf("waited in vain for %s; last: %+v", what, statuses[max(0, len(statuses)-1):])
		}
	}
}

// WaitState waits for a state of an instance.
func (r *Recorder) WaitState(instance uint64, state controller.State) controller.Status {
	r.t.Helper()
	return r.Wait(string(state), func(s controller.Status) bool {
		return s.Instance == instance && s.State == state
	})
}
