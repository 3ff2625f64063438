package terminal_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"drover/backend/pty"
	"drover/backend/terminal"
	"drover/backend/termlog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience bounds a wait for what must come; it measures nothing.
const patience = 30 * time.Second

func open(t testing.TB) *terminal.Terminal {
	t.Helper()
	log, err := termlog.Open(filepath.Join(t.TempDir(), "log"), termlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	term := terminal.New(log, terminal.Options{})
	t.Cleanup(func() { _ = term.Close() })
	return term
}

func sh(script string) pty.Command {
	return pty.Command{
		Path: "/bin/sh", Args: []string{"sh", "-c", script},
		Env: []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=xterm-256color"},
		Dir: os.TempDir(),
	}
}

func start(t testing.TB, term *terminal.Terminal, c pty.Command) *terminal.Process {
	t.Helper()
	p, err := term.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func wait(t testing.TB, p *terminal.Process) pty.Exit {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(patience):
		t.Fatal("the program does not end")
	}
	return p.Exit()
}

// waitLog waits until the log holds want.
func waitLog(t testing.TB, term *terminal.Terminal, want string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		end := term.Log().End()
		text, _ := term.Text(0, 64<<20)
		if bytes.Contains(text, []byte(want)) {
			return text
		}
		if err := term.Log().Wait(ctx, end); err != nil {
			t.Fatalf("%v; the log ends with %q", err, text[max(0, len(text)-200):])
		}
	}
}

// collect takes chunks until want bytes of data have come, acknowledging as it
// goes if ack.
func collect(t testing.TB, v *terminal.Viewer, want int, ack bool) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out []byte
	for len(out) < want {
		c, err := v.Next(ctx)
		if err != nil {
			t.Fatalf("after %d of %d bytes: %v", len(out), want, err)
		}
		if c.Kind != terminal.Data {
			continue
		}
		out = append(out, c.Data...)
		if ack {
			v.Ack(c.Offset + uint64(len(c.Data)))
		}
	}
	return out
}

// none fails if the viewer has something to send; it looks once everything that
// is under way has settled.
func none(t testing.TB, v *terminal.Viewer) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for {
		c, err := v.Next(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			return
		}
		if err != nil || c.Kind == terminal.Data {
			t.Fatalf("it was sent %d bytes, %v", len(c.Data), err)
		}
	}
}

func attach(t testing.TB, term *terminal.Terminal, from uint64, size terminal.Size) *terminal.Viewer {
	t.Helper()
	v, err := term.Attach(terminal.View{From: from, Size: size, Visible: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	return v
}
