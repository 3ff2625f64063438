package proc

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// Process is one process as a scan found it.
type Process struct {
	ID      ID
	Parent  int
	Group   int // 0 where there are none (Windows)
	Session int // 0 where there are none
	Name    string
	// Started is for showing only; it moves when the clock is set.
	Started time.Time
	CPUTime time.Duration
	// CPU is in percent of one core, between scans that lie at least 200 ms apart; -1 until
	// two have seen the process.
	CPU        float64
	Memory     int64 // resident bytes
	Zombie     bool
	Foreground bool // its group has the terminal
}

// raw is what the system tells about a process. name is valid until the next one is read.
type raw struct {
	pid, parent, group, session, foreground int
	start                                   uint64
	cpu                                     time.Duration
	memory                                  int64
	zombie                                  bool
	name                                    []byte
}

// facts are what a Scanner remembers of a process.
type facts struct {
	start   uint64
	name    string
	cpu     time.Duration // at the scan from which the next percentage counts
	at      time.Time     // of that scan
	percent float64
	scan    uint64 // the last that saw it
	block   string
	asked   bool // block is known
	empty   int  // how often the environment was empty when asked for
	command []string
}

// cpuWindow is the shortest time that gives a percentage: processor time is counted in steps of 10 ms,
// and End scans again within milliseconds.
const cpuWindow = 200 * time.Millisecond

// Scanner takes snapshots. It remembers what does not change in a process, so keep one. It may
// be used by several goroutines, one scan at a time.
type Scanner struct {
	key string

	mu    sync.Mutex
	boot  string
	list  lister
	known map[int]*facts
	scans uint64
	count int
}

// NewScanner returns a Scanner that knows a block's processes by the environment variable key,
// or not by environment if key is "".
func NewScanner(key string) *Scanner {
	return &Scanner{key: key, boot: bootID(), known: map[int]*facts{}}
}

// Table is one snapshot. It does not change.
type Table struct {
	at      time.Time
	procs   []Process // by pid
	scanner *Scanner

	kids func() map[int][]int // indices by parent pid
	ours func() map[int]bool  // this process and those above it
}

// Scan reads all processes. It blocks for about 5 µs per process.
func (s *Scanner) Scan(ctx context.Context) (*Table, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.scans++
	t := &Table{at: now, procs: make([]Process, 0, s.count+16), scanner: s}
	clock := startClock(now)
	err := s.list.all(ctx, func(r *raw) {
		f := s.known[r.pid]
		if f == nil || f.start != r.start {
			f = &facts{start: r.start, name: string(r.name), cpu: r.cpu, at: now, percent: -1}
			s.known[r.pid] = f
		}
		if f.name != string(r.name) {
			// exec: what it runs is another program now, perhaps with another
			// environment (our own child a moment after its fork).
			f.name, f.command, f.asked, f.empty = string(r.name), nil, false, 0
		}
		if since := now.Sub(f.at); since >= cpuWindow {
			f.percent = max(0, 100*float64(r.cpu-f.cpu)/float64(since))
			f.cpu, f.at = r.cpu, now
		}
		f.scan = s.scans
		t.procs = append(t.procs, Process{
			ID:     ID{PID: r.pid, Boot: s.boot, Start: r.start},
			Parent: r.parent, Group: r.group, Session: r.session, Name: f.name,
			Started: clock.at(r.start), CPUTime: r.cpu, CPU: f.percent, Memory: r.memory,
			Zombie: r.zombie, Foreground: r.foreground > 0 && r.foreground == r.group,
		})
	})
	if err != nil {
		return nil, fmt.Errorf("cannot list the processes: %w", err)
	}
	s.count = len(t.procs)
	if len(s.known) > len(t.procs) {
		for pid, f := range s.known {
			if f.scan != s.scans {
				delete(s.known, pid)
			}
		}
	}
	slices.SortFunc(t.procs, func(a, b Process) int { return a.ID.PID - b.ID.PID })
	t.kids = sync.OnceValue(t.byParent)
	t.ours = sync.OnceValue(t.aboveUs)
	return t, nil
}

// At returns when the snapshot was taken.
func (t *Table) At() time.Time { return t.at }

// All returns every process by rising pid; the slice must not be changed.
func (t *Table) All() []Process { return t.procs }

// Lookup returns the process that had the pid.
func (t *Table) Lookup(pid int) (Process, bool) {
	if i := t.index(pid); i >= 0 {
		return t.procs[i], true
	}
	return Process{}, false
}

// Find returns the process if it was there, be it as a zombie.
func (t *Table) Find(id ID) (Process, bool) {
	p, ok := t.Lookup(id.PID)
	return p, ok && p.ID == id
}

func (t *Table) index(pid int) int {
	i, ok := slices.BinarySearchFunc(t.procs, pid, func(p Process, pid int) int { return p.ID.PID - pid })
	if !ok {
		return -1
	}
	return i
}

func (t *Table) byParent() map[int][]int {
	kids := make(map[int][]int, len(t.procs)/2)
	for i, p := range t.procs {
		kids[p.Parent] = append(kids[p.Parent], i)
	}
	return kids
}

func (t *Table) aboveUs() map[int]bool {
	up := map[int]bool{}
	for pid := os.Getpid(); pid > 0 && !up[pid]; {
		up[pid] = true
		p, ok := t.Lookup(pid)
		if !ok {
			break
		}
		pid = p.Parent
	}
	up[1] = true
	return up
}

// Command returns the arguments of a process, the program first; nil if they are not known. They
// are read once, and again when the process runs another program.
func (s *Scanner) Command(id ID) []string {
	s.mu.Lock()
	f := s.known[id.PID]
	if f != nil && f.start == id.Start && f.command != nil {
		defer s.mu.Unlock()
		return f.command
	}
	s.mu.Unlock()
	args := readCommand(id.PID)
	if now, err := Identify(id.PID); err != nil || now != id {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.known[id.PID]; f != nil && f.start == id.Start {
		f.command = args
	}
	return args
}

// ask finds the block of p. In the middle of an exec a process shows no environment for some
// microseconds, so nothing at all is believed the third time only.
func (f *facts) ask(p Process, key string) {
	value, empty := readVariable(p.ID.PID, key)
	if empty && !p.ofKernel() {
		f.empty++
	}
	f.block = value
	f.asked = !empty || f.empty > 2 || p.ofKernel()
}

// inherited calls fn for those of t's processes that are not in known and have inherited block.
func (s *Scanner) inherited(t *Table, known map[int]Reason, block string, fn func(i int)) {
	if s.key == "" {
		return
	}
	var found []int
	s.mu.Lock()
	for i, p := range t.procs {
		f := s.known[p.ID.PID]
		if f == nil || f.start != p.ID.Start || p.Zombie {
			continue
		}
		if _, seen := known[i]; seen {
			continue
		}
		if !f.asked {
			f.ask(p, s.key)
		}
		if f.block == block {
			found = append(found, i)
		}
	}
	s.mu.Unlock()
	for _, i := range found {
		fn(i)
	}
}

// Cwd returns the current directory of a process.
func Cwd(id ID) (string, error) {
	dir, err := readCwd(id.PID)
	if err != nil {
		return "", fmt.Errorf("cannot find the directory of process %d: %w", id.PID, err)
	}
	if now, err := Identify(id.PID); err != nil || now != id {
		return "", ErrGone
	}
	return dir, nil
}
