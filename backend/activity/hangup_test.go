//go:build linux

package activity_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"drover/backend/activity"
	"drover/backend/controller"
	"drover/backend/proc"
	"drover/backend/pty"
	"drover/backend/workspace"
)

// atOnce is the one case that times cannot tell from a hang-up.
const atOnce = "the last command, by whose end it ended"

// A terminal takes with it what runs in its foreground, and only that is said.
func TestAftermathOfATerminal(t *testing.T) {
	told, err := activity.EndsAreTold()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, script string
		seen         string // commands that must have been seen before the end
		hungUp       string
		left         string
	}{
		{"a background process", `sleep 4001 & read x`, "sleep 4001", "sleep", ""},
		{"a command that ended before", `sleep 4002 & read x; kill $!; wait; sleep 0.5`, "sleep 4002", "", ""},
		{atOnce, `cat; true`, "cat", "", ""},
		{"nohup", `nohup sleep 4003 >/dev/null 2>&1 & read x`, "sleep 4003", "", "sleep"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !told && tt.name == atOnce {
				t.Skip("this kernel does not tell how others' processes ended")
			}
			a := newApp(t, workspace.Block{ID: "a"})
			s := newService(t, a)
			p, err := pty.Start(pty.Command{
				Path: "/bin/sh", Args: []string{"sh", "-c", tt.script},
				Env: []string{"PATH=/usr/bin:/bin", key + "=a"}, Size: pty.Size{Cols: 80, Rows: 24},
			})
			if err != nil {
				t.Fatal(err)
			}
			id, err := proc.Identify(p.PID())
			if err != nil {
				t.Fatal(err)
			}
			read := make(chan struct{})
			go func() {
				defer close(read)
				_, _ = new(bytes.Buffer).ReadFrom(p)
			}()
			defer func() {
				if _, err := proc.NewScanner("").End(t.Context(), id, proc.TreeOptions{}); err != nil {
					t.Error(err)
				}
				<-read
				_ = p.Close()
			}()
			a.set(controller.Status{Block: "a", Instance: 1, State: controller.Running, PID: p.PID()})
			s.Refresh()
			var seen activity.Process
			eventually(t, tt.seen, func() bool { seen = processes(s.Snapshot(), "a")[tt.seen]; return seen.PID > 0 })
			// End of the line for read, of the input for cat.
			if _, err := p.Write([]byte("\n\x04")); err != nil {
				t.Fatal(err)
			}
			p.Wait()
			// What was told to end has, and was waited for: before that the kernel does
			// not tell how. The driver gives it the time in which it drains the terminal.
			eventually(t, "the end of the rest", func() bool {
				_, err := proc.Identify(seen.PID)
				return errors.Is(err, proc.ErrGone) || tt.left != ""
			})
			hungUp, left := s.Aftermath("a", p.PID())
			if got := name(strings.Join(hungUp, ", ")); got != tt.hungUp {
				t.Errorf("hung up: %q, want %q", hungUp, tt.hungUp)
			}
			var names []string
			var ids []proc.ID
			for _, l := range left {
				names = append(names, l.Name)
				if id, err := proc.Identify(l.PID); err == nil {
					ids = append(ids, id)
				}
			}
			if got := strings.Join(names, ", "); got != tt.left {
				t.Errorf("left: %q, want %q", got, tt.left)
			}
			if _, err := proc.NewScanner("").EndIDs(t.Context(), ids); err != nil {
				t.Error(err)
			}
		})
	}
}

// name is the name in "name (pid)".
func name(s string) string { n, _, _ := strings.Cut(s, " ("); return n }
