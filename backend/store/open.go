package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
)

// applicationID marks a SQLite file as ours ("DRVR").
const applicationID = 0x44525652

// opening is one call of Open.
type opening struct {
	Options
	path    string
	notices []Notice
}

// damageError says that the file is no database of ours that can be used.
type damageError struct{ what string }

func (d *damageError) Error() string { return d.what }

func (op *opening) notice(n Notice) { op.notices = append(op.notices, n) }

func (op *opening) open(ctx context.Context) (*Store, error) {
	if err := op.create(); err != nil {
		return nil, err
	}
	journal := "wal"
	if fs := op.FileSystem(op.path); fs.Network {
		// The shared memory of a write-ahead log does not work between machines.
		journal = "delete"
		op.notice(Notice{
			Level: "info", Title: "The data directory is on a network file system",
			Text: fmt.Sprintf("%s lies on %s, so Drover uses SQLite's rollback journal there: slower, but safe.", op.path, fs.Name),
			Fix:  "Choose a folder on a local disk with --data if it feels slow.",
		})
	}
	write, err := connect(op.path, 1, op.Busy, "immediate", "secure_delete(1)")
	if err != nil {
		return nil, err
	}
	s := &Store{path: op.path, write: write, busy: op.Busy}
	err = retry(ctx, op.Busy, func() error { return op.prepare(ctx, s, journal) })
	if err != nil {
		_ = write.Close()
		return nil, classify(err)
	}
	if s.read, err = connect(op.path, readers, op.Busy, "deferred", "query_only(1)"); err != nil {
		_ = write.Close()
		return nil, err
	}
	return s, nil
}

// create makes the file first, because SQLite would let others read it. SQLite
// gives its journals the same permissions.
func (op *opening) create() error {
	f, err := os.OpenFile(op.path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case err == nil:
		return f.Close()
	case !errors.Is(err, os.ErrExist):
		return err
	}
	info, err := os.Stat(op.path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is not a file; move it away or choose another folder with --data")
	}
	if _, err := os.Stat(op.path + "-wal"); info.Size() == 0 && err != nil {
		op.notice(Notice{
			Level: "warn", Title: "The database was empty",
			Text: fmt.Sprintf("%s was there but held nothing, so workspaces start anew.", op.path),
		})
	}
	if info.Mode().Perm()&0o077 != 0 {
		// Best effort: on some file systems permissions are fixed.
		_ = os.Chmod(op.path, 0o600)
	}
	return nil
}

// prepare checks what is there and brings it up to date.
func (op *opening) prepare(ctx context.Context, s *Store, journal string) error {
	version, err := op.inspect(ctx, s.write)
	if err != nil {
		return err
	}
	var got string
	if err := s.write.QueryRowContext(ctx, "PRAGMA journal_mode="+journal).Scan(&got); err != nil {
		return err
	}
	if journal == "wal" && got != "wal" {
		op.notice(Notice{
			Level: "info", Title: "The data directory allows no write-ahead log",
			Text: fmt.Sprintf("SQLite uses its %q journal for %s: slower, but safe.", got, op.path),
		})
	}
	return op.migrate(ctx, s, version)
}

// inspect returns the schema version of a sound database of ours; 0 is a new one.
func (op *opening) inspect(ctx context.Context, db *sql.DB) (int, error) {
	var version, app, tables int
	for query, into := range map[string]*int{
		"PRAGMA user_version":                &version,
		"PRAGMA application_id":              &app,
		"SELECT count(*) FROM sqlite_schema": &tables,
	} {
		if err := db.QueryRowContext(ctx, query).Scan(into); err != nil {
			return 0, err
		}
	}
	switch {
	case version == 0 && tables == 0:
		return 0, nil
	case app != applicationID:
		return 0, &damageError{"it is not a database of Drover's"}
	case version > len(op.migrations):
		return 0, &newerError{have: version, know: len(op.migrations)}
	}
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return 0, err
	}
	if verdict != "ok" {
		return 0, &damageError{verdict}
	}
	return version, nil
}

// setAside renames the damaged database, with its journals, and says so.
func (op *opening) setAside(what string) error {
	aside := op.path + ".damaged-" + op.Now().UTC().Format("20060102-150405")
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, os.ErrNotExist) {
			break
		}
		aside = fmt.Sprintf("%s.damaged-%s-%d", op.path, op.Now().UTC().Format("20060102-150405"), n)
	}
	// The journals first: beside the fresh database they would be taken for its.
	for _, suffix := range []string{"-wal", "-shm", "-journal", ""} {
		err := os.Rename(op.path+suffix, aside+suffix)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("it is damaged (%s) and cannot be set aside: %w", what, err)
		}
	}
	op.notices = []Notice{{
		Level: "warn", Title: "The database was damaged",
		Text: fmt.Sprintf("Drover could not read %s (%s). It was kept as %s, and a fresh one was made: workspaces start anew.", op.path, what, aside),
		Fix:  "Keep the file if you need help to recover it; delete it otherwise.",
	}}
	return nil
}

// classify tells damage from everything else.
func classify(err error) error {
	switch code(err) {
	case codeNotADB, codeCorrupt:
		return &damageError{err.Error()}
	}
	return err
}

func (op *opening) explain(err error) error {
	var newer *newerError
	switch {
	case errors.As(err, &newer):
		return fmt.Errorf("cannot open %s: %w; update Drover or choose another folder with --data", op.path, err)
	case busy(err):
		return &busyError{path: op.path, waited: patience(op.Busy)}
	case code(err) == codeProtocol, code(err) == codeIOErr:
		return fmt.Errorf("cannot open %s: the disk or its file locks do not work (%w); choose another folder with --data", op.path, err)
	}
	return fmt.Errorf("cannot open %s: %w", op.path, err)
}
