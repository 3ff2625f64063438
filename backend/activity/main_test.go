package activity_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
	"go.uber.org/goleak"

	"drover/backend/activity"
	"drover/backend/controller"
	"drover/backend/workspace"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func quiet() logrus.FieldLogger {
	l := logrus.New()
	l.SetOutput(io.Discard)
	return l
}

// app is what surrounds a Service: a model, statuses, a store that outlives it.
type app struct {
	mu       sync.Mutex
	model    workspace.Model
	statuses map[string]controller.Status
	kept     []activity.Ended
	refuse   error
	seqs     []uint64
	folders  []map[string]string
}

// newApp has one workspace, "Work", and these blocks in it.
func newApp(t testing.TB, blocks ...workspace.Block) *app {
	t.Helper()
	a := &app{model: workspace.New(), statuses: map[string]controller.Status{}}
	w, err := a.model.Create(workspace.Workspace{ID: "w1", Name: "Work"})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		b.Kind = workspace.Shell
		if err := a.model.AddBlock(b, workspace.Place{Workspace: w.ID, Index: -1}); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

func (a *app) options() activity.Options {
	return activity.Options{
		Models:   func() workspace.Model { a.mu.Lock(); defer a.mu.Unlock(); return a.model.Clone() },
		Statuses: a.all,
		Store:    a,
		Changed:  func(seq uint64) { a.mu.Lock(); defer a.mu.Unlock(); a.seqs = append(a.seqs, seq) },
		Folders: func(d map[string]string) {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.folders = append(a.folders, d)
		},
		Log: quiet(),
	}
}

func (a *app) all() []controller.Status {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []controller.Status
	for _, st := range a.statuses {
		out = append(out, st)
	}
	return out
}

func (a *app) set(st controller.Status) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.statuses[st.Block] = st
}

func (a *app) told() []uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.seqs)
}

// remove takes a block out of the model, as a close does.
func (a *app) remove(t testing.TB, block string) workspace.Removal {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	r, err := a.model.RemoveBlocks([]string{block})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// AddEnded, DropEnded and Ended are the store.
func (a *app) AddEnded(_ context.Context, rows ...activity.Ended) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.refuse != nil {
		return a.refuse
	}
	for _, r := range rows {
		r.Process = "" // the store need not have it
		if i := slices.IndexFunc(a.kept, func(k activity.Ended) bool { return k.ID == r.ID }); i >= 0 {
			a.kept[i] = r
		} else {
			a.kept = append(a.kept, r)
		}
	}
	return nil
}

func (a *app) DropEnded(_ context.Context, ids ...string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.kept = slices.DeleteFunc(a.kept, func(k activity.Ended) bool { return slices.Contains(ids, k.ID) })
	return a.refuse
}

func (a *app) Ended(context.Context) ([]activity.Ended, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.kept), nil
}

func (a *app) stored() []activity.Ended {
	rows, _ := a.Ended(context.Background())
	return rows
}

// eventually waits for a condition of the real world.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	limit := time.After(30 * time.Second)
	for !ok() {
		select {
		case <-again.C:
		case <-limit:
			t.Fatalf("never: %s", what)
		}
	}
}

// key is the variable that names a process's block, of this run alone.
var key = fmt.Sprint("DROVER_ACTIVITY_TEST_", os.Getpid())
