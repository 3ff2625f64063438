package controller_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"drover/backend/controller"
	"drover/backend/controller/controllertest"
	"drover/backend/turn"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type fakeHarness struct {
	mu    sync.Mutex
	fakes []*controllertest.Fake
}

func (h *fakeHarness) Spec(p controllertest.Program, _ string) (controller.Spec, bool) {
	// A fake has no program that writes to a terminal.
	return controller.Spec{Kind: "fake"}, p != controllertest.Speaks && p != controllertest.Echoes
}

func (h *fakeHarness) Driver(p controllertest.Program) controller.Driver {
	f := &controllertest.Fake{EmitAfterExit: true}
	switch p {
	case controllertest.Exits3:
		f.DieAtOnce, f.Code = true, 3
	case controllertest.IgnoresTerm:
		f.IgnoreTerm = true
	case controllertest.CannotStart:
		f.Fail = controllertest.ErrFake
	case controllertest.HangsInStart:
		f.HangInStart = true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fakes = append(h.fakes, f)
	return f
}

func (h *fakeHarness) Output(string) string { return "ready" }

func TestConformance(t *testing.T) {
	controllertest.Run(t, func(*testing.T) controllertest.Harness { return &fakeHarness{} })
}

func start(t *testing.T, c *controller.Controller, f *controllertest.Fake) {
	t.Helper()
	if err := c.Start(t.Context(), f, controller.Spec{Kind: "fake"}); err != nil {
		t.Fatal(err)
	}
}

func TestLateOutputOfAnEndedInstanceChangesNothing(t *testing.T) {
	c, rec := controllertest.Record(t, "b")
	f := &controllertest.Fake{}
	start(t, c, f)
	f.Session(0).Spec().Emit(turn.Text{Text: "in time"})
	f.Session(0).End(0)
	rec.WaitState(1, controller.Exited)
	f.Session(0).Spec().Emit(turn.Text{Text: "late"})
	f.Session(0).Spec().Report(controller.Report{PID: 99, Message: "late"})
	start(t, c, f)
	f.Session(0).Spec().Emit(turn.Text{Text: "from the first"})
	f.Session(0).Spec().Report(controller.Report{PID: 99, Message: "from the first"})
	f.Session(1).Spec().Emit(turn.Text{Text: "from the second"})
	// Reports are handled in order: once this one shows, all before it were.
	f.Session(1).Spec().Report(controller.Report{Message: "barrier"})
	rec.Wait("barrier", func(s controller.Status) bool { return s.Message == "barrier" })
	if got := fmt.Sprint(rec.Events()); got != "[{ in time false} { from the second false}]" {
		t.Errorf("events are %s", got)
	}
	for _, s := range rec.Statuses() {
		if s.PID == 99 || s.Message == "late" || s.Message == "from the first" {
			t.Errorf("a late report changed the status: %+v", s)
		}
	}
}

func TestRestartAfterSelfExitKeepsNothingOfTheOldInstance(t *testing.T) {
	c, rec := controllertest.Record(t, "b")
	f := &controllertest.Fake{Code: 7}
	start(t, c, f)
	f.Session(0).End(7)
	rec.WaitState(1, controller.Exited)
	start(t, c, f)
	s := c.Status()
	if s.Exit.Known || s.Exit.Code != 0 || s.PID == controllertest.FirstPID || !s.Ended.IsZero() {
		t.Errorf("the second instance remembers the first: %+v", s)
	}
	if !s.Can.Input || !s.Can.Interrupt {
		t.Errorf("capabilities are %+v", s.Can)
	}
}

// The version goes on over restarts of the app too, and an end that nobody saw
// is not known rather than a success.
func TestLastStatusOfAnEarlierRun(t *testing.T) {
	var got []controller.Status
	last := controller.Status{Version: 41, Instance: 3, State: controller.Running, PID: 7, Kind: "shell"}
	c := controller.New(controller.Options{Block: "b", Last: &last, OnStatus: func(s controller.Status) { got = append(got, s) }})
	if s := c.Status(); s.State != controller.Exited || s.Exit.Known || s.PID != 0 || s.Message == "" {
		t.Errorf("restored as %+v", s)
	}
	start(t, c, &controllertest.Fake{})
	_ = c.Close()
	if len(got) == 0 || got[0].Version <= 41 || got[0].Instance != 4 {
		t.Errorf("went on with %+v", got)
	}
}

func TestTypedAheadIsHeldUntilItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, rec := controllertest.Record(t, "b")
		release := make(chan struct{})
		d := gated{release: release, fake: &controllertest.Fake{}}
		go func() { _ = c.Start(t.Context(), d, controller.Spec{}) }()
		rec.WaitState(1, controller.Starting)
		var answered atomic.Int32
		for _, s := range []string{"l", "s", "\r"} {
			c.Post(controller.Input{Bytes: []byte(s)}, controller.Order{}, func(err error) {
				if err != nil {
					t.Error(err)
				}
				answered.Add(1)
			})
		}
		synctest.Wait()
		if n := answered.Load(); n != 0 {
			t.Errorf("%d inputs were answered before it ran", n)
		}
		close(release)
		synctest.Wait()
		if got := d.fake.Session(0).Got(); got != "ls\r" || answered.Load() != 3 {
			t.Errorf("it got %q, %d answered", got, answered.Load())
		}
		_ = c.Close()
	})
}

func TestTypedAheadIsRefusedWhenTheStartFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, rec := controllertest.Record(t, "b")
		release := make(chan struct{})
		d := gated{release: release, fake: &controllertest.Fake{Fail: controllertest.ErrFake}}
		go func() { _ = c.Start(t.Context(), d, controller.Spec{}) }()
		rec.WaitState(1, controller.Starting)
		var err error
		c.Post(controller.Input{Bytes: []byte("x")}, controller.Order{}, func(e error) { err = e })
		big := make(chan error, 1)
		c.Post(controller.Input{Bytes: make([]byte, 65<<10)}, controller.Order{}, func(e error) { big <- e })
		if e := <-big; !errors.Is(e, controller.ErrFull) {
			t.Errorf("more than can be held: %v", e)
		}
		close(release)
		synctest.Wait()
		if !errors.Is(err, controllertest.ErrFake) {
			t.Errorf("held input heard %v", err)
		}
		_ = c.Close()
	})
}

// gated is a fake whose start waits for release.
type gated struct {
	release <-chan struct{}
	fake    *controllertest.Fake
}

func (g gated) Start(ctx context.Context, s controller.Spec) (controller.Session, error) {
	<-g.release
	return g.fake.Start(ctx, s)
}

// A driver that does not listen to its context holds its block, not the others,
// and what it starts after all is ended.
func TestDriverThatIgnoresTheEndOfItsStart(t *testing.T) {
	c, rec := controllertest.Record(t, "b")
	release := make(chan struct{})
	d := gated{release: release, fake: &controllertest.Fake{}}
	result := make(chan error, 1)
	go func() { result <- c.Start(t.Context(), d, controller.Spec{}) }()
	rec.WaitState(1, controller.Starting)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Stop(ctx, controller.StopOptions{Now: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("stop says %v", err)
	}
	rec.WaitState(1, controller.Killing)
	close(release)
	rec.WaitState(1, controller.Exited)
	if err := <-result; !errors.Is(err, controller.ErrStopping) {
		t.Errorf("the start says %v", err)
	}
	if log := d.fake.Session(0).Log(); log != "[kill] [] []" {
		t.Errorf("the session that came too late: %s", log)
	}
}

func TestInputAppliesBytesThenSizeThenSignal(t *testing.T) {
	c, _ := controllertest.Record(t, "b")
	f := &controllertest.Fake{}
	start(t, c, f)
	in := controller.Input{Bytes: []byte("x"), Size: &controller.Size{Cols: 9, Rows: 3}, Signal: "INT"}
	if err := c.Send(t.Context(), in, controller.Order{}); err != nil {
		t.Fatal(err)
	}
	if s := f.Session(0); s.Got() != "x" || s.Log() != "[] [{9 3 0 0}] [INT]" {
		t.Errorf("got %q, %s", s.Got(), s.Log())
	}
}

func TestOrder(t *testing.T) {
	type send struct {
		client, seq uint64
		text        string
		strict      bool
		err         error
	}
	for _, c := range []struct {
		name  string
		sends []send
		want  string
	}{
		{"in order", []send{{1, 0, "a", true, nil}, {1, 1, "b", true, nil}}, "ab"},
		{"a duplicate is dropped", []send{{1, 0, "a", true, nil}, {1, 1, "b", true, nil}, {1, 1, "b", true, nil}}, "ab"},
		{"0 starts anew", []send{{1, 0, "a", true, nil}, {1, 1, "b", true, nil}, {1, 0, "c", true, nil}, {1, 1, "d", true, nil}}, "abcd"},
		{"only 0 starts anew", []send{{1, 5, "a", true, nil}, {1, 6, "b", true, nil}, {1, 1, "c", true, nil}}, "ab"},
		{"the first of an unknown client sets the count", []send{{1, 17, "a", true, nil}, {1, 18, "b", true, nil}}, "ab"},
		{"clients do not meet", []send{{1, 0, "a", true, nil}, {2, 0, "b", true, nil}, {1, 1, "c", true, nil}, {2, 1, "d", true, nil}}, "abcd"},
		{"a gap is refused where none can be", []send{{1, 0, "a", true, nil}, {1, 2, "c", true, controller.ErrGap}}, "a"},
		{"no order, no gate", []send{{0, 0, "a", false, nil}, {0, 0, "a", false, nil}}, "aa"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctl, _ := controllertest.Record(t, "b")
			f := &controllertest.Fake{}
			start(t, ctl, f)
			for _, s := range c.sends {
				taken := false
				in := controller.Input{Bytes: []byte(s.text), Taken: func() { taken = true }}
				err := ctl.Send(t.Context(), in, controller.Order{Client: s.client, Seq: s.seq, Strict: s.strict})
				if !errors.Is(err, s.err) {
					t.Errorf("%q: %v, want %v", s.text, err, s.err)
				}
				if err == nil && !taken {
					t.Errorf("%q: its credit did not come back", s.text)
				}
			}
			if got := f.Session(0).Got(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A gap that nothing fills is skipped after half a second, and what comes for
// it afterwards is refused by number.
func TestGapIsSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := controllertest.Record(t, "b")
		f := &controllertest.Fake{}
		start(t, c, f)
		send := func(seq uint64, text string) chan error {
			reply := make(chan error, 1)
			c.Post(controller.Input{Bytes: []byte(text)}, controller.Order{Client: 1, Seq: seq}, func(err error) { reply <- err })
			return reply
		}
		first, third, fourth := send(1, "a"), send(3, "c"), send(4, "d")
		if err := <-first; err != nil {
			t.Fatal(err)
		}
		time.Sleep(499 * time.Millisecond) // virtual
		synctest.Wait()
		if got := f.Session(0).Got(); got != "a" {
			t.Errorf("before the patience ends: %q", got)
		}
		time.Sleep(2 * time.Millisecond)
		if err := errors.Join(<-third, <-fourth); err != nil {
			t.Error(err)
		}
		if got := f.Session(0).Got(); got != "acd" {
			t.Errorf("after it: %q", got)
		}
		if err := <-send(2, "b"); !errors.Is(err, controller.ErrSkipped) {
			t.Errorf("the one that was skipped: %v", err)
		}
		_ = c.Close()
	})
}

func TestTooManyWaitForAGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := controllertest.Record(t, "b")
		f := &controllertest.Fake{}
		start(t, c, f)
		post := func(seq uint64) chan error {
			reply := make(chan error, 1)
			c.Post(controller.Input{Bytes: []byte("x")}, controller.Order{Client: 1, Seq: seq}, func(err error) { reply <- err })
			return reply
		}
		<-post(1)
		for seq := uint64(3); seq < 3+256; seq++ {
			post(seq)
		}
		if err := <-post(3 + 256); !errors.Is(err, controller.ErrFull) {
			t.Errorf("one more: %v", err)
		}
		_ = c.Close()
	})
}

// Any mix of calls: no forbidden move (step panics), every request is answered
// once, versions rise (the recorder checks), and in the end nothing lives.
func TestRandomLife(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, _ := controllertest.Record(t, "b")
		f := &controllertest.Fake{EmitAfterExit: true}
		var wg sync.WaitGroup
		var asked, answered atomic.Int64
		do := func(call func()) {
			wg.Add(1)
			asked.Add(1)
			go func() {
				defer wg.Done()
				call()
				answered.Add(1)
			}()
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			switch rapid.IntRange(0, 6).Draw(rt, "call") {
			case 0:
				hang := rapid.Bool().Draw(rt, "hang")
				dies := rapid.Bool().Draw(rt, "dies")
				d := &controllertest.Fake{HangInStart: hang, DieAtOnce: dies, EmitAfterExit: true}
				do(func() { _ = c.Start(ctx, d, controller.Spec{}) })
			case 1:
				do(func() { _ = c.Start(ctx, f, controller.Spec{}) })
			case 2:
				now := rapid.Bool().Draw(rt, "now")
				do(func() { _ = c.Stop(ctx, controller.StopOptions{Now: now}) })
			case 3, 4:
				seq := rapid.Uint64Range(0, 5).Draw(rt, "seq")
				do(func() {
					done := make(chan error, 1)
					c.Post(controller.Input{Bytes: []byte("x")}, controller.Order{Client: 1, Seq: seq}, func(err error) { done <- err })
					<-done
				})
			case 5:
				closed := rapid.Bool().Draw(rt, "closed")
				do(func() { c.Gate(closed) })
			case 6:
				do(func() { _ = c.Status() })
			}
		}
		_ = c.Close()
		cancel()
		wg.Wait()
		if asked.Load() != answered.Load() {
			rt.Fatalf("%d calls, %d answers", asked.Load(), answered.Load())
		}
		if s := c.Status(); s.State.Live() {
			rt.Fatalf("after close: %+v", s)
		}
	})
}
