package workspace

import (
	"maps"
)

// Clone returns a copy that shares nothing with m. No list or map in it is nil,
// so that JSON never says null where the page expects a list.
func (m Model) Clone() Model {
	out := Model{Version: m.Version, Active: m.Active}
	out.Workspaces = make([]Workspace, 0, len(m.Workspaces))
	for _, w := range m.Workspaces {
		w.Layout = w.Layout.Clone()
		w.Unplaced = list(w.Unplaced)
		out.Workspaces = append(out.Workspaces, w)
	}
	out.Blocks = make(map[string]Block, len(m.Blocks))
	for id, b := range m.Blocks {
		out.Blocks[id] = b.Clone()
	}
	return out
}

// Clone returns a copy that shares nothing with l.
func (l Layout) Clone() Layout {
	out := Layout{Focus: l.Focus, Zoomed: l.Zoomed, Floating: make([]Floating, 0, len(l.Floating))}
	if l.Root != nil {
		root := l.Root.clone()
		out.Root = &root
	}
	for _, f := range l.Floating {
		f.Pane = f.Pane.clone()
		out.Floating = append(out.Floating, f)
	}
	return out
}

// Clone returns a copy that shares nothing with b.
func (b Block) Clone() Block {
	b.Command = list(b.Command)
	env := make(map[string]string, len(b.Env))
	maps.Copy(env, b.Env)
	b.Env = env
	return b
}

func (n Node) clone() Node {
	out := Node{Split: n.Split, Weight: n.Weight, Children: make([]Node, 0, len(n.Children))}
	for _, c := range n.Children {
		out.Children = append(out.Children, c.clone())
	}
	if n.Pane != nil {
		p := n.Pane.clone()
		out.Pane = &p
	}
	return out
}

func (p Pane) clone() Pane {
	p.Blocks = list(p.Blocks)
	return p
}

func list(s []string) []string {
	return append(make([]string, 0, len(s)), s...)
}
