package proc

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/hex"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Ports returns the TCP ports on which the given processes listen, each once and rising. A process
// that listens on none, is gone, or does not show its files, is left out.
func Ports(ctx context.Context, ids []ID) (map[ID][]int, error) {
	out := map[ID][]int{}
	if len(ids) == 0 {
		return out, nil
	}
	ports := map[string]int{} // by the socket's link
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		if err := listening(name, ports); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
	}
	if len(ports) == 0 {
		return out, nil
	}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found := socketPorts(id.PID, ports)
		if len(found) == 0 || same(id) != nil {
			continue
		}
		slices.Sort(found)
		out[id] = slices.Compact(found)
	}
	return out, nil
}

func listening(name string, ports map[string]int) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		// sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
		w := strings.Fields(lines.Text())
		const listen = "0A"
		if len(w) < 10 || w[3] != listen {
			continue
		}
		_, port, _ := strings.Cut(w[1], ":")
		if b, err := hex.DecodeString(port); err == nil && len(b) == 2 {
			ports["socket:["+w[9]+"]"] = int(binary.BigEndian.Uint16(b))
		}
	}
	return lines.Err()
}

func socketPorts(pid int, ports map[string]int) (found []int) {
	dir := procFile(pid, "fd")
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil
	}
	for _, n := range names {
		if _, err := strconv.Atoi(n); err != nil {
			continue
		}
		link, err := os.Readlink(dir + "/" + n)
		if err != nil {
			continue
		}
		if port, ok := ports[link]; ok {
			found = append(found, port)
		}
	}
	return found
}
