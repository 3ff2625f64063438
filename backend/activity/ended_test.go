package activity_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"drover/backend/activity"
	"drover/backend/controller"
	"drover/backend/proc"
	"drover/backend/workspace"
)

// rows are the blocks of a snapshot's rows, with their states.
func rows(s activity.Snapshot) string {
	var out []string
	for _, e := range s.Ended {
		out = append(out, e.Block+" "+string(e.State))
	}
	return strings.Join(out, ", ")
}

// after lets d pass, and whatever the service does in it.
func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// Two seconds, after which every row is shown that ever will be.
const settled = 8 * time.Second

func command(id string) workspace.Block {
	return workspace.Block{ID: id, CommandLine: "make " + id, Name: id}
}

func ended(block string, reason controller.Reason, exit controller.Exit) controller.Status {
	return controller.Status{
		Block: block, Instance: 1, State: controller.Exited, Reason: reason, Exit: exit,
		Ended: time.Now(), PID: 999999999, Process: "bash",
	}
}

func TestWhatAnEndIsCalled(t *testing.T) {
	known := func(code int, signal string) controller.Exit {
		return controller.Exit{Known: true, Code: code, Signal: signal}
	}
	with := func(st controller.Status, f func(*controller.Status)) controller.Status { f(&st); return st }
	synctest.Test(t, func(t *testing.T) {
		tests := []struct {
			name   string
			block  workspace.Block
			status controller.Status
			state  activity.EndedState // "" for no row
			detail string
		}{
			{"a command that went well", command("a"), ended("a", controller.ReasonSelf, known(0, "")), activity.Exited, "make a · exited 0"},
			{"a command that did not", command("a"), ended("a", controller.ReasonSelf, known(3, "")), activity.Failed, "make a · exit 3"},
			{"a command that a signal ended", command("a"), ended("a", controller.ReasonSelf, known(-1, "SIGSEGV")), activity.Failed, "make a · SIGSEGV"},
			{"a shell with the code of its last command", workspace.Block{ID: "a"}, ended("a", controller.ReasonSelf, known(1, "")), activity.Exited, "exit 1"},
			{"a shell that ended well and is not closed", workspace.Block{ID: "a"}, ended("a", controller.ReasonSelf, known(0, "")), activity.Exited, "exited 0"},
			{"what was stopped", command("a"), ended("a", controller.ReasonUser, known(-1, "SIGKILL")), activity.Stopped, "make a · stopped (SIGKILL)"},
			{"a start that was given up", command("a"), ended("a", controller.ReasonUser, controller.Exit{}), activity.Stopped, "make a · stopped"},
			{"what nobody saw", command("a"), ended("a", controller.ReasonFailure, controller.Exit{}), activity.Unknown, "make a · its end was not seen"},
			{"what could not start", command("a"), with(ended("a", controller.ReasonFailure, controller.Exit{}), func(st *controller.Status) {
				st.State, st.Message = controller.Failed, "no such file"
			}), activity.Failed, "make a · no such file"},
			{"a command that ended with the app", command("a"), ended("a", controller.ReasonQuit, known(-1, "SIGTERM")), activity.Stopped, "make a · ended with Drover"},
			{"a shell that ended with the app", workspace.Block{ID: "a"}, ended("a", controller.ReasonQuit, known(-1, "SIGHUP")), "", ""},
			{"what is replaced", command("a"), ended("a", controller.ReasonReplace, known(-1, "SIGTERM")), "", ""},
			{"what is closed", command("a"), ended("a", controller.ReasonClose, known(-1, "SIGTERM")), "", ""},
			{"what never ran", command("a"), controller.Status{Block: "a", State: controller.Idle}, "", ""},
			{"a block that never existed", command("b"), ended("a", controller.ReasonSelf, known(1, "")), "", ""},
		}
		for _, tt := range tests {
			a := newApp(t, tt.block)
			a.set(tt.status)
			s := activity.New(withScanner(a.options()))
			after(settled)
			got := s.Snapshot().Ended
			s.Close()
			switch {
			case tt.state == "":
				if len(got) > 0 {
					t.Errorf("%s has a row: %+v", tt.name, got)
				}
			case len(got) != 1 || got[0].State != tt.state || got[0].Detail != tt.detail || got[0].Owner != "Work" || got[0].Process != "":
				t.Errorf("%s: %+v, want %s, %q", tt.name, got, tt.state, tt.detail)
			}
		}
	})
}

func withScanner(o activity.Options) activity.Options {
	o.Procs = proc.NewScanner(key)
	return o
}

// A second end takes the place of the first, a start of both; the newest is first.
func TestOneRowForABlockUntilItStartsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApp(t, command("a"), command("b"))
		s := activity.New(withScanner(a.options()))
		defer s.Close()
		defer s.Watch()()
		fail := controller.Exit{Known: true, Code: 1}
		a.set(ended("a", controller.ReasonSelf, fail))
		after(settled)
		a.set(ended("b", controller.ReasonSelf, fail))
		after(settled)
		if got := rows(s.Snapshot()); got != "b failed, a failed" {
			t.Fatalf("got %s", got)
		}
		again := ended("a", controller.ReasonUser, fail)
		again.Instance = 2
		a.set(again)
		after(settled)
		if got := rows(s.Snapshot()); got != "a stopped, b failed" {
			t.Fatalf("got %s", got)
		}
		a.set(controller.Status{Block: "a", Instance: 3, State: controller.Starting})
		after(time.Second)
		if got := rows(s.Snapshot()); got != "b failed" {
			t.Fatalf("got %s", got)
		}
		if kept := a.stored(); len(kept) != 1 || kept[0].Block != "b" {
			t.Fatalf("the disk has %+v", kept)
		}
	})
}

// An app starts with 20 shells and a command that ended unseen: the shells start
// anew, and at no time is a row shown for them or one of their processes.
func TestReplayFlashesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		blocks := []workspace.Block{command("cmd")}
		for i := range 20 {
			blocks = append(blocks, workspace.Block{ID: fmt.Sprint("sh", i)})
		}
		a := newApp(t, blocks...)
		var seen []string
		var s *activity.Service
		ready := make(chan struct{})
		o := withScanner(a.options())
		o.Changed = func(uint64) {
			<-ready
			snap := s.Snapshot()
			seen = append(seen, rows(snap))
			for _, b := range snap.Hosts[0].Workspaces[0].Blocks {
				if len(b.Processes) > 0 {
					seen = append(seen, b.Block+" runs")
				}
			}
		}
		unseen := func(id string) controller.Status {
			return controller.Status{Block: id, Instance: 1, Version: 1 << 16, State: controller.Exited, Reason: controller.ReasonFailure}
		}
		for _, b := range blocks {
			a.set(unseen(b.ID))
		}
		s = activity.New(o)
		defer s.Close()
		close(ready)
		defer s.Watch()()
		after(time.Second)
		for _, b := range blocks[1:] {
			a.set(controller.Status{Block: b.ID, Instance: 2, State: controller.Starting})
		}
		after(settled)
		if got := slices.Compact(seen); !slices.Equal(got, []string{"", "cmd unknown"}) {
			t.Errorf("shown were %q", got)
		}
	})
}

// A shell that ends well and is closed is not listed in between.
func TestAClosedShellIsNotListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApp(t, workspace.Block{ID: "a"}, command("b"))
		s := activity.New(withScanner(a.options()))
		defer s.Close()
		defer s.Watch()()
		a.set(ended("a", controller.ReasonSelf, controller.Exit{Known: true}))
		a.set(ended("b", controller.ReasonSelf, controller.Exit{Known: true, Code: 2}))
		after(1500 * time.Millisecond)
		if got := rows(s.Snapshot()); got != "b failed" {
			t.Errorf("before the close: %s", got)
		}
		a.remove(t, "a")
		removed := a.remove(t, "b")
		after(settled)
		if got := rows(s.Snapshot()); got != "" {
			t.Errorf("after the close: %s", got)
		}
		a.mu.Lock()
		err := a.model.Restore(removed)
		a.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		after(settled)
		if got := rows(s.Snapshot()); got != "b failed" {
			t.Errorf("after the undo: %s", got)
		}
		a.remove(t, "b")
		s.Forget("a")
		s.Forget("b")
		after(settled)
		if kept := a.stored(); len(kept) > 0 {
			t.Errorf("the disk still has %+v", kept)
		}
	})
}

// What was cleared stays cleared, also when the next run of the app is told of
// the same end again; what was not is there again.
func TestDismissedStaysDismissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApp(t, command("a"), command("b"))
		fail := controller.Exit{Known: true, Code: 1}
		a.set(ended("a", controller.ReasonSelf, fail))
		a.set(ended("b", controller.ReasonSelf, fail))
		run := func(f func(*activity.Service)) string {
			s := activity.New(withScanner(a.options()))
			defer s.Close()
			after(settled)
			f(s)
			after(settled)
			return rows(s.Snapshot())
		}
		if got := run(func(s *activity.Service) {
			if err := s.Dismiss("a.1"); err != nil {
				t.Error(err)
			}
			if err := s.Dismiss("nobody"); err != nil {
				t.Error(err)
			}
		}); got != "b failed" {
			t.Errorf("after Dismiss: %s", got)
		}
		if got := run(func(*activity.Service) {}); got != "b failed" {
			t.Errorf("in the next run: %s", got)
		}
		if got := run((*activity.Service).DismissAll); got != "" {
			t.Errorf("after DismissAll: %s", got)
		}
		if got := run(func(*activity.Service) {}); got != "" {
			t.Errorf("in the next run: %s", got)
		}
		again := ended("a", controller.ReasonSelf, fail)
		again.Instance = 2
		a.set(again)
		if got := run(func(*activity.Service) {}); got != "a failed" {
			t.Errorf("after another end: %s", got)
		}
	})
}

// What the disk refuses is written as soon as it does not.
func TestRefusedRowsAreSavedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApp(t, command("a"))
		a.refuse = errors.New("the disk is full")
		s := activity.New(withScanner(a.options()))
		defer s.Close()
		a.set(ended("a", controller.ReasonSelf, controller.Exit{Known: true, Code: 1}))
		after(settled)
		if got := rows(s.Snapshot()); got != "a failed" || len(a.stored()) != 0 {
			t.Fatalf("shown: %s, on the disk: %v", got, a.stored())
		}
		a.mu.Lock()
		a.refuse = nil
		a.mu.Unlock()
		after(settled)
		if len(a.stored()) != 1 {
			t.Error("it was never saved")
		}
	})
}

// Nobody is told of a snapshot that shows nothing new, and looks come at once,
// but at most four a second.
func TestSeqRisesWithWhatIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newApp(t, command("a"))
		s := activity.New(withScanner(a.options()))
		defer s.Close()
		release := s.Watch()
		after(time.Minute)
		if told := a.told(); !slices.Equal(told, []uint64{1}) {
			t.Fatalf("told of %v", told)
		}
		release()
		release()
		after(time.Minute)

		fail := controller.Exit{Known: true, Code: 1}
		for i := range 40 {
			st := ended("a", controller.ReasonUser, fail)
			st.Instance = uint64(i + 1)
			a.set(st)
			s.Refresh()
			after(25 * time.Millisecond)
		}
		if n := len(a.told()); n < 4 || n > 6 {
			t.Errorf("told %d times in a second", n-1)
		}
		seq := s.Snapshot().Seq
		after(time.Minute)
		if got := s.Snapshot(); got.Seq > seq+1 {
			t.Errorf("it rose from %d to %d and nothing changed", seq, got.Seq)
		}
	})
}
