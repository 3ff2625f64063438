package store

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

func fileSystem(path string) FileSystem {
	volume := filepath.VolumeName(path)
	if strings.HasPrefix(volume, `\\`) {
		return FileSystem{"a network share", true}
	}
	root, err := windows.UTF16PtrFromString(volume + `\`)
	if err == nil && windows.GetDriveType(root) == windows.DRIVE_REMOTE {
		return FileSystem{"a network drive", true}
	}
	return FileSystem{}
}
