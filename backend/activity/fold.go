package activity

import (
	"math"
	"strings"
	"time"

	"drover/backend/proc"
	"drover/backend/workspace"
)

// view is all that a snapshot's hosts are folded from.
type view struct {
	model workspace.Model
	host  string
	// trees holds the processes of each block whose status is live.
	trees map[string][]proc.Member
	dirs  map[string]string // by block
	facts map[proc.ID]fact
}

// fact is what is known of a process beside the table's row.
type fact struct {
	// started is that of the first scan: later ones differ by how exact the clock
	// is read.
	started time.Time
	command string
	ports   []int // never nil
	young   bool  // it has just been seen for the first time
}

// fold makes the hosts and their sums. It is pure.
func fold(v view) Snapshot {
	var all sum
	host := Host{ID: Local, Name: v.host, Workspaces: []WorkspaceRow{}}
	for _, w := range v.model.Workspaces {
		var of sum
		row := WorkspaceRow{ID: w.ID, Blocks: []BlockRow{}}
		for _, id := range v.model.BlocksOf(w.ID) {
			if _, ok := v.model.Blocks[id]; !ok {
				continue
			}
			b, s := v.block(id)
			of.join(s)
			row.Blocks = append(row.Blocks, b)
		}
		row.CPU, row.Memory = of.percent(), of.bytes()
		all.join(of)
		host.Workspaces = append(host.Workspaces, row)
	}
	host.CPU, host.Memory = all.percent(), all.bytes()
	return Snapshot{CPU: host.CPU, Memory: host.Memory, Hosts: []Host{host}, Ended: []Ended{}}
}

func (v view) block(id string) (BlockRow, sum) {
	var s sum
	row := BlockRow{Block: id, Dir: v.dirs[id], Processes: []Process{}}
	for _, m := range v.trees[id] {
		if m.Zombie {
			continue
		}
		s.add(m.CPU, m.Memory)
		if f := v.facts[m.ID]; !f.young {
			row.Processes = append(row.Processes, process(m, f))
		}
	}
	row.CPU, row.Memory = s.percent(), s.bytes()
	return row, s
}

func process(m proc.Member, f fact) Process {
	var one sum
	one.add(m.CPU, m.Memory)
	p := Process{
		PID: m.ID.PID, Parent: m.Parent, Started: m.Started, ID: m.ID.String(),
		Name: m.Name, Command: f.command, CPU: one.percent(), Memory: one.bytes(),
		Ports: f.ports, Foreground: m.Foreground, Depth: m.Depth,
	}
	if !f.started.IsZero() {
		p.Started = f.started
	}
	if p.Ports == nil {
		p.Ports = []int{}
	}
	return p
}

// sum adds costs up before they are rounded.
type sum struct {
	cpu           float64
	memory        int64
	any, measured bool
}

func (s *sum) add(cpu float64, memory int64) {
	s.any = true
	s.memory += memory
	if cpu >= 0 {
		s.measured = true
		s.cpu += cpu
	}
}

func (s *sum) join(t sum) {
	s.cpu += t.cpu
	s.memory += t.memory
	s.any = s.any || t.any
	s.measured = s.measured || t.measured
}

func (s *sum) percent() float64 {
	if s.any && !s.measured {
		return -1
	}
	return math.Round(s.cpu)
}

// bytes rounds to 0.1 MiB.
func (s *sum) bytes() int64 {
	const step = float64(1<<20) / 10
	return int64(math.Round(float64(s.memory)/step) * step)
}

// maxCommand is where a command line is cut.
const maxCommand = 2000

// commandLine joins arguments for showing.
func commandLine(args []string) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		if a == "" || strings.ContainsAny(a, " \t\n'\"") {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		b.WriteString(a)
		if b.Len() > maxCommand {
			return strings.ToValidUTF8(b.String()[:maxCommand], "") + "…"
		}
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}
