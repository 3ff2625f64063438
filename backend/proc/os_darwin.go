package proc

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const zombieState = 5 // SZOMB

func groups(r *raw) {
	if n, err := unix.Getpgid(r.pid); err == nil {
		r.group = n
	}
	if n, err := unix.Getsid(r.pid); err == nil {
		r.session = n
	}
	if k, err := unix.SysctlKinfoProc("kern.proc.pid", r.pid); err == nil {
		r.zombie = k.Proc.P_stat == zombieState
		r.foreground = int(k.Eproc.Tpgid)
	}
}

func ignoresHangUp(pid int) (ignores, known bool) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return false, false
	}
	return k.Proc.P_sigignore&(1<<(uint(syscall.SIGHUP)-1)) != 0, true
}

// signal sends sig to id right after verifying it; macOS has no handle for a process.
func signal(id ID, sig syscall.Signal) error {
	if err := same(id); err != nil {
		return err
	}
	return unix.Kill(id.PID, sig)
}
