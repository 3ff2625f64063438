//go:build unix

package pty

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// SignalNumber is the signal of a name like "INT" or "SIGINT"; false if there is
// none.
func SignalNumber(name string) (syscall.Signal, bool) {
	if len(name) < 3 || name[:3] != "SIG" {
		name = "SIG" + name
	}
	sig := unix.SignalNum(name)
	return sig, sig != 0
}
