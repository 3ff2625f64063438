package activity

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"drover/backend/controller"
	"drover/backend/proc"
	"drover/backend/workspace"
)

// looker takes the samples. Only the Service's goroutine touches it.
type looker struct {
	s     *Service
	facts map[proc.ID]*factOf
	told  map[string]string // directories, by block
	total int64
	host  string
	blind bool      // the last scan failed, and that was logged
	ports time.Time // when all were asked last
}

// factOf is a fact, and what says when it has to be found out again.
type factOf struct {
	fact
	name string // the command is that of this program
	seen time.Time
}

// settled is how long a process has to be seen before it is told of. A build starts
// hundreds that are gone before anybody could read their names. What they cost is in
// their block's figures at once.
const settled = 500 * time.Millisecond

// portsEvery is how often all processes are asked for their ports; one that is
// younger is asked each time.
const portsEvery = 5 * time.Second

// look takes one sample and makes it the snapshot.
func (l *looker) look(ctx context.Context) {
	s := l.s
	// In this order: a process that a status names is in the table, if it lives.
	model, statuses := s.o.Models(), s.o.Statuses()
	table, err := s.o.Procs.Scan(ctx)
	if err != nil {
		if ctx.Err() == nil && !l.blind {
			s.o.Log.WithError(err).Error("cannot see which processes the blocks have")
		}
		l.blind = true
		return
	}
	l.blind = false
	now := table.At()

	roots := s.identify(statuses, table)
	trees := make(map[string][]proc.Member, len(roots))
	for block, r := range roots {
		trees[block] = table.Tree(r.id, proc.TreeOptions{Block: block})
	}
	s.remember(roots, trees, table)
	s.deaths.keep(s.remembered())
	l.learn(ctx, now, trees)
	dirs := l.dirs(model, roots)

	v := view{model: model, host: l.host, trees: trees, dirs: dirs, facts: make(map[proc.ID]fact, len(l.facts))}
	for id, f := range l.facts {
		v.facts[id] = f.fact
	}
	next := fold(v)
	next.At, next.TotalMemory = now, l.total
	next.Ended = s.ended(now, model, statuses, trees, table)
	l.publish(next)
	l.tellFolders(model, dirs)
}

// identify brings the roots in line with the statuses and returns them.
func (s *Service) identify(statuses []controller.Status, table *proc.Table) map[string]root {
	next := make(map[string]root, len(statuses))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, st := range statuses {
		if !st.State.Live() || st.PID == 0 {
			continue
		}
		r, ok := s.roots[st.Block]
		if !ok || r.instance != st.Instance || r.pid != st.PID {
			r = root{instance: st.Instance, pid: st.PID}
			if p, ok := table.Lookup(st.PID); ok {
				r.id = p.ID
			}
		}
		next[st.Block] = r
	}
	s.roots = next
	return maps.Clone(next)
}

// remember keeps each tree for the time when its program has ended; from then on
// it stays as it was.
func (s *Service) remember(roots map[string]root, trees map[string][]proc.Member, table *proc.Table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for block := range s.last {
		if _, ok := roots[block]; !ok {
			delete(s.last, block)
		}
	}
	for block, r := range roots {
		if p, ok := table.Find(r.id); ok && !p.Zombie {
			s.last[block] = seen{root: p, members: trees[block]}
		}
	}
}

// remembered are the processes whose end may matter.
func (s *Service) remembered() map[proc.ID]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := map[proc.ID]bool{}
	for _, l := range s.last {
		if len(l.members) < 2 {
			continue // nothing but the program itself
		}
		for _, m := range l.members {
			if !m.Zombie {
				ids[m.ID] = true
			}
		}
	}
	return ids
}

// learn finds out of the processes what the table does not tell.
func (l *looker) learn(ctx context.Context, now time.Time, trees map[string][]proc.Member) {
	all := now.Sub(l.ports) >= portsEvery
	if all {
		l.ports = now
	}
	var ask []proc.ID
	known := make(map[proc.ID]*factOf, len(l.facts))
	for _, members := range trees {
		for _, m := range members {
			if m.Zombie || known[m.ID] != nil {
				continue
			}
			f := l.facts[m.ID]
			if f == nil {
				f = &factOf{fact: fact{started: m.Started, ports: []int{}}, seen: now}
			}
			known[m.ID] = f
			if f.young = m.Depth > 0 && now.Sub(f.seen) < settled; f.young {
				continue
			}
			if f.command == "" || f.name != m.Name {
				f.command, f.name = commandLine(l.s.o.Procs.Command(m.ID)), m.Name
			}
			if all || now.Sub(f.seen) < portsEvery {
				ask = append(ask, m.ID)
			}
		}
	}
	l.facts = known
	ports, err := proc.Ports(ctx, ask)
	if err != nil {
		return // what was known of them stands
	}
	for _, id := range ask {
		l.facts[id].ports = slices.Clip(append([]int{}, ports[id]...))
	}
}

// dirs asks the blocks' programs for their directories. Where one does not tell,
// what it told before stands.
func (l *looker) dirs(model workspace.Model, roots map[string]root) map[string]string {
	out := make(map[string]string, len(roots))
	for block, r := range roots {
		if _, ok := model.Blocks[block]; !ok || r.id == (proc.ID{}) {
			continue
		}
		if dir, err := proc.Cwd(r.id); err == nil {
			out[block] = dir
		} else if dir := l.told[block]; dir != "" {
			out[block] = dir
		}
	}
	return out
}

func (l *looker) tellFolders(model workspace.Model, dirs map[string]string) {
	changed := map[string]string{}
	for block, dir := range dirs {
		if l.told[block] != dir && model.Blocks[block].Interactive() {
			changed[block] = dir
		}
	}
	l.told = dirs
	if len(changed) > 0 && l.s.o.Folders != nil {
		l.s.o.Folders(changed)
	}
}

// ended brings the list in line with what is so and returns what is shown of it.
func (s *Service) ended(now time.Time, model workspace.Model, statuses []controller.Status, trees map[string][]proc.Member, table *proc.Table) []Ended {
	inTree := map[proc.ID]bool{}
	for block, members := range trees {
		if _, ok := model.Blocks[block]; !ok {
			continue
		}
		for _, m := range members {
			inTree[m.ID] = true
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list.follow(now, model, statuses)
	s.list.check(func(id proc.ID) (alive, known bool) {
		if p, ok := table.Find(id); ok {
			return !p.Zombie, true
		}
		// Not seen is not gone: others' processes may be hidden.
		return proc.Alive(id)
	})
	return s.list.shown(now, model, inTree)
}

// publish makes next the snapshot if it shows anything else than the last.
func (l *looker) publish(next Snapshot) {
	last := l.s.current.Load()
	next.Seq = last.Seq
	same := next
	same.At = last.At
	if last.Seq > 0 && reflect.DeepEqual(same, *last) {
		return
	}
	next.Seq++
	l.s.current.Store(&next)
	if l.s.o.Changed != nil {
		l.s.o.Changed(next.Seq)
	}
}
