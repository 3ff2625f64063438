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

	// order lets one change at a time reach the disk; mu guards only the model, so
	// that nobody who reads it waits for the disk.
	order sync.Mutex
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
// the disk when Change returns; whoever reads sees it a little earlier. f must
// not keep the model or call Records.
func (r *Records) Change(ctx context.Context, f func(*workspace.Model) error) (workspace.Model, error) {
	r.order.Lock()
	defer r.order.Unlock()
	next := r.Model()
	if err := f(&next); err != nil {
		return r.Model(), err
	}
	r.mu.Lock()
	r.model = next
	r.mu.Unlock()
	if err := r.save(context.WithoutCancel(ctx), next.Clone()); err != nil {
		r.failed(err)
	}
	r.changed.Deliver(next.Version)
	return next.Clone(), nil
}
