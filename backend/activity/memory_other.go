//go:build !linux

package activity

import "github.com/shirou/gopsutil/v4/mem"

// totalMemory is the machine's in bytes, 0 if it cannot be found out.
func totalMemory() int64 {
	m, err := mem.VirtualMemory()
	if err != nil {
		return 0
	}
	return int64(m.Total)
}
