// Package turn holds the typed output of agents: the events that a driver emits
// besides bytes, and what is derived from them. It is values and pure functions;
// it imports nothing of ours and starts nothing.
package turn

import "time"

// Activity is what an agent is doing. It is derived from events, and is no
// state of its controller's life.
type Activity string

// The activities. None is for blocks that have no agent.
const (
	None     Activity = ""
	Resting  Activity = "idle"
	Thinking Activity = "thinking"
	Tool     Activity = "tool"
	Waiting  Activity = "waiting-for-you"
	Stalled  Activity = "stalled"
)

// Event is one piece of typed output, in the order in which the agent made it.
// The types of this package are the only ones.
type Event interface{ event() }

// Origin is what started a turn. Unknown is never taken for the user.
type Origin string

// The origins of a turn.
const (
	OriginUnknown Origin = ""
	OriginUser    Origin = "user"
	OriginAgent   Origin = "agent" // a message of another agent
	OriginApp     Origin = "app"   // a resume, a schedule
)

// Started begins a turn.
type Started struct {
	Turn   string
	Origin Origin
	At     time.Time
}

// Text is a piece of what the agent says; pieces of one Message are joined.
type Text struct {
	Message  string
	Text     string
	Thinking bool
}

// ToolCall announces or updates one use of a tool; the last value of an ID holds.
type ToolCall struct {
	ID     string
	Name   string
	Input  string // as the agent gave it, JSON
	Output string
	Status ToolStatus
}

// ToolStatus is how far a tool call is.
type ToolStatus string

// The states of a tool call.
const (
	ToolPending ToolStatus = "pending"
	ToolRunning ToolStatus = "running"
	ToolDone    ToolStatus = "done"
	ToolFailed  ToolStatus = "failed"
)

// Permission is a request that waits for an answer by its own ID.
type Permission struct {
	ID       string
	ToolCall string
	Title    string
}

// Usage is what the turn has cost so far.
type Usage struct {
	InputTokens, OutputTokens int64
	CostUSD                   float64
}

// Ended ends a turn. Error is "" when it ended as it should.
type Ended struct {
	Turn  string
	Error string
	At    time.Time
}

func (Started) event()    {}
func (Text) event()       {}
func (ToolCall) event()   {}
func (Permission) event() {}
func (Usage) event()      {}
func (Ended) event()      {}
