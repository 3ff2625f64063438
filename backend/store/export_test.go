package store

import (
	"database/sql"
	"os"
)

// WithMigrations opens with another schema than the real one.
func WithMigrations(o Options, steps ...string) Options {
	o.migrations = steps
	return o
}

// Migrations is the real schema.
func Migrations() []string { return migrations() }

// LockWith locks a directory on a file system whose file lock is fn.
func LockWith(dir string, fn func(*os.File) error) (*DirLock, []Notice, error) {
	return lockWith(dir, fn)
}

// PIDName is the file of the fallback lock.
const PIDName = pidName

// TakingName is the file of whoever removes that of a dead owner.
const TakingName = takingName

// Pools returns the connections of a store by name.
func Pools(s *Store) map[string]*sql.DB {
	return map[string]*sql.DB{"writer": s.write, "reader": s.read}
}
