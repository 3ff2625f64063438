package activity

import (
	"os"
	"sync"
	"syscall"
	"time"

	"drover/backend/proc"
)

// maxDeaths is how many processes are watched for their end at once; each costs
// a file handle and a goroutine.
const maxDeaths = 512

// deaths notes when and how processes end, where the system tells (Linux). A
// table of processes cannot say whether one ended with a terminal or had done so
// before: every build would seem to have been hung up. The zero value is ready;
// close ends it.
type deaths struct {
	wg     sync.WaitGroup
	mu     sync.Mutex
	noted  map[proc.ID]*death
	closed bool
}

type death struct {
	handle *os.File // nil: it cannot be watched
	at     time.Time
}

// keep watches these processes, dead or alive, and forgets all others.
func (d *deaths) keep(ids map[proc.ID]bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	if d.noted == nil {
		d.noted = map[proc.ID]*death{}
	}
	for id, n := range d.noted {
		if !ids[id] {
			n.close()
			delete(d.noted, id)
		}
	}
	for id := range ids {
		if d.noted[id] == nil && len(d.noted) < maxDeaths {
			d.watchLocked(id)
		}
	}
}

func (d *deaths) watchLocked(id proc.ID) {
	n := &death{}
	d.noted[id] = n
	handle, wait, err := watchEnd(id)
	if err != nil {
		return
	}
	n.handle = handle
	d.wg.Go(func() {
		if wait() != nil {
			return
		}
		now := time.Now()
		d.mu.Lock()
		defer d.mu.Unlock()
		n.at = now
	})
}

func (n *death) close() {
	if n.handle != nil {
		_ = n.handle.Close()
	}
}

// How far apart the ends of two processes that happened together may be noted:
// usually some microseconds, on a busy machine some milliseconds.
const (
	// busy holds where how it ended tells more.
	busy = 100 * time.Millisecond
	// near holds where nothing else does.
	near = 20 * time.Millisecond
)

// together reports whether a process, which is gone, ended because root did: the
// end of a terminal's first process sends HUP to the others just before it is
// over. known is false where that was not to be seen.
func (d *deaths) together(id, root proc.ID) (yes, known bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, r := d.noted[id], d.noted[root]
	if n == nil || r == nil || n.handle == nil || r.handle == nil {
		return false, false
	}
	// What is not noted yet was a moment ago, so the two are together.
	noted := !n.at.IsZero() && !r.at.IsZero()
	later := n.at.Sub(r.at)
	sig, told := endSignal(n.handle)
	switch {
	case told && sig == hangUp:
		return !noted || later > -busy, true
	case told:
		return noted && later > busy, true // it took the HUP as a request
	}
	// The kernel does not tell, or not yet. A shell whose last command ends also
	// ends within microseconds, so this may be wrong.
	return later > -near, noted
}

func (d *deaths) close() {
	d.mu.Lock()
	d.closed = true
	for _, n := range d.noted {
		n.close()
	}
	d.mu.Unlock()
	d.wg.Wait()
}

// hangUp is SIGHUP, also where syscall does not name it.
const hangUp = syscall.Signal(1)
