package activity

import (
	"context"
	"time"

	"drover/backend/proc"
	"drover/backend/workspace"
)

// Facts are what a test knows of a process beside its row.
type Facts struct {
	Started time.Time
	Command string
	Ports   []int
}

// Fold is the pure fold.
func Fold(m workspace.Model, trees map[string][]proc.Member, dirs map[string]string, facts map[proc.ID]Facts) Snapshot {
	v := view{model: m, host: "here", trees: trees, dirs: dirs, facts: map[proc.ID]fact{}}
	for id, f := range facts {
		v.facts[id] = fact{started: f.Started, command: f.Command, ports: f.Ports}
	}
	return fold(v)
}

// CommandLine is how arguments are shown.
var CommandLine = commandLine

// Dismissed is the state of a row that is kept and not shown.
const Dismissed = dismissed

// Look takes one sample, of a Service whose goroutine does not run.
type Look struct{ l *looker }

// NewLook makes a Service for the benchmark.
func NewLook(o Options) Look {
	s := &Service{o: o, more: make(chan struct{}, 1), list: newList(time.Now()), roots: map[string]root{}, last: map[string]seen{}}
	s.current.Store(&Snapshot{})
	return Look{&looker{s: s, facts: map[proc.ID]*factOf{}, told: map[string]string{}}}
}

// Look looks, and returns the snapshot.
func (l Look) Look(ctx context.Context) Snapshot {
	l.l.look(ctx)
	return *l.l.s.current.Load()
}

// Ports says whether the next look asks all processes for their ports, or none.
func (l Look) Ports(all bool) {
	l.l.ports = time.Now().Add(time.Hour)
	if all {
		l.l.ports = time.Time{}
	}
	for _, f := range l.l.facts {
		f.seen = time.Time{}
	}
}

// Close ends what a look began.
func (l Look) Close() { l.l.s.deaths.close() }
