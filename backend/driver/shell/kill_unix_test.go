//go:build unix

package shell_test

import "syscall"

func kill(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }
