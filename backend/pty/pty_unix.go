//go:build unix

package pty

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"

	creack "github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// PTY is a pseudo-terminal and the program that was started in it. Reads and
// writes may go on at the same time, each from one goroutine.
type PTY struct {
	master *os.File
	cmd    *exec.Cmd
}

// Start opens a PTY of c.Size and starts the program in a session of its own
// with the PTY as its controlling terminal.
func Start(c Command) (*PTY, error) {
	master, slave, err := open()
	if err != nil {
		return nil, fmt.Errorf("cannot open a pseudo-terminal: %w", err)
	}
	defer slave.Close()
	p := &PTY{master: master, cmd: &exec.Cmd{
		Path: c.Path, Args: c.Args, Dir: c.Dir, Env: c.Env,
		Stdin: slave, Stdout: slave, Stderr: slave,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true},
	}}
	if err := p.Resize(c.Size.Clamp()); err != nil {
		master.Close()
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		master.Close()
		return nil, fmt.Errorf("cannot start %s: %w", c.Path, err)
	}
	return p, nil
}

// open gives a master that Go's poller watches, so that Close wakes a Read and
// a full terminal makes a Write wait instead of failing. creack/pty leaves the
// file it opened in blocking mode, hence the duplicate.
func open() (master, slave *os.File, err error) {
	m, slave, err := creack.Open()
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	fd, err := unix.FcntlInt(m.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		slave.Close()
		return nil, nil, err
	}
	return os.NewFile(uintptr(fd), m.Name()), slave, nil
}

// PID is the program's.
func (p *PTY) PID() int { return p.cmd.Process.Pid }

// Read waits for output. Once no process holds the terminal it fails with
// io.EOF or EIO, depending on the system.
func (p *PTY) Read(b []byte) (int, error) { return p.master.Read(b) }

// Write waits until the terminal has taken all of b, or Close.
func (p *PTY) Write(b []byte) (int, error) { return p.master.Write(b) }

// control runs f on the master without taking it from the poller.
func (p *PTY) control(f func(fd int) error) error {
	conn, err := p.master.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := conn.Control(func(fd uintptr) { inner = f(int(fd)) }); err != nil {
		return err
	}
	return inner
}

// Resize sets the size, which sends SIGWINCH to the foreground programs.
func (p *PTY) Resize(s Size) error {
	s = s.Clamp()
	err := p.control(func(fd int) error {
		return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{
			Row: uint16(s.Rows), Col: uint16(s.Cols),
			Xpixel: uint16(s.XPixels), Ypixel: uint16(s.YPixels),
		})
	})
	if err != nil {
		return fmt.Errorf("cannot resize the terminal to %dx%d: %w", s.Cols, s.Rows, err)
	}
	return nil
}

// Foreground is the process group that the terminal's keys go to.
func (p *PTY) Foreground() (pgrp int, err error) {
	err = p.control(func(fd int) error {
		var err error
		pgrp, err = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return err
	})
	if err == nil && pgrp <= 0 {
		err = errors.New("the terminal has no foreground process group")
	}
	return pgrp, err
}

// SignalForeground sends a signal to the foreground process group; to the
// program itself when there is none.
func (p *PTY) SignalForeground(sig syscall.Signal) error {
	pgrp, err := p.Foreground()
	if err != nil {
		return p.Signal(sig)
	}
	return ignoreGone(syscall.Kill(-pgrp, sig))
}

// Signal sends a signal to the program alone. After it was waited for, nothing
// is sent: its pid may be another's by then.
func (p *PTY) Signal(sig syscall.Signal) error { return ignoreGone(p.cmd.Process.Signal(sig)) }

func ignoreGone(err error) error {
	if errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}

// HangUp asks the program to end as a closed terminal does: HUP, and CONT so
// that a stopped one hears it.
func (p *PTY) HangUp() error {
	return errors.Join(p.Signal(syscall.SIGHUP), p.Signal(syscall.SIGCONT))
}

// Terminate asks the program to end.
func (p *PTY) Terminate() error {
	return errors.Join(p.Signal(syscall.SIGTERM), p.Signal(syscall.SIGCONT))
}

// Kill ends the program.
func (p *PTY) Kill() error { return p.Signal(syscall.SIGKILL) }

// Wait reaps the program: it returns when the program itself has ended, whoever
// still holds the terminal. Call it once.
func (p *PTY) Wait() Exit {
	err := p.cmd.Wait()
	state := p.cmd.ProcessState
	if state == nil {
		return Exit{Code: -1, Signal: err.Error()}
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return Exit{Code: -1, Signal: unix.SignalName(ws.Signal())}
	}
	return Exit{Code: state.ExitCode()}
}

// Close gives the terminal up, which hangs up whoever still holds it.
func (p *PTY) Close() error { return p.master.Close() }
