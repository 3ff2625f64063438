// Package controller is the contract between what runs in a block and the rest
// of the product: Driver and Session, the powers a session may have, and
// Controller, the one life cycle that all kinds share.
//
// Promises: a controller has at most one session at a time; every published
// status has a version that rises strictly for the life of the block; accepted
// input is delivered in order, held, or refused with a reason, never dropped;
// what a session says after it was replaced changes nothing.
package controller

import (
	"context"
	"errors"

	"drover/backend/turn"
)

// Driver starts one kind of session.
type Driver interface {
	// Start starts what spec describes. ctx bounds the starting only: once Start
	// has returned, the session lives on. A Start whose ctx ends returns soon,
	// and leaves nothing behind if it returns an error.
	Start(ctx context.Context, spec Spec) (Session, error)
}

// Size is that of a terminal, in cells and in pixels of the whole text area (0
// if not known).
type Size struct {
	Cols    int `json:"cols"`
	Rows    int `json:"rows"`
	XPixels int `json:"xPixels"`
	YPixels int `json:"yPixels"`
}

// Spec is what a driver is asked to start. Block, Kind, Instance, Emit and
// Report are filled in by the Controller.
type Spec struct {
	Block    string
	Kind     string
	Instance uint64
	Identity Identity
	Size     Size // of its pane; zero if not known

	// A program with arguments, or a line for "sh -c", or neither for an
	// interactive login shell (Shell, or the user's own if "").
	Command     []string
	CommandLine string
	Shell       string
	Dir         string
	Env         map[string]string

	// Note is what a person should know of this start ("" for nothing): it is the
	// status's message until something else is said.
	Note string

	// Emit takes typed output, Report what the session learns about itself. Both
	// may be called from any goroutine, never block for long, and do nothing once
	// the instance is over.
	Emit   func(turn.Event)
	Report func(Report)
}

// Report is what a session tells about itself while it lives. Empty fields
// change nothing.
type Report struct {
	PID     int
	Process string
	Message string
	// Link is LinkLost when the session goes on somewhere that cannot be reached,
	// and LinkBack when it can again.
	Link Link
}

// Link is a change of the way to a session.
type Link int

// The changes.
const (
	LinkSame Link = iota
	LinkLost
	LinkBack
)

// Session is what a driver started. Its methods may be called from any
// goroutine and in any order.
type Session interface {
	// Done is closed when the session has ended and all of its output is out.
	Done() <-chan struct{}
	// Exit is how it ended; valid once Done is closed.
	Exit() Exit
	// Terminate asks the session's own program to end, and returns when it was
	// asked. Programs that it started are not its business.
	Terminate(ctx context.Context) error
	// Kill ends the session's own program now.
	Kill() error
}

// The powers that a session may have beyond living and ending.
type (
	// Inputter takes bytes for the program. It never blocks: it takes all of p
	// (which it owns from then on) or refuses it with an error. taken, if not nil,
	// is called once the program's side has taken the whole of p.
	Inputter interface {
		Input(p []byte, taken func()) error
	}
	// Resizer sets the size of the terminal.
	Resizer interface{ Resize(Size) error }
	// Signaler sends a signal by name ("INT", "TERM", …) to what runs in the
	// foreground.
	Signaler interface{ Signal(name string) error }
	// Interrupter ends the turn and keeps the session.
	Interrupter interface {
		Interrupt(ctx context.Context) error
	}
)

// What Start, Stop and Send refuse. A caller may act on each.
var (
	ErrUnsupported = errors.New("this kind of block cannot do that")
	ErrLive        = errors.New("it runs already")
	ErrNotRunning  = errors.New("it does not run")
	ErrStopping    = errors.New("it is being stopped")
	ErrClosing     = errors.New("it is being closed")
	ErrClosed      = errors.New("the controller is closed")
	ErrGap         = errors.New("an input before this one is missing")
	ErrSkipped     = errors.New("this input came after the ones behind it had gone on without it")
	ErrFull        = errors.New("too much input is waiting; the program does not read it")
)
