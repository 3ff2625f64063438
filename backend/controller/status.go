package controller

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"drover/backend/turn"
)

// State is where a controller is in its life. canFollow says which may follow
// which; step is the only place that changes it.
type State string

// The states of every kind. What an agent is doing is turn.Activity, never one
// of these.
const (
	Idle         State = "idle"     // never started, or made ready again
	Starting     State = "starting" // the driver was asked and has not answered
	Running      State = "running"
	Reconnecting State = "reconnecting" // the link is down, the session is not
	Stopping     State = "stopping"     // asked to end
	Killing      State = "killing"      // the grace is over
	Exited       State = "exited"       // ended by itself or as asked
	Failed       State = "failed"       // could not start, or ended by a fault
)

// States lists every State, for exhaustive tests and the generated TypeScript.
var States = [...]State{Idle, Starting, Running, Reconnecting, Stopping, Killing, Exited, Failed}

// Live reports whether a session may exist in this state.
func (s State) Live() bool {
	switch s {
	case Starting, Running, Reconnecting, Stopping, Killing:
		return true
	case Idle, Exited, Failed:
		return false
	}
	panic("controller: unknown state " + string(s))
}

// Reason says why a state was entered. It decides the final state of a stop:
// a failure ends in Failed, every other reason in Exited.
type Reason string

// The reasons. ReasonNone is for states that need none (running).
const (
	ReasonNone    Reason = ""
	ReasonUser    Reason = "user"    // a person or an agent asked
	ReasonReplace Reason = "replace" // a new instance takes its place
	ReasonClose   Reason = "close"   // the block is being closed
	ReasonQuit    Reason = "quit"    // the app ends
	ReasonLimit   Reason = "limit"   // a limit of ours was reached
	ReasonFailure Reason = "failure" // something broke
	ReasonSelf    Reason = "self"    // it ended by itself
)

// Exit is how a session's process ended.
type Exit struct {
	// Known is false when nobody saw the end (a crash of ours, a lost link):
	// then Code and Signal mean nothing.
	Known bool `json:"known"`
	// Code is the exit code, -1 when a signal ended it.
	Code   int    `json:"code"`
	Signal string `json:"signal"` // "SIGTERM"; "" when it exited by itself
	// Error is what broke on our side, "" if nothing did.
	Error string `json:"error"`
	// Note is what a person should know of the end, "" if it speaks for itself.
	Note string `json:"note"`
	// HungUp names what the end of the terminal took with it ("sleep (4711)").
	HungUp []string `json:"hungUp"`
	// LeftRunning names what outlives the session because it chose to.
	LeftRunning []Proc `json:"leftRunning"`
}

// MarshalJSON writes lists as lists: a page never meets null where it was
// promised one.
func (e Exit) MarshalJSON() ([]byte, error) {
	type plain Exit
	e.HungUp = append([]string{}, e.HungUp...)
	e.LeftRunning = append([]Proc{}, e.LeftRunning...)
	return json.Marshal(plain(e))
}

// Proc names a process beyond doubt: pids are used again, start times tell.
type Proc struct {
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
	Name    string    `json:"name"`
}

// Status is a consistent copy of what a controller knows. Version rises
// strictly for the life of the block, over all its instances, from 1.
type Status struct {
	Block    string        `json:"block"`
	Kind     string        `json:"kind"`
	Instance uint64        `json:"instance"` // 0 before the first start
	Version  uint64        `json:"version"`
	State    State         `json:"state"`
	Reason   Reason        `json:"reason"`
	Message  string        `json:"message"` // what a person should know, "" if nothing
	PID      int           `json:"pid"`     // 0 without a process
	Process  string        `json:"process"` // its name
	Since    time.Time     `json:"since"`   // when State was entered
	Started  time.Time     `json:"started"` // this instance; zero before the first
	Ended    time.Time     `json:"ended"`   // zero while it lives
	Exit     Exit          `json:"exit"`
	Identity Identity      `json:"identity"`
	Can      Capabilities  `json:"can"`
	Activity turn.Activity `json:"activity"`
	// Closing is true from the moment its pane is closed: input is gated, and
	// undo is possible until the close begins in earnest.
	Closing bool `json:"closing"`
}

// Identity says who a block is. Its UID never changes and is the key; Stable is
// set once; Name is shown and may be renamed. All are "" for a plain terminal.
// A value: the supervisor owns it and replaces it whole.
type Identity struct {
	UID    string `json:"uid"`
	Stable string `json:"stable"`
	Name   string `json:"name"`
}

// With is i with what next says: a UID and a stable name, once set, stay.
func (i Identity) With(next Identity) (Identity, error) {
	if i.UID != "" && next.UID != "" && i.UID != next.UID {
		return i, fmt.Errorf("cannot change the UID of %s: it is %s for ever", i.Name, i.UID)
	}
	if i.Stable != "" && next.Stable != "" && i.Stable != next.Stable {
		return i, fmt.Errorf("cannot change the stable name %s: rename it instead, which changes what is shown", i.Stable)
	}
	i.UID, i.Stable, i.Name = cmp.Or(i.UID, next.UID), cmp.Or(i.Stable, next.Stable), cmp.Or(next.Name, i.Name)
	return i, nil
}

// Capabilities are the powers of a running session, as the page sees them.
type Capabilities struct {
	Input     bool `json:"input"`
	Resize    bool `json:"resize"`
	Signal    bool `json:"signal"`
	Interrupt bool `json:"interrupt"`
}
