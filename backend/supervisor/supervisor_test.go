package supervisor_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sirupsen/logrus"
	"go.uber.org/goleak"

	"drover/backend/controller"
	"drover/backend/controller/controllertest"
	"drover/backend/event"
	"drover/backend/proc"
	"drover/backend/supervisor"
	"drover/backend/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// disk is what outlives a run of the app: the model and the last statuses, with
// the order in which things reached it.
type disk struct {
	mu       sync.Mutex
	model    workspace.Model
	statuses map[string]supervisor.Saved
	log      []string
}

func newDisk() *disk {
	return &disk{model: workspace.New(), statuses: map[string]supervisor.Saved{}}
}

func (d *disk) note(format string, args ...any) { d.log = append(d.log, fmt.Sprintf(format, args...)) }

func (d *disk) Save(_ context.Context, m workspace.Model) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.model = m.Clone()
	return nil
}

func (d *disk) PutStatus(_ context.Context, s supervisor.Saved) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.statuses[s.Status.Block] = s
	d.note("%s %s", s.Status.Block, s.Status.State)
	return nil
}

func (d *disk) DropStatus(_ context.Context, block string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.statuses, block)
	d.note("%s dropped", block)
	return nil
}

func (d *disk) Statuses(context.Context) ([]supervisor.Saved, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []supervisor.Saved
	for _, s := range d.statuses {
		out = append(out, s)
	}
	return out, nil
}

func (d *disk) history() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.log)
}

// run is one run of an app on a disk.
type run struct {
	t        *testing.T
	disk     *disk
	fake     *controllertest.Fake
	driver   controller.Driver
	records  *supervisor.Records
	sup      *supervisor.Supervisor
	statuses *event.Subscription[controller.Status]
	closings *event.Subscription[supervisor.Closing]
	mu       sync.Mutex
	removed  []string
}

func begin(t *testing.T, d *disk, driver controller.Driver) *run {
	log := logrus.New()
	log.SetOutput(io.Discard)
	fake, _ := driver.(*controllertest.Fake)
	r := &run{t: t, disk: d, fake: fake, driver: driver}
	r.records = supervisor.NewRecords(d.model.Clone(), d.Save, func(err error) { t.Error(err) }, &event.Topic[uint64]{})
	r.sup = supervisor.New(supervisor.Options{
		Records:     r.records,
		Store:       d,
		Drivers:     map[workspace.Kind]controller.Driver{workspace.Shell: driver},
		Procs:       proc.NewScanner("DROVER_BLOCK_ID"),
		Log:         log,
		CloseOnExit: func() workspace.CloseOnExit { return workspace.CloseAuto },
		Removed: func(b string) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.removed = append(r.removed, b)
		},
		LeftRunning: func(workspace.Block, []proc.ID) {},
	})
	r.statuses, r.closings = r.sup.Statuses.Subscribe(), r.sup.Closings.Subscribe()
	t.Cleanup(func() { r.sup.Quit(context.Background()) })
	return r
}

// add adds a block to the first workspace; edit may change its record.
func (r *run) add(id string, edit func(*workspace.Block)) {
	r.t.Helper()
	b := workspace.Block{ID: id, Kind: workspace.Shell, Created: time.Unix(1, 0)}
	if edit != nil {
		edit(&b)
	}
	r.change(func(m *workspace.Model) error {
		if len(m.Workspaces) == 0 {
			if _, err := m.Create(workspace.Workspace{ID: "w", Name: "w"}); err != nil {
				return err
			}
		}
		return m.AddBlock(b, workspace.Place{Workspace: "w", Side: workspace.Right})
	})
}

func (r *run) change(f func(*workspace.Model) error) {
	r.t.Helper()
	if _, err := r.records.Change(r.t.Context(), f); err != nil {
		r.t.Fatal(err)
	}
}

func (r *run) ensure(id string, o supervisor.EnsureOptions) controller.Status {
	r.t.Helper()
	s, err := r.sup.Ensure(r.t.Context(), id, o)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

// restore restores, and returns when every block has been tried.
func (r *run) restore() {
	r.t.Helper()
	done, err := r.sup.Restore(context.Background())
	if err != nil {
		r.t.Error(err)
		return
	}
	<-done
}

func (r *run) waitStatus(what string, ok func(controller.Status) bool) controller.Status {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		s, err := r.statuses.Next(ctx)
		if err != nil {
			r.t.Fatalf("waited in vain for %s: %v", what, err)
		}
		if ok(s) {
			return s
		}
	}
}

func (r *run) waitClosing(state supervisor.CloseState) supervisor.Closing {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		c, err := r.closings.Next(ctx)
		if err != nil {
			r.t.Fatalf("waited in vain for a closing that is %s: %v", state, err)
		}
		if c.State == state {
			return c
		}
	}
}

func TestEnsure(t *testing.T) {
	r := begin(t, newDisk(), &controllertest.Fake{})
	r.add("a", nil)
	if s := r.ensure("a", supervisor.EnsureOptions{}); s.State != controller.Running || s.Instance != 1 {
		t.Fatalf("an idle one: %+v", s)
	}
	if s := r.ensure("a", supervisor.EnsureOptions{Revive: true}); s.Instance != 1 {
		t.Fatalf("one that runs: %+v", s)
	}
	if s := r.ensure("a", supervisor.EnsureOptions{Force: true}); s.State != controller.Running || s.Instance != 2 {
		t.Fatalf("by force: %+v", s)
	}
	if log := r.fake.Session(0).Log(); !strings.Contains(log, "terminate") {
		t.Errorf("the one that was replaced was not asked to end: %s", log)
	}
	r.fake.Session(1).End(1)
	r.waitStatus("the end", func(s controller.Status) bool { return s.State == controller.Exited && s.Instance == 2 })
	if s := r.ensure("a", supervisor.EnsureOptions{}); s.State != controller.Exited {
		t.Fatalf("one that has ended: %+v", s)
	}
	if s := r.ensure("a", supervisor.EnsureOptions{Revive: true}); s.Instance != 3 {
		t.Fatalf("to revive it: %+v", s)
	}
	if _, err := r.sup.Ensure(t.Context(), "nobody", supervisor.EnsureOptions{}); !errors.Is(err, supervisor.ErrUnknown) {
		t.Errorf("an unknown block: %v", err)
	}
	r.add("x", func(b *workspace.Block) { b.Kind = workspace.ACP })
	if _, err := r.sup.Ensure(t.Context(), "x", supervisor.EnsureOptions{}); err == nil || !strings.Contains(err.Error(), "does not run") {
		t.Errorf("a kind without a driver: %v", err)
	}
}

func TestVersionsRiseOverInstancesAndAreSavedBeforeTheyAreTold(t *testing.T) {
	r := begin(t, newDisk(), &controllertest.Fake{})
	r.add("a", nil)
	for range 3 {
		r.ensure("a", supervisor.EnsureOptions{Force: true})
	}
	last := uint64(0)
	for {
		s := r.waitStatus("a status", func(controller.Status) bool { return true })
		if s.Version <= last {
			t.Fatalf("version %d after %d", s.Version, last)
		}
		last = s.Version
		saved, _ := r.disk.Statuses(t.Context())
		if saved[0].Status.Version < s.Version {
			t.Fatalf("version %d was told, %d is on the disk", s.Version, saved[0].Status.Version)
		}
		if s.Instance == 3 && s.State == controller.Running {
			return
		}
	}
}

// hanging hangs in its start until it is given up, the first times.
type hanging struct {
	*controllertest.Fake
	only string // the block; "": any
	mu   sync.Mutex
	left int
}

func (h *hanging) Start(ctx context.Context, s controller.Spec) (controller.Session, error) {
	if h.only != "" && s.Block != h.only {
		return h.Fake.Start(ctx, s)
	}
	h.mu.Lock()
	h.left--
	hang := h.left >= 0
	h.mu.Unlock()
	if hang {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return h.Fake.Start(ctx, s)
}

func TestBlocksDoNotWaitForEachOther(t *testing.T) {
	// By name: b's start may come first, "starting" is told before a's is called.
	h := &hanging{Fake: &controllertest.Fake{}, only: "a", left: 1}
	r := begin(t, newDisk(), h)
	r.add("a", nil)
	r.add("b", nil)
	r.sup.Begin("a", supervisor.EnsureOptions{})
	r.waitStatus("a starts", func(s controller.Status) bool { return s.Block == "a" && s.State == controller.Starting })
	if s := r.ensure("b", supervisor.EnsureOptions{}); s.State != controller.Running {
		t.Fatalf("b: %+v", s)
	}
}

// Stop gives up what starts the block, and what waits to.
func TestStopGivesUpStarts(t *testing.T) {
	h := &hanging{Fake: &controllertest.Fake{}, left: 1}
	r := begin(t, newDisk(), h)
	r.add("a", nil)
	ensure := func(errs chan<- error) {
		_, err := r.sup.Ensure(t.Context(), "a", supervisor.EnsureOptions{Force: true})
		errs <- err
	}
	first, second := make(chan error, 1), make(chan error, 1)
	go ensure(first)
	r.waitStatus("the start", func(s controller.Status) bool { return s.State == controller.Starting })
	go ensure(second)
	if err := r.sup.Stop(t.Context(), "a", controller.StopOptions{Reason: controller.ReasonUser}); err != nil {
		t.Fatal(err)
	}
	if err := <-first; err == nil {
		t.Error("a start that was stopped says that it succeeded")
	}
	// The second one either waited, and was given up, or came after the stop.
	if err := <-second; err != nil && !errors.Is(err, supervisor.ErrGivenUp) && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestCloseHidesAtOnceAndUndoBringsBack(t *testing.T) {
	r := begin(t, newDisk(), &controllertest.Fake{})
	r.add("a", nil)
	r.add("b", nil)
	r.ensure("a", supervisor.EnsureOptions{})
	before := r.records.Model()
	c, err := r.sup.Close(t.Context(), []string{"a"}, "", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, there := r.records.Block("a"); there || c.State != supervisor.Undoable || time.Until(c.UndoUntil) <= 0 {
		t.Fatalf("after close: %+v", c)
	}
	ctl := r.sup.Controller("a")
	if err := ctl.Send(t.Context(), controller.Input{Bytes: []byte("x")}, controller.Order{}); !errors.Is(err, controller.ErrClosing) {
		t.Errorf("input while closing: %v", err)
	}
	if _, err := r.sup.Ensure(t.Context(), "a", supervisor.EnsureOptions{Force: true}); !errors.Is(err, supervisor.ErrClosing) {
		t.Errorf("ensure while closing: %v", err)
	}
	if c, err = r.sup.Undo(c.ID); err != nil || c.State != supervisor.Undone {
		t.Fatalf("undo: %+v, %v", c, err)
	}
	after := r.records.Model()
	if fmt.Sprint(after.Workspaces[0].Layout.Root.Children) == "" || len(after.Blocks) != len(before.Blocks) {
		t.Errorf("the layout after undo is %+v", after)
	}
	if err := ctl.Send(t.Context(), controller.Input{Bytes: []byte("x")}, controller.Order{}); err != nil {
		t.Errorf("input after undo: %v", err)
	}
	if got := r.fake.Session(0).Got(); got != "x" || ctl.Status().Instance != 1 {
		t.Errorf("the session was touched: %q %+v", got, ctl.Status())
	}
	if _, err := r.sup.Undo(c.ID); err == nil {
		t.Error("a second undo")
	}
}

// A second close does not wait for the time of the undo; several blocks end
// together under one deadline.
func TestSecondCloseIsNow(t *testing.T) {
	r := begin(t, newDisk(), &controllertest.Fake{IgnoreTerm: true})
	ids := []string{"a", "b", "c"}
	for _, id := range ids {
		r.add(id, nil)
		r.ensure(id, supervisor.EnsureOptions{})
	}
	if _, err := r.sup.Close(t.Context(), ids, "", false); err != nil {
		t.Fatal(err)
	}
	if _, err := r.sup.Close(t.Context(), []string{"b"}, "", false); err != nil {
		t.Fatal(err)
	}
	c := r.waitClosing(supervisor.Closed)
	if c.Result != "stopped 0, forced 3, survived 0" {
		t.Errorf("result: %s", c.Result)
	}
}

func TestUndoTimeEndsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := begin(t, newDisk(), &controllertest.Fake{})
		r.add("a", nil)
		r.ensure("a", supervisor.EnsureOptions{})
		if _, err := r.sup.Close(t.Context(), []string{"a"}, "", false); err != nil {
			t.Fatal(err)
		}
		time.Sleep(supervisor.UndoTime - time.Millisecond) // virtual
		synctest.Wait()
		if s := r.sup.Controller("a").Status(); s.State != controller.Running || !s.Closing {
			t.Errorf("within the time of the undo: %+v", s)
		}
		r.waitClosing(supervisor.Closed)
		r.sup.Quit(context.Background())
	})
}

// A close while the start hangs gives the start up.
func TestCloseWhileItStarts(t *testing.T) {
	h := &hanging{Fake: &controllertest.Fake{}, left: 1}
	r := begin(t, newDisk(), h)
	r.add("a", nil)
	errs := make(chan error, 1)
	go func() {
		_, err := r.sup.Ensure(t.Context(), "a", supervisor.EnsureOptions{})
		errs <- err
	}()
	r.waitStatus("the start", func(s controller.Status) bool { return s.State == controller.Starting })
	if _, err := r.sup.Close(t.Context(), []string{"a"}, "", true); err != nil {
		t.Fatal(err)
	}
	if err := <-errs; err == nil {
		t.Error("the start says that it succeeded")
	}
	r.waitClosing(supervisor.Closed)
	if r.sup.Controller("a") != nil {
		t.Error("the block is still there")
	}
}

func TestCloseRefusesWhatItDoesNotKnow(t *testing.T) {
	r := begin(t, newDisk(), &controllertest.Fake{})
	r.add("a", nil)
	r.add("b", nil)
	if _, err := r.sup.Close(t.Context(), []string{"nobody"}, "", true); !errors.Is(err, workspace.ErrUnknown) {
		t.Error(err)
	}
	if _, err := r.sup.Close(t.Context(), []string{"a"}, "w", true); err == nil || !strings.Contains(err.Error(), "block b is not named") {
		t.Error(err)
	}
	if len(r.records.Model().Blocks) != 2 {
		t.Error("a refused close changed the model")
	}
}

func TestWorkspaceGoesAndComesBackWithItsBlocks(t *testing.T) {
	r := begin(t, newDisk(), &controllertest.Fake{})
	r.add("a", nil)
	r.change(func(m *workspace.Model) error {
		_, err := m.Create(workspace.Workspace{ID: "second", Name: "second"})
		return err
	})
	r.ensure("a", supervisor.EnsureOptions{})
	c, err := r.sup.Close(t.Context(), []string{"a"}, "w", false)
	if err != nil {
		t.Fatal(err)
	}
	if m := r.records.Model(); len(m.Workspaces) != 1 {
		t.Fatalf("%d workspaces", len(m.Workspaces))
	}
	if _, err := r.sup.Undo(c.ID); err != nil {
		t.Fatal(err)
	}
	m := r.records.Model()
	if len(m.Workspaces) != 2 || m.Workspaces[0].ID != "w" || !slices.Equal(m.BlocksOf("w"), []string{"a"}) {
		t.Errorf("after undo: %+v", m)
	}
}

// Which panes go with their program: an interactive shell that ended with 0, in
// whatever place it lies; by the block's own rule else.
func TestCloseOnExit(t *testing.T) {
	command := func(rule workspace.CloseOnExit) func(*workspace.Block) {
		return func(b *workspace.Block) { b.Command, b.CloseOnExit = []string{"make"}, rule }
	}
	rule := func(r workspace.CloseOnExit) func(*workspace.Block) {
		return func(b *workspace.Block) { b.CloseOnExit = r }
	}
	for _, c := range []struct {
		name   string
		edit   func(*workspace.Block)
		code   int
		closes bool
	}{
		{"a shell that ended with 0", nil, 0, true},
		{"a shell that ended with 1", nil, 1, false},
		{"a command that ended with 0", command(workspace.CloseAuto), 0, false},
		{"a command that always goes", command(workspace.CloseAlways), 1, true},
		{"a shell that never goes", rule(workspace.CloseNever), 0, false},
	} {
		for _, place := range []workspace.Side{workspace.Center, workspace.Right, workspace.Above} {
			t.Run(c.name+" "+string(place), func(t *testing.T) {
				r := begin(t, newDisk(), &controllertest.Fake{})
				r.add("other", nil)
				r.add("a", c.edit)
				r.change(func(m *workspace.Model) error {
					return m.MoveBlock("a", workspace.Place{Workspace: "w", Side: place, Index: -1})
				})
				r.ensure("a", supervisor.EnsureOptions{})
				r.fake.Session(0).End(c.code)
				if c.closes {
					r.waitClosing(supervisor.Closed)
				} else {
					r.waitStatus("the end", func(s controller.Status) bool { return s.State == controller.Exited })
					r.sup.Quit(t.Context()) // whatever was under way is over then
				}
				if _, there := r.records.Block("a"); there == c.closes {
					t.Errorf("still there: %v", there)
				}
			})
		}
	}
}
