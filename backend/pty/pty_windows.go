package pty

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/charmbracelet/x/conpty"
	"golang.org/x/sys/windows"
)

// PTY is a pseudo-console and the program that was started in it. Reads and
// writes may go on at the same time, each from one goroutine.
type PTY struct {
	con  *conpty.ConPty
	proc *os.Process
}

// Start opens a pseudo-console of c.Size and starts the program in it.
func Start(c Command) (*PTY, error) {
	size := c.Size.Clamp()
	con, err := conpty.New(size.Cols, size.Rows, 0)
	if err != nil {
		return nil, fmt.Errorf("cannot open a pseudo-console: %w", err)
	}
	pid, handle, err := con.Spawn(c.Path, c.Args, &syscall.ProcAttr{Dir: c.Dir, Env: c.Env})
	if err != nil {
		con.Close()
		return nil, fmt.Errorf("cannot start %s: %w", c.Path, err)
	}
	// The process object lives as long as one handle to it: FindProcess opens
	// its own before ours is closed, so the pid cannot be another's meanwhile.
	proc, err := os.FindProcess(pid)
	_ = windows.CloseHandle(windows.Handle(handle))
	if err != nil {
		con.Close()
		return nil, fmt.Errorf("cannot watch %s: %w", c.Path, err)
	}
	return &PTY{con: con, proc: proc}, nil
}

// PID is the program's.
func (p *PTY) PID() int { return p.proc.Pid }

// Read waits for output; it fails once the console is closed.
func (p *PTY) Read(b []byte) (int, error) { return p.con.Read(b) }

// Write waits until the console has taken all of b.
func (p *PTY) Write(b []byte) (int, error) {
	for n := 0; n < len(b); {
		k, err := p.con.Write(b[n:])
		n += k
		if err != nil {
			return n, err
		}
	}
	return len(b), nil
}

// Resize sets the size.
func (p *PTY) Resize(s Size) error {
	s = s.Clamp()
	return p.con.Resize(s.Cols, s.Rows)
}

// Modes is not known of a console.
func (p *PTY) Modes() Modes { return Modes{} }

// SignalForeground types Ctrl-C for an interrupt, and ends the program for
// every other signal that ends: Windows has no more.
func (p *PTY) SignalForeground(sig syscall.Signal) error {
	if sig == syscall.SIGINT {
		_, err := p.Write([]byte{3})
		return err
	}
	return p.Signal(sig)
}

// Signal ends the program for a signal that ends; others are not supported.
func (p *PTY) Signal(sig syscall.Signal) error {
	switch sig {
	case syscall.SIGKILL, syscall.SIGTERM, syscall.SIGHUP:
		return p.Kill()
	}
	return ErrUnsupported
}

// HangUp closes the console's input side of things: Windows tells the programs.
func (p *PTY) HangUp() error { return p.Kill() }

// Terminate ends the program: a console program has no gentler way.
func (p *PTY) Terminate() error { return p.Kill() }

// Kill ends the program.
func (p *PTY) Kill() error {
	err := p.proc.Kill()
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// Wait returns when the program has ended. Call it once.
func (p *PTY) Wait() Exit {
	state, err := p.proc.Wait()
	if err != nil {
		return Exit{Code: -1, Signal: strings.TrimSpace(err.Error())}
	}
	return Exit{Code: state.ExitCode()}
}

// Close closes the console, which ends whoever is still attached to it.
func (p *PTY) Close() error { return p.con.Close() }
