package activity

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// totalMemory is the machine's in bytes, 0 if it cannot be found out.
func totalMemory() int64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// MemTotal:       16384256 kB
		w := strings.Fields(lines.Text())
		if len(w) == 3 && w[0] == "MemTotal:" {
			kib, err := strconv.ParseInt(w[1], 10, 53)
			if err != nil {
				return 0
			}
			return kib << 10
		}
	}
	return 0
}
