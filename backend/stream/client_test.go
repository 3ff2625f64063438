package stream_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"drover/backend/stream"
	"drover/backend/terminal"
)

func (r *rig) client() *stream.Client {
	r.t.Helper()
	ws, _, err := r.dial("secret", "http://"+r.http.Listener.Addr().String(), "")
	if err != nil {
		r.t.Fatal(err)
	}
	c := stream.NewClient(ws)
	r.t.Cleanup(c.Close)
	return c
}

func watch(t *testing.T, c *stream.Client, block string, view terminal.View) *stream.Remote {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	v, err := c.Attach(ctx, block, view, 7)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// until takes chunks of bytes, acknowledging them, until they hold want.
func until(t *testing.T, v *stream.Remote, want string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out []byte
	for !bytes.Contains(out, []byte(want)) {
		c, err := v.Next(ctx)
		if err != nil {
			t.Fatalf("%v, after %q", err, out)
		}
		if c.Kind != terminal.Data {
			continue
		}
		out = append(out, c.Data...)
		v.Ack(c.Offset + uint64(len(c.Data)))
	}
	return out
}

// A program that is a client sees and types as a page does.
func TestAClientViewsAndTypes(t *testing.T) {
	r := newRig(t)
	r.run("b1", "stty -echo; echo ready; while read -r x; do echo \"<$x>\"; stty size; done")
	c := r.client()
	v := watch(t, c, "b1", terminal.View{Size: terminal.Size{Cols: 90, Rows: 30}, Visible: true})
	until(t, v, "ready")
	taken := make(chan error, 3)
	v.Input([]byte("one\n"), func(err error) { taken <- err })
	until(t, v, "30 90")
	long := strings.Repeat("x", 3000) + "\n"
	v.Input([]byte(strings.Repeat(long, 20)), func(err error) { taken <- err }) // in pieces
	for range 2 {
		if err := within(t, taken); err != nil {
			t.Errorf("an input was refused: %v", err)
		}
	}
	v.Close()
	if _, err := v.Next(t.Context()); !errors.Is(err, terminal.ErrClosed) {
		t.Errorf("a closed view: %v", err)
	}
}

// within is what comes on a channel, in time.
func within(t *testing.T, from <-chan error) error {
	t.Helper()
	select {
	case err := <-from:
		return err
	case <-time.After(patience):
		t.Fatal("it waits for ever")
		return nil
	}
}

// What a client is refused, and what the end of its socket means.
func TestAClientIsToldWhatWentWrong(t *testing.T) {
	r := newRig(t)
	c := r.client()
	if _, err := c.Attach(t.Context(), "no such", terminal.View{}, 7); err == nil || err.Error() != "there is no such block" {
		t.Errorf("a block that is not there: %v", err)
	}
	v := watch(t, c, "b1", terminal.View{Visible: true})
	refused := make(chan error, 2)
	v.Input([]byte("x"), func(err error) { refused <- err })
	if err := within(t, refused); err == nil || errors.Is(err, stream.ErrLost) {
		t.Errorf("input to a block that does not run: %v", err)
	}
	r.run("b1", "stty raw -echo; echo ready; sleep 100")
	until(t, v, "ready")
	v.Input(bytes.Repeat([]byte("y"), 100_000), func(err error) { refused <- err })
	c.Close()
	if err := within(t, refused); !errors.Is(err, stream.ErrLost) {
		t.Errorf("input under way: %v", err)
	}
	if _, err := v.Next(t.Context()); !errors.Is(err, stream.ErrLost) {
		t.Errorf("its view: %v", err)
	}
	if _, err := c.Attach(t.Context(), "b1", terminal.View{}, 7); !errors.Is(err, stream.ErrLost) {
		t.Errorf("another view: %v", err)
	}
}

// A client that falls behind is sent a screen, and skips what that is in place of.
func TestAClientIsSentScreens(t *testing.T) {
	r := newRig(t)
	c := r.client()
	v := watch(t, c, "b1", terminal.View{Visible: true, Screens: true})
	const lines = 300_000
	r.run("b1", fmt.Sprintf("seq %d; sleep 100", lines))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		chunk, err := v.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if chunk.Kind == terminal.Screen {
			if chunk.Whole && bytes.Contains(chunk.Data, []byte(fmt.Sprint(lines))) {
				return
			}
			v.Ack(chunk.Offset)
		}
	}
}
