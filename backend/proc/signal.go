package proc

import (
	"errors"
	"fmt"
	"syscall"
)

// Signal sends sig to the process, after it is certain that the pid is still its own. ErrGone if it
// is not, or has exited. On Windows TERM and KILL end the process, and nothing else is supported.
func Signal(id ID, sig syscall.Signal) error {
	err := signal(id, sig)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrGone), errors.Is(err, syscall.ESRCH):
		return ErrGone
	}
	return fmt.Errorf("cannot signal process %d: %w", id.PID, err)
}

// same returns nil if the pid is that of id.
func same(id ID) error {
	alive, known := Alive(id)
	switch {
	case !known:
		return errors.New("its identity cannot be verified")
	case !alive:
		return ErrGone
	}
	return nil
}
