package workspace

import "slices"

// The bounds of a layout. A page never comes near them; damaged data may.
const (
	// MaxDepth is how deep rows and columns may lie in each other.
	MaxDepth = 24
	// MaxNodes bounds what one layout holds, floating panes included.
	MaxNodes = 2000
	// MaxWeight bounds a node's weight, so that shares stay exact enough.
	MaxWeight = 1e6
	// MinFloat is the least width and height of a floating pane, as a fraction.
	MinFloat = 0.05
)

// panes returns the panes of l, the docked ones in reading order first. The
// pointers are good until the tree is changed.
func (l *Layout) panes() []*Pane {
	var out []*Pane
	if l.Root != nil {
		l.Root.each(func(p *Pane) { out = append(out, p) })
	}
	for i := range l.Floating {
		out = append(out, &l.Floating[i].Pane)
	}
	return out
}

func (n *Node) each(fn func(*Pane)) {
	if n.Pane != nil {
		fn(n.Pane)
	}
	for i := range n.Children {
		n.Children[i].each(fn)
	}
}

func (l *Layout) pane(id string) *Pane {
	for _, p := range l.panes() {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// prune removes panes without blocks and the splits that they leave with one
// child or none, once over the whole layout, and moves focus and zoom off what
// has gone: the focus to the nearest pane before it in reading order, else after.
func (l *Layout) prune() {
	before, after, passed := "", "", false
	for _, p := range l.panes() {
		passed = passed || p.ID == l.Focus
		switch {
		case len(p.Blocks) == 0:
		case !passed:
			before = p.ID
		case after == "":
			after = p.ID // the focus itself, if it stays
		}
	}
	focus := before
	if p := l.pane(l.Focus); focus == "" || (p != nil && len(p.Blocks) > 0) {
		focus = after
	}
	kept := l.Floating[:0]
	for _, f := range l.Floating {
		if len(f.Pane.Blocks) > 0 {
			kept = append(kept, f)
		}
	}
	l.Floating = kept
	if l.Root != nil {
		if root, ok := l.Root.pruned(); ok {
			l.Root = &root
		} else {
			l.Root = nil
		}
	}
	l.Focus = focus
	if l.pane(l.Zoomed) == nil {
		l.Zoomed = ""
	}
}

// pruned reports false if nothing of n is left.
func (n Node) pruned() (Node, bool) {
	if n.Pane != nil {
		return n, len(n.Pane.Blocks) > 0
	}
	out := Node{Split: n.Split, Weight: n.Weight, Children: []Node{}}
	for _, c := range n.Children {
		c, ok := c.pruned()
		switch {
		case !ok:
		case c.Split == n.Split:
			// A row in a row (its own split has just collapsed): its children take
			// its share of this one.
			out.Children = append(out.Children, c.shares(c.Weight)...)
		default:
			out.Children = append(out.Children, c)
		}
	}
	switch len(out.Children) {
	case 0:
		return Node{}, false
	case 1:
		only := out.Children[0]
		only.Weight = n.Weight
		return only, true
	}
	return out, true
}

// shares returns the children of n with weights that add up to total.
func (n Node) shares(total float64) []Node {
	sum := n.sum()
	for i := range n.Children {
		n.Children[i].Weight = bounded(n.Children[i].Weight * total / sum)
	}
	return n.Children
}

// bounded keeps a product or quotient of weights a weight.
func bounded(w float64) float64 {
	return min(max(w, 1/MaxWeight), MaxWeight)
}

func (s Side) split() (Split, bool) {
	switch s {
	case Left:
		return Row, true
	case Right:
		return Row, false
	case Above:
		return Column, true
	case Below:
		return Column, false
	case Center, "":
	}
	return Leaf, false
}

func leaf(p Pane, weight float64) Node {
	return Node{Weight: weight, Children: []Node{}, Pane: &p}
}

// beside puts a pane at one side of the docked node that holds exactly the panes
// of ids. With a share of 0 it takes half of that node's space, else this part
// (0..1) of the whole row or column. It reports whether there is such a node.
func (l *Layout) beside(ids []string, p Pane, side Side, share float64) bool {
	if l.Root == nil {
		return false
	}
	if slices.Equal(l.Root.ids(), ids) {
		l.Root.wrap(p, side, share)
		return true
	}
	return l.Root.below(ids, p, side, share)
}

func (n *Node) below(ids []string, p Pane, side Side, share float64) bool {
	split, before := side.split()
	for i := range n.Children {
		c := &n.Children[i]
		switch {
		case !slices.Equal(c.ids(), ids):
			if c.below(ids, p, side, share) {
				return true
			}
			continue
		case n.Split != split:
			c.wrap(p, side, share)
			return true
		}
		weight := n.sum() * share / (1 - share)
		if share == 0 {
			c.Weight = bounded(c.Weight / 2)
			weight = c.Weight
		}
		at := i + 1
		if before {
			at = i
		}
		n.insert(at, leaf(p, bounded(weight)))
		return true
	}
	return false
}

// wrap turns n into a row or column of what it was and a pane.
func (n *Node) wrap(p Pane, side Side, share float64) {
	if share == 0 {
		share = 0.5
	}
	split, before := side.split()
	weight := n.Weight
	old, added := *n, leaf(p, share)
	old.Weight = 1 - share
	if before {
		old, added = added, old
	}
	*n = Node{Split: split, Weight: weight, Children: []Node{old, added}}
}

func (n *Node) ids() []string {
	var out []string
	n.each(func(p *Pane) { out = append(out, p.ID) })
	return out
}

func (n *Node) sum() float64 {
	sum := 0.0
	for i := range n.Children {
		sum += n.Children[i].Weight
	}
	return sum
}

func (n *Node) insert(at int, c Node) {
	n.Children = slices.Insert(n.Children, at, c)
}

// dock puts a pane at one edge of everything that is docked; Center is Right.
func (l *Layout) dock(p Pane, side Side) {
	split, before := side.split()
	switch {
	case l.Root == nil:
		n := leaf(p, 1)
		l.Root = &n
		return
	case split == Leaf:
		side, split = Right, Row
	}
	if l.Root.Split != split {
		l.Root.wrap(p, side, 0)
		return
	}
	at := len(l.Root.Children)
	if before {
		at = 0
	}
	l.Root.insert(at, leaf(p, bounded(l.Root.sum()/float64(len(l.Root.Children)))))
}
