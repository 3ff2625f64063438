package store

import (
	"context"
	"database/sql"
	"time"
)

// Status is the last that is known of a block, for the start after a crash. It
// outlives the block's own record: a process that may still run is never
// forgotten before it is known to be gone.
type Status struct {
	Block    string
	Kind     string
	Instance uint64
	Version  uint64
	State    string
	Reason   string
	Message  string
	// ProcessID names the process beyond doubt, in words of package proc; ""
	// without one.
	PID            int
	Process        string // its name
	ProcessID      string
	ExitKnown      bool
	ExitCode       int
	ExitSignal     string
	Started, Ended time.Time
	Closing        bool
}

// PutStatus saves statuses in place of the last ones of their blocks, in one
// transaction: give many at once where many change. The caller keeps the order:
// the last one put is what is kept.
func (s *Store) PutStatus(ctx context.Context, statuses ...Status) error {
	return s.tx(ctx, func(tx *sql.Tx) error {
		for _, st := range statuses {
			_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO statuses (block, kind, instance, version, state, reason, message,
				pid, process, process_id, exit_known, exit_code, exit_signal, started, ended, closing)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
				st.Block, st.Kind, int64(st.Instance), int64(st.Version), st.State, st.Reason, st.Message,
				st.PID, st.Process, st.ProcessID, st.ExitKnown, st.ExitCode, st.ExitSignal, nanos(st.Started), nanos(st.Ended), st.Closing)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Statuses returns the last status of every block that has one, by block.
func (s *Store) Statuses(ctx context.Context) ([]Status, error) {
	out := []Status{}
	err := s.rows(ctx, func(r *sql.Rows) error {
		var st Status
		var instance, version, started, ended int64
		if err := r.Scan(&st.Block, &st.Kind, &instance, &version, &st.State, &st.Reason, &st.Message,
			&st.PID, &st.Process, &st.ProcessID, &st.ExitKnown, &st.ExitCode, &st.ExitSignal, &started, &ended, &st.Closing); err != nil {
			return err
		}
		st.Instance, st.Version = uint64(instance), uint64(version)
		st.Started, st.Ended = fromNanos(started), fromNanos(ended)
		out = append(out, st)
		return nil
	}, `SELECT block, kind, instance, version, state, reason, message, pid, process, process_id,
		exit_known, exit_code, exit_signal, started, ended, closing FROM statuses ORDER BY block`)
	return out, err
}

// DropStatus forgets a block: call it when its process is known to be gone. One
// that is not there is no error.
func (s *Store) DropStatus(ctx context.Context, block string) error {
	return s.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM statuses WHERE block = ?", block)
		return err
	})
}
