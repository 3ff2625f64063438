package controller_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"drover/backend/controller"
	"drover/backend/controller/controllertest"
	"drover/backend/turn"
)

// What an instance says after its end clears nothing of the one that follows:
// neither the input that is held for it, nor who waits, nor the order of a
// client's input, nor how it is doing.
func TestALateEndTakesNothingFromTheNextInstance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, rec := controllertest.Record(t, "b")
		f := &controllertest.Fake{}
		start(t, c, f)
		order := func(seq uint64) controller.Order {
			return controller.Order{Client: 7, Seq: seq, Strict: true}
		}
		if err := c.Send(t.Context(), controller.Input{Bytes: []byte("1")}, order(1)); err != nil {
			t.Fatal(err)
		}
		old := f.Session(0)
		if err := c.Stop(t.Context(), controller.StopOptions{Reason: controller.ReasonReplace}); err != nil {
			t.Fatal(err)
		}

		release := make(chan struct{})
		next := gated{release: release, fake: &controllertest.Fake{IgnoreTerm: true}}
		started := make(chan error, 1)
		go func() { started <- c.Start(t.Context(), next, controller.Spec{}) }()
		rec.WaitState(2, controller.Starting)
		held := make(chan error, 1)
		c.Post(controller.Input{Bytes: []byte("2")}, order(2), func(err error) { held <- err })

		// All that an old session can still do, while the new one starts.
		late := func() {
			old.End(0)
			_ = old.Kill()
			old.Spec().Emit(turn.Text{Text: "late"})
			old.Spec().Report(controller.Report{PID: 99, Message: "late", Link: controller.LinkLost})
			synctest.Wait()
		}
		late()
		select {
		case err := <-held:
			t.Fatalf("held input was answered by the old end: %v", err)
		case err := <-started:
			t.Fatalf("the start was answered by the old end: %v", err)
		default:
		}
		close(release)
		if err := errors.Join(<-started, <-held); err != nil {
			t.Fatal(err)
		}

		// And while it runs, and while somebody waits for its end.
		late()
		stopped := make(chan error, 1)
		go func() {
			stopped <- c.Stop(t.Context(), controller.StopOptions{Reason: controller.ReasonUser, Grace: time.Hour})
		}()
		rec.WaitState(2, controller.Stopping)
		late()
		select {
		case err := <-stopped:
			t.Fatalf("who waits for the end was told the old one's: %v", err)
		default:
		}
		if s := c.Status(); s.Instance != 2 || s.State != controller.Stopping || s.PID == 99 || s.Message == "late" {
			t.Errorf("the old end changed the status: %+v", s)
		}
		if got := next.fake.Session(0).Got(); got != "2" {
			t.Errorf("the new instance got %q", got)
		}
		next.fake.Session(0).End(0)
		if err := <-stopped; err != nil {
			t.Error(err)
		}
		for _, e := range rec.Events() {
			t.Errorf("an event of the old one: %v", e)
		}
		_ = c.Close()
	})
}
