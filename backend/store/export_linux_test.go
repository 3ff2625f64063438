package store

// FUSEType finds the kind of the mount that holds a path.
func FUSEType(table, path string) FileSystem { return fuseType(table, path) }

// SystemFileSystem asks the kernel.
func SystemFileSystem(path string) FileSystem { return fileSystem(path) }
