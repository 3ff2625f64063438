package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// prepareDir makes the data directory, for its owner alone, and makes sure that
// it can be written. One that exists keeps its permissions: it may be shared for
// a reason; our files in it are private anyway.
func prepareDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return cannotWrite(dir, err)
	}
	f, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return cannotWrite(dir, err)
	}
	defer func() { _ = os.Remove(f.Name()) }()
	if err := f.Close(); err != nil {
		return cannotWrite(dir, err)
	}
	return nil
}

func cannotWrite(dir string, err error) error {
	// The path in the system's error is that of the probe; ours is said already.
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("cannot write to %s: %w; make it writable or choose another folder with --data", dir, err)
}
