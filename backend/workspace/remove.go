package workspace

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
)

// Removal is what RemoveBlocks took out: what Restore needs to put it back. A
// plain value that may be stored.
type Removal struct {
	Blocks []Removed `json:"blocks"`
	// Layouts are those of before, by workspace.
	Layouts map[string]Layout `json:"layouts"`
}

// Removed is a block that was taken out, with where it was.
type Removed struct {
	Block  Block `json:"block"`
	Place  Place `json:"place"` // its pane and its position among the tabs; no pane: it was unplaced
	Active bool  `json:"active"`
	// Beside names the panes of its pane's neighbour, Side where it lay from
	// there, and Share (0..1) its part of their row or column: for when the pane is
	// gone. With Float it floated, in Box (whose Pane is not used).
	Beside []string `json:"beside"`
	Side   Side     `json:"side"`
	Share  float64  `json:"share"`
	Float  bool     `json:"float"`
	Box    Floating `json:"box"`
}

// RemoveBlocks takes blocks out of the model and prunes the layout once. What it
// returns goes to Restore. Unknown and doubled IDs are an error.
func (m *Model) RemoveBlocks(ids []string) (Removal, error) {
	out := Removal{Blocks: []Removed{}, Layouts: map[string]Layout{}}
	err := m.edit(func(m *Model) error {
		for i, id := range ids {
			if _, ok := m.Blocks[id]; !ok || slices.Contains(ids[:i], id) {
				return fmt.Errorf("cannot remove block %s: %w", id, ErrUnknown)
			}
			w, _ := m.holder(id)
			out.Blocks = append(out.Blocks, m.whereabouts(id))
			out.Layouts[w.ID] = w.Layout.Clone()
		}
		for _, id := range ids {
			w, pane := m.holder(id)
			if pane == nil {
				w.Unplaced = slices.DeleteFunc(w.Unplaced, func(u string) bool { return u == id })
			} else {
				pane.take(id)
			}
			delete(m.Blocks, id)
		}
		for i := range m.Workspaces {
			m.Workspaces[i].Layout.prune()
		}
		return nil
	})
	if err != nil {
		return Removal{}, err
	}
	return out, nil
}

// Restore puts removed blocks back where they were: exactly, if the panes have not
// been moved or resized since. Else each goes into its old pane; where that is gone
// beside its old neighbour; where that is gone too beside the focused pane; where
// the workspace is gone into the active one. All or none are restored.
func (m *Model) Restore(r Removal) error {
	return m.edit(func(m *Model) error {
		for _, b := range r.Blocks {
			if _, ok := m.Blocks[b.Block.ID]; ok {
				return fmt.Errorf("cannot restore block %s: it is there already", b.Block.ID)
			}
		}
		exact := m.former(r)
		// Tabs go back from the left, whatever the order in which they were removed.
		ordered := slices.Clone(r.Blocks)
		slices.SortStableFunc(ordered, func(a, b Removed) int { return a.Place.Index - b.Place.Index })
		for _, b := range ordered {
			if err := m.restore(b); err != nil {
				return fmt.Errorf("cannot restore block %s: %w", b.Block.ID, err)
			}
		}
		for id, l := range exact {
			m.workspace(id).Layout = l
		}
		return nil
	})
}

// former returns the layouts of before for the workspaces whose layout still is
// what the removal left of them (and of what else has been removed since).
func (m *Model) former(r Removal) map[string]Layout {
	out := map[string]Layout{}
	for id, l := range r.Layouts {
		w := m.workspace(id)
		if w == nil || boundedLayout(l) != nil || l.check(map[string]bool{}) != nil {
			continue
		}
		had, back := l.Clone(), map[string]bool{}
		for _, b := range r.Blocks {
			back[b.Block.ID] = b.Place.Workspace == id && b.Place.Pane != ""
		}
		now := w.Layout.Clone()
		here := map[string]bool{}
		for _, p := range now.panes() {
			for _, b := range p.Blocks {
				here[b] = true
			}
			p.Active = ""
		}
		had.keep(func(b string) bool { return here[b] || back[b] })
		left := had.Clone()
		left.keep(func(b string) bool { return here[b] })
		for _, p := range left.panes() {
			p.Active = ""
		}
		left.Focus, left.Zoomed, now.Focus, now.Zoomed = "", "", "", ""
		if reflect.DeepEqual(left, now) {
			out[id] = had
		}
	}
	return out
}

// keep takes out every block that is not wanted, and prunes.
func (l *Layout) keep(wanted func(string) bool) {
	for _, p := range l.panes() {
		for _, b := range slices.Clone(p.Blocks) {
			if !wanted(b) {
				p.take(b)
			}
		}
	}
	l.prune()
}

func (m *Model) restore(r Removed) error {
	if _, ok := m.Blocks[r.Block.ID]; ok {
		return errors.New("it is named twice")
	}
	if err := checkBlock(r.Block); err != nil {
		return err
	}
	w := m.workspace(r.Place.Workspace)
	if w == nil {
		if w = m.workspace(m.Active); w == nil {
			return errors.New("there is no workspace; create one first")
		}
	}
	b := r.Block.Clone()
	b.Workspace = w.ID
	m.Blocks[b.ID] = b
	if r.Place.Pane == "" {
		w.Unplaced = append(w.Unplaced, b.ID)
		return nil
	}
	if p := w.Layout.pane(r.Place.Pane); p != nil {
		active := p.Active
		p.add(b.ID, r.Place.Index)
		if !r.Active {
			p.Active = active
		}
		return nil
	}
	pane := Pane{ID: r.Place.Pane, Blocks: []string{b.ID}, Active: b.ID}
	if m.paneTaken(pane.ID) {
		pane.ID = m.newPane()
	}
	w.Layout.Zoomed = ""
	defer func() { w.Layout.Focus = pane.ID }()
	if r.Float {
		box := r.Box
		box.Pane = pane
		w.Layout.Floating = append(w.Layout.Floating, clampBox(box))
		return nil
	}
	side, share := r.Side, r.Share
	if split, _ := side.split(); split == Leaf || !(share > 0.01 && share < 0.99) {
		side, share = Right, 0
	}
	there := slices.DeleteFunc(list(r.Beside), func(id string) bool { return w.Layout.pane(id) == nil })
	switch {
	case len(there) > 0 && w.Layout.beside(there, pane, side, share):
	case len(there) > 0 && w.Layout.beside(there[:1], pane, side, 0):
	case w.Layout.beside([]string{w.Layout.Focus}, pane, Right, 0):
	default:
		w.Layout.dock(pane, side)
	}
	return nil
}

func (m *Model) whereabouts(id string) Removed {
	w, p := m.holder(id)
	r := Removed{Block: m.Blocks[id].Clone(), Place: Place{Workspace: w.ID}}
	if p == nil {
		return r
	}
	r.Place = Place{Workspace: w.ID, Pane: p.ID, Side: Center, Index: slices.Index(p.Blocks, id)}
	r.Active = p.Active == id
	for _, f := range w.Layout.Floating {
		if f.Pane.ID == p.ID {
			r.Float, r.Box = true, Floating{X: f.X, Y: f.Y, Width: f.Width, Height: f.Height}
			return r
		}
	}
	w.Layout.Root.neighbour(p.ID, &r)
	return r
}

// neighbour fills in where a pane lies by what is next to it in its row or
// column. It reports whether n holds the pane below itself.
func (n *Node) neighbour(id string, r *Removed) bool {
	for i := range n.Children {
		c := &n.Children[i]
		if c.Pane == nil || c.Pane.ID != id {
			if c.neighbour(id, r) {
				return true
			}
			continue
		}
		other := i - 1
		r.Side = Right
		if n.Split == Column {
			r.Side = Below
		}
		if i == 0 {
			other = 1
			r.Side = Left
			if n.Split == Column {
				r.Side = Above
			}
		}
		r.Share = c.Weight / n.sum()
		r.Beside = n.Children[other].ids()
		return true
	}
	return false
}
