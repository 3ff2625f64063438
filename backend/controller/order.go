package controller

import "time"

// Order says which of a client's inputs this is. The zero value is an input
// without an order: it is delivered as it comes.
type Order struct {
	Client uint64 // 0: no order
	// Seq counts a client's inputs to this block. 0 starts anew; else the first
	// one of a client that is not known sets the count.
	Seq uint64
	// Strict refuses a gap at once with ErrGap: for links that cannot lose.
	Strict bool
}

// Bounds of what waits for a missing input.
const (
	maxWaiting  = 256
	gapPatience = 500 * time.Millisecond
	maxClients  = 64
)

// verdict is what an input's order says about it.
type verdict int

const (
	deliver   verdict = iota
	wait              // a gap: hold it
	duplicate         // delivered before
	skipped           // its turn has passed
	gap               // a gap where none can be
	full              // a gap, and too many wait already
)

// ordering puts the inputs of one client in their order.
type ordering struct {
	next    uint64
	known   bool
	waiting map[uint64]*request
	// lost holds the numbers that the end of a gap gave up: one that comes after
	// all is refused by number, not taken for a duplicate.
	lost  map[uint64]bool
	until time.Time // when the missing input is given up; zero if none is missed
	used  uint64    // when it was last used, by the controller's count
}

func (o *ordering) judge(ord Order) verdict {
	switch {
	case ord.Seq == 0:
		o.next, o.known, o.lost = 0, true, nil
	case !o.known:
		o.next, o.known = ord.Seq, true
	}
	switch {
	case ord.Seq == o.next:
		o.next++
		return deliver
	case ord.Seq < o.next:
		if o.lost[ord.Seq] {
			return skipped
		}
		return duplicate
	case ord.Strict:
		return gap
	case o.waiting[ord.Seq] != nil:
		return duplicate
	case len(o.waiting) >= maxWaiting:
		return full
	}
	return wait
}

// hold keeps an input until its turn.
func (o *ordering) hold(seq uint64, r *request) {
	if o.waiting == nil {
		o.waiting = map[uint64]*request{}
	}
	o.waiting[seq] = r
}

// ready takes out the inputs whose turn has come, in order.
func (o *ordering) ready() []*request {
	var out []*request
	for {
		r := o.waiting[o.next]
		if r == nil {
			return out
		}
		delete(o.waiting, o.next)
		o.next++
		out = append(out, r)
	}
}

// skip gives the missing inputs up and goes on with the lowest that waits.
func (o *ordering) skip() []*request {
	if len(o.waiting) == 0 {
		return nil
	}
	lowest := uint64(1<<64 - 1)
	for seq := range o.waiting {
		lowest = min(lowest, seq)
	}
	if o.lost == nil {
		o.lost = map[uint64]bool{}
	}
	// Only as many as can be told apart later; older ones count as duplicates,
	// which is to be dropped as well.
	for seq := max(o.next, lowest-min(lowest, maxWaiting)); seq < lowest; seq++ {
		o.lost[seq] = true
	}
	o.next = lowest
	return o.ready()
}

// drain takes out everything that waits, in no order: it is refused.
func (o *ordering) drain() []*request {
	var out []*request
	for _, r := range o.waiting {
		out = append(out, r)
	}
	o.waiting = nil
	return out
}
