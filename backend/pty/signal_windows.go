package pty

import "syscall"

// SignalNumber is the signal of a name like "INT" or "SIGINT"; false if there is
// none.
func SignalNumber(name string) (syscall.Signal, bool) {
	switch name {
	case "INT", "SIGINT":
		return syscall.SIGINT, true
	case "TERM", "SIGTERM":
		return syscall.SIGTERM, true
	case "KILL", "SIGKILL":
		return syscall.SIGKILL, true
	case "HUP", "SIGHUP":
		return syscall.SIGHUP, true
	}
	return 0, false
}
