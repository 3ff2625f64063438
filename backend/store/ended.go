package store

import (
	"context"
	"database/sql"
	"time"
)

// MaxEnded is how many rows the list of what has ended keeps, the newest.
const MaxEnded = 500

// Ended is one row of the dock's list of what has ended.
type Ended struct {
	ID      string
	Block   string
	Name    string
	Owner   string // the workspace's name
	Detail  string
	State   string
	At      time.Time
	Code    int
	Signal  string
	PID     int // 0 without a process
	Started time.Time
}

// AddEnded adds rows, or replaces those with their ID in their position; what is
// beyond MaxEnded is dropped.
func (s *Store) AddEnded(ctx context.Context, rows ...Ended) error {
	return s.tx(ctx, func(tx *sql.Tx) error {
		for _, e := range rows {
			_, err := tx.ExecContext(ctx, `INSERT INTO ended (id, block, name, owner, detail, state, at, code, signal, pid, started) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
				ON CONFLICT (id) DO UPDATE SET block = excluded.block, name = excluded.name, owner = excluded.owner, detail = excluded.detail,
				state = excluded.state, at = excluded.at, code = excluded.code, signal = excluded.signal, pid = excluded.pid, started = excluded.started`,
				e.ID, e.Block, e.Name, e.Owner, e.Detail, e.State, nanos(e.At), e.Code, e.Signal, e.PID, nanos(e.Started))
			if err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM ended WHERE seq NOT IN (SELECT seq FROM ended ORDER BY seq DESC LIMIT ?)", MaxEnded)
		return err
	})
}

// Ended returns the rows, the one added last first.
func (s *Store) Ended(ctx context.Context) ([]Ended, error) {
	out := []Ended{}
	err := s.rows(ctx, func(r *sql.Rows) error {
		var e Ended
		var at, started int64
		if err := r.Scan(&e.ID, &e.Block, &e.Name, &e.Owner, &e.Detail, &e.State, &at, &e.Code, &e.Signal, &e.PID, &started); err != nil {
			return err
		}
		e.At, e.Started = fromNanos(at), fromNanos(started)
		out = append(out, e)
		return nil
	}, "SELECT id, block, name, owner, detail, state, at, code, signal, pid, started FROM ended ORDER BY seq DESC")
	return out, err
}

// DropEnded removes rows; unknown IDs are no error.
func (s *Store) DropEnded(ctx context.Context, ids ...string) error {
	return s.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM ended WHERE id IN (SELECT value FROM json_each(?))", text(ids))
		return err
	})
}
