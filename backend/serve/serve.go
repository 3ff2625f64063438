// Package serve gives the app's page to a browser, with the same api as the
// window and the same data plane.
//
// Promises: everything but the page's own files wants the access key, and a page
// of ours; it listens where it was told and nowhere else; a slow browser holds
// nobody.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/sirupsen/logrus"

	"drover/backend/api"
	"drover/backend/rpc"
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
	calls  *rpc.Server
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
	s := &Server{o: o, calls: rpc.NewServer(o.Bound, o.Log), ctx: ctx, cancel: cancel}
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
	// Subscribed before the first answer: what a pull does not show yet is told.
	defer s.o.Watch()()
	news := s.o.Events.Topic.Subscribe()
	defer func() {
		news.Close()
		if n := news.Dropped(); n > 0 {
			s.o.Log.WithField("events", n).Info("a browser was too slow for some of its events")
		}
	}()
	s.calls.Serve(s.ctx, ws, func(ctx context.Context) (any, error) { return news.Next(ctx) })
}
