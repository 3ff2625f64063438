package activity

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"drover/backend/proc"
)

// watchEnd returns a handle of a process, and a function that returns when the
// process has ended, or with an error once the handle is closed.
func watchEnd(id proc.ID) (h *os.File, wait func() error, err error) {
	fd, err := unix.PidfdOpen(id.PID, unix.PIDFD_NONBLOCK)
	if err != nil {
		return nil, nil, err
	}
	h = os.NewFile(uintptr(fd), "pidfd")
	// The handle stands for whoever had the pid when it was opened.
	if now, err := proc.Identify(id.PID); err != nil || now != id {
		_ = h.Close()
		return nil, nil, proc.ErrGone
	}
	raw, err := h.SyscallConn()
	if err != nil {
		_ = h.Close()
		return nil, nil, err
	}
	return h, func() error {
		return raw.Read(func(fd uintptr) bool {
			p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			for {
				n, err := unix.Poll(p, 0)
				if !errors.Is(err, unix.EINTR) {
					return n > 0 || err != nil
				}
			}
		})
	}, nil
}

// endSignal is the signal that ended a process which has been waited for, 0 if it
// exited; known is false where the kernel (before 6.15) does not tell.
func endSignal(h *os.File) (sig syscall.Signal, known bool) {
	raw, err := h.SyscallConn()
	if err != nil {
		return 0, false
	}
	info := unix.PidfdInfo{Mask: unix.PIDFD_INFO_EXIT}
	if ctl := raw.Control(func(fd uintptr) { err = unix.IoctlPidfdInfo(int(fd), &info) }); ctl != nil || err != nil || info.Mask&unix.PIDFD_INFO_EXIT == 0 {
		return 0, false
	}
	if status := syscall.WaitStatus(info.Exit_code); status.Signaled() {
		return status.Signal(), true
	}
	return 0, true
}
