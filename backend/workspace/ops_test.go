package workspace_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"drover/backend/workspace"
)

// draw writes a layout in one line: row[a column[b c*]], the focus with a star.
func draw(l workspace.Layout) string {
	pane := func(p workspace.Pane) string {
		s := strings.Join(p.Blocks, "+")
		if p.ID == l.Focus {
			s += "*"
		}
		return s
	}
	var node func(n workspace.Node) string
	node = func(n workspace.Node) string {
		if n.Pane != nil {
			return pane(*n.Pane)
		}
		var parts []string
		for _, c := range n.Children {
			parts = append(parts, node(c))
		}
		return string(n.Split) + "[" + strings.Join(parts, " ") + "]"
	}
	out := ""
	if l.Root != nil {
		out = node(*l.Root)
	}
	for _, f := range l.Floating {
		out += " ~" + pane(f.Pane)
	}
	return out
}

func shares(n workspace.Node) string {
	sum, out := 0.0, []string{}
	for _, c := range n.Children {
		sum += c.Weight
	}
	for _, c := range n.Children {
		out = append(out, fmt.Sprintf("%.3f", c.Weight/sum))
	}
	return strings.Join(out, " ")
}

type world struct {
	*testing.T
	m workspace.Model
}

func newWorld(t *testing.T) *world {
	w := &world{t, workspace.New()}
	w.create("w")
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
	if err := w.m.Check(); err != nil {
		w.Fatal(err)
	}
}

func (w *world) create(id string) {
	w.Helper()
	_, err := w.m.Create(workspace.Workspace{ID: id, Name: id})
	w.must(err)
}

func (w *world) add(id string, at workspace.Place) {
	w.Helper()
	w.must(w.m.AddBlock(workspace.Block{ID: id, Kind: workspace.Shell}, at))
}

// beside puts a block at a side of the pane that holds another.
func (w *world) beside(id, other string, side workspace.Side) workspace.Place {
	w.Helper()
	return workspace.Place{Workspace: "w", Pane: w.paneOf(other), Side: side, Index: -1}
}

func (w *world) paneOf(block string) string {
	w.Helper()
	for _, ws := range w.m.Workspaces {
		if id := find(ws.Layout, block); id != "" {
			return id
		}
	}
	w.Fatalf("no pane holds %s", block)
	return ""
}

func find(l workspace.Layout, block string) string {
	var in func(n workspace.Node) string
	in = func(n workspace.Node) string {
		if n.Pane != nil && slices.Contains(n.Pane.Blocks, block) {
			return n.Pane.ID
		}
		for _, c := range n.Children {
			if id := in(c); id != "" {
				return id
			}
		}
		return ""
	}
	if l.Root != nil {
		if id := in(*l.Root); id != "" {
			return id
		}
	}
	for _, f := range l.Floating {
		if slices.Contains(f.Pane.Blocks, block) {
			return f.Pane.ID
		}
	}
	return ""
}

func (w *world) sees(want string) {
	w.Helper()
	if got := draw(w.m.Workspaces[0].Layout); got != want {
		w.Fatalf("the layout is %s, want %s", got, want)
	}
}

func TestBlocksGoWhereTheirPlaceSays(t *testing.T) {
	w := newWorld(t)
	w.add("a", workspace.Place{})
	w.sees("a*")
	w.add("b", w.beside("b", "a", workspace.Right))
	w.add("c", w.beside("c", "b", workspace.Below))
	w.sees("row[a column[b c*]]")
	w.add("d", w.beside("d", "a", workspace.Left))
	w.sees("row[d* a column[b c]]")
	if got := shares(*w.m.Workspaces[0].Layout.Root); got != "0.250 0.250 0.500" {
		t.Fatalf("a neighbour in the same row takes half of a share, got %s", got)
	}
	w.add("e", w.beside("e", "c", workspace.Center))
	w.add("f", workspace.Place{Index: 0})
	w.sees("row[d a column[b f+c+e*]]")
	w.add("g", w.beside("g", "b", workspace.Above))
	w.sees("row[d a column[g* b f+c+e]]")
}

func TestMoves(t *testing.T) {
	rows := []struct {
		block, beside string
		side          workspace.Side
		want          string
	}{
		{"a", "c", workspace.Center, "row[b c+a*]"},
		{"c", "a", workspace.Above, "row[column[c* a] b]"},
		{"b", "b", workspace.Left, "row[a b* c]"},   // alone beside itself: it stays
		{"b", "b", workspace.Center, "row[a b* c]"}, // the same
		{"a", "c", workspace.Right, "row[b c a*]"},
		{"c", "a", workspace.Left, "row[c* a b]"},
	}
	for _, r := range rows {
		t.Run(fmt.Sprint(r.block, r.side, r.beside), func(t *testing.T) {
			w := newWorld(t)
			w.add("a", workspace.Place{})
			w.add("b", w.beside("b", "a", workspace.Right))
			w.add("c", w.beside("c", "b", workspace.Right))
			w.must(w.m.MoveBlock(r.block, w.beside(r.block, r.beside, r.side)))
			w.sees(r.want)
		})
	}
}

func TestMovedToAnotherWorkspaceItBelongsThere(t *testing.T) {
	w := newWorld(t)
	w.add("a", workspace.Place{})
	w.add("b", workspace.Place{})
	w.create("x")
	w.must(w.m.MoveBlock("b", workspace.Place{Workspace: "x"}))
	w.sees("a*")
	if got := w.m.Blocks["b"].Workspace; got != "x" {
		t.Fatalf("b belongs to %q", got)
	}
	if got := w.m.BlocksOf("x"); !slices.Equal(got, []string{"b"}) {
		t.Fatalf("x holds %v", got)
	}
}

func TestRemovedBlocksAreRestoredWhereTheyWere(t *testing.T) {
	for _, ids := range [][]string{
		{"a"},
		{"b"},
		{"c"},
		{"d"},
		{"e"},
		{"c", "d"},
		{"d", "c"},
		{"a", "b"},
		{"e", "b"},
		{"c", "d", "e"},
		{"b", "c", "d", "e"},
	} {
		t.Run(strings.Join(ids, "+"), func(t *testing.T) {
			w := newWorld(t)
			w.add("a", workspace.Place{})
			w.add("b", w.beside("b", "a", workspace.Right))
			w.add("c", w.beside("c", "b", workspace.Below))
			w.add("d", w.beside("d", "c", workspace.Center))
			w.add("e", w.beside("e", "c", workspace.Right))
			before := w.m.Clone()
			removed, err := w.m.RemoveBlocks(ids)
			w.must(err)
			if len(w.m.Blocks) != 5-len(ids) {
				t.Fatal("blocks are still there")
			}
			if again, err := w.m.RemoveBlocks([]string{}); err != nil || len(again.Blocks) > 0 {
				t.Fatal("something was removed by nothing")
			}
			w.must(w.m.Restore(throughJSON(t, removed)))
			if got, want := w.m.Workspaces[0].Layout, before.Workspaces[0].Layout; !reflect.DeepEqual(got, want) {
				t.Fatalf("restored as %s, it was %s", draw(got), draw(want))
			}
		})
	}
}

func TestRestoreAfterOtherChanges(t *testing.T) {
	w := newWorld(t)
	w.add("a", workspace.Place{})
	w.add("b", w.beside("b", "a", workspace.Right))
	w.add("c", w.beside("c", "b", workspace.Right))
	w.add("d", w.beside("d", "c", workspace.Center))
	b, err := w.m.RemoveBlocks([]string{"b"})
	w.must(err)
	d, err := w.m.RemoveBlocks([]string{"d"})
	w.must(err)
	w.must(w.m.Restore(b)) // another removal since does not matter
	w.sees("row[a b c*]")
	if got := shares(*w.m.Workspaces[0].Layout.Root); got != "0.500 0.250 0.250" {
		t.Fatalf("shares are %s", got)
	}
	b, err = w.m.RemoveBlocks([]string{"b"})
	w.must(err)
	w.add("e", w.beside("e", "c", workspace.Below))
	w.must(w.m.Restore(b)) // beside its neighbour, with its old share
	w.sees("row[a b* column[c e]]")
	if got := shares(*w.m.Workspaces[0].Layout.Root); got != "0.500 0.250 0.250" {
		t.Fatalf("shares are %s", got)
	}
	w.must(w.m.Restore(d)) // into its pane, which is elsewhere now
	w.sees("row[a b* column[c+d e]]")
}

func throughJSON[T any](t *testing.T, v T) T {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRestoreWithoutItsSurroundings(t *testing.T) {
	w := newWorld(t)
	w.add("a", workspace.Place{})
	w.add("b", w.beside("b", "a", workspace.Below))
	w.add("c", w.beside("c", "b", workspace.Below))
	removed, err := w.m.RemoveBlocks([]string{"b"})
	w.must(err)
	_, err = w.m.RemoveBlocks([]string{"a"})
	w.must(err)
	w.add("d", w.beside("d", "c", workspace.Below))
	w.must(w.m.Restore(removed))
	w.sees("column[c row[d b*]]") // its neighbour is gone: beside the focus

	removed, err = w.m.RemoveBlocks([]string{"b", "c", "d"})
	w.must(err)
	w.must(w.m.RemoveWorkspace("w"))
	if err := w.m.Restore(removed); err == nil {
		t.Fatal("restored into no workspace")
	}
	w.create("x")
	w.must(w.m.Restore(removed))
	if err := w.m.Restore(removed); err == nil {
		t.Fatal("restored twice")
	}
	if got := w.m.Blocks["b"].Workspace; got != "x" {
		t.Fatalf("b belongs to %q", got)
	}
}

func TestFloatingPanesComeBackInTheirBox(t *testing.T) {
	w := newWorld(t)
	w.add("a", workspace.Place{})
	w.add("b", w.beside("b", "a", workspace.Below))
	l := w.m.Workspaces[0].Layout.Clone()
	box := workspace.Floating{Pane: workspace.Pane{ID: "f", Blocks: []string{"b"}}, X: 0.9, Y: 0.1, Width: 0.4, Height: 0.2}
	l.Floating = append(l.Floating, box)
	l.Root = &workspace.Node{Weight: 1, Pane: l.Root.Children[0].Pane}
	l.Focus = "f"
	w.must(w.m.SetLayout("w", l, w.m.Version))
	w.sees("a ~b*")
	if got := w.m.Workspaces[0].Layout.Floating[0]; got.X != 0.6 {
		t.Fatalf("the box was not moved inside: %+v", got)
	}
	want := w.m.Workspaces[0].Layout.Floating[0]
	removed, err := w.m.RemoveBlocks([]string{"b"})
	w.must(err)
	w.must(w.m.Restore(removed))
	if got := w.m.Workspaces[0].Layout.Floating[0]; !reflect.DeepEqual(got, want) {
		t.Fatalf("restored %+v, it was %+v", got, want)
	}
	// A floating pane cannot be split: what goes beside it is docked.
	w.add("c", workspace.Place{Pane: "f", Side: workspace.Right})
	w.sees("row[a c*] ~b")
}

func TestSetLayoutRefuses(t *testing.T) {
	pane := func(id string, blocks ...string) *workspace.Pane {
		return &workspace.Pane{ID: id, Blocks: blocks, Active: blocks[0]}
	}
	one := func(p *workspace.Pane) workspace.Layout {
		return workspace.Layout{Root: &workspace.Node{Weight: 1, Pane: p}, Focus: p.ID}
	}
	deep := workspace.Node{Weight: 1, Pane: pane("p", "a", "b")}
	for range workspace.MaxDepth + 1 {
		deep = workspace.Node{Split: workspace.Row, Weight: 1, Children: []workspace.Node{deep}}
	}
	rows := []struct {
		name   string
		layout workspace.Layout
		stale  bool
		says   string
	}{
		{"a stale base", one(pane("p", "a", "b")), true, "conflict"},
		{"a missing block", one(pane("p", "a")), false, "block b is missing"},
		{"a doubled block", one(pane("p", "a", "b", "a")), false, "two places"},
		{"an unknown block", one(pane("p", "a", "b", "z")), false, "unknown"},
		{"another workspace's block", one(pane("p", "a", "b", "x")), false, "block x"},
		{"another workspace's pane", one(pane("other", "a", "b")), false, "there twice"},
		{"an active tab that is not there", one(&workspace.Pane{ID: "p", Blocks: []string{"a", "b"}, Active: "z"}), false, "not in it"},
		{"a weight of 0", workspace.Layout{Root: &workspace.Node{Pane: pane("p", "a", "b")}}, false, "weight"},
		{"an unknown zoom", workspace.Layout{Root: &workspace.Node{Weight: 1, Pane: pane("p", "a", "b")}, Focus: "p", Zoomed: "z"}, false, ""},
		{"too deep", workspace.Layout{Root: &deep}, false, "deep"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			w := newWorld(t)
			w.add("a", workspace.Place{})
			w.add("b", workspace.Place{})
			w.create("v")
			w.add("x", workspace.Place{})
			other := w.m.Workspaces[1].Layout.Clone()
			other.Root.Pane.ID, other.Focus = "other", "other"
			w.must(w.m.SetLayout("v", other, w.m.Version))
			// What else has changed since does not make a layout stale.
			before, base := w.m.Clone(), w.m.Workspaces[0].LayoutVersion
			if r.stale {
				base--
			}
			err := w.m.SetLayout("w", r.layout, base)
			if r.says == "" {
				if err != nil || w.m.Workspaces[0].Layout.Zoomed != "" {
					t.Fatalf("a zoom that is gone was not forgotten: %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), r.says) || errors.Is(err, workspace.ErrStale) != r.stale {
				t.Fatalf("got %v, want %q", err, r.says)
			}
			if !reflect.DeepEqual(before, w.m) {
				t.Fatal("a refused layout changed the model")
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	block := func(b workspace.Block) func(*workspace.Model) error {
		if b.Kind == "" {
			b.Kind = workspace.Shell
		}
		return func(m *workspace.Model) error { return m.AddBlock(b, workspace.Place{}) }
	}
	rows := []struct {
		name string
		do   func(*workspace.Model) error
		says string
	}{
		{"a name of spaces", func(m *workspace.Model) error { return m.Rename("w", "  ") }, "needs a name"},
		{"an escape in a name", func(m *workspace.Model) error { return m.Rename("w", "a\x1b[2J") }, "control"},
		{"a long name", func(m *workspace.Model) error { return m.Rename("w", strings.Repeat("ü", 201)) }, "201 characters"},
		{"a workspace that is there", func(m *workspace.Model) error {
			_, err := m.Create(workspace.Workspace{ID: "w", Name: "x"})
			return err
		}, "exists"},
		{"an order with one twice", func(m *workspace.Model) error { return m.Reorder([]string{"w", "w"}) }, "named"},
		{"an unknown workspace", func(m *workspace.Model) error { return m.Activate("z") }, "not there"},
		{"a workspace with blocks", func(m *workspace.Model) error { return m.RemoveWorkspace("w") }, "close them first"},
		{"a block that is there", block(workspace.Block{ID: "a"}), "exists"},
		{"a block without an id", block(workspace.Block{}), "no id"},
		{"an unknown kind", block(workspace.Block{ID: "b", Kind: "vm"}), "kind"},
		{"a command and a line", block(workspace.Block{ID: "b", Command: []string{"x"}, CommandLine: "x"}), "both"},
		{"a zero byte", block(workspace.Block{ID: "b", CommandLine: "x\x00"}), "zero byte"},
		{"an impossible variable", block(workspace.Block{ID: "b", Env: map[string]string{"A=B": ""}}), "environment"},
		{"an unknown side", func(m *workspace.Model) error { return m.MoveBlock("a", workspace.Place{Side: "under"}) }, "side"},
		{"an unknown pane", func(m *workspace.Model) error { return m.MoveBlock("a", workspace.Place{Pane: "z"}) }, "pane"},
		{"an unknown block", func(m *workspace.Model) error { return m.RenameBlock("z", "x") }, "not there"},
		{"a block removed twice", func(m *workspace.Model) error { _, err := m.RemoveBlocks([]string{"a", "a"}); return err }, "not there"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			w := newWorld(t)
			w.add("a", workspace.Place{})
			before := w.m.Clone()
			if err := r.do(&w.m); err == nil || !strings.Contains(err.Error(), r.says) {
				t.Fatalf("got %v, want %q", err, r.says)
			}
			if !reflect.DeepEqual(before, w.m) {
				t.Fatal("what was refused changed the model")
			}
		})
	}
}

func TestWorkspaces(t *testing.T) {
	w := newWorld(t)
	w.create("x")
	w.create("y")
	w.must(w.m.Reorder([]string{"y", "w", "x"}))
	w.must(w.m.Activate("w"))
	w.must(w.m.RemoveWorkspace("w"))
	if w.m.Active != "y" {
		t.Fatalf("active is %q, want the one before", w.m.Active)
	}
	w.must(w.m.Rename("y", " why "))
	if w.m.Workspaces[0].Name != "why" {
		t.Fatalf("renamed to %q", w.m.Workspaces[0].Name)
	}
	w.must(w.m.RemoveWorkspace("y"))
	w.must(w.m.RemoveWorkspace("x"))
	if w.m.Active != "" || len(w.m.Workspaces) != 0 {
		t.Fatal("workspaces are left")
	}
	if got, err := w.m.Create(workspace.Workspace{Name: "new"}); err != nil || got.ID == "" || w.m.Active != got.ID {
		t.Fatalf("created %+v: %v", got, err)
	}
}

func TestJSONHasListsWhereThePageExpectsThem(t *testing.T) {
	w := newWorld(t)
	w.add("a", workspace.Place{})
	if text, err := json.Marshal(w.m); err != nil || strings.Contains(string(text), "null") {
		t.Fatalf("%s: %v", text, err)
	}
}

func TestRestoreOfAStoredRemovalThatIsDamaged(t *testing.T) {
	w := newWorld(t)
	w.add("a", workspace.Place{})
	w.add("b", w.beside("b", "a", workspace.Below))
	removed, err := w.m.RemoveBlocks([]string{"b"})
	w.must(err)
	l := removed.Layouts["w"]
	l.Root.Children[0].Weight = 0
	removed.Layouts["w"] = l
	removed.Blocks[0].Side, removed.Blocks[0].Share = "under", -1
	w.must(w.m.Restore(removed))
	w.sees("row[a b*]")
}
