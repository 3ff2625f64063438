package store_test

import (
	"testing"

	"drover/backend/store"
)

func TestFUSEMounts(t *testing.T) {
	table := `21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 21 0:40 / /home/a/remote\040box rw,nosuid shared:9 - fuse.sshfs host:/ rw
31 21 0:41 / /home/a/vault rw - fuse.gocryptfs /home/a/.vault rw
32 21 8:2 / /mnt/win rw - fuseblk /dev/sdb1 rw
33 30 0:42 / /home/a/remote\040box/deep rw - fuse.rclone r: rw
broken line
`
	rows := map[string]store.FileSystem{
		"/home/a/remote box/x":      {Name: "fuse.sshfs", Network: true},
		"/home/a/remote box":        {Name: "fuse.sshfs", Network: true},
		"/home/a/remote box/deep/x": {Name: "fuse.rclone", Network: true},
		"/home/a/vault/x":           {Name: "fuse.gocryptfs"},
		"/mnt/win/x":                {Name: "fuseblk"},
	}
	for path, want := range rows {
		if got := store.FUSEType(table, path); got != want {
			t.Errorf("%s is on %+v, want %+v", path, got, want)
		}
	}
}

func TestALocalDirectoryIsNoNetwork(t *testing.T) {
	if got := store.SystemFileSystem(t.TempDir()); got.Network {
		t.Skipf("the test runs on %s", got.Name)
	}
	if got := store.SystemFileSystem("/proc/self"); got.Network {
		t.Errorf("/proc is %+v", got)
	}
}
