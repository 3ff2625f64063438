package controllertest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"drover/backend/controller"
)

// Program is what the suite asks a driver to run.
type Program string

// The programs. A harness leaves out what its kind cannot do.
const (
	Waits        Program = "waits until asked to end"
	Echoes       Program = "echoes its input, without changing it"
	Exits3       Program = "exits with code 3 at once"
	Speaks       Program = "writes SpeaksBytes bytes and exits with 0"
	IgnoresTerm  Program = "ignores every request to end; prints 'ready' when it does"
	CannotStart  Program = "cannot be started"
	HangsInStart Program = "starting it takes until it is given up"
)

// SpeaksBytes is how much the program Speaks writes: more than any buffer of a
// terminal holds. They are all the letter x.
const SpeaksBytes = 20480

// Harness lets the suite drive one kind.
type Harness interface {
	// Spec describes a program for a block; false if the kind has no such thing.
	Spec(p Program, block string) (controller.Spec, bool)
	// Driver is the one under test.
	Driver(p Program) controller.Driver
	// Output is what the block's programs have written so far.
	Output(block string) string
}

// Run runs the suite. make is called for each case.
func Run(t *testing.T, make func(t *testing.T) Harness) {
	cases := []struct {
		name string
		run  func(*rig)
	}{
		{"stop by a person ends in exited", stopByPerson},
		{"the exit code is the program's", exitCode},
		{"all output comes before the end", outputFirst},
		{"what ignores the request is killed", ignoredTerm},
		{"shutdown tells how it went", shutdown},
		{"a start that fails leaves the block startable", startFails},
		{"a start that hangs can be stopped", startHangs},
		{"close while it starts", closeInStart},
		{"stop and start at once", restartAtOnce},
		{"of many starts one wins", manyStarts},
		{"input keeps its order", inputOrder},
		{"input without a session is refused", inputRefused},
		{"stops join", stopsJoin},
		{"close may be called twice", closeTwice},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := &rig{T: t, h: make(t), block: "b-" + strings.ReplaceAll(c.name, " ", "-")}
			r.c, r.rec = Record(t, r.block)
			c.run(r)
		})
	}
}

type rig struct {
	*testing.T
	h     Harness
	block string
	c     *controller.Controller
	rec   *Recorder
}

func (r *rig) ctx() context.Context { return r.Context() }

// start starts p and skips the case if the kind cannot run it.
func (r *rig) start(p Program) error {
	r.Helper()
	spec, ok := r.h.Spec(p, r.block)
	if !ok {
		r.Skipf("this kind has no program that %s", p)
	}
	return r.c.Start(r.ctx(), r.h.Driver(p), spec)
}

func (r *rig) mustStart(p Program) {
	r.Helper()
	if err := r.start(p); err != nil {
		r.Fatalf("cannot start what %s: %v", p, err)
	}
}

func (r *rig) mustStop(o controller.StopOptions) {
	r.Helper()
	if err := r.c.Stop(r.ctx(), o); err != nil {
		r.Fatal(err)
	}
}

// waitOutput waits until the program has written what is wanted.
func (r *rig) waitOutput(want string) {
	r.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(patience)
	for !strings.Contains(r.h.Output(r.block), want) {
		select {
		case <-tick.C:
		case <-timeout:
			r.Fatalf("output is %q, without %q", r.h.Output(r.block), want)
		}
	}
}

func stopByPerson(r *rig) {
	r.mustStart(Waits)
	if s := r.c.Status(); s.State != controller.Running || s.Instance != 1 {
		r.Fatalf("after start: %+v", s)
	}
	r.mustStop(controller.StopOptions{Reason: controller.ReasonUser})
	s := r.c.Status()
	if s.State != controller.Exited || s.Reason != controller.ReasonUser || s.Ended.IsZero() || !s.Exit.Known {
		r.Fatalf("after stop: %+v", s)
	}
	r.mustStart(Waits)
	r.mustStop(controller.StopOptions{Reason: controller.ReasonFailure})
	if s := r.c.Status(); s.State != controller.Failed || s.Instance != 2 {
		r.Fatalf("after a stop for a failure: %+v", s)
	}
}

func exitCode(r *rig) {
	if err := r.start(Exits3); err != nil {
		r.Fatal(err)
	}
	s := r.rec.WaitState(1, controller.Exited)
	if s.Exit.Code != 3 || s.Exit.Signal != "" || !s.Exit.Known || s.Reason != controller.ReasonSelf {
		r.Fatalf("exit is %+v", s)
	}
}

func outputFirst(r *rig) {
	for instance := uint64(1); instance <= 5; instance++ {
		before := strings.Count(r.h.Output(r.block), "x")
		r.mustStart(Speaks)
		r.rec.WaitState(instance, controller.Exited)
		if n := strings.Count(r.h.Output(r.block), "x") - before; n != SpeaksBytes {
			r.Fatalf("%d of %d bytes were out when the end was told", n, SpeaksBytes)
		}
	}
}

func ignoredTerm(r *rig) {
	r.mustStart(IgnoresTerm)
	r.waitOutput("ready")
	r.mustStop(controller.StopOptions{Reason: controller.ReasonUser, Grace: 200 * time.Millisecond})
	s := r.c.Status()
	if s.State != controller.Exited || s.Exit.Signal != "SIGKILL" {
		r.Fatalf("after the kill: %+v", s)
	}
	r.rec.WaitState(1, controller.Killing)
}

func shutdown(r *rig) {
	ctx, cancel := context.WithTimeout(r.ctx(), 300*time.Millisecond)
	defer cancel()
	if out, err := r.c.Shutdown(ctx, controller.ReasonClose); err != nil || out.Result != controller.NotRunning {
		r.Fatalf("without a session: %+v, %v", out, err)
	}
	r.mustStart(Waits)
	long, cancelLong := context.WithTimeout(r.ctx(), patience)
	defer cancelLong()
	if out, err := r.c.Shutdown(long, controller.ReasonClose); err != nil || out.Result != controller.Ended {
		r.Fatalf("of one that obeys: %+v, %v", out, err)
	}
	r.mustStart(IgnoresTerm)
	r.waitOutput("ready")
	short, cancelShort := context.WithTimeout(r.ctx(), 200*time.Millisecond)
	defer cancelShort()
	if out, err := r.c.Shutdown(short, controller.ReasonClose); err != nil || out.Result != controller.Killed {
		r.Fatalf("of one that ignores: %+v, %v", out, err)
	}
}

func startFails(r *rig) {
	if err := r.start(CannotStart); err == nil {
		r.Fatal("a start that cannot succeed did")
	}
	s := r.c.Status()
	if s.State != controller.Failed || s.Message == "" || s.PID != 0 {
		r.Fatalf("after a failed start: %+v", s)
	}
	r.mustStart(Waits)
	r.mustStop(controller.StopOptions{Reason: controller.ReasonUser})
}

func startHangs(r *rig) {
	spec, ok := r.h.Spec(HangsInStart, r.block)
	if !ok {
		r.Skip("this kind cannot hang in its start")
	}
	result := make(chan error, 1)
	go func() { result <- r.c.Start(r.ctx(), r.h.Driver(HangsInStart), spec) }()
	r.rec.WaitState(1, controller.Starting)
	r.mustStop(controller.StopOptions{Reason: controller.ReasonUser})
	if err := <-result; err == nil {
		r.Fatal("the start that was stopped says that it succeeded")
	}
	if s := r.c.Status(); s.State != controller.Exited {
		r.Fatalf("after stopping a start: %+v", s)
	}
	r.mustStart(Waits)
}

func closeInStart(r *rig) {
	spec, ok := r.h.Spec(HangsInStart, r.block)
	if !ok {
		r.Skip("this kind cannot hang in its start")
	}
	result := make(chan error, 1)
	go func() { result <- r.c.Start(r.ctx(), r.h.Driver(HangsInStart), spec) }()
	r.rec.WaitState(1, controller.Starting)
	if err := r.c.Close(); err != nil {
		r.Fatal(err)
	}
	if err := <-result; err == nil {
		r.Fatal("the start that was closed says that it succeeded")
	}
}

func restartAtOnce(r *rig) {
	for instance := uint64(1); instance <= 10; instance++ {
		r.mustStart(Waits)
		if s := r.c.Status(); s.State != controller.Running || s.Instance != instance {
			r.Fatalf("start %d: %+v", instance, s)
		}
		r.mustStop(controller.StopOptions{Reason: controller.ReasonReplace})
	}
	r.mustStart(Waits)
	// An end of an earlier instance that came late would show here.
	for _, s := range r.rec.Statuses() {
		if s.Instance == 11 && s.State != controller.Starting && s.State != controller.Running {
			r.Fatalf("the last instance was touched by an earlier one's end: %+v", s)
		}
	}
}

func manyStarts(r *rig) {
	spec, ok := r.h.Spec(Waits, r.block)
	if !ok {
		r.Skip("this kind has no program that waits")
	}
	const n = 8
	errs := make(chan error, n)
	for range n {
		go func() { errs <- r.c.Start(r.ctx(), r.h.Driver(Waits), spec) }()
	}
	won := 0
	for range n {
		switch err := <-errs; {
		case err == nil:
			won++
		case !errors.Is(err, controller.ErrLive):
			r.Errorf("a start that lost says %v", err)
		}
	}
	if won != 1 || r.c.Status().Instance != 1 {
		r.Fatalf("%d starts won, status %+v", won, r.c.Status())
	}
}

func inputOrder(r *rig) {
	r.mustStart(Echoes)
	r.waitOutput("ready")
	const n = 200
	var wg sync.WaitGroup
	want := ""
	for i := uint64(0); i < n; i += 2 {
		// In pairs, the later one first; but the first input that is seen of a
		// client sets the count, so the first pair comes as it is.
		pair := []uint64{i + 1, i}
		if i == 0 {
			pair = []uint64{0, 1}
		}
		for _, seq := range pair {
			wg.Add(1)
			r.c.Post(controller.Input{Bytes: fmt.Appendf(nil, "%d,", seq)}, controller.Order{Client: 7, Seq: seq + 1},
				func(err error) {
					defer wg.Done()
					if err != nil {
						r.Errorf("input %d: %v", seq, err)
					}
				})
		}
		want += fmt.Sprintf("%d,%d,", i, i+1)
	}
	wg.Wait()
	if err := r.c.Send(r.ctx(), controller.Input{Bytes: []byte("end\n")}, controller.Order{}); err != nil {
		r.Fatal(err)
	}
	r.waitOutput(want + "end")
}

func inputRefused(r *rig) {
	in := controller.Input{Bytes: []byte("x")}
	if err := r.c.Send(r.ctx(), in, controller.Order{}); !errors.Is(err, controller.ErrNotRunning) {
		r.Fatalf("before a start: %v", err)
	}
	r.mustStart(Waits)
	r.c.Gate(true)
	if err := r.c.Send(r.ctx(), in, controller.Order{}); !errors.Is(err, controller.ErrClosing) {
		r.Fatalf("while closing: %v", err)
	}
	r.c.Gate(false)
	if err := r.c.Send(r.ctx(), in, controller.Order{}); err != nil {
		r.Fatalf("after undo: %v", err)
	}
	r.mustStop(controller.StopOptions{Reason: controller.ReasonUser})
	if err := r.c.Send(r.ctx(), in, controller.Order{}); !errors.Is(err, controller.ErrNotRunning) {
		r.Fatalf("after the end: %v", err)
	}
}

func stopsJoin(r *rig) {
	r.mustStart(IgnoresTerm)
	r.waitOutput("ready")
	errs := make(chan error, 3)
	stop := func(o controller.StopOptions) { errs <- r.c.Stop(r.ctx(), o) }
	go stop(controller.StopOptions{Reason: controller.ReasonUser, Grace: time.Hour})
	r.rec.WaitState(1, controller.Stopping)
	if err := r.c.Send(r.ctx(), controller.Input{Bytes: []byte("x")}, controller.Order{}); !errors.Is(err, controller.ErrStopping) {
		r.Errorf("input while stopping: %v", err)
	}
	go stop(controller.StopOptions{Reason: controller.ReasonClose, Grace: time.Hour})
	go stop(controller.StopOptions{Reason: controller.ReasonClose, Now: true})
	for range 3 {
		if err := <-errs; err != nil {
			r.Error(err)
		}
	}
	if s := r.c.Status(); s.State != controller.Exited {
		r.Fatalf("after three stops: %+v", s)
	}
}

func closeTwice(r *rig) {
	r.mustStart(Waits)
	_ = r.c.Close()
	_ = r.c.Close()
	if s := r.c.Status(); s.State != controller.Exited {
		r.Fatalf("after close: %+v", s)
	}
	if err := r.start(Waits); !errors.Is(err, controller.ErrClosed) {
		r.Fatalf("start after close: %v", err)
	}
}
