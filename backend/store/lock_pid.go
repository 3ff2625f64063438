package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// pidName is the file that is the lock where files cannot be locked. takingName is one
// that exists for as long as somebody removes it for a dead owner: only that one may.
const (
	pidName    = LockName + ".pid"
	takingName = pidName + ".taking"
)

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
		if err := takeAway(path, filepath.Join(dir, takingName), me); err != nil {
			return nil, cannotWrite(dir, err)
		}
	}
	return nil, fmt.Errorf("cannot use %s: another process is taking it; try again, and if that does not help, delete %s", dir, filepath.Join(dir, takingName))
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

// takeAway removes the file of a dead owner, unless another process is at it. Whose file
// it is, is looked at again: nobody else can remove it then, so it cannot become
// another's between the look and the removal.
func takeAway(path, taking string, me Owner) error {
	f, err := os.OpenFile(taking, os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if owner, known := ownerOf(path); known && !alive(owner, me) {
		err = os.Remove(path)
	}
	return errors.Join(err, f.Close(), os.Remove(taking))
}
