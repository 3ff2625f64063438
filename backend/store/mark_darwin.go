package store

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// processMark is the time at which a process started.
func processMark(pid int) string {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Proc.P_starttime.Sec, ".", info.Proc.P_starttime.Usec)
}
