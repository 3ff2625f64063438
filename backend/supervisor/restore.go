package supervisor

import (
	"context"
	"fmt"
	"sync"

	"drover/backend/controller"
	"drover/backend/proc"
	"drover/backend/workspace"
)

// Restore begins where an earlier run of the app ended: processes of it that
// still live are ended, blocks that had ended are shown so, interactive shells
// that ended with the app start anew in their last directory. A command that
// ended with the app is not run again: its pane offers that. Restoring twice is
// the same as once.
//
// When it returns, every block is known with its last status, and nothing can be
// started before what is left of it has been ended. done is closed when every
// block has been tried; what could not be started says so in its status.
func (s *Supervisor) Restore(ctx context.Context) (done <-chan struct{}, err error) {
	saved, err := s.o.Store.Statuses(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot read how the blocks were doing: %w", err)
	}
	last := map[string]*Saved{}
	for i := range saved {
		last[saved[i].Status.Block] = &saved[i]
	}
	model := s.o.Records.Model()
	var wg sync.WaitGroup
	for id, sv := range last {
		if _, ok := model.Blocks[id]; !ok && s.known(id) == nil {
			// It was being closed when the app ended: the close is finished now. What
			// this run of the app closes is left to that close, which may be undone.
			wg.Go(func() { s.finishClose(context.WithoutCancel(ctx), *sv) })
		}
	}
	for id, rec := range model.Blocks {
		if op := s.restore(id, rec, last[id]); op != nil {
			wg.Go(func() {
				if err := <-op.reply; err != nil {
					s.o.Log.WithError(err).WithField("block", id).Warn("a block could not be started again")
				}
			})
		}
	}
	all := make(chan struct{})
	s.spawn(func() {
		wg.Wait()
		close(all)
	})
	return all, nil
}

func (s *Supervisor) finishClose(ctx context.Context, sv Saved) {
	id := sv.Status.Block
	if t := s.sweep(workspace.Block{ID: id}, sv.Process); len(t.survived) > 0 {
		s.o.Log.WithField("block", id).WithField("pids", t.survived).Warn("processes of a closed block survive")
		return
	}
	s.o.Removed(id)
	if err := s.o.Store.DropStatus(ctx, id); err != nil {
		s.o.Log.WithError(err).WithField("block", id).Error("cannot forget the status of a closed block")
	}
}

// restore makes a block known with its last status, and queues what is to be
// done for it; nil if that is nothing.
func (s *Supervisor) restore(id string, rec workspace.Block, sv *Saved) *operation {
	if s.known(id) != nil {
		return nil // it runs in this run of the app already
	}
	var last *controller.Status
	if sv != nil {
		last = &sv.Status
	}
	b, err := s.block(id, last)
	if err != nil {
		return nil
	}
	s.inbox.Deliver(b.ctl.Status())
	again, note := restarts(rec, last)
	if !again && (last == nil || !last.State.Live()) {
		return nil
	}
	op := newOperation(context.Background(), false, func(ctx context.Context) error {
		if last != nil && last.State.Live() {
			s.sweep(rec, sv.Process)
		}
		if !again {
			return nil
		}
		return s.ensure(ctx, b, EnsureOptions{Revive: true, Note: note})
	})
	if b.submit(op) != nil {
		return nil // it is being closed already
	}
	return op
}

// restarts decides whether a block is started again, and what is said of it.
func restarts(rec workspace.Block, last *controller.Status) (again bool, note string) {
	switch {
	case last == nil || last.State == controller.Idle:
		return true, "" // it was made and never ran
	case last.State.Live():
		return rec.Interactive(), "Drover ended unexpectedly. This is a new shell in the last folder."
	case last.Reason == controller.ReasonQuit:
		return rec.Interactive(), "This ended with Drover. A new shell started in the last folder."
	}
	return false, ""
}

// Quit ends everything for the end of the app, under one deadline, and keeps the
// records, with the last directory of each shell. It may be called twice; the
// result is one line.
func (s *Supervisor) Quit(ctx context.Context) string {
	s.mu.Lock()
	first := !s.quitting
	s.quitting = true
	var closings []*closing
	for _, c := range s.closings {
		closings = append(closings, c)
	}
	s.mu.Unlock()
	if !first {
		<-s.kept
		return ""
	}
	for _, c := range closings {
		c.settle(Ending)
	}
	s.rememberFolders(ctx)

	deadline, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	s.mu.Lock()
	var blocks []*block
	for _, b := range s.blocks {
		blocks = append(blocks, b)
	}
	s.mu.Unlock()
	var mu sync.Mutex
	var total tally
	var wg sync.WaitGroup
	for _, b := range blocks {
		if b.isClosing() {
			continue // its closing ends it
		}
		wg.Go(func() {
			rec, _ := s.o.Records.Block(b.id)
			rec.ID = b.id
			t := s.endBlock(deadline, b, rec, controller.ReasonQuit)
			b.end()
			mu.Lock()
			defer mu.Unlock()
			total.add(t)
		})
	}
	wg.Wait()
	s.wg.Wait()
	s.inbox.Close()
	<-s.kept
	s.Statuses.Close()
	s.Closings.Close()
	s.Typed.Close()
	return total.String()
}

func (b *block) isClosing() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closing
}

// rememberFolders notes where each shell is, for its next start.
func (s *Supervisor) rememberFolders(ctx context.Context) {
	dirs := map[string]string{}
	for _, st := range s.List() {
		b := s.known(st.Block)
		if b == nil || !st.State.Live() {
			continue
		}
		if root := b.process(st.Instance); root != (proc.ID{}) {
			if dir, err := proc.Cwd(root); err == nil {
				dirs[st.Block] = dir
			}
		}
	}
	s.RememberFolders(ctx, dirs)
}

// RememberFolders notes the directories in which shells are, by block. Commands
// keep the one that they were given.
func (s *Supervisor) RememberFolders(ctx context.Context, dirs map[string]string) {
	model := s.o.Records.Model()
	for id, dir := range dirs {
		rec, ok := model.Blocks[id]
		if !ok || rec.Dir == dir || dir == "" || !rec.Interactive() {
			delete(dirs, id)
		}
	}
	if len(dirs) == 0 {
		return
	}
	_, err := s.o.Records.Change(ctx, func(m *workspace.Model) error {
		for id, dir := range dirs {
			if _, ok := m.Blocks[id]; !ok {
				continue
			}
			if err := m.UpdateBlock(id, func(b *workspace.Block) { b.Dir = dir }); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.o.Log.WithError(err).Warn("cannot note the folders of the shells")
	}
}
