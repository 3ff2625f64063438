package terminal

import (
	"sync"
	"time"
)

// While the page's frames are late, the floods that it looks at share a budget.
// Both in bytes a second; measured with 16 floods on two cores.
const (
	floodBudget  = 32 << 20
	floodMinimum = 1 << 20 // for each, however many there are
)

// Pacer slows the readers of visible floods while a page says that it starves.
// One is shared by all terminals of a process. A nil Pacer never waits.
type Pacer struct {
	mu   sync.Mutex
	late map[any]bool // pages that are late
	free time.Time    // when the budget is free again
}

// NewPacer makes one that waits for nobody.
func NewPacer() *Pacer { return &Pacer{late: map[any]bool{}} }

// SetLate notes whether a page's frames come late. A page that goes away is set
// to false.
func (p *Pacer) SetLate(page any, late bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if late {
		p.late[page] = true
	} else {
		delete(p.late, page)
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
	if len(p.late) == 0 {
		return 0
	}
	if p.free.Before(now) {
		p.free = now
	}
	wait := p.free.Sub(now)
	p.free = p.free.Add(time.Duration(n) * time.Second / floodBudget)
	return min(wait, time.Duration(n)*time.Second/floodMinimum)
}
