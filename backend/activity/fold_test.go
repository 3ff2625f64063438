package activity_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"drover/backend/activity"
	"drover/backend/proc"
	"drover/backend/workspace"
)

const mib = 1 << 20

func member(pid, parent, depth int, name string, cpu float64, memory int64) proc.Member {
	return proc.Member{Depth: depth, Process: proc.Process{
		ID: proc.ID{PID: pid, Start: uint64(pid)}, Parent: parent, Name: name, CPU: cpu, Memory: memory,
		Started: time.Unix(int64(pid), 0),
	}}
}

// costs is the short form of a snapshot: what each row costs.
type costs struct {
	CPU    float64
	Memory int64 // in MiB, rounded down
	Names  string
}

func TestFoldSumsUp(t *testing.T) {
	zombie := member(13, 10, 1, "gone", 90, mib)
	zombie.Zombie = true
	two := func(m *workspace.Model) {
		if _, err := m.Create(workspace.Workspace{ID: "w2", Name: "Other"}); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name   string
		change func(*workspace.Model)
		trees  map[string][]proc.Member
		total  costs
		blocks map[string]costs
	}{
		{
			name:   "blocks that do not run have rows without processes",
			blocks: map[string]costs{"a": {}, "b": {}},
		},
		{
			name: "processes add up before they are rounded",
			trees: map[string][]proc.Member{
				"a": {member(10, 1, 0, "sh", 0.4, 10*mib), member(11, 10, 1, "node", 0.4, 20*mib)},
				"b": {member(20, 1, 0, "vim", 12.3, 5*mib)},
			},
			total: costs{13, 35, ""},
			blocks: map[string]costs{
				"a": {1, 30, "sh node"},
				"b": {12, 5, "vim"},
			},
		},
		{
			name: "what is not measured yet counts as nothing, and nothing but that is not known",
			trees: map[string][]proc.Member{
				"a": {member(10, 1, 0, "sh", -1, mib), member(11, 10, 1, "cc", 40, mib)},
				"b": {member(20, 1, 0, "vim", -1, mib)},
			},
			total:  costs{40, 3, ""},
			blocks: map[string]costs{"a": {40, 2, "sh cc"}, "b": {-1, 1, "vim"}},
		},
		{
			name:   "the dead are not shown",
			trees:  map[string][]proc.Member{"a": {member(10, 1, 0, "sh", 1, mib), zombie}},
			total:  costs{1, 1, ""},
			blocks: map[string]costs{"a": {1, 1, "sh"}, "b": {}},
		},
		{
			name:   "a block that the model does not have has no row, whatever runs",
			trees:  map[string][]proc.Member{"never": {member(10, 1, 0, "sh", 50, mib)}},
			blocks: map[string]costs{"a": {}, "b": {}},
		},
		{
			name:   "an empty workspace has a row",
			change: two,
			blocks: map[string]costs{"a": {}, "b": {}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newApp(t, workspace.Block{ID: "a"}, workspace.Block{ID: "b"})
			if tt.change != nil {
				tt.change(&a.model)
			}
			s := activity.Fold(a.model, tt.trees, nil, nil)
			if got := (costs{s.CPU, s.Memory / mib, ""}); got != tt.total {
				t.Errorf("in total %v, want %v", got, tt.total)
			}
			got := map[string]costs{}
			var workspaces []string
			for _, w := range s.Hosts[0].Workspaces {
				workspaces = append(workspaces, w.ID)
				for _, b := range w.Blocks {
					var names []string
					for _, p := range b.Processes {
						names = append(names, p.Name)
					}
					got[b.Block] = costs{b.CPU, b.Memory / mib, strings.Join(names, " ")}
				}
			}
			if !reflect.DeepEqual(got, tt.blocks) {
				t.Errorf("blocks are %v, want %v", got, tt.blocks)
			}
			if len(workspaces) != len(a.model.Workspaces) || workspaces[0] != "w1" {
				t.Errorf("workspaces are %v", workspaces)
			}
			text, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), "null") {
				t.Errorf("the page gets a null: %s", text)
			}
		})
	}
}

// The names are those of the page's types.
func TestFoldShowsAProcess(t *testing.T) {
	a := newApp(t, workspace.Block{ID: "a"})
	m := member(7, 1, 0, "node", 3.6, 10*mib+1000)
	m.Foreground = true
	s := activity.Fold(a.model, map[string][]proc.Member{"a": {m}}, map[string]string{"a": "/srv"}, map[proc.ID]activity.Facts{
		m.ID: {Started: time.Unix(5, 0).UTC(), Command: "node server.js", Ports: []int{3000}},
	})
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"seq":0,"at":"0001-01-01T00:00:00Z","cpu":4,"memory":10485760,"totalMemory":0,"hosts":[{"id":"local","name":"here","cpu":4,"memory":10485760,"workspaces":[` +
		`{"id":"w1","cpu":4,"memory":10485760,"blocks":[{"block":"a","cpu":4,"memory":10485760,"dir":"/srv","processes":[` +
		`{"pid":7,"parent":1,"started":"1970-01-01T00:00:05Z","id":"7@7","name":"node","command":"node server.js","cpu":4,"memory":10485760,"ports":[3000],"foreground":true,"depth":0}]}]}]}],"ended":[]}`
	if string(text) != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

func TestCommandLine(t *testing.T) {
	long := strings.Repeat("ü", 3000)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, ""},
		{[]string{"ls", "-l"}, "ls -l"},
		{[]string{"sh", "-c", "sleep 1; echo it's"}, `sh -c 'sleep 1; echo it'\''s'`},
		{[]string{"printf", ""}, "printf ''"},
		{[]string{"a\xffb"}, "a\uFFFDb"},
		{[]string{long}, strings.Repeat("ü", 1000) + "…"},
	} {
		if got := activity.CommandLine(tt.args); got != tt.want {
			t.Errorf("%q is shown as %q, want %q", tt.args, got, tt.want)
		}
	}
}
