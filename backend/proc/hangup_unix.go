//go:build unix

package proc

import (
	"context"
	"syscall"
)

// resume wakes a stopped process, so that it can act on TERM.
const resume = syscall.SIGCONT

// HangUp closes a plain terminal whose session root leads, or led: HUP and CONT to the processes
// of the session, then after Grace TERM, and after Grace KILL, for those that neither ignore HUP
// nor left the session. What the user has sent away by nohup or setsid is left running and
// listed. It blocks as End does, and Grace longer.
//
// A program that was started by a process which ignores HUP ignores it, too. So whoever starts
// terminals must not signal.Ignore HUP, but catch it (signal.Notify), also when it was itself
// started under nohup; else everything is left running.
func (s *Scanner) HangUp(ctx context.Context, root ID, o TreeOptions) (Result, error) {
	e := s.newEnding(root, o, root)
	e.spared = func(m Member) bool {
		if m.Session != root.PID {
			return true
		}
		// Asked before the first HUP. Where it cannot be known, the user's
		// process is not ours to end.
		ignores, known := ignoresHangUp(m.ID.PID)
		return ignores || !known
	}
	if err := e.look(ctx); err != nil {
		return e.result(), err
	}
	e.send(syscall.SIGHUP, resume)
	if e.left() > 0 {
		e.wait(ctx, Grace)
	}
	// Others may have been forked before the signal came.
	if err := e.look(ctx); err != nil {
		return e.result(), err
	}
	if e.left() > 0 {
		e.send(syscall.SIGTERM, resume)
		e.wait(ctx, Grace)
	}
	return e.force(ctx)
}
