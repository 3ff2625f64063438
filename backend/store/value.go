package store

import (
	"context"
	"database/sql"
)

// Value returns a small value of the page's state; ok is false if there is none.
func (s *Store) Value(ctx context.Context, key string) (value string, ok bool, err error) {
	err = s.rows(ctx, func(r *sql.Rows) error {
		ok = true
		return r.Scan(&value)
	}, "SELECT value FROM user_values WHERE key = ?", key)
	return value, ok, err
}

// SetValue saves a value; DropValue removes it.
func (s *Store) SetValue(ctx context.Context, key, value string) error {
	return s.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO user_values (key, value) VALUES (?, ?)", key, value)
		return err
	})
}

// DropValue removes a value; one that is not there is no error.
func (s *Store) DropValue(ctx context.Context, key string) error {
	return s.tx(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM user_values WHERE key = ?", key)
		return err
	})
}
