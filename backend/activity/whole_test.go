//go:build linux

package activity_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drover/backend/activity"
	"drover/backend/controller"
	"drover/backend/driver/shell"
	"drover/backend/event"
	"drover/backend/proc"
	"drover/backend/supervisor"
	"drover/backend/terminal"
	"drover/backend/termlog"
	"drover/backend/workspace"
)

// statuses is the supervisor's store, which this test does not look at.
type statuses struct{}

func (statuses) PutStatus(context.Context, supervisor.Saved) error    { return nil }
func (statuses) DropStatus(context.Context, string) error             { return nil }
func (statuses) Statuses(context.Context) ([]supervisor.Saved, error) { return nil, nil }
func (statuses) save(context.Context, workspace.Model) error          { return nil }

// The life of a block as the app runs it: supervisor, controller, driver,
// terminal and activity together.
func TestTheLifeOfABlock(t *testing.T) {
	// Of its own, since what an earlier run may have left is found by it.
	block := workspace.NewID()
	defer func() {
		if _, err := proc.NewScanner(key).End(context.Background(), proc.ID{}, proc.TreeOptions{Block: block}); err != nil {
			t.Error(err)
		}
	}()
	a := newApp(t, workspace.Block{ID: block, Name: "server", CommandLine: "nohup sleep 5001 >/dev/null 2>&1 & sleep 5002 & read x; exit 3"})
	records := supervisor.NewRecords(a.model, statuses{}.save, func(err error) { t.Error(err) }, &event.Topic[uint64]{})
	dir := t.TempDir()
	terms := terminals{dir: dir}
	defer terms.close()

	var act *activity.Service // set before anything runs
	driver := shell.New(shell.Options{
		Run: shell.Here(terms.open),
		Env: func(context.Context) ([]string, error) {
			return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, nil
		},
		Vars:  func(s controller.Spec) map[string]string { return map[string]string{key: s.Block} },
		Shell: func() (string, error) { return "/bin/sh", nil },
		Aftermath: func(block string, pid int) shell.Aftermath {
			hungUp, left := act.Aftermath(block, pid)
			return shell.Aftermath{HungUp: hungUp, LeftRunning: left}
		},
	})
	sup := supervisor.New(supervisor.Options{
		Records: records, Store: statuses{}, Procs: proc.NewScanner(key), Log: quiet(),
		Drivers:     map[workspace.Kind]controller.Driver{workspace.Shell: driver},
		CloseOnExit: func() workspace.CloseOnExit { return workspace.CloseAuto },
		Removed:     func(block string) { act.Forget(block) },
		LeftRunning: func(b workspace.Block, ids []proc.ID) { act.AddLeftRunning(b, ids) },
	})
	o := withScanner(a.options())
	o.Models, o.Statuses, o.StatusFeed = records.Model, sup.List, sup.Statuses.Subscribe()
	act = activity.New(o)
	defer act.Close()
	defer sup.Quit(context.Background())
	defer act.Watch()()

	if _, err := sup.Ensure(t.Context(), block, supervisor.EnsureOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "its processes", func() bool {
		have := processes(act.Snapshot(), block)
		return have["sleep 5001"].PID > 0 && have["sleep 5002"].PID > 0
	})
	if err := sup.Controller(block).Send(t.Context(), controller.Input{Bytes: []byte("\n")}, controller.Order{}); err != nil {
		t.Fatal(err)
	}
	has := func(block string, state activity.EndedState) func() bool {
		return func() bool {
			for _, e := range act.Snapshot().Ended {
				if e.Block == block && e.State == state {
					return true
				}
			}
			return false
		}
	}
	eventually(t, "the end", has(block, activity.Failed))
	st := sup.Controller(block).Status()
	if len(st.Exit.HungUp) != 1 || name(st.Exit.HungUp[0]) != "sleep" {
		t.Errorf("hung up: %q", st.Exit.HungUp)
	}
	if len(st.Exit.LeftRunning) != 1 || st.Exit.LeftRunning[0].Name != "sleep" {
		t.Errorf("left: %+v", st.Exit.LeftRunning)
	}
	if got := commands(act.Snapshot(), block); got != "" {
		t.Errorf("a block that has ended still has %s", got)
	}
	eventually(t, "what goes on", has(block, activity.LeftRunning))

	if _, err := sup.Ensure(t.Context(), block, supervisor.EnsureOptions{Revive: true}); err != nil {
		t.Fatal(err)
	}
	// What the first instance left is in the tree again, and nowhere else.
	eventually(t, "two of the tree", func() bool {
		var n int
		for _, b := range act.Snapshot().Hosts[0].Workspaces[0].Blocks {
			for _, p := range b.Processes {
				if p.Command == "sleep 5001" {
					n++
				}
			}
		}
		return n == 2 && len(act.Snapshot().Ended) == 0
	})

	if _, err := sup.Close(t.Context(), []string{block}, "", true); err != nil {
		t.Fatal(err)
	}
	eventually(t, "both that go on", func() bool {
		e := act.Snapshot().Ended
		return len(e) == 2 && e[0].State == activity.LeftRunning && e[1].State == activity.LeftRunning && sup.Controller(block) == nil
	})
	snap := act.Snapshot()
	if left := snap.Hosts[0].Workspaces[0].Blocks; len(left) > 0 {
		t.Errorf("a closed block has a row: %+v", left)
	}
	for _, e := range snap.Ended {
		if !strings.HasPrefix(e.Detail, "sleep 5001") || e.Owner != "Work" {
			t.Errorf("%+v", e)
		}
		if err := act.End(t.Context(), e.Process, false); err != nil {
			t.Error(err)
		}
	}
	eventually(t, "an empty list", func() bool { return len(act.Snapshot().Ended) == 0 && len(a.stored()) == 0 })
}

type terminals struct {
	dir string
	one *terminal.Terminal
}

func (ts *terminals) open(block string) (*terminal.Terminal, error) {
	if ts.one == nil {
		log, err := termlog.Open(filepath.Join(ts.dir, "log-"+block), termlog.Options{})
		if err != nil {
			return nil, err
		}
		ts.one = terminal.New(log, terminal.Options{})
	}
	return ts.one, nil
}

func (ts *terminals) close() {
	if ts.one != nil {
		_ = ts.one.Close()
	}
}
