package workspace

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Repair makes a model of unknown origin (read from disk) well formed and returns
// what it mended, one sentence each; none if there was nothing to mend. Every
// block survives: one that no pane holds ends up unplaced. The version rises if
// something was mended. It accepts any value, one that contains itself too.
func (m *Model) Repair() []string {
	r := repair{in: m, out: New(), owner: map[string]string{}, panes: map[string]bool{}}
	r.out.Version, r.out.Active = m.Version, m.Active
	r.blocks()
	r.workspaces()
	r.homeless()
	if w := r.out.workspace(r.out.Active); w == nil {
		if r.out.Active != "" || len(r.out.Workspaces) > 0 {
			r.say("the active workspace %q was unknown; the first one is active now", r.out.Active)
		}
		r.out.Active = ""
		if len(r.out.Workspaces) > 0 {
			r.out.Active = r.out.Workspaces[0].ID
		}
	}
	for i := range r.out.Workspaces {
		w := &r.out.Workspaces[i]
		if in := m.workspace(w.ID); in != nil {
			w.LayoutVersion = min(in.LayoutVersion, r.out.Version)
		}
		if len(r.said) > 0 {
			w.LayoutVersion = r.out.Version + 1
		}
	}
	if len(r.said) > 0 {
		r.out.Version++
	}
	*m = r.out
	return r.said
}

// repair builds a new model from a damaged one.
type repair struct {
	in    *Model
	out   Model
	said  []string
	owner map[string]string // workspace of each block that has a place in out
	panes map[string]bool   // pane ids in out
	where string            // the workspace at hand, for sentences
	left  int               // nodes that the layout at hand may still have
}

func (r *repair) say(format string, args ...any) {
	r.said = append(r.said, r.where+fmt.Sprintf(format, args...))
}

func (r *repair) blocks() {
	for _, key := range slices.Sorted(maps.Keys(r.in.Blocks)) {
		b, id := r.in.Blocks[key].Clone(), key
		if id == "" {
			id = unused("block", func(id string) bool { _, a := r.in.Blocks[id]; _, b := r.out.Blocks[id]; return a || b })
			r.say("a block had no id; it is %s now", id)
		} else if b.ID != id {
			r.say("block %s called itself %q; corrected", id, b.ID)
		}
		b.ID = id
		r.out.Blocks[id] = b
	}
}

func (r *repair) workspaces() {
	for i, w := range r.in.Workspaces {
		out := Workspace{ID: w.ID, Name: w.Name, Dir: w.Dir, Unplaced: []string{}}
		if out.ID == "" || r.out.workspace(out.ID) != nil {
			out.ID = unused("workspace", func(id string) bool {
				return r.out.workspace(id) != nil || r.in.workspace(id) != nil
			})
			r.say("the id %q of workspace %q was empty or there twice; it is %s now", w.ID, w.Name, out.ID)
		}
		if strings.TrimSpace(w.Name) == "" {
			out.Name = fmt.Sprintf("Workspace %d", i+1)
			r.say("workspace %s had no name; it is %q now", out.ID, out.Name)
		}
		r.where = fmt.Sprintf("workspace %q: ", out.Name)
		out.Layout = r.layout(w.Layout, out.ID)
		for _, id := range w.Unplaced {
			if r.claim(id, out.ID, "the list of unplaced blocks") {
				out.Unplaced = append(out.Unplaced, id)
			}
		}
		r.where = ""
		r.out.Workspaces = append(r.out.Workspaces, out)
	}
}

// homeless gives every block that no pane holds a place in a list of unplaced
// ones, and all the others the workspace that holds them.
func (r *repair) homeless() {
	for _, id := range slices.Sorted(maps.Keys(r.out.Blocks)) {
		b := r.out.Blocks[id]
		if r.owner[id] == "" {
			w := r.out.workspace(b.Workspace)
			if w == nil {
				w = r.out.workspace(r.out.Active)
			}
			if w == nil && len(r.out.Workspaces) > 0 {
				w = &r.out.Workspaces[0]
			}
			if w == nil {
				r.out.Workspaces = append(r.out.Workspaces, Workspace{
					ID: "recovered", Name: "Recovered", Unplaced: []string{}, Layout: Layout{Floating: []Floating{}},
				})
				w = &r.out.Workspaces[0]
				r.say("there was no workspace for the blocks; %q was made", w.Name)
			}
			w.Unplaced = append(w.Unplaced, id)
			r.owner[id] = w.ID
			r.say("workspace %q: no pane held block %s; it is listed as unplaced", w.Name, id)
		} else if b.Workspace != r.owner[id] {
			r.say("block %s said that it is in workspace %q, but was found in %q; corrected", id, b.Workspace, r.owner[id])
		}
		b.Workspace = r.owner[id]
		r.out.Blocks[id] = b
	}
}

func (r *repair) layout(l Layout, owner string) Layout {
	out := Layout{Focus: l.Focus, Zoomed: l.Zoomed, Floating: []Floating{}}
	r.left = MaxNodes
	if l.Root != nil {
		if root, ok := r.node(*l.Root, owner, 1); ok {
			root.Weight = 1
			if l.Root.Weight > 0 && l.Root.Weight <= MaxWeight {
				root.Weight = l.Root.Weight
			}
			out.Root = &root
		}
	}
	for _, f := range l.Floating {
		if r.left--; r.left < 0 {
			r.say("it had over %d panes; the rest was dropped", MaxNodes)
			break
		}
		p, ok := r.pane(f.Pane, owner)
		if !ok {
			continue
		}
		f.Pane = p
		if !boxFits(f) {
			f = clampBox(f)
			r.say("the box of floating pane %s was out of range; it was moved inside", p.ID)
		}
		out.Floating = append(out.Floating, f)
	}
	if out.pane(out.Focus) == nil {
		first := ""
		if panes := out.panes(); len(panes) > 0 {
			first = panes[0].ID
		}
		if out.Focus != "" || first != "" {
			r.say("the focus was on pane %q, which is unknown; it is on %q now", out.Focus, first)
		}
		out.Focus = first
	}
	if out.Zoomed != "" && out.pane(out.Zoomed) == nil {
		r.say("pane %q was to fill the workspace but is unknown; none does now", out.Zoomed)
		out.Zoomed = ""
	}
	return out
}

// node reports false if nothing of n is left.
func (r *repair) node(n Node, owner string, depth int) (Node, bool) {
	if r.left--; r.left < 0 || depth > MaxDepth {
		if r.left == -1 || depth > MaxDepth {
			r.say("a part of the layout with more than %d panes or %d levels was dropped", MaxNodes, MaxDepth)
		}
		return Node{}, false
	}
	if !(n.Weight > 0) || math.IsInf(n.Weight, 0) || n.Weight > MaxWeight {
		r.say("a share of %v is impossible; it is 1 now", n.Weight)
		n.Weight = 1
	}
	out := Node{Split: n.Split, Weight: n.Weight, Children: []Node{}}
	if n.Pane != nil {
		p, ok := r.pane(*n.Pane, owner)
		if len(n.Children) == 0 || depth == MaxDepth {
			if n.Split != Leaf || len(n.Children) > 0 {
				r.say("pane %q was also a split; it is only a pane now", n.Pane.ID)
			}
			return leaf(p, n.Weight), ok
		}
		r.say("a split held pane %q itself; the pane is its first part now", n.Pane.ID)
		if r.left--; ok {
			out.Children = append(out.Children, leaf(p, 1))
		}
	}
	if out.Split != Row && out.Split != Column {
		r.say("split %q is unknown; it is a row now", out.Split)
		out.Split = Row
	}
	for _, c := range n.Children {
		if r.left < 0 {
			break
		}
		if c, ok := r.node(c, owner, depth+1); ok {
			out.Children = append(out.Children, c)
		}
	}
	if len(out.Children) > 1 {
		return out, true
	}
	r.say("a %s had %d parts; it was dissolved", out.Split, len(out.Children))
	if len(out.Children) == 0 {
		return Node{}, false
	}
	only := out.Children[0]
	only.Weight = out.Weight
	return only, true
}

func (r *repair) pane(p Pane, owner string) (Pane, bool) {
	out := Pane{ID: p.ID, Blocks: []string{}, Active: p.Active}
	for _, id := range p.Blocks {
		if r.claim(id, owner, fmt.Sprintf("pane %q", p.ID)) {
			out.Blocks = append(out.Blocks, id)
		}
	}
	if len(out.Blocks) == 0 {
		r.say("pane %q held no block; it was removed", p.ID)
		return Pane{}, false
	}
	if !slices.Contains(out.Blocks, out.Active) {
		r.say("the active tab of pane %q was %q, which is not in it; it is the first one now", p.ID, out.Active)
		out.Active = out.Blocks[0]
	}
	if out.ID == "" || r.panes[out.ID] {
		out.ID = unused("pane", func(id string) bool { return r.panes[id] })
		r.say("the pane id %q was empty or there twice; it is %s now", p.ID, out.ID)
	}
	r.panes[out.ID] = true
	return out, true
}

// claim reports whether a block exists and has no place yet, and gives it one.
func (r *repair) claim(id, owner, where string) bool {
	if _, ok := r.out.Blocks[id]; !ok {
		r.say("%s listed block %q, which is unknown; dropped", where, id)
		return false
	}
	if r.owner[id] != "" {
		r.say("%s listed block %q, which has a place already; dropped", where, id)
		return false
	}
	r.owner[id] = owner
	return true
}

func unused(prefix string, taken func(string) bool) string {
	for n := 1; ; n++ {
		if id := fmt.Sprintf("%s-%d", prefix, n); !taken(id) {
			return id
		}
	}
}
