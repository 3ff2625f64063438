package terminal

import (
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
	none.wait(1<<20, nil)
	none.SetLate("page", true)

	now := time.Unix(1, 0)
	p := NewPacer()
	if d := p.due(1<<30, now); d != 0 {
		t.Errorf("nobody is late, and it waits %s", d)
	}
	p.setLate("page", true, now)
	p.setLate("other", true, now)
	p.setLate("other", false, now)
	// While the page goes on being late the budget falls to its floor.
	now = now.Add(10 * time.Second)
	if got := rate(p, 1, now); got < floodFloor*0.9 || got > floodFloor*1.1 {
		t.Errorf("one flood gets %.0f bytes a second, want about %d", got, floodFloor)
	}
	now = now.Add(10 * time.Second)
	if got := rate(p, 4, now); got < floodFloor/4*0.9 || got > floodFloor/4*1.1 {
		t.Errorf("each of 4 floods gets %.0f bytes a second, want about %d", got, floodFloor/4)
	}
	// However many there are, each gets a little.
	now = now.Add(10 * time.Second)
	if got := rate(p, 64, now); got < eachFloor*0.9 {
		t.Errorf("each of 64 floods gets %.0f bytes a second, want %d at least", got, eachFloor)
	}
	// Once the page is fine it grows, and ends.
	now = now.Add(10 * time.Second)
	p.setLate("page", false, now)
	before := rate(p, 1, now)
	now = now.Add(5 * time.Second)
	if after := rate(p, 1, now); after <= before {
		t.Errorf("the page is fine, and the budget went from %.0f to %.0f", before, after)
	}
	now = now.Add(time.Minute)
	if d := p.due(1<<30, now); d != 0 {
		t.Errorf("a minute later it still waits %s", d)
	}
}
