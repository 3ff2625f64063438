// Package stream is the data plane: terminal bytes, sizes and keystrokes between
// the backend and its viewers, over one binary WebSocket for each page.
//
// Promises: a viewer gets its terminal's bytes in order; no viewer holds a
// terminal or another viewer; input keeps its order, and a page that connects
// again may send what was not taken again without doubling it; who does not
// know the token, or is not a page of ours, gets nothing.
package stream

import (
	"context"
	"encoding/binary"
	"errors"
	"net/http"
	"sync"

	"github.com/coder/websocket"
	"github.com/sirupsen/logrus"

	"drover/backend/terminal"
)

// ErrGap is what Options.Input answers to an input with a missing one before
// it, which a WebSocket cannot lose: the socket is closed.
var ErrGap = errors.New("an input is missing")

// Input is what a page typed.
type Input struct {
	Client, Seq uint64 // its order: Seq counts from 0 for each client and block
	Bytes       []byte
	Taken       func() // called once the program's side has taken it
}

// Viewer is one view of a terminal, wherever that runs; terminal.Viewer says what
// the methods mean.
type Viewer interface {
	Next(ctx context.Context) (terminal.Chunk, error)
	Ack(off uint64)
	Redraw()
	Resize(s terminal.Size) error
	Typed()
	SetVisible(visible bool)
	Close()
	// Opened is where it begins, and the terminal's size then.
	Opened() terminal.Opened
}

// Options are what a Server is handed.
type Options struct {
	Guard  Guard
	Attach func(block string, view terminal.View) (Viewer, error)
	// Input delivers to a block and calls done once, from any goroutine. It does
	// not block.
	Input func(block string, in Input, done func(error))
	Pacer *terminal.Pacer
	Log   logrus.FieldLogger
}

// Server serves pages. Close ends their sockets and returns when all is over.
type Server struct {
	o      Options
	ctx    context.Context
	cancel context.CancelFunc

	mu     sync.Mutex
	closed bool
	wg     sync.WaitGroup
}

// New makes a server.
func New(o Options) *Server {
	ctx, cancel := context.WithCancel(context.Background())
	return &Server{o: o, ctx: ctx, cancel: cancel}
}

// ServeHTTP serves one page until it goes or the server is closed.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		http.Error(w, "Drover is closing.", http.StatusServiceUnavailable)
		return
	}
	defer s.wg.Done()
	ws, ok := s.o.Guard.Accept(w, r)
	if !ok {
		return
	}
	ws.SetReadLimit(maxFrame)
	ctx, cancel := context.WithCancel(s.ctx)
	c := &conn{s: s, ws: ws, ctx: ctx, cancel: cancel, channels: map[uint32]*channel{}, out: newOutbox(frameTaken)}
	c.serve()
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

// Close ends every socket. It may be called twice.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel()
	s.wg.Wait()
	return nil
}

// conn is one page's socket. Its read loop owns channels; each channel has a
// goroutine that sends its bytes, and one more sends the small frames.
type conn struct {
	s        *Server
	ws       *websocket.Conn
	ctx      context.Context
	cancel   context.CancelFunc
	channels map[uint32]*channel
	out      *outbox // the small frames
	wg       sync.WaitGroup

	mu    sync.Mutex
	cause error // why the socket has to be closed
}

// channel is one attached view.
type channel struct {
	id     uint32
	block  string
	client uint64
	viewer Viewer
}

func (c *conn) serve() {
	c.wg.Go(c.sendSmall)
	err := c.read()
	c.cancel()
	for _, ch := range c.channels {
		ch.viewer.Close()
	}
	c.s.o.Pacer.SetLate(c, false)
	c.wg.Wait()
	switch {
	case errors.Is(err, errFrame), errors.Is(err, ErrGap):
		c.s.o.Log.WithError(err).Warn("a page's data socket was closed")
		_ = c.ws.Close(websocket.StatusPolicyViolation, err.Error())
	case c.s.ctx.Err() != nil:
		_ = c.ws.Close(websocket.StatusGoingAway, "Drover is closing")
	default:
		_ = c.ws.CloseNow()
	}
}

// fail notes why the socket has to be closed; the first reason stays.
func (c *conn) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause == nil {
		c.cause = err
	}
}

func (c *conn) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause
}

func (c *conn) read() error {
	for {
		kind, b, err := c.ws.Read(c.ctx)
		if cause := c.failure(); cause != nil {
			return cause
		}
		if err != nil {
			return err
		}
		if kind != websocket.MessageBinary {
			return errFrame
		}
		f, err := parse(b)
		if err != nil {
			return err
		}
		c.handle(f)
	}
}

func (c *conn) handle(f frame) {
	if f.kind == frameLoad {
		c.s.o.Pacer.SetLate(c, f.flag)
		return
	}
	if f.kind == frameAttach {
		c.detach(f.channel)
		c.attach(f)
		return
	}
	ch := c.channels[f.channel]
	if ch == nil {
		return // detached meanwhile
	}
	switch f.kind {
	case frameDetach:
		c.detach(f.channel)
	case frameInput:
		c.input(ch, f)
	case frameAck:
		ch.viewer.Ack(f.number)
	case frameResize:
		// A terminal that is ending has no size any more.
		_ = ch.viewer.Resize(terminal.Size{Cols: int(f.cols), Rows: int(f.rows), XPixels: int(f.xpixel), YPixels: int(f.ypixel)})
	case frameVisible:
		ch.viewer.SetVisible(f.flag)
	case frameRedraw:
		ch.viewer.Redraw()
	}
}

func (c *conn) attach(f frame) {
	var size terminal.Size
	if f.cols > 0 && f.rows > 0 {
		size = terminal.Size{Cols: int(f.cols), Rows: int(f.rows)}
	}
	v, err := c.s.o.Attach(f.block, terminal.View{
		From: f.number, Size: size, Visible: f.flags&attachVisible != 0, Screens: f.flags&attachScreens != 0,
	})
	if err != nil {
		c.out.add(append(head(nil, frameError, f.channel), err.Error()...))
		return
	}
	ch := &channel{id: f.channel, block: f.block, client: f.client, viewer: v}
	c.channels[ch.id] = ch
	// Sent before the goroutine below sends the first byte.
	o := v.Opened()
	be := binary.BigEndian
	b := head(nil, frameOpened, ch.id)
	b = be.AppendUint64(be.AppendUint64(b, o.First), o.Next)
	b = be.AppendUint16(be.AppendUint16(b, uint16(o.Size.Cols)), uint16(o.Size.Rows))
	if c.ws.Write(c.ctx, websocket.MessageBinary, b) != nil {
		return // the read loop meets the same error
	}
	c.wg.Go(func() { c.pump(ch) })
}

func (c *conn) detach(id uint32) {
	if ch := c.channels[id]; ch != nil {
		ch.viewer.Close()
		delete(c.channels, id)
	}
}

func (c *conn) input(ch *channel, f frame) {
	if len(f.bytes) > 0 {
		ch.viewer.Typed()
	}
	seq := f.number
	c.s.o.Input(ch.block, Input{
		Client: ch.client, Seq: seq, Bytes: f.bytes,
		Taken: func() { c.out.rise(ch.id, seq) },
	}, func(err error) {
		switch {
		case err == nil:
		case errors.Is(err, ErrGap):
			c.fail(err)
			c.cancel()
		default:
			b := binary.BigEndian.AppendUint64(head(nil, frameRefused, ch.id), seq)
			c.out.add(append(b, err.Error()...))
		}
	})
}

// pump sends a channel's chunks until its viewer or the socket is closed. It
// waits for the socket; what it does not fetch meanwhile stays in the log.
func (c *conn) pump(ch *channel) {
	buf := make([]byte, 0, headSize+8+terminal.ChunkSize)
	be := binary.BigEndian
	for {
		chunk, err := ch.viewer.Next(c.ctx)
		if err != nil {
			return
		}
		switch chunk.Kind {
		case terminal.Data:
			buf = append(be.AppendUint64(head(buf, frameData, ch.id), chunk.Offset), chunk.Data...)
		case terminal.Resized:
			buf = be.AppendUint64(head(buf, frameSize, ch.id), chunk.Offset)
			buf = be.AppendUint16(be.AppendUint16(buf, uint16(chunk.Size.Cols)), uint16(chunk.Size.Rows))
			buf = append(buf, flag(chunk.Owner))
		case terminal.Lost:
			buf = be.AppendUint64(be.AppendUint64(head(buf, frameLost, ch.id), chunk.Offset), chunk.To)
			buf = append(buf, flag(chunk.Unsure))
		case terminal.Screen:
			buf = be.AppendUint64(head(buf, frameScreen, ch.id), chunk.Offset)
			buf = be.AppendUint16(be.AppendUint16(buf, uint16(chunk.Size.Cols)), uint16(chunk.Size.Rows))
			buf = append(append(buf, flag(chunk.Owner), flag(chunk.Whole)), chunk.Data...)
		}
		if c.ws.Write(c.ctx, websocket.MessageBinary, buf) != nil {
			return // the read loop meets the same error
		}
		if cap(buf) > 4*terminal.ChunkSize {
			buf = nil // a screen with its scrollback
		}
	}
}

// sendSmall sends the small frames until the socket ends.
func (c *conn) sendSmall() {
	for {
		frames, ok := c.out.take(c.ctx)
		if !ok {
			return
		}
		for _, b := range frames {
			if c.ws.Write(c.ctx, websocket.MessageBinary, b) != nil {
				return
			}
		}
	}
}
