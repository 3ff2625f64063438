package store

import "golang.org/x/sys/unix"

func fileSystem(path string) FileSystem {
	var st unix.Statfs_t
	if err := unix.Statfs(path, &st); err != nil {
		return FileSystem{}
	}
	fs := FileSystem{Name: unix.ByteSliceToString(st.Fstypename[:])}
	switch fs.Name {
	case "nfs", "smbfs", "afpfs", "webdav", "ftp", "macfuse", "osxfuse", "cifs":
		fs.Network = true
	}
	return fs
}
