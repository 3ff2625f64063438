package history_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/sirupsen/logrus"
	"go.uber.org/goleak"

	"drover/backend/history"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// disk is a store whose writes wait until they may.
type disk struct {
	mu   sync.Mutex
	rows []history.Command
	err  error
	may  chan struct{}
}

func (d *disk) AddCommands(ctx context.Context, rows ...history.Command) error {
	select {
	case <-d.may:
	case <-ctx.Done():
		return ctx.Err()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rows = append(d.rows, rows...)
	return d.err
}

func (d *disk) Commands(_ context.Context, words []string, most int) ([]history.Command, int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	found := slices.Clone(d.rows)
	slices.Reverse(found)
	return found[:min(len(found), most)], len(d.rows), nil
}

func (d *disk) DropCommand(context.Context, int64) error { return nil }

func (d *disk) ClearCommands(context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rows = nil
	return nil
}

func open(t *testing.T, d *disk) *history.Keeper {
	t.Helper()
	log := logrus.New()
	log.SetOutput(io.Discard)
	k := history.Open(history.Options{Store: d, Keeps: func(block string) bool { return block != "private" }, Log: log})
	t.Cleanup(k.Close)
	return k
}

func free() *disk {
	d := &disk{may: make(chan struct{})}
	close(d.may)
	return d
}

func TestWhatWasToldIsFound(t *testing.T) {
	k := open(t, free())
	for _, c := range []history.Command{
		{Text: "ls"}, {Text: " secret"}, {Text: "  "}, {Text: ""}, {Text: "hidden", Block: "private"}, {Text: "make \n"},
	} {
		k.Tell(c)
	}
	found, total, err := k.Find(t.Context(), "", 10)
	if err != nil || total != 2 || found[0].Text != "make" || found[1].Text != "ls" {
		t.Errorf("%+v, %d, %v", found, total, err)
	}
	k.Tell(history.Command{Text: "x"})
	if err := k.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, total, _ := k.Find(t.Context(), "", 10); total != 0 {
		t.Errorf("%d are left", total)
	}
}

func TestTellingWaitsForNoDiskAndIsBounded(t *testing.T) {
	d := &disk{may: make(chan struct{})}
	k := open(t, d)
	for i := range 5000 {
		k.Tell(history.Command{Text: fmt.Sprint(i)})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := k.Find(ctx, "", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("it did not wait: %v", err)
	}
	close(d.may)
	k.Close()
	k.Close()
	k.Tell(history.Command{Text: "late"})
	found, total, err := k.Find(t.Context(), "", 1)
	if err != nil || total < 1000 || total > 2100 || found[0].Text != "4999" {
		t.Errorf("%+v of %d, %v", found, total, err)
	}
}

func TestADiskThatFailsStopsNothing(t *testing.T) {
	d := free()
	d.err = errors.New("full")
	k := open(t, d)
	k.Tell(history.Command{Text: "a"})
	if _, _, err := k.Find(t.Context(), "", 1); err != nil {
		t.Error(err)
	}
	k.Tell(history.Command{Text: "b"})
	if _, total, err := k.Find(t.Context(), "", 1); err != nil || total != 2 {
		t.Errorf("%d, %v", total, err)
	}
}
