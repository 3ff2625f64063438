package store

// FileSystem says on what a directory lies.
type FileSystem struct {
	Name string // as the system calls it: "ext4", "nfs", …; "" if unknown
	// Network is true where other machines may have the same files open.
	Network bool
}
