package proc

import "slices"

// TreeOptions say what belongs to a tree beside the descendants of its root.
type TreeOptions struct {
	// Block: also the processes that inherited this value in the Scanner's variable. "": none.
	Block string
}

// Reason tells why a process belongs to a tree.
type Reason uint8

// The reasons, the strongest first.
const (
	ByAncestry Reason = iota // the root, or a descendant of a member
	BySession                // in the session that the root leads
	ByBlock                  // inherited the block's variable
)

// Member is a process of a tree.
type Member struct {
	Process
	Depth int // 0: the root, or one that hangs on no other member
	By    Reason
}

// Tree returns the processes that belong to root, zombies included: parents before their
// children, siblings by pid. The root may be gone already; what it left is found by session and
// block. Reading the environment happens here, once per process.
func (t *Table) Tree(root ID, o TreeOptions) []Member {
	return t.tree([]ID{root}, root, o)
}

// tree is Tree for several roots, whose first sessions' leader is leader.
func (t *Table) tree(roots []ID, leader ID, o TreeOptions) []Member {
	by := make(map[int]Reason) // by index
	var mark func(i int, r Reason)
	mark = func(i int, r Reason) {
		if _, seen := by[i]; seen || t.ours()[t.procs[i].ID.PID] {
			return
		}
		by[i] = r
		for _, k := range t.kids()[t.procs[i].ID.PID] {
			// A younger parent is another process with a used pid.
			if t.procs[k].ID.Start >= t.procs[i].ID.Start {
				mark(k, ByAncestry)
			}
		}
	}
	for _, id := range roots {
		if i := t.index(id.PID); i >= 0 && t.procs[i].ID == id {
			mark(i, ByAncestry)
		}
	}
	if t.leads(leader) {
		for i, p := range t.procs {
			if p.Session == leader.PID && p.ID.Start >= leader.Start {
				mark(i, BySession)
			}
		}
	}
	if o.Block != "" {
		t.scanner.inherited(t, by, o.Block, func(i int) { mark(i, ByBlock) })
	}
	return t.ordered(by)
}

// leads reports whether the session with the pid of id can be that of id: a session keeps its
// number from being given again, so without its leader it is the old one.
func (t *Table) leads(id ID) bool {
	if id.PID <= 1 || t.ours()[id.PID] || id.Boot != t.scanner.boot {
		return false
	}
	i := t.index(id.PID)
	return i < 0 || (t.procs[i].ID == id && t.procs[i].Session == id.PID)
}

func (t *Table) ordered(by map[int]Reason) []Member {
	out := make([]Member, 0, len(by))
	done := make(map[int]bool, len(by)) // stale parents (Windows) might make a ring
	var add func(i, depth int)
	add = func(i, depth int) {
		if done[i] {
			return
		}
		done[i] = true
		out = append(out, Member{Process: t.procs[i], Depth: depth, By: by[i]})
		for _, k := range t.kids()[t.procs[i].ID.PID] {
			if _, member := by[k]; member && t.hangsOn(k, i) {
				add(k, depth+1)
			}
		}
	}
	tops := make([]int, 0, 1)
	for i := range by {
		p := t.index(t.procs[i].Parent)
		if _, member := by[p]; p < 0 || !member || !t.hangsOn(i, p) {
			tops = append(tops, i)
		}
	}
	// The root first, though a daemon of it may have a lower pid.
	slices.SortFunc(tops, func(a, b int) int {
		if by[a] != by[b] {
			return int(by[a]) - int(by[b])
		}
		return a - b
	})
	for _, i := range tops {
		add(i, 0)
	}
	return out
}

func (t *Table) hangsOn(child, parent int) bool {
	return child != parent && t.procs[child].ID.Start >= t.procs[parent].ID.Start
}
