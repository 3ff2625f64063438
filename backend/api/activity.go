package api

import "drover/backend/activity"

// Activity is the area of the swarm tree and the dock.
type Activity struct{ d *Deps }

// EndProcess ends a process, named by its identity.
type EndProcess struct {
	Process string `json:"process"`
	Force   bool   `json:"force"`
}

// Snapshot is what runs and what has ended.
func (a *Activity) Snapshot() activity.Snapshot { return a.d.Activity.Snapshot() }

// Dismiss takes a row off the list of what has ended.
func (a *Activity) Dismiss(req ID) error { return a.d.Activity.Dismiss(req.ID) }

// DismissAll empties the list of what has ended; what still runs stays on it.
func (a *Activity) DismissAll() { a.d.Activity.DismissAll() }

// End ends one process of one of our blocks.
func (a *Activity) End(req EndProcess) error {
	ctx, cancel := callContext()
	defer cancel()
	return a.d.Activity.End(ctx, req.Process, req.Force)
}
