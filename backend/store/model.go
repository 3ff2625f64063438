package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"drover/backend/workspace"
)

// Model returns the saved model, or an empty one, and one sentence for everything
// in it that had to be mended.
func (s *Store) Model(ctx context.Context) (workspace.Model, []string, error) {
	m := workspace.New()
	var said []string
	// One transaction, so that all the rows are of one moment.
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return m, nil, s.explain(ctx, "read", err)
	}
	defer func() { _ = tx.Rollback() }()
	var version int64
	err = tx.QueryRowContext(ctx, "SELECT version, active FROM model").Scan(&version, &m.Active)
	if errors.Is(err, sql.ErrNoRows) {
		return m, nil, nil
	}
	if err != nil {
		return m, nil, s.explain(ctx, "read", err)
	}
	m.Version = uint64(version)
	// parse keeps the rest where one value of a row is damaged.
	parse := func(what, text string, into any) {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			said = append(said, fmt.Sprintf("the %s could not be read (%v) and starts anew", what, err))
		}
	}
	err = each(ctx, tx, func(r *sql.Rows) error {
		var w workspace.Workspace
		var layout, unplaced string
		var changed int64
		if err := r.Scan(&w.ID, &w.Name, &w.Dir, &layout, &changed, &unplaced); err != nil {
			return err
		}
		w.LayoutVersion = uint64(changed)
		parse(fmt.Sprintf("layout of workspace %q", w.Name), layout, &w.Layout)
		parse(fmt.Sprintf("list of unplaced blocks of workspace %q", w.Name), unplaced, &w.Unplaced)
		m.Workspaces = append(m.Workspaces, w)
		return nil
	}, "SELECT id, name, dir, layout, layout_version, unplaced FROM workspaces ORDER BY position, id")
	if err != nil {
		return m, nil, s.explain(ctx, "read", err)
	}
	err = each(ctx, tx, func(r *sql.Rows) error {
		var b workspace.Block
		var command, env string
		var created int64
		if err := r.Scan(&b.ID, &b.Workspace, &b.Kind, &b.Name, &b.Dir, &command, &b.CommandLine, &b.Shell, &env, &b.CloseOnExit, &b.Unrecorded, &created); err != nil {
			return err
		}
		parse("command of block "+b.ID, command, &b.Command)
		parse("environment of block "+b.ID, env, &b.Env)
		b.Created = fromNanos(created)
		m.Blocks[b.ID] = b
		return nil
	}, "SELECT id, workspace, kind, name, dir, command, command_line, shell, env, close_on_exit, unrecorded, created FROM blocks")
	if err != nil {
		return m, nil, s.explain(ctx, "read", err)
	}
	said = append(said, m.Repair()...)
	return m, said, nil
}

func each(ctx context.Context, tx *sql.Tx, scan func(*sql.Rows) error, query string) error {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Save makes m what is saved, in one transaction that touches only the rows that
// differ. Nothing of m is kept or changed.
func (s *Store) Save(ctx context.Context, m workspace.Model) error {
	m = m.Clone()
	if err := m.Check(); err != nil {
		return fmt.Errorf("cannot save the workspaces: %w", err)
	}
	return s.tx(ctx, func(tx *sql.Tx) error { return save(ctx, tx, m) })
}

func save(ctx context.Context, tx *sql.Tx, m workspace.Model) error {
	// The guards make SQLite leave rows that are the same alone.
	_, err := tx.ExecContext(ctx, `INSERT INTO model (id, version, active) VALUES (1, ?, ?)
		ON CONFLICT DO UPDATE SET version = excluded.version, active = excluded.active
		WHERE (version, active) IS NOT (excluded.version, excluded.active)`, int64(m.Version), m.Active)
	if err != nil {
		return err
	}
	ids, blocks := []string{}, []string{}
	for i, w := range m.Workspaces {
		ids = append(ids, w.ID)
		_, err := tx.ExecContext(ctx, `INSERT INTO workspaces (id, position, name, dir, layout, layout_version, unplaced) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET position = excluded.position, name = excluded.name, dir = excluded.dir, layout = excluded.layout, layout_version = excluded.layout_version, unplaced = excluded.unplaced
			WHERE (position, name, dir, layout, layout_version, unplaced) IS NOT (excluded.position, excluded.name, excluded.dir, excluded.layout, excluded.layout_version, excluded.unplaced)`,
			w.ID, i, w.Name, w.Dir, text(w.Layout), int64(w.LayoutVersion), text(w.Unplaced))
		if err != nil {
			return err
		}
	}
	for id, b := range m.Blocks {
		blocks = append(blocks, id)
		_, err := tx.ExecContext(ctx, `INSERT INTO blocks (id, workspace, kind, name, dir, command, command_line, shell, env, close_on_exit, unrecorded, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET workspace = excluded.workspace, kind = excluded.kind, name = excluded.name, dir = excluded.dir, command = excluded.command, command_line = excluded.command_line, shell = excluded.shell, env = excluded.env, close_on_exit = excluded.close_on_exit, unrecorded = excluded.unrecorded, created = excluded.created
			WHERE (workspace, kind, name, dir, command, command_line, shell, env, close_on_exit, unrecorded, created) IS NOT (excluded.workspace, excluded.kind, excluded.name, excluded.dir, excluded.command, excluded.command_line, excluded.shell, excluded.env, excluded.close_on_exit, excluded.unrecorded, excluded.created)`,
			id, b.Workspace, string(b.Kind), b.Name, b.Dir, text(b.Command), b.CommandLine, b.Shell, text(b.Env), string(b.CloseOnExit), b.Unrecorded, nanos(b.Created))
		if err != nil {
			return err
		}
	}
	// Blocks first: they refer to workspaces.
	if _, err := tx.ExecContext(ctx, "DELETE FROM blocks WHERE id NOT IN (SELECT value FROM json_each(?))", text(blocks)); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM workspaces WHERE id NOT IN (SELECT value FROM json_each(?))", text(ids))
	return err
}

// text writes JSON for values that always have one: finite numbers (checked by
// the model), strings, lists and maps.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("store: " + err.Error())
	}
	return string(b)
}
