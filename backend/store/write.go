package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"modernc.org/sqlite"
)

// SQLite's primary result codes that are told apart here.
const (
	codeBusy     = 5
	codeLocked   = 6
	codeReadOnly = 8
	codeIOErr    = 10
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeProtocol = 15
	codeNotADB   = 26
)

// ErrBusy means that another program holds the database for longer than is waited.
var ErrBusy = errors.New("another program is writing to the database")

type busyError struct {
	path   string
	waited time.Duration
}

func (e *busyError) Error() string {
	return fmt.Sprintf("cannot use %s: another program has been writing to it for over %v; close it and try again", e.path, e.waited)
}

func (e *busyError) Is(target error) bool { return target == ErrBusy }

// code returns the primary result code, 0 if err is not SQLite's.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

func busy(err error) bool {
	c := code(err)
	return c == codeBusy || c == codeLocked
}

func patience(busy time.Duration) time.Duration { return 3 * busy }

// retry runs fn until it ends with anything but a database in use, or until we
// have been patient. SQLite waits inside fn, except where it sees a deadlock.
func retry(ctx context.Context, busyTimeout time.Duration, fn func() error) error {
	end := time.NewTimer(patience(busyTimeout))
	defer end.Stop()
	for {
		err := fn()
		if err == nil || !busy(err) {
			return err
		}
		pause := time.NewTimer(10 * time.Millisecond)
		select {
		case <-pause.C:
		case <-end.C:
			pause.Stop()
			return err
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		}
		select {
		case <-end.C:
			return err
		default:
		}
	}
}

// tx runs fn in one write transaction, again if another program was in the way:
// fn must have no effect but on tx.
func (s *Store) tx(ctx context.Context, fn func(*sql.Tx) error) error {
	err := retry(ctx, s.busy, func() error { return s.once(ctx, fn) })
	return s.explain(ctx, "save", err)
}

func (s *Store) once(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		_ = tx.Rollback()
		return err
	}
	if err := tx.Commit(); err != nil {
		_ = tx.Rollback()
		return err
	}
	return nil
}

// explain turns an error of SQLite into a sentence with what to do.
func (s *Store) explain(ctx context.Context, verb string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("cannot %s in %s: %w", verb, s.path, ctx.Err())
	case busy(err):
		return &busyError{path: s.path, waited: patience(s.busy)}
	}
	switch code(err) {
	case codeFull:
		return fmt.Errorf("cannot %s in %s: the disk is full; free some space", verb, s.path)
	case codeReadOnly, codeCantOpen:
		return fmt.Errorf("cannot %s in %s: it cannot be written (any more); check its permissions or choose another folder with --data", verb, s.path)
	case codeCorrupt, codeNotADB:
		return fmt.Errorf("cannot %s in %s: the database is damaged; restart Drover, which sets it aside", verb, s.path)
	}
	return fmt.Errorf("cannot %s in %s: %w", verb, s.path, err)
}

// rows runs a query and gives each row to scan. A read waits for a writer only
// with a rollback journal.
func (s *Store) rows(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return s.explain(ctx, "read", err)
	}
	defer func() { _ = rows.Close() }() // Err below tells
	for rows.Next() {
		if err := scan(rows); err != nil {
			return s.explain(ctx, "read", err)
		}
	}
	return s.explain(ctx, "read", rows.Err())
}

// nanos keeps the zero time as 0. Nanoseconds, because start times must come back
// exactly: they
// tell two processes with one pid apart.
func nanos(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func fromNanos(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
