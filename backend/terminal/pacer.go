package terminal

import (
	"sync"
	"time"
)

// While a page's frames are late, the floods that it looks at share a budget, in
// bytes a second: reading them, and the programs that make them, take the processor
// from the page. It begins a little below what they had, falls step by step while
// the page goes on being late, and rises again while it is not, so that it stays
// near what the page bears. When something else keeps the machine busy, slowing
// floods down does not help: below floodFloor they cost next to nothing, and it
// stays there. One flood alone leaves the page enough mostly, and goes as fast as it
// can; but from slow on after a screen of it was sent it waits for the page to show
// that: for no longer than starved, and for no more than a part in standBack of the time.
// The numbers are from `make bench`, on two cores.
//
// While somebody types, floods have no more than floodFloor: an echo goes through
// ten hands, and each of them would wait for the processor behind sixteen floods. What
// a page reports of the mouse and of the focus counts as typed: a program that asked for
// it answers it.
const (
	floodFloor = 16 << 20
	several    = 2
	typing     = 500 * time.Millisecond
	step       = 100 * time.Millisecond
	slow       = 24 * time.Millisecond
	starved    = 40 * time.Millisecond
	standBack  = 20
	slower     = 0.94
	faster     = 1.06
	// From so many times of what is used on, nobody waits any more.
	unused = 3
)

// Pacer slows the readers of visible floods while a page says that it starves, and
// while somebody types.
// One is shared by all terminals of a process. A nil Pacer never waits.
type Pacer struct {
	mu      sync.Mutex
	late    map[any]bool // pages that are late
	budget  float64      // bytes a second; 0: nobody waits
	changed time.Time    // when the budget was last changed
	typed   time.Time    // when a key was typed last
	free    time.Time    // when what was spent of it is earned
	meter   meter
	floods  int // viewers that are sent screens
	// Of the last screen that was sent to one of them. came is closed when the page has
	// shown it, and nil from then on.
	sentAt time.Time
	came   chan struct{}
	paidAt time.Time     // until when the time that a lone flood may stand back is counted
	may    time.Duration // that time
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

// Typed notes that somebody types, in any terminal.
func (p *Pacer) Typed() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.typed = time.Now()
	p.mu.Unlock()
}

// flood notes that one more viewer is sent screens, or one less.
func (p *Pacer) flood(on bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if on {
		p.floods++
	} else {
		p.floods--
	}
}

// sent notes that a screen of a flood is on its way to a page, or that it has come.
func (p *Pacer) sent(on bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.came != nil {
		close(p.came)
		p.came = nil
	}
	if on {
		p.sentAt, p.came = time.Now(), make(chan struct{})
	}
}

// owed is what a reader waits for beside a lone flood, and how long at most: the page to
// show the screen that it was sent.
func (p *Pacer) owed(now time.Time) (came <-chan struct{}, most time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	took := now.Sub(p.sentAt)
	if p.floods != 1 || p.came == nil || took < slow || took >= slow+starved {
		return nil, 0
	}
	p.may = min(p.may+now.Sub(p.paidAt)/standBack, starved)
	p.paidAt = now
	return p.came, min(slow+starved-took, p.may)
}

// stoodBack notes that it waited so long for that.
func (p *Pacer) stoodBack(d time.Duration) {
	p.mu.Lock()
	p.may -= d
	p.mu.Unlock()
}

// share is how much of keptUp a viewer that is sent screens has for itself.
func (p *Pacer) share() uint64 {
	if p == nil {
		return keptUp
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return uint64(keptUp / max(1, p.floods))
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
		p.budget, p.changed = max(p.meter.rate(now)*slower, floodFloor), now
	}
}

// adjustLocked brings the budget up to date.
func (p *Pacer) adjustLocked(now time.Time) {
	for p.budget > 0 && now.Sub(p.changed) >= step {
		p.changed = p.changed.Add(step)
		if len(p.late) > 0 {
			p.budget = max(p.budget*slower, floodFloor)
			continue
		}
		if p.budget *= faster; p.budget > unused*max(p.meter.rate(now), floodFloor) {
			p.budget = 0
		}
	}
}

// A meter says how many bytes came in a second, lately.
type meter struct {
	since     time.Time // of the bytes that are being counted
	bytes     float64
	last      float64 // bytes a second, before that
	before    float64 // and before that
	lastUntil time.Time
}

// metered is how long it counts.
const metered = 200 * time.Millisecond

func (m *meter) add(n int, now time.Time) {
	if now.Sub(m.since) >= metered {
		m.before, m.last, m.lastUntil = m.last, m.bytes/now.Sub(m.since).Seconds(), now
		m.since, m.bytes = now, 0
	}
	m.bytes += float64(n)
}

// rate is the higher of the last two: what makes frames late holds floods up too. It
// is 0 when nothing came for a while.
func (m *meter) rate(now time.Time) float64 {
	if now.Sub(m.lastUntil) > 2*metered {
		return 0
	}
	return max(m.last, m.before)
}

// wait pays for n bytes that were read.
func (p *Pacer) wait(n int) {
	if p == nil {
		return
	}
	if d := p.due(n, time.Now()); d > 0 {
		<-time.After(d)
	}
	now := time.Now()
	if came, most := p.owed(now); most > 0 {
		select {
		case <-came:
		case <-time.After(most):
		}
		p.stoodBack(time.Since(now))
	}
}

// paidFrom is from how many bytes on a reader pays: who reads little waits for nobody.
const paidFrom = 32 << 10

// burst is how much of the budget may be spent late, or ahead: nobody can wait for
// as little time as one read is worth.
const burst = 5 * time.Millisecond

// due is how long the reader of n bytes has to wait.
func (p *Pacer) due(n int, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.meter.add(n, now)
	p.adjustLocked(now)
	budget := p.budget
	if p.floods < several {
		budget = 0
	}
	if now.Sub(p.typed) < typing {
		budget = floodFloor
	}
	if budget == 0 {
		return 0
	}
	if earliest := now.Add(-burst); p.free.Before(earliest) {
		p.free = earliest
	}
	wait := p.free.Sub(now)
	p.free = p.free.Add(time.Duration(float64(n) / budget * float64(time.Second)))
	if wait < burst {
		return 0
	}
	return wait
}
