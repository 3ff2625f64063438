package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// pidName is the file that is the lock where files cannot be locked.
const pidName = LockName + ".pid"

// lockByPID creates the file that only one process can create, taking over one
// whose process is gone.
func lockByPID(dir string, me Owner) (*os.File, error) {
	path := filepath.Join(dir, pidName)
	for range 8 { // each further round means that another process was faster
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			l := DirLock{file: f, owner: me}
			if err := l.writeLocked(); err != nil {
				_ = f.Close()
				_ = os.Remove(path)
				return nil, cannotWrite(dir, err)
			}
			return f, nil
		}
		if !errors.Is(err, os.ErrExist) {
			return nil, cannotWrite(dir, err)
		}
		owner, known := ownerOf(path)
		if !known || alive(owner, me) {
			held := &HeldError{Dir: dir, Owner: owner}
			if !known || owner.Host != me.Host {
				held.Delete = path
			}
			return nil, held
		}
		if err := takeAway(path, owner); err != nil {
			return nil, cannotWrite(dir, err)
		}
	}
	return nil, fmt.Errorf("cannot use %s: other processes keep taking it; try again", dir)
}

// ownerOf reports false where the file says nothing (yet): then somebody is just
// taking the lock, or the file must be looked at by a person.
func ownerOf(path string) (Owner, bool) {
	f, err := os.Open(path)
	if err != nil {
		return Owner{}, false
	}
	defer func() { _ = f.Close() }()
	o, err := readOwner(f)
	return o, err == nil && o.PID > 0
}

// alive errs on the side of yes: of another machine nothing is known.
func alive(o, me Owner) bool {
	if o.Host != me.Host {
		return true
	}
	mark, exists := processMark(o.PID), processExists(o.PID)
	return exists && (o.Mark == "" || mark == "" || mark == o.Mark)
}

// takeAway removes the file of a dead owner. By a rename, so that of two processes
// only one gets it; if what it got is not what was judged dead (another process
// was faster twice), it goes back.
func takeAway(path string, dead Owner) error {
	aside := fmt.Sprintf("%s.%d.old", path, os.Getpid())
	if err := os.Rename(path, aside); err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
	if now, known := ownerOf(aside); !known || now.PID != dead.PID || !now.Started.Equal(dead.Started) {
		_ = os.Link(aside, path) // fails if there is a third: then that one has it
	}
	return os.Remove(aside)
}
