package supervisor

import (
	"context"
	"sync"

	"drover/backend/event"
	"drover/backend/workspace"
)

// Records owns the one workspace.Model of the app: every change goes through it,
// is saved, and is told.
type Records struct {
	save    func(context.Context, workspace.Model) error
	failed  func(error)
	changed *event.Topic[uint64]

	mu    sync.Mutex
	model workspace.Model
}

// NewRecords takes a model over. save writes it to disk; when it cannot, the
// change holds nevertheless, failed is told, and the next change saves both.
// changed hears the version of every new model.
func NewRecords(m workspace.Model, save func(context.Context, workspace.Model) error, failed func(error), changed *event.Topic[uint64]) *Records {
	return &Records{save: save, failed: failed, changed: changed, model: m}
}

// Model is a copy of the model as it is.
func (r *Records) Model() workspace.Model {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.model.Clone()
}

// Block is a block's record.
func (r *Records) Block(id string) (workspace.Block, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b, ok := r.model.Blocks[id]
	return b.Clone(), ok
}

// Change runs f on the model; an error leaves it as it was. The new model is on
// the disk when Change returns. f must not keep the model or call Records.
func (r *Records) Change(ctx context.Context, f func(*workspace.Model) error) (workspace.Model, error) {
	m, saved, err := r.change(ctx, f)
	if err != nil {
		return m, err
	}
	if saved != nil {
		r.failed(saved)
	}
	r.changed.Deliver(m.Version)
	return m, nil
}

// change holds the lock while it saves, so that models reach the disk in their
// order.
func (r *Records) change(ctx context.Context, f func(*workspace.Model) error) (m workspace.Model, saved, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := r.model.Clone()
	if err := f(&next); err != nil {
		return r.model.Clone(), nil, err
	}
	r.model = next
	return next.Clone(), r.save(context.WithoutCancel(ctx), next), nil
}
