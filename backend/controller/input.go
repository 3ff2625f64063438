package controller

import "time"

// heldLimit bounds what is typed ahead while a session starts.
const heldLimit = 64 << 10

// input puts a request in its order and applies what is due.
func (l *life) input(r *request) {
	if r.order.Client == 0 {
		l.apply(r)
		return
	}
	o := l.ordering(r.order.Client)
	if r.order.Seq == 0 {
		for _, stale := range o.drain() {
			stale.done(ErrSkipped)
		}
		o.until = time.Time{}
	}
	switch o.judge(r.order) {
	case deliver:
		l.apply(r)
		l.applyReady(o)
	case wait:
		o.hold(r.order.Seq, r)
		if o.until.IsZero() {
			o.until = time.Now().Add(gapPatience)
		}
	case duplicate:
		// It was accepted when it came first. Its credit goes back now: the one
		// who was to hear of it may be a link that is gone.
		if r.in.Taken != nil {
			r.in.Taken()
		}
		r.done(nil)
	case skipped:
		r.done(ErrSkipped)
	case gap:
		r.done(ErrGap)
	case full:
		r.done(ErrFull)
	}
}

// applyReady applies what waited for the input before it.
func (l *life) applyReady(o *ordering) {
	for _, r := range o.ready() {
		l.apply(r)
	}
	if len(o.waiting) == 0 {
		o.until = time.Time{}
	}
}

// endGap gives a missing input up.
func (l *life) endGap(o *ordering) {
	o.until = time.Time{}
	for _, r := range o.skip() {
		l.apply(r)
	}
	if len(o.waiting) > 0 {
		o.until = time.Now().Add(gapPatience)
	}
}

// ordering finds a client's order, forgetting the one used longest ago when
// there are too many.
func (l *life) ordering(client uint64) *ordering {
	l.uses++
	o := l.orders[client]
	if o == nil {
		if len(l.orders) >= maxClients {
			l.forgetOne()
		}
		o = &ordering{}
		l.orders[client] = o
	}
	o.used = l.uses
	return o
}

func (l *life) forgetOne() {
	var oldest uint64
	for client, o := range l.orders {
		if prev := l.orders[oldest]; prev == nil || o.used < prev.used {
			oldest = client
		}
	}
	for _, r := range l.orders[oldest].drain() {
		r.done(ErrSkipped)
	}
	delete(l.orders, oldest)
}

// apply delivers a request whose turn has come, holds it until the session
// runs, or refuses it.
func (l *life) apply(r *request) {
	if l.status.Closing {
		r.done(ErrClosing)
		return
	}
	switch l.status.State {
	case Running, Reconnecting:
		r.done(l.deliver(r.in))
	case Starting:
		if l.heldBytes+len(r.in.Bytes) > heldLimit {
			r.done(ErrFull)
			return
		}
		l.held = append(l.held, r)
		l.heldBytes += len(r.in.Bytes)
	case Stopping, Killing:
		r.done(ErrStopping)
	case Idle, Exited, Failed:
		r.done(ErrNotRunning)
	}
}

func (l *life) deliver(in Input) error {
	if len(in.Bytes) > 0 {
		if err := sendBytes(l.session, in.Bytes, in.Taken); err != nil {
			return err
		}
	} else if in.Taken != nil {
		in.Taken()
	}
	if in.Size != nil {
		if err := resize(l.session, *in.Size); err != nil {
			return err
		}
	}
	if in.Signal != "" {
		return signal(l.session, in.Signal)
	}
	return nil
}
