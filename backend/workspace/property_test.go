package workspace_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"drover/backend/workspace"
)

// TestAnyOperationsKeepThePromise runs random operations, half of them nonsense,
// and compares which blocks there are with a set kept beside the model.
func TestAnyOperationsKeepThePromise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := workspace.New()
		want := map[string]bool{}
		var undo []workspace.Removal
		names := 0
		id := func(label string, have []string) string {
			return rapid.SampledFrom(append(slices.Sorted(slices.Values(have)), "nobody")).Draw(t, label)
		}
		workspaces := func() (out []string) {
			for _, w := range m.Workspaces {
				out = append(out, w.ID)
			}
			return out
		}
		panes := func() (out []string) {
			for b := range m.Blocks {
				for _, w := range m.Workspaces {
					if p := find(w.Layout, b); p != "" {
						out = append(out, p)
					}
				}
			}
			return append(out, "")
		}
		place := func() workspace.Place {
			return workspace.Place{
				Workspace: id("workspace", append(workspaces(), "")),
				Pane:      id("pane", panes()),
				Side:      rapid.SampledFrom([]workspace.Side{workspace.Center, workspace.Left, workspace.Right, workspace.Above, workspace.Below, ""}).Draw(t, "side"),
				Index:     rapid.IntRange(-1, 4).Draw(t, "index"),
			}
		}
		blocks := func() []string { return slices.Collect(maps.Keys(m.Blocks)) }

		do := func(change func() error) {
			before := m
			text, _ := json.Marshal(before)
			err := change()
			if after, _ := json.Marshal(before); string(after) != string(text) {
				t.Fatal("an operation changed a snapshot that was handed out")
			}
			switch {
			case err != nil && !reflect.DeepEqual(before, m):
				t.Fatalf("failed with %v and changed the model", err)
			case err == nil && m.Version != before.Version+1:
				t.Fatalf("version went from %d to %d", before.Version, m.Version)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"create": func(*rapid.T) {
				do(func() error {
					names++
					_, err := m.Create(workspace.Workspace{ID: fmt.Sprint("w", names), Name: "w"})
					return err
				})
			},
			"activate": func(*rapid.T) { do(func() error { return m.Activate(id("workspace", workspaces())) }) },
			"removeWorkspace": func(*rapid.T) {
				do(func() error { return m.RemoveWorkspace(id("workspace", workspaces())) })
			},
			"add": func(*rapid.T) {
				do(func() error {
					names++
					b := fmt.Sprint("b", names)
					err := m.AddBlock(workspace.Block{ID: b, Kind: workspace.Shell}, place())
					if err == nil {
						want[b] = true
					}
					return err
				})
			},
			"move":   func(*rapid.T) { do(func() error { return m.MoveBlock(id("block", blocks()), place()) }) },
			"rename": func(*rapid.T) { do(func() error { return m.RenameBlock(id("block", blocks()), "x") }) },
			"remove": func(*rapid.T) {
				do(func() error {
					ids := []string{id("block", blocks()), id("block", blocks())}
					removed, err := m.RemoveBlocks(ids[:rapid.IntRange(1, 2).Draw(t, "count")])
					if err == nil {
						undo = append(undo, removed)
						for _, r := range removed.Blocks {
							delete(want, r.Block.ID)
						}
					}
					return err
				})
			},
			"restore": func(*rapid.T) {
				if len(undo) == 0 {
					return
				}
				do(func() error {
					at := rapid.IntRange(0, len(undo)-1).Draw(t, "which")
					err := m.Restore(undo[at])
					if err == nil {
						for _, r := range undo[at].Blocks {
							want[r.Block.ID] = true
						}
						undo = slices.Delete(undo, at, at+1)
					}
					return err
				})
			},
			"float": func(*rapid.T) {
				// A page takes the tabs of one pane and floats or docks them anew.
				ws := id("workspace", workspaces())
				ids := m.BlocksOf(ws)
				do(func() error {
					l := workspace.Layout{}
					for i, b := range ids {
						p := workspace.Pane{ID: fmt.Sprint("f", m.Version, "-", i), Blocks: []string{b}}
						if i%2 == 0 && l.Root == nil {
							l.Root = &workspace.Node{Weight: 1, Pane: &p}
						} else {
							l.Floating = append(l.Floating, workspace.Floating{Pane: p, X: rapid.Float64Range(-1, 2).Draw(t, "x"), Width: 0.3})
						}
					}
					return m.SetLayout(ws, l, m.Version-uint64(rapid.IntRange(0, 1).Draw(t, "behind")))
				})
			},
			"": func(*rapid.T) {
				if err := m.Check(); err != nil {
					t.Fatal(err)
				}
				if !maps.Equal(want, keys(m.Blocks)) {
					t.Fatalf("blocks are %v, want %v", keys(m.Blocks), want)
				}
				c := m.Clone()
				if said := c.Repair(); len(said) > 0 || !reflect.DeepEqual(c, m) {
					t.Fatalf("a sound model was repaired: %v", said)
				}
			},
		})
	})
}

func keys(m map[string]workspace.Block) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}
