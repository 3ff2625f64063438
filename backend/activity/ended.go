package activity

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"drover/backend/controller"
	"drover/backend/proc"
	"drover/backend/workspace"
)

// settle is how long a row waits before it is shown that may go at once: an
// interactive shell that ended well is about to be closed, one that ended with
// the last run of the app is about to start anew, what a closed block left is
// about to be hung up. It is well over the 0.6 s that a hang-up takes.
const settle = 2 * time.Second

// list is the list of what has ended. Whoever holds it serialises access to it.
type list struct {
	began time.Time
	rows  map[string]*row     // by ID
	dirty map[string]struct{} // IDs that the disk does not have as they are
}

type row struct {
	Ended
	from time.Time // not shown or saved before
	left bool      // a process that was left running, not the end of a block
	id   proc.ID   // of a process that runs or may run
}

// leftPrefix begins the ID of a row for a process left running; its identity is
// the rest.
const leftPrefix = "left:"

func newList(began time.Time) *list {
	return &list{began: began, rows: map[string]*row{}, dirty: map[string]struct{}{}}
}

// load takes over what is on the disk. Ends of blocks that are gone are dropped.
func (l *list) load(saved []Ended, m workspace.Model) {
	for _, e := range saved {
		r := &row{Ended: e, from: l.began}
		if text, ok := strings.CutPrefix(e.ID, leftPrefix); ok {
			id, err := proc.ParseID(text)
			if err != nil {
				l.dirty[e.ID] = struct{}{}
				continue
			}
			r.left, r.id, r.Process = true, id, text
		} else if _, ok := m.Blocks[e.Block]; !ok {
			l.dirty[e.ID] = struct{}{}
			continue
		}
		l.rows[e.ID] = r
	}
}

func (l *list) put(r *row) {
	l.rows[r.ID] = r
	l.dirty[r.ID] = struct{}{}
}

func (l *list) drop(id string) {
	if _, ok := l.rows[id]; ok {
		delete(l.rows, id)
		l.dirty[id] = struct{}{}
	}
}

// dropEnd drops the row of a block's end.
func (l *list) dropEnd(block string) {
	for id, r := range l.rows {
		if !r.left && r.Block == block {
			l.drop(id)
		}
	}
}

// follow brings the ends of blocks in line with their statuses: one row for a
// block that has ended, none for one that lives. An end that is known already,
// dismissed or not, is left as it is.
func (l *list) follow(now time.Time, m workspace.Model, statuses []controller.Status) {
	for _, st := range statuses {
		if st.State.Live() {
			l.dropEnd(st.Block)
			continue
		}
		if st.State == controller.Idle {
			continue
		}
		b, ok := m.Blocks[st.Block]
		if !ok {
			continue
		}
		id := fmt.Sprintf("%s.%d", st.Block, st.Instance)
		if l.rows[id] != nil {
			continue
		}
		l.dropEnd(st.Block)
		e, ok := endOf(b, st)
		if !ok {
			continue
		}
		e.ID, e.Owner = id, ownerOf(m, b)
		r := &row{Ended: e, from: now}
		if e.At.IsZero() {
			r.At = now
		}
		if e.At.Before(l.began) || b.Interactive() && e.State == Exited && e.Code == 0 {
			r.from = now.Add(settle)
		}
		l.put(r)
	}
}

func ownerOf(m workspace.Model, b workspace.Block) string {
	for _, w := range m.Workspaces {
		if w.ID == b.Workspace {
			return w.Name
		}
	}
	return ""
}

// endOf is the row of a block's end, without ID and owner; false if this end
// needs none: the block is replaced or closed, or starts anew with the app.
func endOf(b workspace.Block, st controller.Status) (Ended, bool) {
	e := Ended{
		Block: b.ID, Name: nameOf(b, st), At: st.Ended, PID: st.PID, Started: st.Started,
		Code: st.Exit.Code,
	}
	how := fmt.Sprintf("exited %d", st.Exit.Code)
	switch {
	case st.Exit.Signal != "":
		how = st.Exit.Signal
	case !st.Exit.Known:
		how = "its end was not seen"
	case st.Exit.Code != 0:
		how = fmt.Sprintf("exit %d", st.Exit.Code)
	}
	switch st.Reason {
	case controller.ReasonReplace, controller.ReasonClose:
		return e, false
	case controller.ReasonQuit:
		if b.Interactive() {
			return e, false
		}
		e.State, how = Stopped, "ended with Drover"
	case controller.ReasonUser, controller.ReasonLimit:
		e.State = Stopped
		how = cmp.Or(st.Message, "stopped")
		if st.Exit.Signal != "" {
			how += " (" + st.Exit.Signal + ")"
		}
	case controller.ReasonNone, controller.ReasonSelf, controller.ReasonFailure:
		switch {
		case st.State == controller.Failed:
			e.State, how = Failed, cmp.Or(st.Message, st.Exit.Error, how)
		case !st.Exit.Known:
			e.State, how = Unknown, cmp.Or(st.Message, how)
		case st.Exit.Code == 0 && st.Exit.Signal == "":
			e.State = Exited
		case b.Interactive():
			// A shell ends with the code of its last command, which says nothing of it.
			e.State = Exited
		default:
			e.State = Failed
		}
	}
	if e.State == Unknown || st.State == controller.Failed {
		e.PID = 0
	}
	e.Detail = how
	if what := commandOf(b); what != "" && what != e.Name {
		e.Detail = what + " · " + how
	}
	return e, true
}

// commandOf is what a block was told to run, "" for an interactive shell.
func commandOf(b workspace.Block) string {
	switch {
	case b.CommandLine != "":
		return b.CommandLine
	case len(b.Command) > 0:
		return commandLine(append([]string{filepath.Base(b.Command[0])}, b.Command[1:]...))
	}
	return ""
}

func nameOf(b workspace.Block, st controller.Status) string {
	shell := ""
	if b.Shell != "" {
		shell = filepath.Base(b.Shell)
	}
	return cmp.Or(b.Name, commandOf(b), st.Process, shell, "terminal")
}

// leave adds a row for a process that goes on without its block; it is the
// process's only row.
func (l *list) leave(b workspace.Block, owner string, p Process, id proc.ID, now, from time.Time) {
	key := leftPrefix + id.String()
	if old := l.rows[key]; old != nil && !old.from.After(from) {
		return
	}
	l.put(&row{from: from, left: true, id: id, Ended: Ended{
		ID: key, Block: b.ID, Name: p.Name, Owner: owner, Detail: p.Command, State: LeftRunning,
		At: now, PID: id.PID, Started: p.Started, Process: id.String(),
	}})
}

// check asks of each process left running whether it lives.
func (l *list) check(alive func(proc.ID) (alive, known bool)) {
	for id, r := range l.rows {
		if !r.left || r.State == dismissed {
			continue
		}
		lives, known := alive(r.id)
		state := LeftRunning
		if !known {
			state = Unknown
		}
		switch {
		case known && !lives:
			l.drop(id)
		case r.State != state:
			r.State = state
			l.dirty[id] = struct{}{}
		}
	}
}

// shown is what a person sees: what has settled, belongs to a block of the model
// or was left running, and is not in a block's tree, where it is shown already.
func (l *list) shown(now time.Time, m workspace.Model, inTree map[proc.ID]bool) []Ended {
	out := []Ended{}
	for _, r := range l.rows {
		_, ok := m.Blocks[r.Block]
		if r.State == dismissed || r.from.After(now) || (r.left && inTree[r.id]) || (!r.left && !ok) {
			continue
		}
		out = append(out, r.Ended)
	}
	slices.SortFunc(out, func(a, b Ended) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// dismiss hides a row. One of a process that runs stays.
func (l *list) dismiss(id string) error {
	r := l.rows[id]
	switch {
	case r == nil:
	case r.left && r.State == LeftRunning:
		return fmt.Errorf("cannot clear %s (%d): it still runs; end it first", r.Name, r.PID)
	case r.left:
		l.drop(id)
	case r.State != dismissed:
		r.State = dismissed
		l.dirty[id] = struct{}{}
	}
	return nil
}

// dismissAll hides the ends; what was left running stays, also where that is not
// known.
func (l *list) dismissAll() {
	for id, r := range l.rows {
		if !r.left {
			_ = l.dismiss(id) // refuses nothing but what was left
		}
	}
}

// unsaved takes what the disk does not have yet: rows to write, the oldest first,
// and IDs to forget. What has not settled waits.
func (l *list) unsaved(now time.Time) (write []Ended, forget []string) {
	for _, id := range slices.Sorted(maps.Keys(l.dirty)) {
		r := l.rows[id]
		switch {
		case r == nil:
			forget = append(forget, id)
		case r.from.After(now):
			continue
		default:
			write = append(write, r.Ended)
		}
		delete(l.dirty, id)
	}
	slices.SortStableFunc(write, func(a, b Ended) int { return a.At.Compare(b.At) })
	return write, forget
}

// again puts back what could not be saved.
func (l *list) again(write []Ended, forget []string) {
	for _, e := range write {
		l.dirty[e.ID] = struct{}{}
	}
	for _, id := range forget {
		l.dirty[id] = struct{}{}
	}
}
