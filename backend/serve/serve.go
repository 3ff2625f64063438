// Package serve gives the app's page to a browser, with the same api as the
// window and the same data plane.
//
// Promises: everything but the page's own files wants the access key, and a page
// of ours; it listens where it was told and nowhere else; a slow browser holds
// nobody.
package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/sirupsen/logrus"

	"drover/backend/api"
	"drover/backend/stream"
)

// Policy is the content policy of the page, in the window too: its own files,
// its own sockets, no inline script and no text that is run. 'wasm-unsafe-eval' lets
// the decoders of pictures in terminals be compiled, and nothing else.
const Policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; " +
	"connect-src 'self' ws://127.0.0.1:* ws://localhost:*; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"

// Options are what a Server is handed.
type Options struct {
	Bound  []any // pointers to the structs that a page may call
	Events *api.Events
	// Watch says that somebody looks, until release is called.
	Watch  func() (release func())
	Stream http.Handler
	Guard  stream.Guard
	Page   fs.FS // the built page
	Log    logrus.FieldLogger
}

// Server serves browsers. Close ends it.
type Server struct {
	o      Options
	d      dispatcher
	http   http.Server
	ctx    context.Context
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup // the api's sockets, which http.Server lets go of
}

// New makes a server that does not listen yet.
func New(o Options) *Server {
	ctx, cancel := context.WithCancel(context.Background())
	s := &Server{o: o, d: newDispatcher(o.Bound), ctx: ctx, cancel: cancel}
	mux := http.NewServeMux()
	mux.Handle("/stream", o.Stream)
	mux.HandleFunc("/api", s.api)
	mux.Handle("/", page(o.Page))
	s.http = http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 10 * time.Second,
	}
	return s
}

// page serves the page's files.
func page(files fs.FS) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		server.ServeHTTP(w, r)
	})
}

// Serve serves on l until Close.
func (s *Server) Serve(l net.Listener) error {
	err := s.http.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("cannot serve on %s: %w", l.Addr(), err)
}

// Close ends every connection and returns when all is over. It may be called
// twice.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	err := s.http.Close()
	s.wg.Wait()
	return err
}

func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.wg.Add(1)
	return true
}

// maxCall is the largest call that a page may make: a layout, a paste of text.
const maxCall = 4 << 20

// maxCalls is how many calls of one page run at once; the next ones wait.
const maxCalls = 16

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

// api serves one page's calls and events.
func (s *Server) api(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		http.Error(w, "Drover is closing.", http.StatusServiceUnavailable)
		return
	}
	defer s.wg.Done()
	ws, ok := s.o.Guard.Accept(w, r)
	if !ok {
		return
	}
	defer ws.CloseNow()
	ws.SetReadLimit(maxCall)
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	// Subscribed before the first answer: what a pull does not show yet is told.
	defer s.o.Watch()()
	news := s.o.Events.Topic.Subscribe()
	defer func() {
		news.Close()
		if n := news.Dropped(); n > 0 {
			s.o.Log.WithField("events", n).Info("a browser was too slow for some of its events")
		}
	}()
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() {
		defer cancel()
		for {
			e, err := news.Next(ctx)
			if err != nil || s.write(ctx, ws, e) != nil {
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
			_ = s.write(ctx, ws, s.answer(req))
		})
	}
}

func (s *Server) answer(req request) response {
	result, err := s.d.call(req.Method, req.Args)
	if err != nil {
		var bug *panicError
		if errors.As(err, &bug) {
			s.o.Log.WithField("method", bug.method).Errorf("panic: %v\n%s", bug.value, bug.stack)
		}
		return response{ID: req.ID, Error: err.Error()}
	}
	return response{ID: req.ID, Result: result}
}

// writeTimeout is how long a browser may leave its socket full.
const writeTimeout = 30 * time.Second

func (s *Server) write(ctx context.Context, ws *websocket.Conn, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return ws.Write(ctx, websocket.MessageText, b)
}
