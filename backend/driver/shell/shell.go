// Package shell is the driver of terminals: a program in a PTY, which is an
// interactive login shell, a program with arguments, or a command line.
//
// Promises: the program has its pane's size before its first byte; everything
// that it wrote is in the terminal before its end is told; its own signals and
// exit code are real; the terminal's modes are left alone.
package shell

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"drover/backend/controller"
	"drover/backend/pty"
	"drover/backend/terminal"
)

// Options are what the driver is handed.
type Options struct {
	// Run starts a program in the block's terminal, which is made if there is none
	// yet. It decides where that is.
	Run func(ctx context.Context, block string, c pty.Command) (Process, error)
	// Env waits for the environment of the user's login, which every program
	// starts from, without the app's own variables.
	Env func(ctx context.Context) ([]string, error)
	// Vars are the variables that tell a program which block it runs in.
	Vars func(spec controller.Spec) map[string]string
	// Shell is the shell to run when a block names none.
	Shell func() (string, error)
	// Version is the app's, for TERM_PROGRAM_VERSION.
	Version string
	// Integration says whether interactive shells that we know get shell
	// integration; nil means no. It is asked at each start.
	Integration func() bool
	// ScriptDir is where the scripts of the integration are written when first
	// needed, a folder of its own for this.
	ScriptDir string
	// Aftermath looks at what the end of a block's program meant for the other
	// processes of its terminal. It may be nil.
	Aftermath func(block string, pid int) Aftermath
}

// Process is a program in a terminal, wherever that is; terminal.Process says what the
// methods mean.
type Process interface {
	PID() int
	Done() <-chan struct{}
	Exit() pty.Exit
	Input(b []byte, taken func()) error
	Resize(s pty.Size) error
	Signal(name string) error
	HangUp() error
	Terminate() error
	Kill() error
}

// Here runs programs in terminals of this process.
func Here(open func(block string) (*terminal.Terminal, error)) func(context.Context, string, pty.Command) (Process, error) {
	return func(ctx context.Context, block string, c pty.Command) (Process, error) {
		term, err := open(block)
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return term.Start(c)
	}
}

// Aftermath is what became of the processes around a program that ended.
type Aftermath struct {
	HungUp      []string          // ended with the terminal, as "name (pid)"
	LeftRunning []controller.Proc // go on without it
}

// Driver implements controller.Driver.
type Driver struct {
	o      Options
	warned atomic.Bool // that the scripts of the integration cannot be written
}

// New makes a driver.
func New(o Options) *Driver { return &Driver{o: o} }

// Start starts the program that spec describes.
func (d *Driver) Start(ctx context.Context, spec controller.Spec) (controller.Session, error) {
	env, err := d.environment(ctx, spec)
	if err != nil {
		return nil, err
	}
	prog, err := resolve(spec, env, d.o.Shell)
	if err != nil {
		return nil, err
	}
	prog = d.integrate(prog)
	proc, err := d.o.Run(ctx, spec.Block, prog.command(spec.Size))
	if err != nil {
		return nil, err
	}
	s := &session{driver: d, spec: spec, proc: proc, prog: prog, began: time.Now(), done: make(chan struct{})}
	spec.Report(controller.Report{
		PID:     proc.PID(),
		Process: strings.TrimSuffix(filepath.Base(prog.path), ".exe"),
		Message: strings.TrimSpace(spec.Note + " " + prog.note),
	})
	go s.watch()
	return s, nil
}

// environment is the login's, then what a terminal says of itself, then what
// names the block, then the block's own.
func (d *Driver) environment(ctx context.Context, spec controller.Spec) ([]string, error) {
	env, err := d.o.Env(ctx)
	if err != nil {
		return nil, fmt.Errorf("cannot find the environment of your login: %w", err)
	}
	vars := map[string]string{
		"TERM":                 "xterm-256color",
		"COLORTERM":            "truecolor",
		"TERM_PROGRAM":         "drover",
		"TERM_PROGRAM_VERSION": d.o.Version,
	}
	maps.Copy(vars, d.o.Vars(spec))
	maps.Copy(vars, spec.Env)
	env = slices.Clone(env)
	for _, k := range slices.Sorted(maps.Keys(vars)) {
		env = append(env, k+"="+vars[k])
	}
	return env, nil
}

// soon is the age under which an end with a failure is said to have come at
// once: long enough for an rc file that fails, too short for anything typed.
const soon = time.Second

type session struct {
	driver *Driver
	spec   controller.Spec
	proc   Process
	prog   program
	began  time.Time
	done   chan struct{}
	exit   controller.Exit // valid once done is closed
}

// watch ends with the program.
func (s *session) watch() {
	<-s.proc.Done()
	e := s.proc.Exit()
	s.exit = controller.Exit{Known: true, Code: e.Code, Signal: e.Signal}
	if s.driver.o.Aftermath != nil {
		after := s.driver.o.Aftermath(s.spec.Block, s.proc.PID())
		s.exit.HungUp, s.exit.LeftRunning = after.HungUp, after.LeftRunning
	}
	if s.prog.interactive && e.Code != 0 && time.Since(s.began) < soon {
		s.exit.Note = fmt.Sprintf("%s ended at once. Its start-up files may be the reason: try another shell, or a command line.", filepath.Base(s.prog.path))
	}
	close(s.done)
}

// Done implements controller.Session.
func (s *session) Done() <-chan struct{} { return s.done }

// Exit implements controller.Session.
func (s *session) Exit() controller.Exit { return s.exit }

// Terminate asks the program itself: an interactive shell by HUP, since it
// ignores TERM; any other by TERM.
func (s *session) Terminate(context.Context) error {
	if s.prog.interactive {
		return s.proc.HangUp()
	}
	return s.proc.Terminate()
}

// Kill implements controller.Session.
func (s *session) Kill() error { return s.proc.Kill() }

// Input implements controller.Inputter.
func (s *session) Input(p []byte, taken func()) error {
	err := s.proc.Input(p, taken)
	switch {
	case errors.Is(err, terminal.ErrFull):
		return controller.ErrFull
	case errors.Is(err, terminal.ErrEnded):
		return controller.ErrNotRunning
	}
	return err
}

// Resize implements controller.Resizer.
func (s *session) Resize(size controller.Size) error { return s.proc.Resize(pty.Size(size)) }

// Signal implements controller.Signaler. HUP hangs up.
func (s *session) Signal(name string) error { return s.proc.Signal(name) }
