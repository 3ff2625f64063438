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
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/coder/websocket"
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
		Subprotocols: []string{"drover.1", "token." + s.Key},
	})
	if err == nil {
		ws.SetReadLimit(-1)
	}
	return ws, err
}

// API is a socket for calls, one after another.
type API struct {
	ws *websocket.Conn
	mu sync.Mutex
	id int
}

// API connects.
func (s *Server) API(ctx context.Context) (*API, error) {
	ws, err := s.dial(ctx, "/api")
	return &API{ws: ws}, err
}

// Close ends the socket.
func (a *API) Close() { _ = a.ws.CloseNow() }

// Call calls a method with one argument, or none if arg is nil, and fills
// result in if it is not nil.
func (a *API) Call(ctx context.Context, method string, arg, result any) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.id++
	args := []any{}
	if arg != nil {
		args = append(args, arg)
	}
	b, err := json.Marshal(map[string]any{"id": a.id, "method": method, "args": args})
	if err != nil {
		return err
	}
	if err := a.ws.Write(ctx, websocket.MessageText, b); err != nil {
		return err
	}
	for {
		_, b, err := a.ws.Read(ctx)
		if err != nil {
			return err
		}
		var m struct {
			ID     int             `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  string          `json:"error"`
		}
		if err := json.Unmarshal(b, &m); err != nil {
			return err
		}
		switch {
		case m.ID != a.id: // an event
		case m.Error != "":
			return errors.New(m.Error)
		case result == nil:
			return nil
		default:
			return json.Unmarshal(m.Result, result)
		}
	}
}

// Terminal is one view of a block's terminal.
type Terminal struct {
	ws     *websocket.Conn
	client uint64
	seq    uint64
}

// The frames that a Terminal uses; package stream has all of them.
const (
	frameAttach = 1
	frameInput  = 3
	frameAck    = 4
	frameData   = 66
)

const channel = 1

// Attach connects and attaches, from the oldest byte that is kept.
func (s *Server) Attach(ctx context.Context, block string) (*Terminal, error) {
	ws, err := s.dial(ctx, "/stream")
	if err != nil {
		return nil, err
	}
	t := &Terminal{ws: ws, client: uint64(time.Now().UnixNano())}
	b := t.head(frameAttach)
	b = binary.BigEndian.AppendUint64(b, 1<<64-1)
	b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, 80), 24)
	b = binary.BigEndian.AppendUint64(append(b, 1), t.client)
	return t, ws.Write(ctx, websocket.MessageBinary, append(b, block...))
}

// Close detaches.
func (t *Terminal) Close() { _ = t.ws.CloseNow() }

func (t *Terminal) head(kind byte) []byte {
	return binary.BigEndian.AppendUint32([]byte{kind}, channel)
}

// Type sends keys.
func (t *Terminal) Type(ctx context.Context, text string) error {
	b := append(binary.BigEndian.AppendUint64(t.head(frameInput), t.seq), text...)
	t.seq++
	return t.ws.Write(ctx, websocket.MessageBinary, b)
}

// Read returns the next bytes, and acknowledges them.
func (t *Terminal) Read(ctx context.Context) ([]byte, error) {
	for {
		_, b, err := t.ws.Read(ctx)
		if err != nil {
			return nil, err
		}
		if b[0] != frameData {
			continue
		}
		data := b[13:]
		end := binary.BigEndian.Uint64(b[5:]) + uint64(len(data))
		return data, t.ws.Write(ctx, websocket.MessageBinary, binary.BigEndian.AppendUint64(t.head(frameAck), end))
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
