package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// LockName is the lock's file name in the data directory.
const LockName = "drover.lock"

// Owner says who holds a data directory. It is the content of the lock file.
type Owner struct {
	PID     int       `json:"pid"`
	Started time.Time `json:"started"` // when the lock was taken
	Address string    `json:"address"` // where it can be reached, "" if nowhere
	Host    string    `json:"host"`
	// Mark tells its process from a later one with the same pid; "" if the
	// platform does not tell.
	Mark string `json:"mark"`
}

// HeldError means that another process owns the data directory.
type HeldError struct {
	Dir   string
	Owner Owner // zero where its file could not be read
	// Delete is the file that keeps the directory even if the owner is gone, "" if
	// the system frees it.
	Delete string
}

func (e *HeldError) Error() string {
	who := "another Drover"
	if e.Owner.PID != 0 {
		who = fmt.Sprintf("another Drover (process %d on %s)", e.Owner.PID, e.Owner.Host)
	}
	if e.Owner.Address != "" {
		who += " at " + e.Owner.Address
	}
	gone := ""
	if e.Delete != "" {
		gone = ", delete " + e.Delete + " if it is gone"
	}
	return fmt.Sprintf("cannot use %s: %s is running there; close it%s or choose another folder with --data", e.Dir, who, gone)
}

// DirLock makes this process the owner of a data directory. It ends with the
// process, however that ends.
type DirLock struct {
	mu    sync.Mutex
	file  *os.File // nil once closed
	owner Owner
	// remove is the lock itself where files cannot be locked, "" elsewhere.
	remove string
}

// Lock makes this process the owner of dir, which it makes if it must. It does
// not wait: *HeldError says who has it. Children do not inherit the lock.
//
// Where the file system cannot lock files it falls back to a file that only one
// process can create, and to whether its process lives; a notice says so.
func Lock(dir string) (*DirLock, []Notice, error) { return lockWith(dir, lockFile) }

// errHeld is what a platform's lockFile returns if another process has the lock;
// every other error means that files cannot be locked here.
var errHeld = errors.New("held")

func lockWith(dir string, lock func(*os.File) error) (*DirLock, []Notice, error) {
	if err := prepareDir(dir); err != nil {
		return nil, nil, err
	}
	// Not removed at the end: whoever waits on a removed file locks nothing.
	f, err := os.OpenFile(filepath.Join(dir, LockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, cannotWrite(dir, err)
	}
	l := &DirLock{file: f, owner: self()}
	var notices []Notice
	switch err := lock(f); {
	case errors.Is(err, errHeld):
		owner, _ := readOwner(f)
		_ = f.Close()
		return nil, nil, &HeldError{Dir: dir, Owner: owner}
	case err != nil:
		_ = f.Close()
		why := err
		if l.file, err = lockByPID(dir, l.owner); err != nil {
			return nil, nil, err
		}
		l.remove = filepath.Join(dir, pidName)
		notices = append(notices, Notice{
			Level: "info", Title: "The data directory cannot lock files",
			Text: fmt.Sprintf("Drover keeps others out of %s by its process number instead (%v).", dir, why),
			Fix:  "Never use this folder from two machines at once; choose one on a local disk with --data if you can.",
		})
	}
	if err := l.writeLocked(); err != nil {
		_ = l.Close()
		return nil, nil, cannotWrite(dir, err)
	}
	return l, notices, nil
}

func self() Owner {
	host, _ := os.Hostname() // "" counts as this machine
	return Owner{PID: os.Getpid(), Started: time.Now().UTC(), Host: host, Mark: processMark(os.Getpid())}
}

// SetAddress records where this process can be reached, for those who find the
// directory held.
func (l *DirLock) SetAddress(address string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return errors.New("cannot record the address: the data directory is not locked any more")
	}
	l.owner.Address = address
	if err := l.writeLocked(); err != nil {
		return fmt.Errorf("cannot record the address: %w", err)
	}
	return nil
}

// Close gives the directory up; later calls do nothing.
func (l *DirLock) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	if l.remove != "" {
		err = errors.Join(err, os.Remove(l.remove))
	}
	if err != nil {
		return fmt.Errorf("cannot unlock the data directory: %w", err)
	}
	return nil
}

// writeLocked also serves before the lock is shared.
func (l *DirLock) writeLocked() error {
	text, err := json.Marshal(l.owner)
	if err != nil {
		return err
	}
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err = l.file.WriteAt(append(text, '\n'), 0)
	return err
}

func readOwner(r io.ReaderAt) (Owner, error) {
	var o Owner
	text, err := io.ReadAll(io.NewSectionReader(r, 0, 64<<10))
	if err != nil {
		return o, err
	}
	err = json.Unmarshal(text, &o)
	return o, err
}
