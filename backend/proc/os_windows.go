package proc

import (
	"errors"
	"syscall"

	"golang.org/x/sys/windows"
)

func groups(*raw) {}

func ignoresHangUp(int) (ignores, known bool) { return false, false }

// signal ends the process. The open handle keeps its pid from being given to another.
func signal(id ID, sig syscall.Signal) error {
	if sig != syscall.SIGTERM && sig != syscall.SIGKILL {
		return errors.ErrUnsupported
	}
	const rights = windows.PROCESS_TERMINATE | windows.PROCESS_QUERY_LIMITED_INFORMATION
	h, err := windows.OpenProcess(rights, false, uint32(id.PID))
	if errors.Is(err, windows.ERROR_INVALID_PARAMETER) {
		return ErrGone
	}
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h) //nolint:errcheck // nothing to do about it
	if err := same(id); err != nil {
		return err
	}
	return windows.TerminateProcess(h, 1)
}
