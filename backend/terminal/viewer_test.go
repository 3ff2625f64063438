package terminal_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"drover/backend/pty"
	"drover/backend/terminal"
	"drover/backend/termlog"
)

// What has left the log is shown as lost, with the count, to whoever was too far
// behind.
func TestLostBytesAreCounted(t *testing.T) {
	log, err := termlog.Open(filepath.Join(t.TempDir(), "log"), termlog.Options{Limit: 2 << 20})
	if err != nil {
		t.Fatal(err)
	}
	term := terminal.New(log, terminal.Options{})
	t.Cleanup(func() { _ = term.Close() })
	v := attach(t, term, 0, terminal.Size{})
	const flood = 16 << 20
	wait(t, start(t, term, sh(fmt.Sprintf("stty -opost; head -c %d /dev/zero", flood))))
	var data, lost uint64
	for data+lost < flood {
		c, err := v.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		switch c.Kind {
		case terminal.Data:
			if c.Offset != data+lost {
				t.Fatalf("byte %d came after %d", c.Offset, data+lost)
			}
			data += uint64(len(c.Data))
			v.Ack(data + lost)
		case terminal.Lost:
			if c.Offset != data+lost || c.To <= c.Offset {
				t.Fatalf("lost %d to %d at %d", c.Offset, c.To, data+lost)
			}
			lost += c.To - c.Offset
		}
	}
	if lost < flood-(4<<20) || data == 0 {
		t.Errorf("%d bytes came, %d are lost", data, lost)
	}
}

func TestHiddenViewerIsSentNothingAndGoesOnFromItsPlace(t *testing.T) {
	term := open(t)
	p := start(t, term, sh("stty raw -echo; echo ready; exec cat"))
	v := attach(t, term, 0, terminal.Size{})
	waitLog(t, term, "ready")
	collect(t, v, len("ready\n"), true)
	v.SetVisible(false)
	if err := p.Input([]byte("while hidden"), nil); err != nil {
		t.Fatal(err)
	}
	waitLog(t, term, "while hidden")
	none(t, v)
	v.SetVisible(true)
	if got := collect(t, v, len("while hidden"), true); string(got) != "while hidden" {
		t.Errorf("shown again it got %q", got)
	}
}

func TestAttachFromAPlace(t *testing.T) {
	term := open(t)
	wait(t, start(t, term, sh("printf 0123456789")))
	for _, c := range []struct {
		from uint64
		want string
	}{
		{0, "0123456789"},
		{4, "456789"},
		{terminal.Oldest, "0123456789"},
		{5000, "0123456789"}, // of another log, or another life: anew
	} {
		v := attach(t, term, c.from, terminal.Size{})
		if got := collect(t, v, len(c.want), false); string(got) != c.want {
			t.Errorf("from %d: %q", c.from, got)
		}
		none(t, v)
	}
	v := attach(t, term, 10, terminal.Size{})
	none(t, v)
	v.Close()
	v.Close()
	if _, err := v.Next(t.Context()); !errors.Is(err, terminal.ErrClosed) {
		t.Errorf("next after close: %v", err)
	}
}

// nextSize takes chunks until a size comes.
func nextSize(t *testing.T, v *terminal.Viewer) terminal.Chunk {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		c, err := v.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind == terminal.Resized {
			return c
		}
	}
}

// A viewer is told of a resize at the byte from which on it holds.
func TestSizeComesAtItsByte(t *testing.T) {
	term := open(t)
	gate := filepath.Join(t.TempDir(), "go")
	c := sh("printf 0123456789; while [ ! -e " + gate + " ]; do sleep 0.01; done; printf abc")
	c.Size = pty.Size{Cols: 80, Rows: 24}
	p := start(t, term, c)
	waitLog(t, term, "0123456789")
	if err := term.Resize(terminal.Size{Cols: 81, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wait(t, p)
	v := attach(t, term, 0, terminal.Size{})
	story := ""
	for len(story) < len("80x24 0123456789 81x24 abc") {
		c, err := v.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		switch c.Kind {
		case terminal.Data:
			story += string(c.Data)
		case terminal.Resized:
			if story != "" {
				story += " "
			}
			story += fmt.Sprintf("%dx%d ", c.Size.Cols, c.Size.Rows)
		case terminal.Lost:
			t.Fatal("lost")
		}
	}
	if story != "80x24 0123456789 81x24 abc" {
		t.Errorf("the story is %q", story)
	}
}

// One viewer owns the size: the last one that was typed in, and when it goes,
// another.
func TestSizeByItsOwner(t *testing.T) {
	term := open(t)
	start(t, term, sh("sleep 1000"))
	size := func(cols int) terminal.Size { return terminal.Size{Cols: cols, Rows: 24} }
	check := func(what string, cols int) {
		t.Helper()
		if got := term.Size().Cols; got != cols {
			t.Errorf("%s: %d columns, want %d", what, got, cols)
		}
	}
	a := attach(t, term, 0, size(100))
	check("the first viewer's", 100)
	b := attach(t, term, 0, size(120))
	check("a second one changes nothing", 100)
	if c := nextSize(t, b); c.Owner || c.Size.Cols != 100 {
		t.Errorf("the second is told %+v", c)
	}
	if err := b.Resize(size(121)); err != nil {
		t.Fatal(err)
	}
	check("one that does not own it asks", 100)
	b.Typed()
	check("it was typed in", 121)
	if c := nextSize(t, b); !c.Owner || c.Size.Cols != 121 {
		t.Errorf("the owner is told %+v", c)
	}
	for {
		if c := nextSize(t, a); !c.Owner && c.Size.Cols == 121 {
			break
		}
	}
	if err := a.Resize(size(101)); err != nil {
		t.Fatal(err)
	}
	check("the former owner asks", 121)
	b.Close()
	check("the owner went", 101)
	for {
		if c := nextSize(t, a); c.Owner && c.Size.Cols == 101 {
			break
		}
	}
}
