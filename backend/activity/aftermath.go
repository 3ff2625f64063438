package activity

import (
	"context"
	"fmt"
	"time"

	"drover/backend/controller"
	"drover/backend/proc"
	"drover/backend/workspace"
)

const (
	aftermathTimeout = time.Second
	// hangUpTime is what a busy machine may need to end what was sent a HUP.
	hangUpTime = 100 * time.Millisecond
	maxNamed   = 10
)

// Aftermath tells what the end of a block's program, which had the pid, meant for
// the other processes of its terminal: hungUp names those that were there when
// the program was last seen and are gone, as "name (pid)", ten at most and then
// how many more; left are those that go on, ten at most, which the list shows in
// any case. Call it once the program has been waited for. It takes one scan, and
// 100 ms more if something stays that the end of a terminal hangs up, such as a
// program under nohup; 1 s at most.
//
// A process that had ended before the program is not said to have been hung up.
// Linux tells which had; elsewhere it is only certain of what had the terminal's
// foreground under an interactive shell that ended by itself.
func (s *Service) Aftermath(block string, pid int) (hungUp []string, left []controller.Proc) {
	ctx, cancel := context.WithTimeout(s.ctx, aftermathTimeout)
	defer cancel()
	s.mu.Lock()
	last := s.last[block]
	s.mu.Unlock()
	if last.root.ID.PID != pid {
		last = seen{} // of another instance, or never seen
	}
	stopped := s.stopping(block)
	awaitHangUp(ctx, last)
	table, err := s.o.Procs.Scan(ctx)
	if err != nil {
		if s.ctx.Err() == nil {
			s.o.Log.WithError(err).WithField("block", block).Warn("cannot see what a program that ended left running")
		}
		return nil, nil
	}
	after := table.Tree(last.root.ID, proc.TreeOptions{Block: block})
	here := map[proc.ID]bool{}
	for _, m := range after {
		here[m.ID] = !m.Zombie
	}
	more := 0
	for _, m := range last.members {
		if here[m.ID] || m.ID == last.root.ID || m.Zombie {
			continue
		}
		if p, ok := table.Find(m.ID); ok && !p.Zombie {
			// It left the tree with the death of its parents.
			m.Process = p
			after = append(after, m)
			continue
		}
		if !s.wentWith(m, last.root, stopped) {
			continue
		}
		if len(hungUp) == maxNamed {
			more++
			continue
		}
		hungUp = append(hungUp, fmt.Sprintf("%s (%d)", m.Name, m.ID.PID))
	}
	if more > 0 {
		hungUp = append(hungUp, fmt.Sprintf("and %d more", more))
	}
	var rows []proc.Member
	for _, m := range after {
		if m.Zombie || m.ID.PID == pid {
			continue
		}
		rows = append(rows, m)
		if len(left) < maxNamed {
			left = append(left, controller.Proc{PID: m.ID.PID, Started: m.Started, Name: m.Name})
		}
	}
	model := s.o.Models()
	if b, ok := model.Blocks[block]; ok {
		s.leave(b, model, rows, settle)
	}
	return hungUp, left
}

// awaitHangUp gives what was in the foreground, which the end of a terminal's
// program hangs up, the time to end.
func awaitHangUp(ctx context.Context, last seen) {
	ctx, cancel := context.WithTimeout(ctx, hangUpTime)
	defer cancel()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for _, m := range last.members {
		if m.Zombie || m.ID == last.root.ID || (m.Group != last.root.Group && !m.Foreground) {
			continue
		}
		for alive, known := proc.Alive(m.ID); alive || !known; alive, known = proc.Alive(m.ID) {
			select {
			case <-again.C:
			case <-ctx.Done():
				return
			}
		}
	}
}

// wentWith reports whether a process that is gone went with the program.
func (s *Service) wentWith(m proc.Member, root proc.Process, stopped bool) bool {
	if yes, known := s.deaths.together(m.ID, root.ID); known {
		return yes
	}
	// The shell had the foreground again when it read what made it end.
	ownJob := m.Foreground && m.Group != root.Group
	return stopped || !ownJob
}

// stopping reports whether a block's program was asked to end, rather than ending
// by itself.
func (s *Service) stopping(block string) bool {
	for _, st := range s.o.Statuses() {
		if st.Block == block {
			return st.State == controller.Stopping || st.State == controller.Killing
		}
	}
	return false
}

// AddLeftRunning lists processes that outlive a block by their own choice, each
// until it ends. It takes one scan.
func (s *Service) AddLeftRunning(b workspace.Block, ids []proc.ID) {
	table, err := s.o.Procs.Scan(s.ctx)
	if err != nil {
		s.o.Log.WithError(err).WithField("block", b.ID).Warn("cannot name what a closed block left running")
	}
	members := make([]proc.Member, 0, len(ids))
	for _, id := range ids {
		m := proc.Member{Process: proc.Process{ID: id}}
		if err == nil {
			if p, ok := table.Find(id); ok {
				m.Process = p
			}
		}
		members = append(members, m)
	}
	s.leave(b, s.o.Models(), members, 0)
}

// leave adds rows that are shown after a while.
func (s *Service) leave(b workspace.Block, model workspace.Model, members []proc.Member, after time.Duration) {
	if len(members) == 0 {
		return
	}
	facts := s.factsFor(members)
	now := time.Now()
	owner := ownerOf(model, b)
	s.mu.Lock()
	for _, m := range members {
		p := process(m, facts[m.ID])
		if p.Name == "" {
			p.Name = fmt.Sprintf("process %d", p.PID)
		}
		s.list.leave(b, owner, p, m.ID, now, now.Add(after))
	}
	s.mu.Unlock()
	s.Refresh()
}
