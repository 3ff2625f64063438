package activity

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"

	"drover/backend/controller"
	"drover/backend/event"
	"drover/backend/proc"
	"drover/backend/workspace"
)

// Store keeps the rows of what has ended over the end of the app. The methods
// return when it is on the disk.
type Store interface {
	// AddEnded adds rows, or replaces those with the same ID.
	AddEnded(ctx context.Context, rows ...Ended) error
	DropEnded(ctx context.Context, ids ...string) error
	Ended(ctx context.Context) ([]Ended, error)
}

// Options are what a Service is handed.
type Options struct {
	Models   func() workspace.Model
	Statuses func() []controller.Status
	// Procs is the Service's own; it must know blocks by their variable.
	Procs *proc.Scanner
	// StatusFeed says when to look. Close closes it. It may be nil.
	StatusFeed *event.Subscription[controller.Status]
	Store      Store // nil: nothing is kept
	// Changed is told of a new snapshot, and Folders of the directories of the
	// interactive shells that have changed, by block. Both are called from the
	// Service's goroutine, which waits for them, and must not call Close. They may
	// be nil.
	Changed func(seq uint64)
	Folders func(map[string]string)
	Log     logrus.FieldLogger
}

// How often it looks: while somebody watches, otherwise, and at most.
const (
	watched   = time.Second
	unwatched = 5 * time.Second
	minGap    = 250 * time.Millisecond
)

// Service is safe for use by many goroutines.
type Service struct {
	o       Options
	current atomic.Pointer[Snapshot]
	more    chan struct{} // one token: look soon
	ctx     context.Context
	cancel  context.CancelFunc
	wg      sync.WaitGroup
	deaths  deaths

	mu       sync.Mutex
	watchers int
	list     *list
	roots    map[string]root // by block, of those whose status is live
	last     map[string]seen // by block
}

// root is the program of a block's instance. The process is identified once, so
// that a pid which is used again is not taken for it.
type root struct {
	instance uint64
	pid      int
	id       proc.ID // zero: it was gone before we looked
}

// seen is what a block's tree was when its program was last seen alive.
type seen struct {
	root    proc.Process
	members []proc.Member
}

// New makes a Service, which looks at once. It reads the store. Close ends it.
func New(o Options) *Service {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Service{
		o: o, more: make(chan struct{}, 1), ctx: ctx, cancel: cancel,
		list:  newList(time.Now()),
		roots: map[string]root{},
		last:  map[string]seen{},
	}
	if o.Store != nil {
		rows, err := o.Store.Ended(ctx)
		if err != nil {
			o.Log.WithError(err).Error("cannot read the list of what has ended; it starts empty")
		}
		s.list.load(rows, o.Models())
	}
	l := &looker{s: s, facts: map[proc.ID]*factOf{}, told: map[string]string{}, total: totalMemory()}
	if name, err := os.Hostname(); err == nil {
		l.host = name
	}
	first := fold(view{host: l.host})
	first.TotalMemory = l.total
	s.current.Store(&first)
	s.wg.Go(func() { s.run(l) })
	if o.StatusFeed != nil {
		s.wg.Go(s.listen)
	}
	return s
}

// listen ends with the feed or with ctx.
func (s *Service) listen() {
	for {
		if _, err := s.o.StatusFeed.Next(s.ctx); err != nil {
			return
		}
		s.Refresh()
	}
}

func (s *Service) run(l *looker) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var last time.Time
	for {
		select {
		case <-s.ctx.Done():
			s.save()
			return
		case <-s.more:
			timer.Reset(time.Until(last.Add(minGap)))
			continue
		case <-timer.C:
		}
		l.look(s.ctx)
		s.save()
		last = time.Now()
		timer.Reset(s.period())
	}
}

func (s *Service) period() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watchers > 0 {
		return watched
	}
	return unwatched
}

// Snapshot is the newest. It does not block.
func (s *Service) Snapshot() Snapshot { return *s.current.Load() }

// Watch asks for a look each second until release, which may be called twice.
func (s *Service) Watch() (release func()) {
	s.mu.Lock()
	s.watchers++
	s.mu.Unlock()
	s.Refresh()
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.watchers--
	})
}

// Refresh asks for a look, within 250 ms. It does not block.
func (s *Service) Refresh() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// Dismiss removes a row of what has ended. It refuses one whose process still
// runs; one that is not there is no error.
func (s *Service) Dismiss(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.Refresh()
	return s.list.dismiss(id)
}

// DismissAll removes the rows of all that has ended; what was left running stays.
func (s *Service) DismissAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.Refresh()
	s.list.dismissAll()
}

// Forget removes the row of a block that is gone for good; what it left running
// stays.
func (s *Service) Forget(block string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.Refresh()
	s.list.dropEnd(block)
}

// save writes what the disk does not have. What fails is tried again at the next
// look.
func (s *Service) save() {
	if s.o.Store == nil {
		return
	}
	ctx := context.WithoutCancel(s.ctx) // a Close must not keep from the disk what is known
	s.mu.Lock()
	write, forget := s.list.unsaved(time.Now())
	s.mu.Unlock()
	var err error
	if len(write) > 0 {
		err = s.o.Store.AddEnded(ctx, write...)
	}
	if err == nil && len(forget) > 0 {
		err = s.o.Store.DropEnded(ctx, forget...)
	}
	if err != nil {
		s.o.Log.WithError(err).Error("cannot save the list of what has ended; it is tried again")
		s.mu.Lock()
		s.list.again(write, forget)
		s.mu.Unlock()
	}
}

// Close ends the Service and returns when its goroutines have ended and the rows
// are saved. It may be called twice.
func (s *Service) Close() {
	s.cancel()
	if s.o.StatusFeed != nil {
		s.o.StatusFeed.Close()
	}
	s.wg.Wait()
	s.deaths.close()
}
