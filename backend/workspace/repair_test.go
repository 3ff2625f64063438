package workspace_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"drover/backend/workspace"
)

const sound = `{"version":7,"active":"w","workspaces":[{"id":"w","name":"api","layout":{"root":
 {"split":"row","weight":1,"children":[
  {"weight":1,"pane":{"id":"p","blocks":["a"],"active":"a"}},
  {"weight":2,"pane":{"id":"q","blocks":["b","c"],"active":"c"}}]},
 "floating":[{"pane":{"id":"f","blocks":["d"],"active":"d"},"x":0.1,"y":0.1,"width":0.5,"height":0.5}],
 "focus":"q","zoomed":""},"unplaced":["e"]}],
 "blocks":{"a":{"id":"a","workspace":"w"},"b":{"id":"b","workspace":"w"},"c":{"id":"c","workspace":"w"},
  "d":{"id":"d","workspace":"w"},"e":{"id":"e","workspace":"w"}}}`

func TestRepair(t *testing.T) {
	rows := []struct {
		name, old, new string
		says           []string
		want           string // layout, then the unplaced
	}{
		{"nothing", "", "", nil, "row[a b+c*] ~d | e"},
		{"an unknown block", `["b","c"]`, `["b","z","c"]`, []string{`pane "q" listed block "z", which is unknown`}, "row[a b+c*] ~d | e"},
		{"a doubled block stays at the first place", `["b","c"]`, `["b","a","c"]`, []string{`block "a", which has a place already`}, "row[a b+c*] ~d | e"},
		{"a pane without blocks", `"blocks":["a"],"active":"a"`, `"blocks":[],"active":"a"`, []string{`pane "p" held no block`, "dissolved", "no pane held block a"}, "b+c* ~d | e a"},
		{"a lost block", `["b","c"]`, `["c"]`, []string{"no pane held block b; it is listed as unplaced"}, "row[a c*] ~d | e b"},
		{"a weight under 0", `"weight":2`, `"weight":-2`, []string{"share of -2"}, "row[a b+c*] ~d | e"},
		{"a huge weight", `"weight":2`, `"weight":1e300`, []string{"share of 1e+300"}, "row[a b+c*] ~d | e"},
		{"an unknown focus", `"focus":"q"`, `"focus":"x"`, []string{`focus was on pane "x"`}, "row[a* b+c] ~d | e"},
		{"an unknown zoom", `"zoomed":""`, `"zoomed":"x"`, []string{`pane "x" was to fill`}, "row[a b+c*] ~d | e"},
		{"an unknown active workspace", `"active":"w"`, `"active":"v"`, []string{`active workspace "v"`}, "row[a b+c*] ~d | e"},
		{"an unknown tab", `"active":"c"`, `"active":"x"`, []string{`active tab of pane "q"`}, "row[a b+c*] ~d | e"},
		{"a pane id twice", `"id":"f"`, `"id":"q"`, []string{`pane id "q" was empty or there twice`}, "row[a b+c*] ~d | e"},
		{"no pane id", `"id":"f"`, `"id":""`, []string{`pane id ""`}, "row[a b+c*] ~d | e"},
		{"a box outside", `"x":0.1`, `"x":7`, []string{"out of range"}, "row[a b+c*] ~d | e"},
		{"a box without a size", `"width":0.5`, `"width":0`, []string{"out of range"}, "row[a b+c*] ~d | e"},
		{"an unknown split", `"split":"row"`, `"split":"heap"`, []string{`split "heap"`}, "row[a b+c*] ~d | e"},
		{"a pane that is a split", `"split":"row"`, `"split":"row","pane":{"id":"z","blocks":["e"],"active":"e"}`, []string{"first part", "has a place already"}, "row[e a b+c*] ~d | "},
		{"a workspace without a name", `"name":"api"`, `"name":" "`, []string{"had no name"}, "row[a b+c*] ~d | e"},
		{"a workspace without an id", `[{"id":"w"`, `[{"id":""`, []string{"workspace-1 now", "corrected", "corrected", "corrected", "corrected", "corrected", "active workspace"}, "row[a b+c*] ~d | e"},
		{"a block of another name", `"a":{"id":"a"`, `"a":{"id":"x"`, []string{`called itself "x"`}, "row[a b+c*] ~d | e"},
		{"a block of another workspace", `"a":{"id":"a","workspace":"w"`, `"a":{"id":"a","workspace":"x"`, []string{`in workspace "x", but was found in "w"`}, "row[a b+c*] ~d | e"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if !strings.Contains(sound, r.old) {
				t.Fatal("nothing to damage")
			}
			var m workspace.Model
			if err := json.Unmarshal([]byte(strings.Replace(sound, r.old, r.new, 1)), &m); err != nil {
				t.Fatal(err)
			}
			said := m.Repair()
			if len(said) != len(r.says) {
				t.Fatalf("said %q, want %q", said, r.says)
			}
			for i, want := range r.says {
				if !strings.Contains(said[i], want) {
					t.Errorf("said %q, want %q", said[i], want)
				}
			}
			w := m.Workspaces[0]
			if got := draw(w.Layout) + " | " + strings.Join(w.Unplaced, " "); got != r.want {
				t.Errorf("repaired to %s, want %s", got, r.want)
			}
			if rose := m.Version > 7; rose != (len(said) > 0) {
				t.Errorf("version is %d after %q", m.Version, said)
			}
			if err := m.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRepairOfBlocksWithoutAnyWorkspace(t *testing.T) {
	m := workspace.Model{Blocks: map[string]workspace.Block{"a": {ID: "a"}, "": {ID: ""}}}
	if said := m.Repair(); len(said) != 5 {
		t.Errorf("said %q", said)
	}
	if got := m.BlocksOf("recovered"); len(got) != 2 || m.Active != "recovered" {
		t.Errorf("recovered holds %v, active is %q", got, m.Active)
	}
	var empty workspace.Model
	if said := empty.Repair(); len(said) != 0 || empty.Version != 0 {
		t.Errorf("said %q of an empty model", said)
	}
}

func TestRepairOfALayoutThatContainsItself(t *testing.T) {
	children := make([]workspace.Node, 3)
	children[0] = workspace.Node{Weight: 1, Pane: &workspace.Pane{ID: "p", Blocks: []string{"a"}, Active: "a"}}
	children[1] = workspace.Node{Split: workspace.Row, Weight: math.NaN(), Children: children}
	children[2] = workspace.Node{Split: workspace.Column, Weight: math.Inf(1), Children: children}
	m := workspace.Model{
		Active:     "w",
		Workspaces: []workspace.Workspace{{ID: "w", Name: "w", Layout: workspace.Layout{Root: &children[1]}}},
		Blocks:     map[string]workspace.Block{"a": {ID: "a", Workspace: "w"}, "b": {ID: "b", Workspace: "w"}},
	}
	if said := m.Repair(); len(said) == 0 {
		t.Error("nothing was said")
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	if got := draw(m.Workspaces[0].Layout); got != "a*" || len(m.Workspaces[0].Unplaced) != 1 {
		t.Errorf("repaired to %s, unplaced %v", got, m.Workspaces[0].Unplaced)
	}
}

func TestRepairDropsWhatIsTooDeepAndKeepsItsBlocks(t *testing.T) {
	n := workspace.Node{Weight: 1, Pane: &workspace.Pane{ID: "deep", Blocks: []string{"a"}, Active: "a"}}
	for range 10000 {
		n = workspace.Node{Split: workspace.Row, Weight: 1, Children: []workspace.Node{n}}
	}
	m := workspace.Model{
		Active:     "w",
		Workspaces: []workspace.Workspace{{ID: "w", Name: "w", Layout: workspace.Layout{Root: &n}}},
		Blocks:     map[string]workspace.Block{"a": {ID: "a", Workspace: "w"}},
	}
	m.Repair()
	if got := m.Workspaces[0].Unplaced; len(got) != 1 {
		t.Errorf("unplaced are %v", got)
	}
}

func FuzzRepair(f *testing.F) {
	f.Add(sound)
	f.Add(`{"workspaces":[{"layout":{"root":{"children":[{"pane":{}},{"pane":{"blocks":[""]}}]}}}],"blocks":{"":{}}}`)
	f.Add(`{"workspaces":[{"id":"a"},{"id":"a"},{}],"active":"x","blocks":{"b":{"workspace":"a"}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var m workspace.Model
		if json.Unmarshal([]byte(text), &m) != nil {
			return
		}
		had := m.Blocks
		m.Repair()
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
		for id := range had {
			if _, ok := m.Blocks[id]; !ok && id != "" {
				t.Fatalf("block %q was lost", id)
			}
		}
		if len(m.Blocks) != len(had) {
			t.Fatalf("%d blocks became %d", len(had), len(m.Blocks))
		}
		again := m.Clone()
		if said := again.Repair(); len(said) > 0 || !reflect.DeepEqual(again, m) {
			t.Fatalf("repaired twice: %q", said)
		}
	})
}
