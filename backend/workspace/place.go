package workspace

import (
	"fmt"
	"slices"
)

// AddBlock adds a new block at a place, in front of its pane's other tabs, with
// the focus. The place decides its Workspace.
func (m *Model) AddBlock(b Block, at Place) error {
	return m.edit(func(m *Model) error {
		if err := checkBlock(b); err != nil {
			return fmt.Errorf("cannot add a block: %w", err)
		}
		if _, ok := m.Blocks[b.ID]; ok {
			return fmt.Errorf("cannot add block %s: it exists", b.ID)
		}
		if err := m.put(b.ID, at); err != nil {
			return fmt.Errorf("cannot add block %s: %w", b.ID, err)
		}
		w, _ := m.holder(b.ID)
		b = b.Clone()
		b.Workspace = w.ID
		m.Blocks[b.ID] = b
		return nil
	})
}

// MoveBlock moves a block to another place, in any workspace; an unplaced one
// becomes placed. Beside its own pane, if it is alone there, it stays.
func (m *Model) MoveBlock(id string, to Place) error {
	return m.edit(func(m *Model) error {
		b, ok := m.Blocks[id]
		if !ok {
			return fmt.Errorf("cannot move block %s: %w", id, ErrUnknown)
		}
		w, pane, err := m.target(to)
		if err != nil {
			return fmt.Errorf("cannot move block %s: %w", id, err)
		}
		if pane != nil && slices.Equal(pane.Blocks, []string{id}) {
			w.Layout.Focus = pane.ID
			return nil
		}
		if pane != nil {
			// Named, so that taking the block out cannot change what is meant.
			to.Pane = pane.ID
		}
		to.Workspace = w.ID
		from, source := m.holder(id)
		if source == nil {
			from.Unplaced = slices.DeleteFunc(from.Unplaced, func(u string) bool { return u == id })
		} else {
			source.take(id)
		}
		// The emptied pane is pruned last: it may be what the place names.
		if err := m.put(id, to); err != nil {
			return fmt.Errorf("cannot move block %s: %w", id, err)
		}
		from.Layout.prune()
		b.Workspace = w.ID
		m.Blocks[id] = b
		return nil
	})
}

// put places a block that is in no pane; it ends up in front, with the focus.
func (m *Model) put(id string, at Place) error {
	w, pane, err := m.target(at)
	if err != nil {
		return err
	}
	if split, _ := at.Side.split(); split == Leaf && pane != nil {
		pane.add(id, at.Index)
		w.Layout.Focus = pane.ID
		if w.Layout.Zoomed != pane.ID {
			w.Layout.Zoomed = ""
		}
		return nil
	}
	p := Pane{ID: m.newPane(), Blocks: []string{id}, Active: id}
	if pane == nil || !w.Layout.beside([]string{pane.ID}, p, at.Side, 0) {
		// A floating pane cannot be split: what goes beside it is docked.
		w.Layout.dock(p, at.Side)
	}
	w.Layout.Focus, w.Layout.Zoomed = p.ID, ""
	return nil
}

// target finds what a place means; the pane is nil in an empty layout.
func (m *Model) target(at Place) (*Workspace, *Pane, error) {
	switch at.Side {
	case Center, Left, Right, Above, Below, "":
	default:
		return nil, nil, fmt.Errorf("side %q is unknown", at.Side)
	}
	if at.Workspace == "" {
		at.Workspace = m.Active
	}
	w := m.workspace(at.Workspace)
	if w == nil {
		return nil, nil, fmt.Errorf("workspace %q: %w", at.Workspace, ErrUnknown)
	}
	if at.Pane == "" {
		return w, w.Layout.pane(w.Layout.Focus), nil
	}
	p := w.Layout.pane(at.Pane)
	if p == nil {
		return nil, nil, fmt.Errorf("pane %q: %w", at.Pane, ErrUnknown)
	}
	return w, p, nil
}

// holder returns the workspace that holds a block, and its pane unless it is
// unplaced.
func (m *Model) holder(id string) (*Workspace, *Pane) {
	for i := range m.Workspaces {
		w := &m.Workspaces[i]
		for _, p := range w.Layout.panes() {
			if slices.Contains(p.Blocks, id) {
				return w, p
			}
		}
		if slices.Contains(w.Unplaced, id) {
			return w, nil
		}
	}
	return nil, nil
}

// newPane returns an ID that no pane has or had: versions rise for ever.
func (m *Model) newPane() string {
	id := fmt.Sprintf("p%d", m.Version+1)
	for n := 2; m.paneTaken(id); n++ {
		id = fmt.Sprintf("p%d-%d", m.Version+1, n)
	}
	return id
}

func (m *Model) paneTaken(id string) bool {
	return slices.ContainsFunc(m.Workspaces, func(w Workspace) bool { return w.Layout.pane(id) != nil })
}

// add makes a block a tab, the active one; an index outside is after the last.
func (p *Pane) add(id string, at int) {
	if at < 0 || at > len(p.Blocks) {
		at = len(p.Blocks)
	}
	p.Blocks = slices.Insert(p.Blocks, at, id)
	p.Active = id
}

// take removes a tab; the one that takes its spot becomes active if it was.
func (p *Pane) take(id string) {
	at := slices.Index(p.Blocks, id)
	p.Blocks = slices.Delete(p.Blocks, at, at+1)
	if p.Active == id {
		p.Active = ""
		if len(p.Blocks) > 0 {
			p.Active = p.Blocks[min(at, len(p.Blocks)-1)]
		}
	}
}
