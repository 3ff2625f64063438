package activity

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"syscall"
	"time"

	"drover/backend/proc"
)

// Tree is what a block's tree is now, from a fresh scan; empty for a block that
// does not run. It blocks for some milliseconds.
func (s *Service) Tree(ctx context.Context, block string) ([]Process, error) {
	s.mu.Lock()
	r, ok := s.roots[block]
	s.mu.Unlock()
	if !ok {
		return []Process{}, nil
	}
	table, err := s.o.Procs.Scan(ctx)
	if err != nil {
		return nil, err
	}
	v := view{trees: map[string][]proc.Member{block: table.Tree(r.id, proc.TreeOptions{Block: block})}}
	v.facts = s.factsFor(v.trees[block])
	row, _ := v.block(block)
	return row.Processes, nil
}

// factsFor is what the snapshot knows of processes, and the commands of those
// that it does not know yet.
func (s *Service) factsFor(members []proc.Member) map[proc.ID]fact {
	known := map[string]Process{}
	for _, h := range s.current.Load().Hosts {
		for _, w := range h.Workspaces {
			for _, b := range w.Blocks {
				for _, p := range b.Processes {
					known[p.ID] = p
				}
			}
		}
	}
	facts := make(map[proc.ID]fact, len(members))
	for _, m := range members {
		if m.Zombie {
			continue
		}
		if p, ok := known[m.ID.String()]; ok && p.Name == m.Name {
			facts[m.ID] = fact{started: p.Started, command: p.Command, ports: p.Ports}
		} else {
			facts[m.ID] = fact{command: commandLine(s.o.Procs.Command(m.ID))}
		}
	}
	return facts
}

// killPatience is how long a killed process gets to be gone.
const killPatience = 2 * time.Second

// End ends the process with that identity (Process.ID, Ended.Process): it asks by
// TERM and returns, or with force kills and returns when the process is gone, 2 s
// at most. A process that is gone already is no error; one that belongs neither
// to a block nor to the list of what was left running is refused. On Windows a
// process cannot be asked, only killed.
func (s *Service) End(ctx context.Context, process string, force bool) error {
	id, err := proc.ParseID(process)
	if err != nil {
		return err
	}
	table, err := s.o.Procs.Scan(ctx)
	if err != nil {
		return fmt.Errorf("%w; try again", err)
	}
	p, ok := table.Find(id)
	if !ok || p.Zombie {
		if alive, known := proc.Alive(id); known && !alive {
			s.Refresh()
			return nil
		}
	}
	if !s.mayEnd(table, id) {
		return fmt.Errorf("cannot end process %d: it belongs to none of your terminals (any more); end it where it was started", id.PID)
	}
	defer s.Refresh()
	if !force {
		return ask(id)
	}
	return kill(ctx, id)
}

// mayEnd reports whether a process is ours to end: one of a block's tree, or in
// the list of what was left running.
func (s *Service) mayEnd(table *proc.Table, id proc.ID) bool {
	s.mu.Lock()
	roots := maps.Clone(s.roots)
	row := s.list.rows[leftPrefix+id.String()]
	s.mu.Unlock()
	if row != nil {
		return true
	}
	for block, r := range roots {
		for _, m := range table.Tree(r.id, proc.TreeOptions{Block: block}) {
			if m.ID == id {
				return true
			}
		}
	}
	return false
}

func ask(id proc.ID) error {
	err := proc.Signal(id, syscall.SIGTERM)
	if err == nil {
		err = proc.Signal(id, resume) // one that was stopped can act on it now
	}
	if errors.Is(err, proc.ErrGone) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

func kill(ctx context.Context, id proc.ID) error {
	if err := proc.Signal(id, syscall.SIGKILL); errors.Is(err, proc.ErrGone) {
		return nil
	} else if err != nil {
		return fmt.Errorf("%w; it may belong to another user", err)
	}
	limit := time.NewTimer(killPatience)
	defer limit.Stop()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		if alive, known := proc.Alive(id); known && !alive {
			return nil
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return fmt.Errorf("process %d was killed and is not known to be gone: %w", id.PID, ctx.Err())
		case <-limit.C:
			return fmt.Errorf("process %d was killed and is not gone: it waits in the system, often for a disk or a network drive; it ends when that answers", id.PID)
		}
	}
}
