//go:build !windows

package loginenv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

const (
	// maxOutput bounds what rc files may print before the environment.
	maxOutput = 8 << 20
	// farewell is what the shell has after the last marker to end by itself.
	farewell = 500 * time.Millisecond
)

// ask runs the shell as an interactive login shell, and if that yields nothing as
// a plain login shell. It returns nil if that yields nothing either, and what went
// wrong.
func ask(ctx context.Context, shell string, env map[string]string, patience time.Duration) (map[string]string, string) {
	vars, err := run(ctx, shell, []string{"-l", "-i", "-c"}, env, patience)
	if err == nil {
		return vars, ""
	}
	problem := fmt.Sprintf("%s did not tell its environment (%v)", shell, err)
	if ctx.Err() != nil {
		return nil, problem
	}
	// Rc files for interactive shells are the usual reason.
	if vars, err := run(ctx, shell, []string{"-l", "-c"}, env, patience*2/3); err == nil {
		return vars, problem + "; without its interactive start files it did"
	}
	return nil, problem + "; programs get the app's own environment"
}

func run(ctx context.Context, shell string, args []string, env map[string]string, patience time.Duration) (map[string]string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	m := newMarker()
	cmd := exec.Command(shell, append(args, m.command())...)
	cmd.Env = Merge(map[string]string{
		"TERM": "xterm-256color", // some rc files give up on "dumb"
		// For rc files that want to know, as editors do it.
		"DROVER_RESOLVING_ENVIRONMENT": "1",
	}, env)
	cmd.Dir = env["HOME"]
	if info, err := os.Stat(cmd.Dir); err != nil || !info.IsDir() {
		cmd.Dir = "/"
	}
	// A session of its own: it has no terminal that it could take or wait for, and
	// its process group can be ended as a whole.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		_ = w.Close()
		var p *os.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return nil, err
	}
	_ = w.Close()

	output := make(chan []byte, 1)
	go func() { output <- readUntil(r, m) }()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // its exit code says nothing about the environment
	}()

	var got []byte
	select {
	case got = <-output:
		wait(ctx, ended, farewell)
	case <-ended:
		// What it printed is in the pipe; a child that it left may hold that open.
		got = drain(r, output)
	case <-ctx.Done():
	}
	vars := m.parse(got)
	// What is left of the group goes: a hang-up, as when a terminal closes, if all
	// went well; daemons have left the group.
	end(cmd.Process.Pid, vars != nil, ended)
	_ = r.Close()
	if got == nil {
		<-output
	}
	<-ended
	switch {
	case vars != nil:
		return vars, nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("not within %v", patience)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("%s %v ended without it", filepath.Base(shell), args)
}

// readUntil reads up to the last marker, the end, or too much.
func readUntil(r io.Reader, m marker) []byte {
	var all bytes.Buffer
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		all.Write(buf[:n])
		if err != nil || all.Len() > maxOutput || m.complete(all.Bytes()) {
			return append([]byte{}, all.Bytes()...)
		}
	}
}

// drain returns what the reader gets within a moment after the shell has ended.
func drain(r *os.File, output <-chan []byte) []byte {
	_ = r.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	return <-output
}

func wait(ctx context.Context, ended <-chan struct{}, most time.Duration) {
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-ended:
	case <-t.C:
	case <-ctx.Done():
	}
}

// end ends a process group whose leader is our child.
func end(group int, gently bool, ended <-chan struct{}) {
	signal := syscall.SIGKILL
	if gently {
		signal = syscall.SIGHUP
	}
	select {
	case <-ended:
		// The leader is reaped. As long as the group has members no process gets its
		// number; without members nothing has it yet, the moment after.
		_ = syscall.Kill(-group, signal)
	default:
		_ = syscall.Kill(-group, syscall.SIGKILL)
	}
}
