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
// the same as once. It returns when every block has been tried; what could not
// be started says so in its status.
func (s *Supervisor) Restore(ctx context.Context) error {
	saved, err := s.o.Store.Statuses(ctx)
	if err != nil {
		return fmt.Errorf("cannot read how the blocks were doing: %w", err)
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
			wg.Go(func() { s.finishClose(ctx, *sv) })
		}
	}
	for id, rec := range model.Blocks {
		wg.Go(func() { s.restore(ctx, id, rec, last[id]) })
	}
	wg.Wait()
	return nil
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

func (s *Supervisor) restore(ctx context.Context, id string, rec workspace.Block, sv *Saved) {
	if s.known(id) != nil {
		return // it runs in this run of the app already
	}
	var last *controller.Status
	if sv != nil {
		last = &sv.Status
		if last.State.Live() {
			s.sweep(rec, sv.Process)
		}
	}
	b, err := s.block(id, last)
	if err != nil {
		return
	}
	again, note := restarts(rec, last)
	if !again {
		s.inbox.Deliver(b.ctl.Status())
		return
	}
	if err := b.do(ctx, false, func(ctx context.Context) error {
		return s.ensure(ctx, b, EnsureOptions{Revive: true, Note: note})
	}); err != nil {
		s.o.Log.WithError(err).WithField("block", id).Warn("a block could not be started again")
	}
}

// restarts decides whether a block is started again, and what is said of it.
func restarts(rec workspace.Block, last *controller.Status) (again bool, note string) {
	interactive := len(rec.Command) == 0 && rec.CommandLine == ""
	switch {
	case last == nil || last.State == controller.Idle:
		return true, "" // it was made and never ran
	case last.State.Live():
		return interactive, "Drover ended unexpectedly. This is a new shell in the last folder."
	case last.Reason == controller.ReasonQuit:
		return interactive, "This ended with Drover. A new shell started in the last folder."
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
		if !ok || rec.Dir == dir || dir == "" || len(rec.Command) > 0 || rec.CommandLine != "" {
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
