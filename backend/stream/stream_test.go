package stream_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/sirupsen/logrus"
	"go.uber.org/goleak"

	"drover/backend/controller"
	"drover/backend/controller/controllertest"
	"drover/backend/driver/shell"
	"drover/backend/stream"
	"drover/backend/terminal"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = 30 * time.Second

// rig is a server over real terminals, whose blocks are run by real controllers.
type rig struct {
	t     *testing.T
	http  *httptest.Server
	set   *terminal.Set
	pacer *terminal.Pacer

	mu   sync.Mutex
	ctls map[string]*controller.Controller
}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, ctls: map[string]*controller.Controller{}, pacer: terminal.NewPacer()}
	r.set = terminal.NewSet(filepath.Join(t.TempDir(), "logs"), func(string) terminal.SetOptions {
		return terminal.SetOptions{Terminal: terminal.Options{Pacer: r.pacer}}
	})
	log := logrus.New()
	log.SetOutput(io.Discard)
	r.http = httptest.NewUnstartedServer(nil)
	host := r.http.Listener.Addr().String()
	s := stream.New(stream.Options{
		Guard: stream.Guard{
			Token:   "secret",
			Hosts:   func() []string { return []string{host} },
			Origins: func() []string { return []string{"http://" + host, "wails://wails"} },
		},
		Attach: func(block string, view terminal.View) (stream.Viewer, error) {
			if strings.HasPrefix(block, "no") {
				return nil, fmt.Errorf("there is no such block")
			}
			term, err := r.set.Open(block)
			if err != nil {
				return nil, err
			}
			return term.Attach(view)
		},
		Input: func(block string, in stream.Input, done func(error)) {
			r.mu.Lock()
			c := r.ctls[block]
			r.mu.Unlock()
			if c == nil {
				done(controller.ErrNotRunning)
				return
			}
			c.Post(controller.Input{Bytes: in.Bytes, Taken: in.Taken}, controller.Order{Client: in.Client, Seq: in.Seq + 1, Strict: true}, func(err error) {
				if err == controller.ErrGap {
					err = stream.ErrGap
				}
				done(err)
			})
		},
		Pacer: r.pacer,
		Log:   log,
	})
	r.http.Config.Handler = s
	r.http.Start()
	t.Cleanup(func() {
		_ = s.Close()
		_ = s.Close()
		r.http.Close()
		_ = r.set.Close()
	})
	return r
}

// run starts a command line in a block.
func (r *rig) run(block, line string) *controller.Controller {
	r.t.Helper()
	c, _ := controllertest.Record(r.t, block)
	d := shell.New(shell.Options{
		Run: shell.Here(r.set.Open),
		Env: func(context.Context) ([]string, error) {
			return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.t.TempDir()}, nil
		},
		Vars: func(controller.Spec) map[string]string { return nil },
	})
	if err := c.Start(context.Background(), d, controller.Spec{Kind: "shell", CommandLine: line}); err != nil {
		r.t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ctls[block] = c
	return c
}

// page is a page's end of the socket.
type page struct {
	t  *testing.T
	ws *websocket.Conn
}

func (r *rig) page() *page {
	r.t.Helper()
	ws, _, err := r.dial("secret", "http://"+r.http.Listener.Addr().String(), "")
	if err != nil {
		r.t.Fatal(err)
	}
	ws.SetReadLimit(1 << 20)
	r.t.Cleanup(func() { _ = ws.CloseNow() })
	return &page{r.t, ws}
}

func (r *rig) dial(token, origin, host string) (*websocket.Conn, *http.Response, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	o := &websocket.DialOptions{HTTPHeader: http.Header{}, Host: host, Subprotocols: []string{stream.Protocol}}
	if token != "" {
		o.Subprotocols = append(o.Subprotocols, "token."+token)
	}
	if origin != "" {
		o.HTTPHeader.Set("Origin", origin)
	}
	return websocket.Dial(ctx, "ws://"+r.http.Listener.Addr().String()+"/stream", o)
}

func (p *page) send(kind byte, channel uint32, body ...any) {
	p.t.Helper()
	b := binary.BigEndian.AppendUint32([]byte{kind}, channel)
	for _, v := range body {
		switch v := v.(type) {
		case string:
			b = append(b, v...)
		case []byte:
			b = append(b, v...)
		default:
			var err error
			if b, err = binary.Append(b, binary.BigEndian, v); err != nil {
				p.t.Fatal(err)
			}
		}
	}
	if err := p.ws.Write(context.Background(), websocket.MessageBinary, b); err != nil {
		p.t.Fatal(err)
	}
}

func (p *page) attach(channel uint32, block string, from uint64, client uint64) {
	p.t.Helper()
	p.send(1, channel, from, uint16(80), uint16(24), uint8(1), client, block)
}

type frame struct {
	kind    byte
	channel uint32
	body    []byte
}

func (f frame) number() uint64 { return binary.BigEndian.Uint64(f.body) }

func (p *page) next() (frame, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, b, err := p.ws.Read(ctx)
	if err != nil {
		return frame{}, err
	}
	return frame{b[0], binary.BigEndian.Uint32(b[1:]), b[5:]}, nil
}

// wait takes frames until one of a kind on a channel.
func (p *page) wait(kind byte, channel uint32) frame {
	p.t.Helper()
	for {
		f, err := p.next()
		if err != nil {
			p.t.Fatalf("waiting for a frame %d: %v", kind, err)
		}
		if f.kind == kind && f.channel == channel {
			return f
		}
	}
}

// waitText takes data until it holds want, acknowledging it.
func (p *page) waitText(channel uint32, want string) string {
	p.t.Helper()
	text := ""
	for !strings.Contains(text, want) {
		f := p.wait(66, channel)
		text += string(f.body[8:])
		p.send(4, channel, f.number()+uint64(len(f.body)-8))
	}
	return text
}

func TestWhoMayConnect(t *testing.T) {
	r := newRig(t)
	own := "http://" + r.http.Listener.Addr().String()
	for _, c := range []struct {
		name, token, origin, host string
		code                      int
	}{
		{"a page of ours with the token", "secret", own, "", http.StatusSwitchingProtocols},
		{"the window", "secret", "wails://wails", "", http.StatusSwitchingProtocols},
		{"no token", "", own, "", http.StatusUnauthorized},
		{"a wrong token", "secreT", own, "", http.StatusUnauthorized},
		{"a foreign page", "secret", "http://evil.example", "", http.StatusForbidden},
		{"no page", "secret", "", "", http.StatusForbidden},
		{"a page that only begins like ours", "secret", own + ".evil.example", "", http.StatusForbidden},
		{"another name for this address", "secret", own, "evil.example", http.StatusForbidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			ws, resp, err := r.dial(c.token, c.origin, c.host)
			if ws != nil {
				defer ws.CloseNow()
			}
			if resp == nil || resp.StatusCode != c.code {
				t.Fatalf("%v, %v; want %d", resp, err, c.code)
			}
			if c.code != http.StatusSwitchingProtocols {
				text, _ := io.ReadAll(resp.Body)
				if len(text) < 10 || strings.Contains(string(text), "secret") {
					t.Errorf("the answer says %q", text)
				}
			}
		})
	}
}

func TestBytesAndKeys(t *testing.T) {
	r := newRig(t)
	r.run("b", "stty raw -echo; echo ready; exec cat")
	p := r.page()
	p.attach(1, "b", 0, 7)
	if f := p.wait(65, 1); f.number() != 0 || len(f.body) != 20 {
		t.Fatalf("opened with %v", f.body)
	}
	p.waitText(1, "ready")
	for i, s := range []string{"a", "b", "c"} {
		p.send(3, 1, uint64(i), s)
	}
	p.waitText(1, "c")
	// Sent again after a lost link, by the same client: nothing is doubled.
	q := r.page()
	q.attach(5, "b", 0, 7)
	q.send(3, 5, uint64(1), "b")
	q.send(3, 5, uint64(2), "c")
	q.send(3, 5, uint64(3), "d!")
	if text := q.waitText(5, "!"); text != "ready\nabcd!" {
		t.Errorf("the terminal has %q", text)
	}
}

func TestTakenComesBack(t *testing.T) {
	r := newRig(t)
	r.run("b", "stty raw -echo; echo ready; exec cat >/dev/null")
	p := r.page()
	p.attach(1, "b", 0, 7)
	p.waitText(1, "ready")
	for seq := uint64(0); seq < 40; seq++ {
		p.send(3, 1, seq, bytes.Repeat([]byte("x"), 16<<10))
	}
	for {
		if f := p.wait(69, 1); f.number() == 39 {
			return
		}
	}
}

// A viewer that stops acknowledging is sent a window; another one, and the
// program, go on.
func TestAPageThatDoesNotAcknowledgeHoldsNobody(t *testing.T) {
	r := newRig(t)
	stalled, live := r.page(), r.page()
	const flood = 8 << 20
	c := r.run("b", fmt.Sprintf("stty -opost; head -c %d /dev/zero | tr '\\0' x; echo; echo end", flood))
	stalled.attach(1, "b", 0, 1)
	live.attach(1, "b", 0, 2)
	got := 0
	for got < flood {
		f := live.wait(66, 1)
		got += len(f.body) - 8
		live.send(4, 1, f.number()+uint64(len(f.body)-8))
	}
	got = 0
	for got < terminal.Window {
		got += len(stalled.wait(66, 1).body) - 8
	}
	if got != terminal.Window {
		t.Errorf("%d bytes were sent without an acknowledgement", got)
	}
	if err := c.Stop(t.Context(), controller.StopOptions{}); err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	r := newRig(t)
	p := r.page()
	p.attach(1, "nobody", 0, 1)
	if f := p.wait(71, 1); !strings.Contains(string(f.body), "no such block") {
		t.Errorf("an unknown block: %q", f.body)
	}
	p.send(3, 1, uint64(0), "x") // of a channel that is not there: nothing
	p.attach(2, "b", 0, 1)
	p.send(3, 2, uint64(0), "x")
	if f := p.wait(70, 2); f.number() != 0 || !strings.Contains(string(f.body[8:]), "does not run") {
		t.Errorf("input to what does not run: %q", f.body)
	}
}

func TestSocketIsClosedFor(t *testing.T) {
	for _, c := range []struct {
		name string
		send func(*page)
	}{
		{"an unknown frame", func(p *page) { p.send(99, 1) }},
		{"a short frame", func(p *page) { p.send(4, 1, uint8(1)) }},
		{"a long frame", func(p *page) { p.send(2, 1, uint8(1)) }},
		{"too much in one input", func(p *page) { p.send(3, 1, uint64(0), make([]byte, 20<<10)) }},
		{"a long name", func(p *page) { p.attach(2, strings.Repeat("x", 1000), 0, 1) }},
		{"a missing input", func(p *page) {
			p.send(3, 1, uint64(0), "a")
			p.send(3, 1, uint64(5), "b")
		}},
		{"text", func(p *page) { _ = p.ws.Write(context.Background(), websocket.MessageText, []byte("x")) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.run("b", "exec cat")
			p := r.page()
			p.attach(1, "b", 0, 1)
			p.wait(65, 1)
			c.send(p)
			for {
				if _, err := p.next(); err != nil {
					if strings.Contains(err.Error(), "deadline") {
						t.Errorf("it stays open: %v", err)
					}
					return
				}
			}
		})
	}
}

func TestSizeGoesToTheProgram(t *testing.T) {
	r := newRig(t)
	r.run("b", "trap 'stty size' WINCH; echo ready; while :; do sleep 0.02; done")
	p := r.page()
	p.attach(1, "b", 0, 1)
	p.waitText(1, "ready")
	p.send(5, 1, uint16(101), uint16(31), uint16(1010), uint16(620))
	p.waitText(1, "31 101")
}

func TestHiddenAndDetachedGetNothing(t *testing.T) {
	r := newRig(t)
	r.run("b", "stty raw -echo; echo ready; exec cat")
	p := r.page()
	p.attach(1, "b", 0, 1)
	p.attach(2, "b", 0, 1)
	p.waitText(1, "ready")
	p.send(6, 1, uint8(0)) // hidden
	p.send(2, 2)           // detached
	p.attach(3, "b", 0, 1)
	p.send(3, 3, uint64(0), "xyz")
	for text := ""; !strings.Contains(text, "xyz"); {
		f, err := p.next()
		if err != nil {
			t.Fatal(err)
		}
		if f.kind != 66 {
			continue
		}
		if f.channel != 3 && bytes.Contains(f.body, []byte("xyz")) {
			t.Errorf("channel %d was sent it", f.channel)
		}
		if f.channel == 3 {
			text += string(f.body[8:])
		}
	}
	p.send(6, 1, uint8(1))
	p.waitText(1, "xyz")
}
