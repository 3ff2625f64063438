package supervisor_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sirupsen/logrus"

	"drover/backend/controller"
	"drover/backend/controller/controllertest"
	"drover/backend/event"
	"drover/backend/proc"
	"drover/backend/supervisor"
	"drover/backend/workspace"
)

// counting counts the sessions that were started.
type counting struct {
	controllertest.Fake
	mu sync.Mutex
	n  int
}

func (c *counting) Start(ctx context.Context, s controller.Spec) (controller.Session, error) {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
	return c.Fake.Start(ctx, s)
}

func (c *counting) started() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// hooked is a disk that calls out when a status reaches it, before it is kept.
type hooked struct {
	*disk
	put func(controller.Status)
}

func (h hooked) PutStatus(ctx context.Context, s supervisor.Saved) error {
	h.put(s.Status)
	return h.disk.PutStatus(ctx, s)
}

// beginHooked is begin, with something that hears of each status on its way to the
// disk, of each block that is gone, and of each question whether a pane closes.
func beginHooked(t *testing.T, d *disk, driver controller.Driver, put func(*run, controller.Status), removed func(*run, string)) *run {
	log := logrus.New()
	log.SetOutput(io.Discard)
	r := &run{t: t, disk: d, driver: driver}
	r.records = supervisor.NewRecords(d.model.Clone(), d.Save, func(err error) { t.Error(err) }, &event.Topic[uint64]{})
	r.sup = supervisor.New(supervisor.Options{
		Records: r.records,
		Store:   hooked{d, func(s controller.Status) { put(r, s) }},
		Drivers: map[workspace.Kind]controller.Driver{workspace.Shell: driver},
		Procs:   proc.NewScanner("DROVER_BLOCK_ID"),
		Log:     log,
		CloseOnExit: func() workspace.CloseOnExit {
			r.sup.List()
			return workspace.CloseAuto
		},
		Removed:     func(b string) { removed(r, b) },
		LeftRunning: func(workspace.Block, []proc.ID) {},
	})
	r.statuses, r.closings = r.sup.Statuses.Subscribe(), r.sup.Closings.Subscribe()
	t.Cleanup(func() { r.sup.Quit(context.Background()) })
	return r
}

// The close of a pane whose shell has ended is decided by the instance that ended:
// here its end is on its way while the block is started again, and the pane stays.
func TestAnEndOnItsWayDoesNotCloseTheNextInstance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		arrived, goOn := make(chan struct{}), make(chan struct{})
		driver := &counting{}
		r := beginHooked(t, newDisk(), driver, func(_ *run, s controller.Status) {
			if s.Block == "a" && s.Instance == 1 && s.State == controller.Exited {
				close(arrived)
				<-goOn
			}
		}, func(*run, string) {})
		r.add("a", nil)
		r.ensure("a", supervisor.EnsureOptions{})
		driver.Session(0).End(0) // such an end closes the pane
		<-arrived
		if s := r.ensure("a", supervisor.EnsureOptions{Revive: true}); s.Instance != 2 || s.State != controller.Running {
			t.Fatalf("revived: %+v", s)
		}
		close(goOn)
		synctest.Wait() // whatever the old end brings about has happened
		if _, there := r.records.Block("a"); !there {
			t.Error("the pane was closed by the end of the instance before")
		}
		if log := driver.Session(1).Log(); log != "[] [] []" {
			t.Errorf("the second session was touched: %s", log)
		}
		r.sup.Quit(context.Background())
	})
}

// Between the end of a closed block's program and its last trace, nothing that
// brings blocks back starts it again: neither a page that asks for it nor another
// restore.
func TestNothingRespawnsBetweenStopAndDelete(t *testing.T) {
	d, driver := newDisk(), &counting{}
	var asked sync.WaitGroup
	try := func(r *run, when string) {
		asked.Go(func() {
			_, err := r.sup.Ensure(context.Background(), "a", supervisor.EnsureOptions{Force: true, Revive: true})
			if !errors.Is(err, supervisor.ErrClosing) && !errors.Is(err, supervisor.ErrUnknown) && !errors.Is(err, supervisor.ErrQuit) {
				t.Errorf("ensure %s: %v", when, err)
			}
			r.restore()
		})
		asked.Wait()
	}
	var mu sync.Mutex
	removed := 0
	r := beginHooked(t, d, driver, func(r *run, s controller.Status) {
		if s.Reason == controller.ReasonClose {
			try(r, "when it is "+string(s.State))
		}
	}, func(r *run, _ string) {
		mu.Lock()
		defer mu.Unlock()
		removed++
	})
	r.add("a", nil)
	r.ensure("a", supervisor.EnsureOptions{})
	r.waitStatus("it is on the disk that it runs", func(s controller.Status) bool { return s.State == controller.Running })
	c, err := r.sup.Close(t.Context(), []string{"a"}, "", false)
	if err != nil {
		t.Fatal(err)
	}
	try(r, "while it can be undone")
	if s := r.sup.Controller("a").Status(); s.State != controller.Running || s.Instance != 1 {
		t.Errorf("a close that can be undone was carried out: %+v", s)
	}
	mu.Lock()
	if removed != 0 {
		t.Error("what belongs to the block was removed while it runs")
	}
	mu.Unlock()
	if c, err = r.sup.CloseNow(c.ID); err != nil || c.State != supervisor.Closed {
		t.Fatalf("%+v, %v", c, err)
	}
	try(r, "when it is gone")
	r.sup.Quit(t.Context())
	if n := driver.started(); n != 1 {
		t.Errorf("it was started %d times", n)
	}
	if left, _ := d.Statuses(t.Context()); len(left) != 0 {
		t.Errorf("left on the disk: %+v", left)
	}
}

// Nothing of a closed block is forgotten before its program has stopped: neither
// its status on the disk nor what else belongs to it.
func TestNothingIsForgottenBeforeTheProgramHasStopped(t *testing.T) {
	d, driver := newDisk(), &counting{}
	r := beginHooked(t, d, driver, func(*run, controller.Status) {}, func(*run, string) {
		select {
		case <-driver.Session(0).Done():
		default:
			t.Error("what belongs to the block is removed while its program runs")
		}
	})
	r.add("a", nil)
	r.ensure("a", supervisor.EnsureOptions{})
	if _, err := r.sup.Close(t.Context(), []string{"a"}, "", true); err != nil {
		t.Fatal(err)
	}
	r.waitClosing(supervisor.Closed)
	r.sup.Quit(t.Context())
	log := d.history()
	if exited, dropped := slices.Index(log, "a exited"), slices.Index(log, "a dropped"); exited < 0 || dropped < exited {
		t.Errorf("the disk saw %q", log)
	}
}

// Everything that the supervisor tells anybody, it tells without a lock: whoever
// is told may ask it for anything, on the real bus, and nothing hangs.
func TestWhoIsToldMayCallBack(t *testing.T) {
	ask := func(r *run) {
		r.sup.List()
		r.records.Model()
		if c := r.sup.Controller("b"); c != nil {
			c.Status()
		}
	}
	r := beginHooked(t, newDisk(), &counting{},
		func(r *run, _ controller.Status) { ask(r) },
		func(r *run, _ string) {
			ask(r)
			if _, err := r.sup.Ensure(context.Background(), "b", supervisor.EnsureOptions{Revive: true}); err != nil && !errors.Is(err, supervisor.ErrQuit) {
				t.Error(err)
			}
		})
	for _, id := range []string{"a", "b", "c"} {
		r.add(id, nil)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		var listeners sync.WaitGroup
		statuses, closings := r.sup.Statuses.Subscribe(), r.sup.Closings.Subscribe()
		listeners.Go(func() {
			for {
				s, err := statuses.Next(context.Background())
				if err != nil {
					return
				}
				ask(r)
				// Each status steers its own block, and another one.
				if s.Block == "a" && s.State == controller.Running && s.Instance < 3 {
					_, _ = r.sup.Ensure(context.Background(), "a", supervisor.EnsureOptions{Force: true})
					_ = r.sup.SetIdentity("a", controller.Identity{Name: "named"})
					_ = r.sup.Stop(context.Background(), "c", controller.StopOptions{Now: true})
				}
			}
		})
		listeners.Go(func() {
			for {
				c, err := closings.Next(context.Background())
				if err != nil {
					return
				}
				ask(r)
				if c.State == supervisor.Undoable {
					_, _ = r.sup.CloseNow(c.ID)
				}
			}
		})
		for _, id := range []string{"c", "b", "a"} { // a last: its statuses stop c
			r.ensure(id, supervisor.EnsureOptions{})
		}
		r.waitStatus("the third instance", func(s controller.Status) bool {
			return s.Block == "a" && s.Instance == 3 && s.State == controller.Running
		})
		if _, err := r.sup.Close(context.Background(), []string{"a"}, "", false); err != nil {
			t.Error(err)
		}
		r.waitClosing(supervisor.Closed)
		r.sup.Quit(context.Background())
		listeners.Wait()
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		panic("it hangs: somebody was called under a lock") // shows all goroutines; Quit would hang as well
	}
}

// A block whose old program takes its time to end holds its own operation and
// nobody else's: the others, and every question, are answered meanwhile.
func TestAReplaceThatWaitsHoldsNobodyElse(t *testing.T) {
	r := begin(t, newDisk(), &controllertest.Fake{IgnoreTerm: true})
	r.add("a", nil)
	r.add("b", nil)
	r.ensure("a", supervisor.EnsureOptions{})
	replaced := make(chan error, 1)
	go func() {
		_, err := r.sup.Ensure(context.Background(), "a", supervisor.EnsureOptions{Force: true})
		replaced <- err
	}()
	r.waitStatus("the old one is asked", func(s controller.Status) bool { return s.Block == "a" && s.State == controller.Stopping })
	r.ensure("b", supervisor.EnsureOptions{})
	r.sup.List()
	if s := r.sup.Controller("a").Status(); s.Instance != 1 || s.State != controller.Stopping {
		t.Errorf("the others were answered only when the replace was over: %+v", s)
	}
	// Its program goes by itself, and the replace goes on.
	r.fake.Session(0).End(0)
	if err := <-replaced; err != nil {
		t.Error(err)
	}
	for n := 1; n <= 2; n++ {
		r.fake.Session(n).End(1) // or the quit would wait for what ignores it
	}
}
