package store

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// processMark is the boot and the clock tick in which a process started.
func processMark(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	// The name, in parentheses, may hold anything; field 22 counts from its end.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return ""
	}
	return strings.TrimSpace(string(boot)) + " " + string(fields[19])
}
