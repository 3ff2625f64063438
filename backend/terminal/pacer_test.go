package terminal

import (
	"testing"
	"time"
)

func TestPacer(t *testing.T) {
	now := time.Unix(1, 0)
	var none *Pacer
	none.wait(1<<20, nil)
	none.SetLate("page", true)

	p := NewPacer()
	if d := p.due(1<<30, now); d != 0 {
		t.Errorf("nobody is late, and it waits %s", d)
	}
	p.SetLate("page", true)
	p.SetLate("other", true)
	p.SetLate("other", false)
	// A budget is shared: sixteen floods together are read at its speed.
	var last time.Duration
	for range 64 {
		last = p.due(64<<10, now)
	}
	if want := 63 * (64 << 10) * time.Second / floodBudget; (last-want).Abs() > time.Millisecond*63 && last > time.Duration(64<<10)*time.Second/floodMinimum {
		t.Errorf("the 64th waits %s, want about %s", last, want)
	}
	// None is slower than its minimum.
	for range 10000 {
		last = p.due(64<<10, now)
	}
	if limit := time.Duration(64<<10) * time.Second / floodMinimum; last > limit {
		t.Errorf("it waits %s for 64 KiB, the bound is %s", last, limit)
	}
	p.SetLate("page", false)
	if d := p.due(64<<10, now); d != 0 {
		t.Errorf("the page is fine again, and it waits %s", d)
	}
}
