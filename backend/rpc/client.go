package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/coder/websocket"
)

// ErrLost is what calls fail with whose socket has ended; whether they were done is
// not known.
var ErrLost = errors.New("the connection was lost")

// Error is what the other side answered instead of a result.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

// Client makes calls. Its methods may be called from any goroutine.
type Client struct {
	ws   *websocket.Conn
	told func(json.RawMessage)
	done chan struct{}

	mu    sync.Mutex
	id    int64
	waits map[int64]chan answer
}

type answer struct {
	result json.RawMessage
	err    error
}

// NewClient owns ws from then on. told hears what is told, in order, from one
// goroutine; it must not wait for a call of this client.
func NewClient(ws *websocket.Conn, told func(json.RawMessage)) *Client {
	ws.SetReadLimit(-1)
	c := &Client{ws: ws, told: told, done: make(chan struct{}), waits: map[int64]chan answer{}}
	go c.read()
	return c
}

// Close ends the socket, and returns when nothing more is told.
func (c *Client) Close() {
	_ = c.ws.CloseNow()
	<-c.done
}

// Call calls a method and fills result, which may be nil, with its answer. It returns
// an *Error if the method failed, ErrLost, or ctx's error; this late, by up to
// writeTimeout, if the other side does not read.
func (c *Client) Call(ctx context.Context, method string, result any, args ...any) error {
	raw := make([]json.RawMessage, len(args))
	for i, arg := range args {
		b, err := json.Marshal(arg)
		if err != nil {
			return fmt.Errorf("cannot call %s: %w", method, err)
		}
		raw[i] = b
	}
	wait := make(chan answer, 1)
	c.mu.Lock()
	c.id++
	id := c.id
	c.waits[id] = wait
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waits, id)
		c.mu.Unlock()
	}()
	// Not with ctx: a write that is given up takes the whole socket with it.
	if err := write(context.Background(), c.ws, request{ID: id, Method: method, Args: raw}); err != nil {
		return c.lost(ctx)
	}
	select {
	case a := <-wait:
		return a.fill(result)
	case <-c.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case a := <-wait: // it came before the end
		return a.fill(result)
	default:
		return c.lost(ctx)
	}
}

// fill reads the answer into result, which may be nil.
func (a answer) fill(result any) error {
	if a.err != nil || result == nil {
		return a.err
	}
	return json.Unmarshal(a.result, result)
}

func (c *Client) lost(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return ErrLost
}

func (c *Client) read() {
	defer close(c.done)
	defer func() { _ = c.ws.CloseNow() }()
	for {
		_, b, err := c.ws.Read(context.Background())
		if err != nil {
			return
		}
		var m struct {
			ID     int64           `json:"id"`
			Result json.RawMessage `json:"result"`
			Error  string          `json:"error"`
		}
		if json.Unmarshal(b, &m) != nil {
			return
		}
		if m.ID == 0 {
			c.told(b)
			continue
		}
		a := answer{result: m.Result}
		if m.Error != "" {
			a.err = &Error{m.Error}
		}
		c.mu.Lock()
		wait := c.waits[m.ID]
		delete(c.waits, m.ID) // it is answered once
		c.mu.Unlock()
		if wait != nil {
			wait <- a
		}
	}
}
