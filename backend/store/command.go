package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// MaxCommands is how many commands are kept, the newest.
const MaxCommands = 10_000

// Command is one that a shell ran.
type Command struct {
	ID     int64 // rises with each one that is added; set by the store
	Text   string
	Dir    string
	Block  string
	Exit   int
	Exited bool // whether Exit is known
	Began  time.Time
	Took   time.Duration
}

// AddCommands adds rows, of which the last is the newest. One with the same text in
// the same directory gives way; what is beyond MaxCommands is dropped.
func (s *Store) AddCommands(ctx context.Context, rows ...Command) error {
	return s.tx(ctx, func(tx *sql.Tx) error {
		for _, c := range rows {
			if _, err := tx.ExecContext(ctx, "DELETE FROM commands WHERE dir = ? AND text = ?", c.Dir, c.Text); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, "INSERT INTO commands (text, dir, block, exit, exited, began, took) VALUES (?, ?, ?, ?, ?, ?, ?)",
				c.Text, c.Dir, c.Block, c.Exit, c.Exited, nanos(c.Began), int64(c.Took))
			if err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM commands WHERE id <= (SELECT id FROM commands ORDER BY id DESC LIMIT 1 OFFSET ?)", MaxCommands)
		return err
	})
}

// Commands returns those that have every word in their text or directory, in
// letters of either case (of ASCII), the newest first, at most so many; total is
// how many there are.
func (s *Store) Commands(ctx context.Context, words []string, most int) (found []Command, total int, err error) {
	where, args := "TRUE", []any{}
	for _, w := range words {
		like := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(w) + "%"
		where += ` AND (text LIKE ? ESCAPE '\' OR dir LIKE ? ESCAPE '\')`
		args = append(args, like, like)
	}
	err = s.rows(ctx, func(r *sql.Rows) error { return r.Scan(&total) }, "SELECT count(*) FROM commands WHERE "+where, args...)
	if err != nil {
		return nil, 0, err
	}
	found = []Command{}
	err = s.rows(ctx, func(r *sql.Rows) error {
		var c Command
		var began, took int64
		if err := r.Scan(&c.ID, &c.Text, &c.Dir, &c.Block, &c.Exit, &c.Exited, &began, &took); err != nil {
			return err
		}
		c.Began, c.Took = fromNanos(began), time.Duration(took)
		found = append(found, c)
		return nil
	}, "SELECT id, text, dir, block, exit, exited, began, took FROM commands WHERE "+where+" ORDER BY id DESC LIMIT ?", append(args, most)...)
	return found, total, err
}

// DropCommand removes one; one that is not there is no error.
func (s *Store) DropCommand(ctx context.Context, id int64) error {
	return s.wipe(ctx, "DELETE FROM commands WHERE id = ?", id)
}

// ClearCommands removes them all.
func (s *Store) ClearCommands(ctx context.Context) error {
	return s.wipe(ctx, "DELETE FROM commands")
}

// wipe deletes what must not be found in the files either: it may be a secret.
func (s *Store) wipe(ctx context.Context, query string, args ...any) error {
	err := s.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, query, args...)
		return err
	})
	if err != nil {
		return err
	}
	// The journal still has it. Somebody who reads just now may keep it there a while.
	_, _ = s.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return nil
}

// PeekCommands is how many commands are kept in dir, and the bytes of their texts.
// It changes nothing there. An older database has none.
func PeekCommands(ctx context.Context, dir string) (count int, bytes int64, err error) {
	s, err := peek(filepath.Join(dir, Name))
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = s.read.Close() }()
	tables := 0
	err = s.rows(ctx, func(r *sql.Rows) error { return r.Scan(&tables) }, "SELECT count(*) FROM sqlite_schema WHERE name = 'commands'")
	if err != nil || tables == 0 {
		return 0, 0, err
	}
	err = s.rows(ctx, func(r *sql.Rows) error { return r.Scan(&count, &bytes) },
		"SELECT count(*), coalesce(sum(length(CAST(text AS BLOB)) + length(CAST(dir AS BLOB))), 0) FROM commands")
	return count, bytes, err
}

// peek opens a database for reading alone.
func peek(path string) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	const busy = 5 * time.Second
	read, err := connect(path, 1, busy, "deferred", "query_only(1)")
	if err != nil {
		return nil, err
	}
	return &Store{path: path, read: read, busy: busy}, nil
}
