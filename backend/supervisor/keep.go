package supervisor

import (
	"context"
	"time"

	"drover/backend/controller"
	"drover/backend/event"
	"drover/backend/proc"
	"drover/backend/workspace"
)

// keep saves every status and then tells it. A status without a version is a
// block that is gone: it is dropped from the disk.
func (s *Supervisor) keep(in *event.Subscription[controller.Status]) {
	defer close(s.kept)
	ctx := context.Background() // it ends with its subscription, once all is saved
	for {
		st, err := in.Next(ctx)
		if err != nil {
			return
		}
		if st.Version == 0 {
			if err := s.o.Store.DropStatus(ctx, st.Block); err != nil {
				s.o.Log.WithError(err).WithField("block", st.Block).Error("cannot forget the status of a closed block")
			}
			continue
		}
		s.save(ctx, st)
		s.Statuses.Deliver(st)
		if st.State == controller.Exited && st.Reason == controller.ReasonSelf && s.closesOnExit(st) {
			s.spawn(func() { s.closeExited(st) })
		}
	}
}

func (s *Supervisor) save(ctx context.Context, st controller.Status) {
	saved := Saved{Status: st}
	if b := s.known(st.Block); b != nil {
		if st.PID != 0 && st.State.Live() {
			b.identify(st)
		}
		saved.Process = b.process(st.Instance)
	}
	if err := s.o.Store.PutStatus(ctx, saved); err != nil {
		s.o.Log.WithError(err).WithField("block", st.Block).Error("cannot save a status")
	}
}

// identify notes which process an instance runs, once. One that has ended before
// we looked has no identity, and needs none.
func (b *block) identify(st controller.Status) {
	b.mu.Lock()
	known := b.instance == st.Instance
	b.mu.Unlock()
	if known {
		return
	}
	id, err := proc.Identify(st.PID) // only keep's goroutine comes here
	if err != nil {
		id = proc.ID{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.instance, b.root = st.Instance, id
}

// process is the identity of an instance's program; zero if not known.
func (b *block) process(instance uint64) proc.ID {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.instance != instance {
		return proc.ID{}
	}
	return b.root
}

// closesOnExit decides whether a pane goes with its program.
func (s *Supervisor) closesOnExit(st controller.Status) bool {
	rec, ok := s.o.Records.Block(st.Block)
	if !ok {
		return false
	}
	rule := rec.CloseOnExit
	if rule == workspace.CloseAuto {
		rule = s.o.CloseOnExit()
	}
	switch rule {
	case workspace.CloseAlways:
		return true
	case workspace.CloseNever:
		return false
	case workspace.CloseAuto:
	}
	return rec.Interactive() && st.Exit.Known && st.Exit.Code == 0 && st.Exit.Signal == ""
}

// closeExited closes the block of an instance that has ended, if that instance is
// still the block's last: one that was started since must not be closed by the
// end of the one before it.
func (s *Supervisor) closeExited(st controller.Status) {
	b := s.known(st.Block)
	if b == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	// As an operation of the block, so that no start comes between.
	still := false
	err := b.do(ctx, false, func(context.Context) error {
		now := b.ctl.Status()
		if still = now.Instance == st.Instance && !now.State.Live(); still {
			b.setClosing(true)
		}
		return nil
	})
	if err != nil || !still {
		return
	}
	if _, err := s.Close(ctx, []string{st.Block}, "", true); err != nil {
		b.setClosing(false)
	}
}
