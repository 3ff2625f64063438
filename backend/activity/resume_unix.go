//go:build unix

package activity

import "syscall"

const resume = syscall.SIGCONT
