package terminal

import (
	"slices"
	"testing"
	"time"
)

// rate is how much one of n readers gets in a second, in bytes, from now on.
func rate(p *Pacer, n int, now time.Time) float64 {
	const piece = 4 << 10
	next := make([]time.Time, n)
	read := 0
	for i := range next {
		next[i] = now
	}
	for end := now.Add(time.Second); ; {
		first := 0
		for i := range next {
			if next[i].Before(next[first]) {
				first = i
			}
		}
		if !next[first].Before(end) {
			return float64(read) / float64(n)
		}
		read += piece
		// Reading takes a little time too.
		next[first] = next[first].Add(p.due(piece, next[first]) + 10*time.Microsecond)
	}
}

func TestPacer(t *testing.T) {
	var none *Pacer
	none.wait(1 << 20)
	none.SetLate("page", true)

	now := time.Unix(1, 0)
	p := NewPacer()
	p.setLate("page", true, now)
	if got := rate(p, 1, now); got < 100<<20 {
		t.Errorf("beside a late page, one flood alone gets %.0f bytes a second", got)
	}
	p = NewPacer()
	p.flood(true)
	p.flood(true)
	free := rate(p, 1, now) // as fast as they come
	now = now.Add(time.Second)
	if free < 100<<20 {
		t.Fatalf("nobody is late, and a flood gets %.0f bytes a second", free)
	}
	// At first a late page takes little of that.
	p.setLate("page", true, now)
	p.setLate("other", true, now)
	p.setLate("other", false, now)
	if got := rate(p, 1, now); got < free/3 || got > free*slower {
		t.Errorf("in the first second a flood gets %.0f bytes of %.0f", got, free)
	}
	// While the page goes on being late the budget falls to its floor.
	now = now.Add(10 * time.Second)
	if got := rate(p, 1, now); got < floodFloor*0.9 || got > floodFloor*1.1 {
		t.Errorf("one flood gets %.0f bytes a second, want about %d", got, floodFloor)
	}
	now = now.Add(10 * time.Second)
	if got := rate(p, 4, now); got < floodFloor/4*0.9 || got > floodFloor/4*1.1 {
		t.Errorf("each of 4 floods gets %.0f bytes a second, want about %d", got, floodFloor/4)
	}
	// Once the page is fine it grows as long as it is used, and ends then.
	now = now.Add(10 * time.Second)
	p.setLate("page", false, now)
	before := rate(p, 1, now)
	now = now.Add(time.Second)
	if after := rate(p, 1, now); after <= before {
		t.Errorf("the page is fine, and the budget went from %.0f to %.0f", before, after)
	}
	now = now.Add(10 * time.Second)
	if d := p.due(1<<30, now); d != 0 {
		t.Errorf("ten seconds later it still waits %s", d)
	}
}

func TestFloodsStandBackWhileSomebodyTypes(t *testing.T) {
	p := NewPacer()
	p.Typed()
	now := p.typed
	var d time.Duration
	for range 100 {
		d = p.due(floodFloor/100, now) // all that it may have in a second
	}
	if d < 900*time.Millisecond || d > time.Second {
		t.Errorf("what a flood may have in a second is read after %s", d)
	}
	if d := p.due(1<<20, now.Add(2*time.Second)); d != 0 {
		t.Errorf("long after the key it waits %s", d)
	}
}

func TestViewersOfFloodsShare(t *testing.T) {
	var none *Pacer
	none.flood(true)
	p := NewPacer()
	for range 16 {
		p.flood(true)
	}
	shared := p.share()
	for range 16 {
		p.flood(false)
	}
	if got := []uint64{none.share(), shared, p.share()}; !slices.Equal(got, []uint64{keptUp, keptUp / 16, keptUp}) {
		t.Errorf("shares of %d", got)
	}
}

// A lone flood waits for a page that has not shown the last screen, if that takes long
// and not for ever; several have their budget.
func TestALoneFloodWaitsForThePage(t *testing.T) {
	var none *Pacer
	none.sent(true)
	p := NewPacer()
	waits := func(after time.Duration) time.Duration {
		_, most := p.owed(p.sentAt.Add(after))
		return most
	}
	p.flood(true)
	p.sent(true)
	if got := []time.Duration{waits(slow - 1), waits(slow + 1), waits(slow + starved)}; !slices.Equal(got, []time.Duration{0, starved - 1, 0}) {
		t.Errorf("it waits %v", got)
	}
	p.stoodBack(starved)
	if got := []time.Duration{waits(slow), waits(slow + standBack*time.Millisecond)}; !slices.Equal(got, []time.Duration{0, time.Millisecond}) {
		t.Errorf("after it has waited it waits %v", got)
	}
	came, _ := p.owed(p.sentAt.Add(slow))
	p.sent(false)
	select {
	case <-came:
	default:
		t.Error("the page has shown it, and it waits")
	}
	if waits(slow) > 0 {
		t.Error("it waits for what has come")
	}
	p.sent(true)
	p.flood(true)
	if waits(slow) > 0 {
		t.Error("one of two floods waits")
	}
}
