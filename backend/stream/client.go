package stream

import (
	"context"
	"encoding/binary"
	"errors"
	"sync"
	"time"

	"github.com/coder/websocket"

	"drover/backend/terminal"
)

// ErrLost is what the views of a Client end with whose socket has ended.
var ErrLost = errors.New("the connection was lost")

// writeTimeout is how long the other side may leave the socket full.
const writeTimeout = 30 * time.Second

// Client is the other end of a Server for a program: it views terminals and types in
// them over one socket. Nothing of it waits for the socket but Attach and Next.
type Client struct {
	ws     *websocket.Conn
	out    *outbox
	ctx    context.Context
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu       sync.Mutex
	channels map[uint32]*Remote
	last     uint32
	lost     bool
}

// NewClient owns ws from then on.
func NewClient(ws *websocket.Conn) *Client {
	ws.SetReadLimit(-1) // a screen with its scrollback is as large as that
	ctx, cancel := context.WithCancel(context.Background())
	c := &Client{ws: ws, out: newOutbox(frameAck), ctx: ctx, cancel: cancel, channels: map[uint32]*Remote{}}
	c.wg.Go(c.read)
	c.wg.Go(c.write)
	return c
}

// Close ends the socket and returns when all is over. It may be called twice.
func (c *Client) Close() {
	c.cancel()
	_ = c.ws.CloseNow()
	c.wg.Wait()
}

// Attach views a block's terminal, and types in it as client, whose inputs count from
// 0: no two views of a block may have the same number. It waits for the other side.
func (c *Client) Attach(ctx context.Context, block string, view terminal.View, client uint64) (*Remote, error) {
	r := &Remote{c: c, opened: make(chan error, 1), wake: make(chan struct{}, 1)}
	c.mu.Lock()
	if c.lost {
		c.mu.Unlock()
		return nil, ErrLost
	}
	c.last++
	r.id = c.last
	c.channels[r.id] = r
	c.mu.Unlock()
	be := binary.BigEndian
	b := be.AppendUint64(head(nil, frameAttach, r.id), view.From)
	b = be.AppendUint16(be.AppendUint16(b, uint16(view.Size.Cols)), uint16(view.Size.Rows))
	b = be.AppendUint64(append(b, viewFlags(view)), client)
	c.out.add(append(b, block...))
	var err error
	select {
	case err = <-r.opened:
	case <-c.ctx.Done():
		err = ErrLost
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func viewFlags(v terminal.View) byte {
	var flags byte
	if v.Visible {
		flags |= attachVisible
	}
	if v.Screens {
		flags |= attachScreens
	}
	return flags
}

// write sends what waits, until the socket ends.
func (c *Client) write() {
	defer c.cancel()
	for {
		frames, ok := c.out.take(c.ctx)
		if !ok {
			return
		}
		for _, b := range frames {
			ctx, cancel := context.WithTimeout(c.ctx, writeTimeout)
			err := c.ws.Write(ctx, websocket.MessageBinary, b)
			cancel()
			if err != nil {
				return
			}
		}
	}
}

func (c *Client) read() {
	defer c.ended()
	for {
		kind, b, err := c.ws.Read(c.ctx)
		if err != nil || kind != websocket.MessageBinary || len(b) < headSize {
			return
		}
		c.mu.Lock()
		r := c.channels[binary.BigEndian.Uint32(b[1:])]
		c.mu.Unlock()
		if r != nil && !r.receive(b[0], b[headSize:]) {
			return
		}
	}
}

// ended tells every view that the socket is gone.
func (c *Client) ended() {
	c.cancel()
	_ = c.ws.CloseNow() // or the other side would keep its views
	c.mu.Lock()
	c.lost = true
	all := c.channels
	c.channels = map[uint32]*Remote{}
	c.mu.Unlock()
	for _, r := range all {
		r.end(ErrLost)
	}
}
