package supervisor_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"drover/backend/controller"
	"drover/backend/controller/controllertest"
	"drover/backend/supervisor"
	"drover/backend/workspace"
)

func TestQuitKeepsTheRecordsAndIsOver(t *testing.T) {
	d := newDisk()
	r := begin(t, d, &controllertest.Fake{})
	r.add("a", nil)
	r.add("b", nil)
	r.ensure("a", supervisor.EnsureOptions{})
	r.ensure("b", supervisor.EnsureOptions{})
	if line := r.sup.Quit(t.Context()); line != "stopped 2, forced 0, survived 0" {
		t.Errorf("quit says %q", line)
	}
	r.sup.Quit(t.Context())
	if len(d.model.Blocks) != 2 || d.statuses["a"].Status.Reason != controller.ReasonQuit {
		t.Errorf("the disk has %+v", d.statuses)
	}
	if _, err := r.sup.Ensure(t.Context(), "a", supervisor.EnsureOptions{Force: true}); err == nil {
		t.Error("something starts after the quit")
	}
	if _, err := r.sup.Close(t.Context(), []string{"a"}, "", true); !errors.Is(err, supervisor.ErrQuit) {
		t.Errorf("close after quit: %v", err)
	}
}

func TestRestore(t *testing.T) {
	d := newDisk()
	r := begin(t, d, &controllertest.Fake{})
	command := func(b *workspace.Block) { b.Command = []string{"deploy"} }
	r.add("shell", nil)
	r.add("command", command)
	r.add("ended", command)
	r.add("never", nil)
	for _, id := range []string{"shell", "command", "ended"} {
		r.ensure(id, supervisor.EnsureOptions{})
	}
	r.fake.Session(2).End(9)
	r.waitStatus("the end", func(s controller.Status) bool { return s.Block == "ended" && s.State == controller.Exited })

	crashed := &disk{model: d.model.Clone(), statuses: map[string]supervisor.Saved{}}
	for id, s := range d.statuses {
		crashed.statuses[id] = s
	}
	r.sup.Quit(t.Context())

	check := func(t *testing.T, d *disk, note string) {
		next := begin(t, d, &controllertest.Fake{})
		for range 2 { // twice is the same as once
			next.restore()
		}
		got := map[string]controller.Status{}
		for _, s := range next.sup.List() {
			got[s.Block] = s
		}
		if s := got["shell"]; s.State != controller.Running || s.Instance != 2 || !strings.Contains(s.Message, note) {
			t.Errorf("the shell: %+v", s)
		}
		if s := got["command"]; s.State != controller.Exited || s.Instance != 1 {
			t.Errorf("the command was run again, or forgotten: %+v", s)
		}
		if s := got["ended"]; s.State != controller.Exited || s.Exit.Code != 9 || !s.Exit.Known {
			t.Errorf("what had ended before: %+v", s)
		}
		if s := got["never"]; s.State != controller.Running || s.Instance != 1 {
			t.Errorf("what never ran: %+v", s)
		}
	}
	t.Run("after a quit", func(t *testing.T) { check(t, d, "ended with Drover") })
	t.Run("after a crash", func(t *testing.T) { check(t, crashed, "unexpectedly") })
}

// A block that was being closed when the app died is forgotten at the next start,
// once nothing of it lives.
func TestRestoreFinishesACloseThatACrashCutShort(t *testing.T) {
	d := newDisk()
	d.statuses["gone"] = supervisor.Saved{Status: controller.Status{Block: "gone", Version: 5, State: controller.Running, Closing: true}}
	r := begin(t, d, &controllertest.Fake{})
	r.restore()
	if len(d.statuses) != 0 || !slices.Equal(r.removed, []string{"gone"}) {
		t.Errorf("left: %+v, removed %v", d.statuses, r.removed)
	}
}

func TestIdentity(t *testing.T) {
	r := begin(t, newDisk(), &controllertest.Fake{})
	r.add("a", nil)
	for _, c := range []struct {
		next controller.Identity
		ok   bool
		want controller.Identity
	}{
		{controller.Identity{Name: "one"}, true, controller.Identity{Name: "one"}},
		{controller.Identity{UID: "u", Stable: "s"}, true, controller.Identity{UID: "u", Stable: "s", Name: "one"}},
		{controller.Identity{UID: "other"}, false, controller.Identity{UID: "u", Stable: "s", Name: "one"}},
		{controller.Identity{Stable: "other"}, false, controller.Identity{UID: "u", Stable: "s", Name: "one"}},
		{controller.Identity{Name: "two"}, true, controller.Identity{UID: "u", Stable: "s", Name: "two"}},
	} {
		if err := r.sup.SetIdentity("a", c.next); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.next, err)
		}
		r.ensure("a", supervisor.EnsureOptions{})
		// Once an input is answered, the controller has handled what came before.
		if err := r.sup.Controller("a").Send(t.Context(), controller.Input{}, controller.Order{}); err != nil {
			t.Fatal(err)
		}
		if got := r.sup.Controller("a").Status().Identity; got != c.want {
			t.Errorf("after %+v: %+v", c.next, got)
		}
	}
	// What the running process was given at its start is not refreshed.
	if spec := r.fake.Session(0).Spec(); spec.Identity != (controller.Identity{Name: "one"}) {
		t.Errorf("the session was given %+v", spec.Identity)
	}
}
