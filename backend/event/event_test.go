package event_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"drover/backend/event"
)

func take[T any](t *testing.T, s *event.Subscription[T], n int) []T {
	t.Helper()
	var out []T
	for range n {
		v, err := s.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func TestEverySubscriberHearsInOrder(t *testing.T) {
	var topic event.Topic[int]
	a, b := topic.Subscribe(), topic.Subscribe()
	defer a.Close()
	defer b.Close()
	for i := range 100 {
		topic.Deliver(i)
	}
	for _, s := range []*event.Subscription[int]{a, b} {
		for i, v := range take(t, s, 100) {
			if v != i {
				t.Fatalf("%d came as number %d", v, i)
			}
		}
	}
}

// An offer to one who is behind is dropped and counted; what must arrive does,
// and the teller never waits.
func TestOffersAreDroppedAndCountedDeliveriesAreNot(t *testing.T) {
	var topic event.Topic[int]
	s := topic.Subscribe()
	defer s.Close()
	for i := range 300 {
		topic.Offer(i)
	}
	for i := range 1000 {
		topic.Deliver(1000 + i)
	}
	if d := s.Dropped(); d != 300-256 {
		t.Errorf("%d dropped", d)
	}
	got := take(t, s, 256+1000)
	if got[255] != 255 || got[256] != 1000 || got[1255] != 1999 {
		t.Errorf("got %d, %d, %d", got[255], got[256], got[1255])
	}
}

func TestNextEndsWithTheContext(t *testing.T) {
	var topic event.Topic[int]
	s := topic.Subscribe()
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Next(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestCloseGivesOutWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var topic event.Topic[int]
		s := topic.Subscribe()
		topic.Deliver(1)
		topic.Close()
		topic.Deliver(2)
		if got := take(t, s, 1); got[0] != 1 {
			t.Errorf("got %v", got)
		}
		if _, err := s.Next(t.Context()); !errors.Is(err, event.ErrClosed) {
			t.Error(err)
		}
		late := topic.Subscribe()
		if _, err := late.Next(t.Context()); !errors.Is(err, event.ErrClosed) {
			t.Error(err)
		}
		s.Close()
		s.Close()
	})
}

func TestCloseWakesWhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var topic event.Topic[int]
		s := topic.Subscribe()
		errs := make(chan error, 1)
		go func() {
			_, err := s.Next(context.Background())
			errs <- err
		}()
		synctest.Wait()
		s.Close()
		if err := <-errs; !errors.Is(err, event.ErrClosed) {
			t.Error(err)
		}
	})
}

// A subscriber that tells while it listens cannot hang the topic: nothing is
// called under its lock.
func TestSubscriberMayTell(t *testing.T) {
	var topic event.Topic[int]
	s := topic.Subscribe()
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			v, err := s.Next(context.Background())
			if err != nil {
				return
			}
			if v < 10 {
				topic.Deliver(v + 1)
			} else {
				topic.Close()
			}
		}
	})
	topic.Deliver(0)
	wg.Wait()
}
