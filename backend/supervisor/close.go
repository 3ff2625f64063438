package supervisor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"drover/backend/controller"
	"drover/backend/proc"
	"drover/backend/workspace"
)

// UndoTime is how long a close can be taken back.
const UndoTime = 10 * time.Second

// CloseState is how far a closing is.
type CloseState string

// The states of a closing.
const (
	Undoable CloseState = "undoable" // hidden, everything still runs
	Ending   CloseState = "ending"
	Closed   CloseState = "done"
	Undone   CloseState = "undone"
)

// Closing is one close of one or more blocks, as the page sees it.
type Closing struct {
	ID        string     `json:"id"`
	Blocks    []string   `json:"blocks"`
	Workspace string     `json:"workspace"` // the workspace that goes with them, or ""
	State     CloseState `json:"state"`
	UndoUntil time.Time  `json:"undoUntil"`
	// Result is the one line that says how it ended: "stopped 3, forced 1,
	// survived 0", with the pids of survivors.
	Result string `json:"result"`
}

// closing is a close under way. What it removed can be put back until it ends.
type closing struct {
	removal   workspace.Removal
	workspace *workspace.Workspace // removed with them, or nil
	order     []string             // of the workspaces before
	decide    chan CloseState      // buffered: Undone or Ending, once
	finished  chan struct{}

	mu     sync.Mutex
	public Closing
}

func (c *closing) state() Closing {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.public
}

// Close closes blocks: their panes go at once, their input is gated, and after
// UndoTime, or at once if now, their programs and process trees are ended.
// Blocks that are being closed already are ended without further waiting. ws, if
// not "", is a workspace that goes too; all of its blocks must be named.
func (s *Supervisor) Close(ctx context.Context, ids []string, ws string, now bool) (Closing, error) {
	if again := s.closingOf(ids); again != nil {
		again.settle(Ending)
		return again.state(), nil
	}
	c := &closing{decide: make(chan CloseState, 1), finished: make(chan struct{})}
	if s.quits() {
		return Closing{}, ErrQuit
	}
	if _, err := s.o.Records.Change(ctx, func(m *workspace.Model) error { return c.remove(m, ids, ws) }); err != nil {
		return Closing{}, err
	}
	c.public = Closing{ID: workspace.NewID(), Blocks: ids, Workspace: ws, State: Undoable, UndoUntil: time.Now().Add(UndoTime)}

	s.mu.Lock()
	if s.quitting {
		// The quit ends the blocks and may be past waiting for us; the next start
		// finishes the close.
		s.mu.Unlock()
		return Closing{}, ErrQuit
	}
	var blocks []*block
	for _, id := range ids {
		if b := s.blocks[id]; b != nil {
			blocks = append(blocks, b)
		}
	}
	s.closings[c.public.ID] = c
	// Under the lock: a quit that begins now finds the closing and waits for it.
	s.wg.Go(func() { s.finish(c, blocks) })
	s.mu.Unlock()
	for _, b := range blocks {
		b.setClosing(true)
	}
	s.Closings.Deliver(c.state())
	if now {
		c.settle(Ending)
	}
	return c.state(), nil
}

func (s *Supervisor) quits() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.quitting
}

// remove takes the blocks, and the workspace with its place, out of the model.
func (c *closing) remove(m *workspace.Model, ids []string, ws string) error {
	for _, w := range m.Workspaces {
		c.order = append(c.order, w.ID)
		if w.ID == ws {
			copied := w
			c.workspace = &copied
		}
	}
	if ws != "" && c.workspace == nil {
		return fmt.Errorf("cannot close workspace %s: %w", ws, workspace.ErrUnknown)
	}
	if ws != "" {
		for _, id := range m.BlocksOf(ws) {
			if !slices.Contains(ids, id) {
				return fmt.Errorf("cannot close workspace %s: block %s is not named", ws, id)
			}
		}
	}
	var err error
	if c.removal, err = m.RemoveBlocks(ids); err != nil || ws == "" {
		return err
	}
	return m.RemoveWorkspace(ws)
}

// putBack undoes remove.
func (c *closing) putBack(m *workspace.Model) error {
	if c.workspace != nil {
		if _, err := m.Create(workspace.Workspace{ID: c.workspace.ID, Name: c.workspace.Name, Dir: c.workspace.Dir}); err != nil {
			return err
		}
		var order []string
		for _, w := range m.Workspaces {
			if w.ID != c.workspace.ID {
				order = append(order, w.ID)
			}
		}
		at := min(max(slices.Index(c.order, c.workspace.ID), 0), len(order))
		if err := m.Reorder(slices.Insert(order, at, c.workspace.ID)); err != nil {
			return err
		}
	}
	return m.Restore(c.removal)
}

// settle decides once what becomes of a closing; later decisions are nothing.
func (c *closing) settle(to CloseState) {
	select {
	case c.decide <- to:
	default:
	}
}

// closingOf is the closing under way that holds all of ids.
func (s *Supervisor) closingOf(ids []string) *closing {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.closings {
		held := c.state().Blocks
		if len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool { return !slices.Contains(held, id) }) {
			return c
		}
	}
	return nil
}

// Closing lists the closings under way, the oldest first.
func (s *Supervisor) Closing() []Closing {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []Closing{}
	for _, c := range s.closings {
		out = append(out, c.state())
	}
	slices.SortFunc(out, func(a, b Closing) int { return a.UndoUntil.Compare(b.UndoUntil) })
	return out
}

func (s *Supervisor) closing(id string) (*closing, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.closings[id]; c != nil {
		return c, nil
	}
	return nil, fmt.Errorf("that close is over")
}

// Undo takes a close back, if it has not begun to end anything.
func (s *Supervisor) Undo(id string) (Closing, error) {
	c, err := s.closing(id)
	if err != nil {
		return Closing{}, fmt.Errorf("cannot undo: %w", err)
	}
	c.settle(Undone)
	<-c.finished
	if st := c.state(); st.State != Undone {
		return st, fmt.Errorf("cannot undo: the programs were ended already")
	}
	return c.state(), nil
}

// CloseNow ends what a close left running for the time of its undo, and returns
// when that is done.
func (s *Supervisor) CloseNow(id string) (Closing, error) {
	c, err := s.closing(id)
	if err != nil {
		return Closing{}, err
	}
	c.settle(Ending)
	<-c.finished
	return c.state(), nil
}

// finish waits for the decision and carries it out.
func (s *Supervisor) finish(c *closing, blocks []*block) {
	defer close(c.finished)
	timer := time.NewTimer(UndoTime)
	defer timer.Stop()
	to := Ending
	select {
	case to = <-c.decide:
	case <-timer.C:
	}
	result := ""
	if to == Undone {
		_, err := s.o.Records.Change(context.Background(), c.putBack)
		if err == nil {
			for _, b := range blocks {
				b.setClosing(false)
			}
			s.over(c, Undone, "")
			return
		}
		result = ", and could not be brought back: " + err.Error()
	}
	s.tell(c, Ending, "")
	s.over(c, Closed, s.endAll(c, blocks).String()+result)
}

func (s *Supervisor) tell(c *closing, state CloseState, result string) {
	c.mu.Lock()
	c.public.State, c.public.Result = state, result
	c.mu.Unlock()
	s.Closings.Deliver(c.state())
}

func (s *Supervisor) over(c *closing, state CloseState, result string) {
	s.mu.Lock()
	delete(s.closings, c.state().ID)
	s.mu.Unlock()
	s.tell(c, state, result)
}

// tally counts what became of processes.
type tally struct {
	stopped, forced int
	survived        []string
}

// String is the one line of a result.
func (t tally) String() string {
	line := fmt.Sprintf("stopped %d, forced %d, survived %d", t.stopped, t.forced, len(t.survived))
	if len(t.survived) > 0 {
		line += " (pid " + strings.Join(t.survived, ", ") + ")"
	}
	return line
}

func (t *tally) add(u tally) {
	t.stopped += u.stopped
	t.forced += u.forced
	t.survived = append(t.survived, u.survived...)
}

// endAll ends blocks together, under one deadline, and forgets those of which
// nothing survived.
func (s *Supervisor) endAll(c *closing, blocks []*block) tally {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	var mu sync.Mutex
	var total tally
	var wg sync.WaitGroup
	for _, b := range blocks {
		wg.Go(func() {
			t := s.endBlock(ctx, b, c.record(b.id), controller.ReasonClose)
			if len(t.survived) == 0 {
				s.forget(b)
			}
			mu.Lock()
			defer mu.Unlock()
			total.add(t)
		})
	}
	wg.Wait()
	return total
}

func (c *closing) record(id string) workspace.Block {
	for _, r := range c.removal.Blocks {
		if r.Block.ID == id {
			return r.Block
		}
	}
	return workspace.Block{ID: id}
}

// endBlock ends a block's program, then what is left of its process tree.
func (s *Supervisor) endBlock(ctx context.Context, b *block, rec workspace.Block, why controller.Reason) tally {
	var t tally
	st := b.ctl.Status()
	root := b.process(st.Instance)
	err := b.do(context.WithoutCancel(ctx), true, func(context.Context) error {
		// ctx, not the operation's: its deadline is what sends the KILL.
		out, err := b.ctl.Shutdown(ctx, why)
		switch out.Result {
		case controller.Ended:
			t.stopped++
		case controller.Killed:
			t.forced++
		case controller.Survived:
			t.survived = append(t.survived, fmt.Sprint(st.PID))
		case controller.NotRunning:
		}
		return err
	})
	if err != nil {
		s.o.Log.WithError(err).WithField("block", b.id).Warn("a block did not end in time")
	}
	t.add(s.sweep(rec, root))
	return t
}

// sweepTimeout bounds the end of a process tree, after its block's own program.
const sweepTimeout = 5 * time.Second

// sweep ends what a block's program left in its terminal, and tells of what goes
// on by its own choice.
func (s *Supervisor) sweep(rec workspace.Block, root proc.ID) tally {
	ctx, cancel := context.WithTimeout(context.Background(), sweepTimeout)
	defer cancel()
	res, err := s.o.Procs.HangUp(ctx, root, proc.TreeOptions{Block: rec.ID})
	if err != nil {
		s.o.Log.WithError(err).WithField("block", rec.ID).Warn("the processes of a block could not all be seen")
	}
	if len(res.LeftRunning) > 0 {
		s.o.LeftRunning(rec, res.LeftRunning)
	}
	t := tally{stopped: len(res.Stopped), forced: len(res.Forced)}
	for _, id := range res.Survived {
		t.survived = append(t.survived, fmt.Sprint(id.PID))
	}
	return t
}

// forget drops a block whose processes are gone: what names them goes last.
func (s *Supervisor) forget(b *block) {
	b.end()
	s.mu.Lock()
	delete(s.blocks, b.id)
	s.mu.Unlock()
	s.o.Removed(b.id)
	// Its last status may still be on its way to the disk: it is dropped there, in
	// the same order.
	s.inbox.Deliver(controller.Status{Block: b.id})
}
