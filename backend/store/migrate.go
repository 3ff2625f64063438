package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrNewer means that the database was written by a newer program.
var ErrNewer = errors.New("it was written by a newer Drover")

type newerError struct{ have, know int }

func (e *newerError) Error() string {
	return fmt.Sprintf("it was written by a newer Drover (its format is %d, this one knows up to %d)", e.have, e.know)
}

func (e *newerError) Is(target error) bool { return target == ErrNewer }

// migrations returns the schema as steps: number n brings a database from version
// n-1 to n. A step that has been released is never changed, only followed.
func migrations() []string {
	return []string{`
CREATE TABLE model (
	id      INTEGER PRIMARY KEY CHECK (id = 1),
	version INTEGER NOT NULL,
	active  TEXT NOT NULL
) STRICT;
CREATE TABLE workspaces (
	id       TEXT PRIMARY KEY,
	position INTEGER NOT NULL,
	name     TEXT NOT NULL,
	dir      TEXT NOT NULL,
	layout   TEXT NOT NULL, -- JSON
	layout_version INTEGER NOT NULL,
	unplaced TEXT NOT NULL  -- JSON
) STRICT;
CREATE TABLE blocks (
	id            TEXT PRIMARY KEY,
	workspace     TEXT NOT NULL REFERENCES workspaces (id),
	kind          TEXT NOT NULL,
	name          TEXT NOT NULL,
	dir           TEXT NOT NULL,
	command       TEXT NOT NULL, -- JSON
	command_line  TEXT NOT NULL,
	shell         TEXT NOT NULL,
	env           TEXT NOT NULL, -- JSON
	close_on_exit TEXT NOT NULL,
	unrecorded    INTEGER NOT NULL,
	created       INTEGER NOT NULL
) STRICT;
CREATE INDEX blocks_workspace ON blocks (workspace);
-- No reference to blocks: the record of a process that may still run outlives
-- its block, until whoever ended the process says so.
CREATE TABLE statuses (
	block           TEXT PRIMARY KEY,
	kind            TEXT NOT NULL,
	instance        INTEGER NOT NULL,
	version         INTEGER NOT NULL,
	state           TEXT NOT NULL,
	reason          TEXT NOT NULL,
	message         TEXT NOT NULL,
	pid             INTEGER NOT NULL,
	process         TEXT NOT NULL,
	process_id      TEXT NOT NULL, -- with its start, "" without one
	exit_known      INTEGER NOT NULL,
	exit_code       INTEGER NOT NULL,
	exit_signal     TEXT NOT NULL,
	started         INTEGER NOT NULL,
	ended           INTEGER NOT NULL,
	closing         INTEGER NOT NULL
) STRICT;
CREATE TABLE ended (
	seq     INTEGER PRIMARY KEY AUTOINCREMENT,
	id      TEXT NOT NULL UNIQUE,
	block   TEXT NOT NULL,
	name    TEXT NOT NULL,
	owner   TEXT NOT NULL,
	detail  TEXT NOT NULL,
	state   TEXT NOT NULL,
	at      INTEGER NOT NULL,
	code    INTEGER NOT NULL,
	signal  TEXT NOT NULL,
	pid     INTEGER NOT NULL,
	started INTEGER NOT NULL
) STRICT;
CREATE TABLE user_values (
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT;`, `
CREATE TABLE commands (
	id     INTEGER PRIMARY KEY AUTOINCREMENT, -- the newest is the highest
	text   TEXT NOT NULL,
	dir    TEXT NOT NULL,
	block  TEXT NOT NULL,
	exit   INTEGER NOT NULL,
	exited INTEGER NOT NULL,
	began  INTEGER NOT NULL,
	took   INTEGER NOT NULL,
	UNIQUE (dir, text)
) STRICT;`}
}

// migrate brings the database from version to the newest, one step a transaction,
// with a copy of the old one kept beside it.
func (op *opening) migrate(ctx context.Context, s *Store, version int) error {
	if version == len(op.migrations) {
		return nil
	}
	if version > 0 {
		if err := op.backUp(ctx, s, version); err != nil {
			return err
		}
	}
	for n := version + 1; n <= len(op.migrations); n++ {
		if err := op.step(ctx, s, n); err != nil {
			return fmt.Errorf("its format cannot be brought from %d to %d: %w", n-1, n, err)
		}
	}
	return nil
}

// step is guarded by the version inside its transaction: another process may have
// made the same step meanwhile.
func (op *opening) step(ctx context.Context, s *Store, n int) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after Commit
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version >= n {
		return nil
	}
	set := fmt.Sprintf(";\nPRAGMA user_version = %d; PRAGMA application_id = %d", n, applicationID)
	if _, err := tx.ExecContext(ctx, op.migrations[n-1]+set); err != nil {
		return err
	}
	return tx.Commit()
}

func (op *opening) backUp(ctx context.Context, s *Store, version int) error {
	name := fmt.Sprintf("%s.before-%d", op.path, len(op.migrations))
	part, err := os.CreateTemp(filepath.Dir(op.path), Name+".backup-*") // mode 0600; SQLite fills an empty file
	if err != nil {
		return fmt.Errorf("its format %d cannot be copied before it is changed: %w", version, err)
	}
	defer func() { _ = os.Remove(part.Name()) }() // gone after the rename
	if err := part.Close(); err != nil {
		return err
	}
	if _, err := s.write.ExecContext(ctx, "VACUUM INTO ?", part.Name()); err != nil {
		return fmt.Errorf("its format %d cannot be copied before it is changed: %w", version, err)
	}
	return os.Rename(part.Name(), name)
}
