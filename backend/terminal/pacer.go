package terminal

import (
	"sync"
	"time"
)

// While a page's frames are late, the floods that it looks at share a budget, in
// bytes a second: reading them, and the programs that make them, take the
// processor from the page. The budget begins at floodStart and halves while the
// page goes on being late, down to floodFloor; once the page is fine it grows
// slowly, so that it does not swing, until there is none again. The numbers are
// from bench/pages.mjs: 16 floods on two cores.
const (
	floodStart = 32 << 20
	floodFloor = 2 << 20
	floodFree  = 64 << 20 // from here on nobody waits
	// eachFloor is what each flood may have at least, however many there are: it is
	// slowed, never stopped.
	eachFloor = 128 << 10

	halveAfter = 250 * time.Millisecond
	growAfter  = time.Second
	growBy     = 1.15
)

// Pacer slows the readers of visible floods while a page says that it starves.
// One is shared by all terminals of a process. A nil Pacer never waits.
type Pacer struct {
	mu      sync.Mutex
	late    map[any]bool // pages that are late
	budget  float64      // bytes a second; 0: nobody waits
	changed time.Time    // when the budget was last changed
	free    time.Time    // when what was spent of it is earned
}

// NewPacer makes one that waits for nobody.
func NewPacer() *Pacer { return &Pacer{late: map[any]bool{}} }

// SetLate notes whether a page's frames come late. A page that goes away is set
// to false.
func (p *Pacer) SetLate(page any, late bool) {
	if p != nil {
		p.setLate(page, late, time.Now())
	}
}

func (p *Pacer) setLate(page any, late bool, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.adjustLocked(now)
	if !late {
		delete(p.late, page)
		return
	}
	p.late[page] = true
	if p.budget == 0 {
		p.budget, p.changed = floodStart, now
	}
}

// adjustLocked brings the budget up to date.
func (p *Pacer) adjustLocked(now time.Time) {
	for p.budget > 0 && len(p.late) > 0 && now.Sub(p.changed) >= halveAfter {
		p.budget = max(p.budget/2, floodFloor)
		p.changed = p.changed.Add(halveAfter)
	}
	for p.budget > 0 && len(p.late) == 0 && now.Sub(p.changed) >= growAfter {
		p.changed = p.changed.Add(growAfter)
		if p.budget *= growBy; p.budget >= floodFree {
			p.budget = 0
		}
	}
}

// wait pays for n bytes that were read. Whoever reads little pays nearly
// nothing: the time asked for grows with n.
func (p *Pacer) wait(n int, quit <-chan struct{}) {
	if p == nil {
		return
	}
	d := p.due(n, time.Now())
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-quit:
	}
}

// due is how long the reader of n bytes has to wait.
func (p *Pacer) due(n int, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.adjustLocked(now)
	if p.budget == 0 {
		return 0
	}
	if p.free.Before(now) {
		p.free = now
	}
	wait := p.free.Sub(now)
	p.free = p.free.Add(time.Duration(float64(n) / p.budget * float64(time.Second)))
	return min(wait, time.Duration(n)*time.Second/eachFloor)
}
