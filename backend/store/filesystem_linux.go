package store

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// fileSystem asks the kernel. Numbers are from statfs(2) and the kernel's magic.h.
func fileSystem(path string) FileSystem {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return FileSystem{}
	}
	switch uint32(st.Type) {
	case 0x6969:
		return FileSystem{"nfs", true}
	case 0x517b:
		return FileSystem{"smb", true}
	case 0xff534d42:
		return FileSystem{"cifs", true}
	case 0xfe534d42:
		return FileSystem{"smb2", true}
	case 0x01021997:
		return FileSystem{"9p", true}
	case 0x5346414f, 0x6b414653:
		return FileSystem{"afs", true}
	case 0x00c36400:
		return FileSystem{"ceph", true}
	case 0x73757245:
		return FileSystem{"coda", true}
	case 0x564c:
		return FileSystem{"ncp", true}
	case 0x0bd00bd0:
		return FileSystem{"lustre", true}
	case 0x7461636f:
		return FileSystem{"ocfs2", true}
	case 0x01161970:
		return FileSystem{"gfs2", true}
	case 0x786f4256:
		return FileSystem{"vboxsf", true}
	case 0x65735546:
		return fuse(path)
	}
	return FileSystem{}
}

// fuse finds the kind of a FUSE mount, which statfs does not tell. What is not
// known to be local counts as a network: a slower journal harms nobody.
func fuse(path string) FileSystem {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return FileSystem{"fuse", true}
	}
	table, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return FileSystem{"fuse", true}
	}
	return fuseType(string(table), path)
}

// fuseType reads a mountinfo table (proc(5)) for the mount that holds path.
func fuseType(table, path string) FileSystem {
	best, kind := "", "fuse"
	for line := range strings.Lines(table) {
		left, right, ok := strings.Cut(line, " - ")
		fields, types := strings.Fields(left), strings.Fields(right)
		if !ok || len(fields) < 5 || len(types) < 1 {
			continue
		}
		mount := unescape(fields[4])
		if inside(mount, path) && len(mount) >= len(best) {
			best, kind = mount, types[0]
		}
	}
	switch kind {
	case "fuseblk", "fuse.gocryptfs", "fuse.encfs", "fuse.cryfs", "fuse.bindfs", "fuse.fuse-overlayfs", "fuse.ntfs-3g", "fuse.mergerfs":
		return FileSystem{kind, false}
	}
	return FileSystem{kind, true}
}

func inside(mount, path string) bool {
	return mount == path || strings.HasPrefix(path, strings.TrimSuffix(mount, "/")+"/")
}

// unescape undoes the octal escapes of mountinfo (\040 is a space).
func unescape(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				out.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}
