package workspace

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// SetLayout replaces the layout of a workspace by one that a page has made from
// version base of the model; ErrStale if the layout has changed since. It
// must hold every placed block of the workspace exactly once, may place unplaced
// ones, and nothing else. An empty focus or active tab becomes the first one,
// panes without blocks are pruned, floating boxes are moved inside.
func (m *Model) SetLayout(workspace string, l Layout, base uint64) error {
	if w := m.workspace(workspace); w != nil && (base < w.LayoutVersion || base > m.Version) {
		return ErrStale
	}
	if err := boundedLayout(l); err != nil {
		return fmt.Errorf("cannot change the layout: %w", err)
	}
	return m.edit(func(m *Model) error {
		w := m.workspace(workspace)
		if w == nil {
			return fmt.Errorf("cannot change the layout of workspace %s: %w", workspace, ErrUnknown)
		}
		l := l.Clone()
		var placed []string
		for _, p := range l.panes() {
			placed = append(placed, p.Blocks...)
			if p.Active == "" && len(p.Blocks) > 0 {
				p.Active = p.Blocks[0]
			}
			if l.Focus == "" {
				l.Focus = p.ID
			}
		}
		l.prune()
		for i := range l.Floating {
			l.Floating[i] = clampBox(l.Floating[i])
		}
		for _, p := range w.Layout.panes() {
			for _, id := range p.Blocks {
				if !slices.Contains(placed, id) {
					return fmt.Errorf("cannot change the layout: block %s is missing in it", id)
				}
			}
		}
		w.Layout = l
		w.Unplaced = slices.DeleteFunc(w.Unplaced, func(id string) bool { return slices.Contains(placed, id) })
		return nil
	})
}

// boundedLayout refuses what would be too much to walk.
func boundedLayout(l Layout) error {
	left := MaxNodes - len(l.Floating)
	var walk func(n *Node, depth int) bool
	walk = func(n *Node, depth int) bool {
		if left--; left < 0 || depth > MaxDepth {
			return false
		}
		for i := range n.Children {
			if !walk(&n.Children[i], depth+1) {
				return false
			}
		}
		return true
	}
	if left < 0 || l.Root != nil && !walk(l.Root, 1) {
		return fmt.Errorf("too many panes: at most %d, split at most %d deep", MaxNodes, MaxDepth)
	}
	return nil
}

// Check reports the first way in which m is not well formed; nil means that the
// promise of this package holds. Every operation ends well formed or fails.
func (m Model) Check() error {
	active := m.Active == "" && len(m.Workspaces) == 0
	seen := map[string]bool{}
	panes := map[string]bool{}
	placed := map[string]bool{}
	for _, w := range m.Workspaces {
		if w.ID == "" || seen[w.ID] {
			return fmt.Errorf("workspace id %q is empty or there twice", w.ID)
		}
		seen[w.ID] = true
		active = active || w.ID == m.Active
		if err := boundedLayout(w.Layout); err != nil {
			return err
		}
		if err := w.Layout.check(panes); err != nil {
			return err
		}
		for _, id := range w.blocks() {
			switch b, ok := m.Blocks[id]; {
			case !ok:
				return fmt.Errorf("workspace %s holds block %s, which is unknown", w.ID, id)
			case placed[id]:
				return fmt.Errorf("block %s is in two places", id)
			case b.Workspace != w.ID || b.ID != id:
				return fmt.Errorf("block %s is in workspace %s but belongs to %s", id, w.ID, b.Workspace)
			}
			placed[id] = true
		}
	}
	if !active {
		return fmt.Errorf("active workspace %q is unknown", m.Active)
	}
	for id := range m.Blocks {
		if !placed[id] {
			return fmt.Errorf("block %s is in no workspace", id)
		}
	}
	return nil
}

func (l *Layout) check(seen map[string]bool) error {
	if l.Root != nil {
		if err := l.Root.check(); err != nil {
			return err
		}
	}
	ids := map[string]bool{"": len(l.panes()) == 0}
	for _, p := range l.panes() {
		switch {
		case p.ID == "" || seen[p.ID]:
			return fmt.Errorf("pane id %q is empty or there twice", p.ID)
		case !slices.Contains(p.Blocks, p.Active): // also when it has none
			return fmt.Errorf("the active tab of pane %s is %q, which is not in it", p.ID, p.Active)
		}
		seen[p.ID], ids[p.ID] = true, true
	}
	if !ids[l.Focus] {
		return fmt.Errorf("the focus is on pane %q, which is unknown", l.Focus)
	}
	if l.Zoomed != "" && !ids[l.Zoomed] {
		return fmt.Errorf("the zoomed pane %q is unknown", l.Zoomed)
	}
	for _, f := range l.Floating {
		if !boxFits(f) {
			return fmt.Errorf("the box of floating pane %s is out of range", f.Pane.ID)
		}
	}
	return nil
}

func (n *Node) check() error {
	if !(n.Weight > 0) || math.IsInf(n.Weight, 0) {
		return errors.New("a pane's weight is not over 0")
	}
	if n.Pane != nil {
		if n.Split != Leaf || len(n.Children) > 0 {
			return errors.New("a node is both a pane and a split")
		}
		return nil
	}
	if n.Split != Row && n.Split != Column {
		return fmt.Errorf("split %q is unknown", n.Split)
	}
	if len(n.Children) < 2 {
		return fmt.Errorf("a %s has %d parts", n.Split, len(n.Children))
	}
	for i := range n.Children {
		if err := n.Children[i].check(); err != nil {
			return err
		}
	}
	return nil
}

// slack forgives what adding fractions in floating point costs.
const slack = 1e-9

func boxFits(f Floating) bool {
	return f.Width >= MinFloat-slack && f.Height >= MinFloat-slack && f.X >= 0 && f.Y >= 0 &&
		f.X+f.Width <= 1+slack && f.Y+f.Height <= 1+slack
}

// clampBox moves a box inside the area; one without a size gets a middle one.
func clampBox(f Floating) Floating {
	f.X, f.Width = clampSpan(f.X, f.Width)
	f.Y, f.Height = clampSpan(f.Y, f.Height)
	return f
}

func clampSpan(at, size float64) (float64, float64) {
	if !(size > 0) {
		size = 0.5
	}
	if math.IsNaN(at) {
		at = 0
	}
	size = min(max(size, MinFloat), 1)
	return min(max(at, 0), 1-size), size
}
