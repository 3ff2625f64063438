package api

import (
	"maps"
	"slices"
	"sync"
	"time"

	"drover/backend/terminal"
)

// TerminalState is what a terminal's program says of itself.
type TerminalState struct {
	Block    string `json:"block"`
	Title    string `json:"title"`
	Progress int    `json:"progress"` // 0 none, 1 normal, 2 error, 3 busy, 4 paused
	Percent  int    `json:"percent"`
}

// BlockEvent tells what happened in a block's terminal.
type BlockEvent struct {
	Seq   uint64             `json:"seq"`
	Block string             `json:"block"`
	Event terminal.EventKind `json:"event"`
	Title string             `json:"title"`
	Text  string             `json:"text"`
	// Of a command that ended: its exit code, -1 if it is not known, and how long it
	// took in milliseconds.
	Exit int   `json:"exit"`
	Took int64 `json:"took"`
}

// A program can do these as often as it likes; pages hear of so many in a row,
// and of one more after each pause.
const (
	newsBurst = 10
	newsPause = 200 * time.Millisecond
	// statesPause is how long changes of titles and progress are collected.
	statesPause = 100 * time.Millisecond
)

// News gathers what happens in terminals for the pages. Its methods do not wait,
// so that the reader of a PTY may call Tell.
type News struct {
	events *Events

	mu     sync.Mutex
	closed bool
	states map[string]TerminalState
	timer  *time.Timer           // runs while pages have not been told of states
	spent  map[string]*allowance // by block
}

type allowance struct {
	left int
	at   time.Time
}

// NewNews makes one that tells by events.
func NewNews(events *Events) *News {
	return &News{events: events, states: map[string]TerminalState{}, spent: map[string]*allowance{}}
}

// Tell passes on an event of a block's terminal.
func (n *News) Tell(block string, e terminal.Event) {
	switch e.Kind {
	case terminal.TitleSet, terminal.ProgressMade:
		n.state(block, e)
	case terminal.CommandDone:
		// A command that was ended has not taken its progress back.
		n.state(block, terminal.Event{Kind: terminal.ProgressMade})
		n.tell(block, e)
	case terminal.BellRung, terminal.Notified, terminal.ClipboardSet, terminal.ClipboardAsked:
		n.tell(block, e)
	}
}

func (n *News) tell(block string, e terminal.Event) {
	if !n.allowed(block, time.Now()) {
		return
	}
	out := BlockEvent{Block: block, Event: e.Kind, Title: e.Title, Text: e.Text}
	if e.Kind == terminal.CommandDone {
		out.Text, out.Exit, out.Took = e.Command.Text, e.Command.Exit, e.Command.Took.Milliseconds()
		if !e.Command.Exited {
			out.Exit = -1
		}
	}
	n.events.Block(out)
}

func (n *News) state(block string, e terminal.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	s, known := n.states[block]
	s.Block = block
	if e.Kind == terminal.TitleSet {
		s.Title = e.Text
	} else {
		s.Progress, s.Percent = e.State, e.Percent
	}
	if n.closed || s == n.states[block] || !known && s == (TerminalState{Block: block}) {
		return
	}
	n.states[block] = s
	n.soonLocked()
}

// soonLocked tells pages that states have changed, together with what else
// changes soon.
func (n *News) soonLocked() {
	if n.timer == nil {
		n.timer = time.AfterFunc(statesPause, func() {
			n.mu.Lock()
			n.timer = nil
			closed := n.closed
			n.mu.Unlock()
			if !closed {
				n.events.Pull("terminals")
			}
		})
	}
}

// Started forgets what the program before said.
func (n *News) Started(block string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.spent, block)
	if _, ok := n.states[block]; ok && !n.closed {
		delete(n.states, block)
		n.soonLocked()
	}
}

// States are those of all terminals whose programs said something, in no order.
func (n *News) States() []TerminalState {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.AppendSeq([]TerminalState{}, maps.Values(n.states))
}

func (n *News) allowed(block string, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	a := n.spent[block]
	if a == nil {
		a = &allowance{left: newsBurst, at: now}
		n.spent[block] = a
	}
	if earned := int(now.Sub(a.at) / newsPause); earned > 0 {
		a.left, a.at = min(a.left+earned, newsBurst), now
	}
	if a.left == 0 || n.closed {
		return false
	}
	a.left--
	return true
}

// Close tells nothing any more. It may be called twice.
func (n *News) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	if n.timer != nil {
		n.timer.Stop()
	}
}
