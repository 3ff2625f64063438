// Package store keeps on disk what must outlive the app: the workspaces and their
// blocks, the last known status of each block (for recovery after a crash), the
// dock's list of what has ended, the commands that shells ran, and small values of the page. It is one SQLite
// database in the data directory, and the lock that makes one process its owner.
//
// Promises: what a method has accepted is on the disk when it returns, whole or
// not at all. A damaged database is set aside, said, and replaced, so that the app
// starts; one of a newer program is refused untouched. An older one is copied
// before it is changed. No error of SQLite reaches a person raw.
//
// All methods may be called from several goroutines and from several processes;
// they block for the disk, and for up to three busy timeouts for other writers.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver: SQLite without cgo

	"drover/backend/workspace"
)

// Name is the database's file name in the data directory.
const Name = "drover.db"

// readers is how many connections read at once; writes have one of their own.
const readers = 4

// Notice is something that a person should know after a start.
type Notice struct {
	Level string // "info" or "warn"
	Title string
	Text  string
	Fix   string // what to do, "" if nothing
}

// Options may be empty.
type Options struct {
	// FileSystem tells on what a directory lies; nil asks the system.
	FileSystem func(dir string) FileSystem
	// Busy is how long SQLite waits for another writer; 0 is 5 s. We wait for three
	// times as long before we name another program as the cause.
	Busy time.Duration
	// Now names what is set aside; nil is time.Now.
	Now func() time.Time

	migrations []string // tests only: nil is the real ones
}

// Store is an open database.
type Store struct {
	path  string
	busy  time.Duration
	write *sql.DB
	read  *sql.DB

	close    sync.Once
	closeErr error
}

// Open opens the database in dir, making both if they are not there. What was
// unusual but no error (damage set aside, a network file system) comes as notices.
// Errors say what to do; ErrNewer is one to act on.
func Open(ctx context.Context, dir string, o Options) (*Store, []Notice, error) {
	if o.FileSystem == nil {
		o.FileSystem = fileSystem
	}
	if o.Busy == 0 {
		o.Busy = 5 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.migrations == nil {
		o.migrations = migrations()
	}
	if err := prepareDir(dir); err != nil {
		return nil, nil, err
	}
	op := opening{Options: o, path: filepath.Join(dir, Name)}
	s, err := op.open(ctx)
	var damage *damageError
	if errors.As(err, &damage) {
		if err = op.setAside(damage.what); err == nil {
			s, err = op.open(ctx)
		}
	}
	if err != nil {
		return nil, nil, op.explain(err)
	}
	return s, op.notices, nil
}

// Peek reads the model that is kept in dir and changes nothing there: for looking
// at the data of an app that may be running. What could not be read of it is left
// out, and said.
func Peek(ctx context.Context, dir string) (workspace.Model, []string, error) {
	s, err := peek(filepath.Join(dir, Name))
	if err != nil {
		return workspace.New(), nil, err
	}
	defer func() { _ = s.read.Close() }()
	return s.Model(ctx)
}

// Close closes the database; later calls do nothing and return the same.
func (s *Store) Close() error {
	s.close.Do(func() {
		// The writer last: the connection that closes last folds the journal in.
		if err := errors.Join(s.read.Close(), s.write.Close()); err != nil {
			s.closeErr = fmt.Errorf("cannot close %s: %w", s.path, err)
		}
	})
	return s.closeErr
}

// connect opens a pool. Nothing is read before its first use.
func connect(path string, conns int, busy time.Duration, txlock string, extra ...string) (*sql.DB, error) {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	query := url.Values{"_pragma": append([]string{
		// First: the other pragmas may meet a lock too.
		fmt.Sprintf("busy_timeout(%d)", busy.Milliseconds()),
		"foreign_keys(1)",
		"synchronous(FULL)",
	}, extra...)}
	query.Set("_txlock", txlock)
	name := "file://" + (&url.URL{Path: slashed}).EscapedPath() + "?" + query.Encode()
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, fmt.Errorf("cannot open %s: %w", path, err)
	}
	db.SetMaxOpenConns(conns)
	return db, nil
}
