// Package client is a page without a browser, for tests and the benchmark: it
// starts `drover serve`, calls its api, and reads and types in its terminals
// over the data plane.
//
// A Server is a process of ours, which Kill or Stop ends; a Terminal belongs to
// the one goroutine that uses it.
package client

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/coder/websocket"

	"drover/backend/rpc"
	"drover/backend/stream"
	"drover/backend/terminal"
)

// Server is a running `drover serve`.
type Server struct {
	Addr string
	Key  string
	cmd  *exec.Cmd
	out  *bufio.Reader
	err  *strings.Builder
}

// Start starts binary on a data directory with an environment of its own, and
// returns when it serves.
func Start(binary, data string, env []string) (*Server, error) {
	s := &Server{cmd: exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--data", data), err: &strings.Builder{}}
	s.cmd.Env = env
	s.cmd.Stderr = s.err
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for s.Addr == "" || s.Key == "" {
		line, err := s.out.ReadString('\n')
		if err != nil {
			_ = s.cmd.Wait()
			return nil, fmt.Errorf("drover serve ended before it served: %s", s.err)
		}
		if _, addr, ok := strings.Cut(line, "http://"); ok {
			s.Addr = strings.TrimSpace(addr)
		}
		if _, key, ok := strings.Cut(line, "Access key: "); ok {
			s.Key = strings.TrimSpace(key)
		}
	}
	return s, nil
}

// PID is the process's.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Kill ends it as a crash does.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
}

// Stop ends it as a person does, and returns what it said last.
func (s *Server) Stop() (string, error) {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return "", err
	}
	rest, _ := io.ReadAll(s.out)
	return string(rest), s.cmd.Wait()
}

func (s *Server) dial(ctx context.Context, path string) (*websocket.Conn, error) {
	ws, _, err := websocket.Dial(ctx, "ws://"+s.Addr+path, &websocket.DialOptions{
		HTTPHeader:   http.Header{"Origin": {"http://" + s.Addr}},
		Subprotocols: []string{stream.Protocol, "token." + s.Key},
	})
	return ws, err
}

// API is a socket for calls.
type API struct{ calls *rpc.Client }

// API connects.
func (s *Server) API(ctx context.Context) (*API, error) {
	ws, err := s.dial(ctx, "/api")
	if err != nil {
		return nil, err
	}
	return &API{rpc.NewClient(ws, func(json.RawMessage) {})}, nil
}

// Close ends the socket.
func (a *API) Close() { a.calls.Close() }

// Call calls a method with one argument, or none if arg is nil, and fills
// result in if it is not nil.
func (a *API) Call(ctx context.Context, method string, arg, result any) error {
	if arg == nil {
		return a.calls.Call(ctx, method, result)
	}
	return a.calls.Call(ctx, method, result, arg)
}

// Terminal is one view of a block's terminal, on a socket of its own.
type Terminal struct {
	socket *stream.Client
	view   *stream.Remote
}

// Attach connects and attaches, from the oldest byte that is kept.
func (s *Server) Attach(ctx context.Context, block string) (*Terminal, error) {
	ws, err := s.dial(ctx, "/stream")
	if err != nil {
		return nil, err
	}
	socket := stream.NewClient(ws)
	size := terminal.Size{Cols: 80, Rows: 24}
	view, err := socket.Attach(ctx, block, terminal.View{From: terminal.Oldest, Size: size, Visible: true}, uint64(time.Now().UnixNano()))
	if err != nil {
		socket.Close()
		return nil, err
	}
	return &Terminal{socket, view}, nil
}

// Close detaches.
func (t *Terminal) Close() { t.socket.Close() }

// Type sends keys, and does not wait.
func (t *Terminal) Type(text string) { t.view.Input([]byte(text), func(error) {}) }

// Read returns the next bytes, and acknowledges them.
func (t *Terminal) Read(ctx context.Context) ([]byte, error) {
	for {
		c, err := t.view.Next(ctx)
		if err != nil {
			return nil, err
		}
		if c.Kind == terminal.Data {
			t.view.Ack(c.Offset + uint64(len(c.Data)))
			return c.Data, nil
		}
	}
}

// WaitFor reads until the text holds want, and returns it.
func (t *Terminal) WaitFor(ctx context.Context, want string) (string, error) {
	text := ""
	for !strings.Contains(text, want) {
		b, err := t.Read(ctx)
		if err != nil {
			return text, fmt.Errorf("waiting for %q: %w; it has %q", want, err, text[max(0, len(text)-200):])
		}
		text += string(b)
	}
	return text, nil
}

// Environment is a clean one for a server under test, with its own home.
func Environment(home string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "SHELL=/bin/bash", "LANG=C.UTF-8"}
}
