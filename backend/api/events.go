package api

import (
	"context"
	"sync"

	"drover/backend/controller"
	"drover/backend/event"
	"drover/backend/supervisor"
)

// Event is one piece of news for the pages. Data carries Seq, which rises by one
// over all events: a page that sees a gap pulls everything anew.
type Event struct {
	Name string `json:"event"`
	Data any    `json:"data"`
}

// The payloads. Each is small: what is large is pulled.
type (
	// StatusEvent tells a block's new status.
	StatusEvent struct {
		Seq    uint64            `json:"seq"`
		Status controller.Status `json:"status"`
	}
	// ModelEvent tells that there is a new model to pull.
	ModelEvent struct {
		Seq     uint64 `json:"seq"`
		Version uint64 `json:"version"`
	}
	// ClosingEvent tells how far a closing is.
	ClosingEvent struct {
		Seq     uint64             `json:"seq"`
		Closing supervisor.Closing `json:"closing"`
	}
	// NoticeEvent tells a notice.
	NoticeEvent struct {
		Seq    uint64 `json:"seq"`
		Notice Notice `json:"notice"`
	}
	// QuitEvent asks the page to ask a person whether the app may end.
	QuitEvent struct {
		Seq     uint64       `json:"seq"`
		Preview ClosePreview `json:"preview"`
	}
	// PullEvent tells that there is something new to pull.
	PullEvent struct {
		Seq uint64 `json:"seq"`
	}
)

// Events gathers the news of all parts for the pages, in one numbered order.
type Events struct {
	Topic event.Topic[Event]

	wg  sync.WaitGroup
	mu  sync.Mutex
	seq uint64
}

// tell numbers an event and hands it to one of the topic's two verbs.
func (e *Events) tell(verb func(Event), name string, data func(seq uint64) any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seq++
	verb(Event{name, data(e.seq)})
}

// Statuses forwards statuses until the subscription ends; so do the next two.
func (e *Events) Statuses(sub *event.Subscription[controller.Status]) {
	forward(e, sub, "status", func(seq uint64, s controller.Status) any { return StatusEvent{seq, s} })
}

// Models forwards versions of the model.
func (e *Events) Models(sub *event.Subscription[uint64]) {
	forward(e, sub, "workspaces", func(seq, version uint64) any { return ModelEvent{seq, version} })
}

// Closings forwards closings.
func (e *Events) Closings(sub *event.Subscription[supervisor.Closing]) {
	forward(e, sub, "closing", func(seq uint64, c supervisor.Closing) any { return ClosingEvent{seq, c} })
}

// Pull tells that an area has something new ("activity", "settings"). A page that
// is far behind may miss it: the gap in the numbers makes it pull everything.
func (e *Events) Pull(name string) {
	e.tell(e.Topic.Offer, name, func(seq uint64) any { return PullEvent{seq} })
}

// Notice tells a notice.
func (e *Events) Notice(n Notice) {
	e.tell(e.Topic.Deliver, "notice", func(seq uint64) any { return NoticeEvent{seq, n} })
}

// Block tells what happened in a block's terminal.
func (e *Events) Block(b BlockEvent) {
	e.tell(e.Topic.Offer, "block", func(seq uint64) any { b.Seq = seq; return b })
}

// Quit asks the page to ask a person: what is named ends with the app.
func (e *Events) Quit(p ClosePreview) {
	e.tell(e.Topic.Deliver, "quit", func(seq uint64) any { return QuitEvent{seq, p} })
}

// Close returns when everything that was forwarded has ended, which the closing
// of their topics brings about.
func (e *Events) Close() {
	e.wg.Wait()
	e.Topic.Close()
}

func forward[T any](e *Events, sub *event.Subscription[T], name string, data func(uint64, T) any) {
	e.wg.Go(func() {
		for {
			v, err := sub.Next(context.Background())
			if err != nil {
				return
			}
			e.tell(e.Topic.Deliver, name, func(seq uint64) any { return data(seq, v) })
		}
	})
}
