package stream_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/sirupsen/logrus"

	"drover/backend/controller"
	"drover/backend/stream"
	"drover/backend/terminal"
	"drover/backend/termlog"
)

// echoing is a session that writes its input back into its terminal's log, which
// is a program that echoes, without the program.
type echoing struct {
	log  *termlog.Log
	done chan struct{}
}

func (e *echoing) Start(context.Context, controller.Spec) (controller.Session, error) { return e, nil }

func (e *echoing) Done() <-chan struct{}           { return e.done }
func (e *echoing) Exit() controller.Exit           { return controller.Exit{Known: true} }
func (e *echoing) Terminate(context.Context) error { return e.Kill() }
func (e *echoing) Kill() error                     { close(e.done); return nil }
func (e *echoing) Input(p []byte, taken func()) error {
	e.log.Append(p)
	taken()
	return nil
}

// pipes is a network without the network: its time is the test's.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { close(p.done); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	p.conns <- there
	return here, nil
}

// From a key's frame to the frame with its echo no time passes: nothing on the way
// waits for a timer, neither there nor back.
func TestNoTimerStandsBetweenAKeyAndItsEcho(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := termlog.NewMemory(termlog.Options{})
		term := terminal.New(log, terminal.Options{})
		ctl := controller.New(controller.Options{Block: "b"})
		if err := ctl.Start(t.Context(), &echoing{log: log, done: make(chan struct{})}, controller.Spec{}); err != nil {
			t.Fatal(err)
		}
		quiet := logrus.New()
		quiet.SetOutput(io.Discard)
		s := stream.New(stream.Options{
			Guard: stream.Guard{
				Token:   "secret",
				Hosts:   func() []string { return []string{"host"} },
				Origins: func() []string { return []string{"http://host"} },
			},
			Attach: func(_ string, view terminal.View) (stream.Viewer, error) { return term.Attach(view) },
			Input: func(_ string, in stream.Input, done func(error)) {
				ctl.Post(controller.Input{Bytes: in.Bytes, Taken: in.Taken}, controller.Order{Client: in.Client, Seq: in.Seq + 1, Strict: true}, done)
			},
			Log: quiet,
		})
		l := pipes{conns: make(chan net.Conn), done: make(chan struct{})}
		server := http.Server{Handler: s}
		served := make(chan error, 1)
		go func() { served <- server.Serve(l) }()
		client := &http.Transport{DialContext: l.dial}
		ws, _, err := websocket.Dial(t.Context(), "ws://host/stream", &websocket.DialOptions{
			HTTPClient:   &http.Client{Transport: client},
			HTTPHeader:   http.Header{"Origin": {"http://host"}},
			Subprotocols: []string{stream.Protocol, "token.secret"},
		})
		if err != nil {
			t.Fatal(err)
		}
		p := &page{t, ws}
		p.attach(1, "b", 0, 7)
		p.wait(65, 1)
		synctest.Wait()
		began := time.Now()
		for i, key := range []string{"k", "e", "y"} {
			p.send(3, 1, uint64(i), key)
			f := p.wait(66, 1)
			if string(f.body[8:]) != key {
				t.Errorf("the echo of %q is %q", key, f.body[8:])
			}
			p.send(4, 1, f.number()+1)
			synctest.Wait()
		}
		// Time goes on here only when everybody waits for it.
		if d := time.Since(began); d != 0 {
			t.Errorf("three keys waited %s for a timer", d)
		}
		_ = ws.CloseNow()
		_ = s.Close()
		_ = server.Close()
		<-served
		client.CloseIdleConnections()
		_ = ctl.Close()
		_ = term.Close()
	})
}

// Views come and go, are hidden and shown, and whole pages go away: the program
// notices nothing of it, and is there for the next one.
func TestViewsComeAndGoAndTheProgramStays(t *testing.T) {
	r := newRig(t)
	// It would say so if it were hung up, stopped, or resized to what it has.
	c := r.run("b", `for s in HUP TERM INT CONT WINCH; do trap "echo got $s" $s; done; stty raw -echo; echo ready $$.; while read -r x; do echo "$$ heard $x."; done`)
	pid := c.Status().PID
	for round := range 20 {
		p := r.page()
		p.attach(1, "b", 0, uint64(round+1))
		p.waitText(1, "ready")
		p.send(6, 1, uint8(0))
		p.send(6, 1, uint8(1))
		p.attach(2, "b", 0, uint64(round+1))
		p.wait(65, 2)
		if round%2 == 0 {
			p.send(2, 1)
			p.send(2, 2)
			p.attach(3, "b", 0, uint64(round+1))
			p.wait(65, 3)
		}
		_ = p.ws.CloseNow()
	}
	p := r.page()
	p.attach(1, "b", 0, 99)
	p.send(3, 1, uint64(0), "you\n")
	text := p.waitText(1, "heard you.")
	if strings.Contains(text, "got ") {
		t.Errorf("the program was disturbed: %q", text)
	}
	if s := c.Status(); s.State != controller.Running || s.Instance != 1 || s.PID != pid {
		t.Errorf("status %+v", s)
	}
}
