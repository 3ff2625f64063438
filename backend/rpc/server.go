// Package rpc carries calls and news over one WebSocket, as JSON: the caller sends
// {"id", "method", "args"}, and gets {"id", "result"} or {"id", "error"}; between
// those it gets what is told, as it is.
//
// Promises: calls run beside each other, a bounded number of them; a panic in one is
// an error for its caller; who does not read what it is told is cut off, and holds
// nobody meanwhile.
package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/sirupsen/logrus"
)

// maxCall is the largest call: a layout, a paste of text (bytes).
const maxCall = 4 << 20

// maxCalls is how many calls of one socket run at once; the next ones wait.
const maxCalls = 16

// writeTimeout is how long a caller may leave its socket full.
const writeTimeout = 30 * time.Second

type request struct {
	ID     int64             `json:"id"`
	Method string            `json:"method"`
	Args   []json.RawMessage `json:"args"`
}

type response struct {
	ID     int64  `json:"id"`
	Result any    `json:"result"`
	Error  string `json:"error,omitempty"`
}

// Server answers the calls of any number of sockets.
type Server struct {
	methods methods
	log     logrus.FieldLogger
}

// NewServer offers the methods of bound, which are pointers to structs, by the names
// of struct and method: "Controllers.Start".
func NewServer(bound []any, log logrus.FieldLogger) *Server {
	return &Server{methodsOf(bound), log}
}

// Serve serves one socket and returns when that, ctx or the news have ended, and all
// calls of it. news waits for the next thing to tell. The caller closes
// ws, which is closed already if something came that is no call.
func (s *Server) Serve(ctx context.Context, ws *websocket.Conn, news func(context.Context) (any, error)) {
	ws.SetReadLimit(maxCall)
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() {
		defer cancel()
		for {
			e, err := news(ctx)
			if err != nil || write(ctx, ws, e) != nil {
				return
			}
		}
	})
	slots := make(chan struct{}, maxCalls)
	for {
		kind, data, err := ws.Read(ctx)
		if err != nil {
			return
		}
		var req request
		if kind != websocket.MessageText || json.Unmarshal(data, &req) != nil {
			_ = ws.Close(websocket.StatusUnsupportedData, "this is not a call")
			return
		}
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		wg.Go(func() {
			defer func() { <-slots }()
			_ = write(ctx, ws, s.answer(req))
		})
	}
}

func (s *Server) answer(req request) response {
	result, err := s.methods.call(req.Method, req.Args)
	if err != nil {
		var bug *panicError
		if errors.As(err, &bug) {
			s.log.WithField("method", bug.method).Errorf("panic: %v\n%s", bug.value, bug.stack)
		}
		return response{ID: req.ID, Error: err.Error()}
	}
	return response{ID: req.ID, Result: result}
}

func write(ctx context.Context, ws *websocket.Conn, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return ws.Write(ctx, websocket.MessageText, b)
}
