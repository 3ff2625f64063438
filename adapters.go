package main

import (
	"context"

	"drover/backend/activity"
	"drover/backend/controller"
	"drover/backend/history"
	"drover/backend/proc"
	"drover/backend/store"
	"drover/backend/supervisor"
)

// The database's rows and the values of the parts that keep them: no part knows
// the database.

// statuses is supervisor.Store.
type statuses struct{ db *store.Store }

func (s statuses) PutStatus(ctx context.Context, v supervisor.Saved) error {
	st := v.Status
	row := store.Status{
		Block: st.Block, Kind: st.Kind, Instance: st.Instance, Version: st.Version,
		State: string(st.State), Reason: string(st.Reason), Message: st.Message,
		PID: st.PID, Process: st.Process,
		ExitKnown: st.Exit.Known, ExitCode: st.Exit.Code, ExitSignal: st.Exit.Signal,
		Started: st.Started, Ended: st.Ended, Closing: st.Closing,
	}
	if v.Process != (proc.ID{}) {
		row.ProcessID = v.Process.String()
	}
	return s.db.PutStatus(ctx, row)
}

func (s statuses) DropStatus(ctx context.Context, block string) error {
	return s.db.DropStatus(ctx, block)
}

func (s statuses) Statuses(ctx context.Context) ([]supervisor.Saved, error) {
	rows, err := s.db.Statuses(ctx)
	out := make([]supervisor.Saved, 0, len(rows))
	for _, r := range rows {
		v := supervisor.Saved{Status: controller.Status{
			Block: r.Block, Kind: r.Kind, Instance: r.Instance, Version: r.Version,
			State: controller.State(r.State), Reason: controller.Reason(r.Reason), Message: r.Message,
			PID: r.PID, Process: r.Process,
			Exit:    controller.Exit{Known: r.ExitKnown, Code: r.ExitCode, Signal: r.ExitSignal},
			Started: r.Started, Ended: r.Ended, Closing: r.Closing,
		}}
		// An identity that cannot be read is one that is not known: the block's
		// processes are then found by what they inherited.
		v.Process, _ = proc.ParseID(r.ProcessID)
		out = append(out, v)
	}
	return out, err
}

// commands is history.Store.
type commands struct{ db *store.Store }

func (c commands) AddCommands(ctx context.Context, rows ...history.Command) error {
	out := make([]store.Command, 0, len(rows))
	for _, r := range rows {
		out = append(out, store.Command(r))
	}
	return c.db.AddCommands(ctx, out...)
}

func (c commands) Commands(ctx context.Context, words []string, most int) ([]history.Command, int, error) {
	rows, total, err := c.db.Commands(ctx, words, most)
	out := make([]history.Command, 0, len(rows))
	for _, r := range rows {
		out = append(out, history.Command(r))
	}
	return out, total, err
}

func (c commands) DropCommand(ctx context.Context, id int64) error {
	return c.db.DropCommand(ctx, id)
}

func (c commands) ClearCommands(ctx context.Context) error { return c.db.ClearCommands(ctx) }

// endings is activity.Store.
type endings struct{ db *store.Store }

func (e endings) AddEnded(ctx context.Context, rows ...activity.Ended) error {
	out := make([]store.Ended, 0, len(rows))
	for _, r := range rows {
		out = append(out, store.Ended{
			ID: r.ID, Block: r.Block, Name: r.Name, Owner: r.Owner, Detail: r.Detail,
			State: string(r.State), At: r.At, Code: r.Code, PID: r.PID, Started: r.Started,
		})
	}
	return e.db.AddEnded(ctx, out...)
}

func (e endings) DropEnded(ctx context.Context, ids ...string) error {
	return e.db.DropEnded(ctx, ids...)
}

func (e endings) Ended(ctx context.Context) ([]activity.Ended, error) {
	rows, err := e.db.Ended(ctx)
	out := make([]activity.Ended, 0, len(rows))
	for _, r := range rows {
		out = append(out, activity.Ended{
			ID: r.ID, Block: r.Block, Name: r.Name, Owner: r.Owner, Detail: r.Detail,
			State: activity.EndedState(r.State), At: r.At, Code: r.Code, PID: r.PID, Started: r.Started,
		})
	}
	return out, err
}
