package proc

import (
	"context"
	"errors"
	"syscall"
	"time"
)

const (
	// Grace is how long a process has between TERM and KILL.
	Grace = 300 * time.Millisecond
	// verify is how long KILL is repeated and waited for. A process in an
	// uninterruptible wait may outlive it and is then reported.
	verify = 2 * time.Second
	poll   = 5 * time.Millisecond
)

// Result tells what became of each process of a tree.
type Result struct {
	Stopped     []ID // gone before KILL
	Forced      []ID // gone after KILL
	Survived    []ID // still there, or not known
	LeftRunning []ID // not to be ended: by HangUp's rule, or ourselves and those above us
}

// End ends the whole tree of root: TERM, Grace, KILL, and looks until all is gone. Processes
// that start meanwhile are ended, too. It blocks for less than 3 s; when ctx ends, KILL is sent at
// once and it returns within 0.3 s. Children of this process must be waited for by whoever
// started them; a zombie counts as gone. The error says why not everything
// could be seen or signalled; the result holds in any case.
func (s *Scanner) End(ctx context.Context, root ID, o TreeOptions) (Result, error) {
	return s.newEnding(root, o, root).end(ctx)
}

// EndIDs is End for these processes and their descendants.
func (s *Scanner) EndIDs(ctx context.Context, ids []ID) (Result, error) {
	return s.newEnding(ID{}, TreeOptions{}, ids...).end(ctx)
}

// ending is one run of End or HangUp.
type ending struct {
	scanner *Scanner
	leader  ID
	options TreeOptions
	order   []ID
	targets map[ID]*target
	// spared, if set, is asked once for each process that is found.
	spared func(Member) bool
	errs   []error
}

type target struct {
	root   bool // asked for; not known to be a process yet
	spared bool
	told   bool // by TERM or HUP
	forced bool
	gone   bool
}

func (s *Scanner) newEnding(leader ID, o TreeOptions, roots ...ID) *ending {
	e := &ending{scanner: s, leader: leader, options: o, targets: map[ID]*target{}}
	for _, id := range roots {
		if id.PID > 0 && e.targets[id] == nil {
			e.targets[id] = &target{root: true}
			e.order = append(e.order, id)
		}
	}
	return e
}

func (e *ending) end(ctx context.Context) (Result, error) {
	if err := e.look(ctx); err != nil {
		return e.result(), err
	}
	e.send(syscall.SIGTERM, resume)
	if e.left() > 0 {
		e.wait(ctx, Grace)
	}
	return e.force(ctx)
}

// force sends KILL until nothing is left to look at.
func (e *ending) force(ctx context.Context) (Result, error) {
	deadline := time.Now().Add(verify)
	for {
		if err := e.look(ctx); err != nil {
			return e.result(), err
		}
		if e.left() == 0 {
			return e.result(), errors.Join(e.errs...)
		}
		if time.Now().After(deadline) {
			return e.result(), errors.Join(e.errs...)
		}
		e.errs = nil
		e.send(syscall.SIGKILL)
		e.wait(context.WithoutCancel(ctx), verify/10)
		if ctx.Err() != nil {
			deadline = time.Now()
		}
	}
}

// look adds what belongs to the tree now. The end of ctx shortens the waiting, never the looking.
func (e *ending) look(ctx context.Context) error {
	t, err := e.scanner.Scan(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	for _, m := range t.tree(e.order, e.leader, e.options) {
		known := e.targets[m.ID]
		if known == nil {
			if m.Zombie {
				continue
			}
			known = &target{}
			e.targets[m.ID] = known
			e.order = append(e.order, m.ID)
			known.spared = e.spared != nil && e.spared(m)
			continue
		}
		if known.root {
			known.root = false
			known.spared = e.spared != nil && !m.Zombie && e.spared(m)
		}
	}
	for id, known := range e.targets {
		// Never ourselves or those above us, whoever asks.
		known.spared = known.spared || t.ours()[id.PID]
	}
	e.left()
	return nil
}

// left counts those that are to be ended and not known to be gone.
func (e *ending) left() (n int) {
	for _, id := range e.order {
		t := e.targets[id]
		if !t.gone {
			if alive, known := aliveIn(e.scanner.boot, id); known && !alive {
				t.gone = true
			}
		}
		if !t.gone && !t.spared {
			n++
		}
	}
	return n
}

// send sends the signals to all that are left, in order.
func (e *ending) send(sigs ...syscall.Signal) {
	for _, id := range e.order {
		t := e.targets[id]
		if t.gone || t.spared {
			continue
		}
		for _, sig := range sigs {
			err := Signal(id, sig)
			switch {
			case errors.Is(err, ErrGone):
				t.gone = true
			case errors.Is(err, errors.ErrUnsupported):
			case err != nil:
				e.errs = append(e.errs, err)
			case sig == syscall.SIGKILL:
				t.forced = true
			default:
				t.told = true
			}
		}
	}
}

// wait waits until nothing is left, for d at most.
func (e *ending) wait(ctx context.Context, d time.Duration) {
	limit := time.NewTimer(d)
	defer limit.Stop()
	again := time.NewTicker(poll)
	defer again.Stop()
	for e.left() > 0 {
		select {
		case <-again.C:
		case <-limit.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (e *ending) result() Result {
	var r Result
	e.left()
	for _, id := range e.order {
		switch t := e.targets[id]; {
		case t.gone && t.forced:
			r.Forced = append(r.Forced, id)
		case t.gone && t.told:
			r.Stopped = append(r.Stopped, id)
		case t.gone:
			// It was gone before we came, or went by itself.
		case t.spared:
			r.LeftRunning = append(r.LeftRunning, id)
		default:
			r.Survived = append(r.Survived, id)
		}
	}
	return r
}
