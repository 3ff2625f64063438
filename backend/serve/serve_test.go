package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/coder/websocket"
	"github.com/sirupsen/logrus"
	"go.uber.org/goleak"

	"drover/backend/api"
	"drover/backend/serve"
	"drover/backend/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Area is a bound struct like those of api.
type Area struct{ release chan struct{} }

type Question struct {
	Text  string `json:"text"`
	Times int    `json:"times"`
}

func (*Area) Repeat(q Question) string { return strings.Repeat(q.Text, q.Times) }
func (*Area) Fail(string) (Question, error) {
	return Question{}, errors.New("cannot do that: try this")
}
func (*Area) Nothing()                  {}
func (*Area) Break()                    { panic("a bug") }
func (a *Area) Wait() string            { <-a.release; return "waited" }
func (*Area) Two(a, b int) (int, error) { return a + b, nil }

type rig struct {
	t      *testing.T
	addr   string
	events *api.Events
	area   *Area
	server *serve.Server
}

func newRig(t *testing.T) *rig {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	log := logrus.New()
	log.SetOutput(io.Discard)
	r := &rig{t: t, addr: addr, events: &api.Events{}, area: &Area{release: make(chan struct{})}}
	r.server = serve.New(serve.Options{
		Bound:  []any{r.area},
		Events: r.events,
		Watch:  func() func() { return func() {} },
		Stream: http.NotFoundHandler(),
		Guard: stream.Guard{
			Token:   "secret",
			Hosts:   func() []string { return []string{addr} },
			Origins: func() []string { return []string{"http://" + addr} },
		},
		Page: fstest.MapFS{"index.html": {Data: []byte("<!doctype html>page")}},
		Log:  log,
	})
	done := make(chan error, 1)
	go func() { done <- r.server.Serve(l) }()
	t.Cleanup(func() {
		_ = r.server.Close()
		_ = r.server.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	return r
}

func (r *rig) dial(token string) (*websocket.Conn, *http.Response, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return websocket.Dial(ctx, "ws://"+r.addr+"/api", &websocket.DialOptions{
		HTTPHeader:   http.Header{"Origin": {"http://" + r.addr}},
		Subprotocols: []string{stream.Protocol, "token." + token},
	})
}

type message struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  string          `json:"error"`
	Event  string          `json:"event"`
	Data   json.RawMessage `json:"data"`
}

func (r *rig) connect() *websocket.Conn {
	r.t.Helper()
	ws, _, err := r.dial("secret")
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = ws.CloseNow() })
	return ws
}

func (r *rig) send(ws *websocket.Conn, text string) {
	r.t.Helper()
	if err := ws.Write(context.Background(), websocket.MessageText, []byte(text)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) next(ws *websocket.Conn) message {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	_, b, err := ws.Read(ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	var m message
	if err := json.Unmarshal(b, &m); err != nil {
		r.t.Fatal(err)
	}
	return m
}

func TestCalls(t *testing.T) {
	r := newRig(t)
	ws := r.connect()
	for _, c := range []struct{ call, result, err string }{
		{`"Area.Repeat","args":[{"text":"ab","times":2}]`, `"abab"`, ""},
		{`"Area.Two","args":[1,2]`, `3`, ""},
		{`"Area.Nothing","args":[]`, `null`, ""},
		{`"Area.Nothing"`, `null`, ""},
		{`"Area.Fail","args":["x"]`, ``, "cannot do that: try this"},
		{`"Area.Unknown","args":[]`, ``, "cannot call Area.Unknown: this version of Drover does not have it"},
		{`"Area.Two","args":[1]`, ``, "cannot call Area.Two: it takes 2 arguments, not 1"},
		{`"Area.Two","args":[1,"x"]`, ``, "cannot call Area.Two: argument 2: cannot unmarshal string into Go value of type int"},
		{`"Area.Break","args":[]`, ``, "cannot finish Area.Break: a fault in Drover (a bug); the log has more"},
	} {
		r.send(ws, `{"id":7,"method":`+c.call+`}`)
		m := r.next(ws)
		if m.ID != 7 || m.Error != c.err || c.err == "" && string(m.Result) != c.result {
			t.Errorf("%s: %s %q", c.call, m.Result, m.Error)
		}
	}
}

// A call that takes long holds neither the others nor the events.
func TestCallsDoNotWaitForEachOther(t *testing.T) {
	r := newRig(t)
	ws := r.connect()
	r.send(ws, `{"id":1,"method":"Area.Wait","args":[]}`)
	r.send(ws, `{"id":2,"method":"Area.Two","args":[1,2]}`)
	if m := r.next(ws); m.ID != 2 {
		t.Errorf("first came %+v", m)
	}
	r.events.Pull("activity")
	if m := r.next(ws); m.Event != "activity" || string(m.Data) != `{"seq":1}` {
		t.Errorf("then came %+v", m)
	}
	close(r.area.release)
	if m := r.next(ws); m.ID != 1 || string(m.Result) != `"waited"` {
		t.Errorf("last came %+v", m)
	}
}

func TestEveryPageHearsEveryEvent(t *testing.T) {
	r := newRig(t)
	a, b := r.connect(), r.connect()
	// An answer shows that the page is subscribed.
	for _, ws := range []*websocket.Conn{a, b} {
		r.send(ws, `{"id":1,"method":"Area.Nothing","args":[]}`)
		r.next(ws)
	}
	for range 300 {
		r.events.Notice(api.Notice{})
	}
	for _, ws := range []*websocket.Conn{a, b} {
		for want := 1; want <= 300; want++ {
			var data struct{ Seq int }
			if m := r.next(ws); json.Unmarshal(m.Data, &data) != nil || data.Seq != want {
				t.Fatalf("event %d is %+v", want, m)
			}
		}
	}
}

func TestWhatIsNoCallEndsTheSocket(t *testing.T) {
	r := newRig(t)
	ws := r.connect()
	r.send(ws, `no json`)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, _, err := ws.Read(ctx); websocket.CloseStatus(err) != websocket.StatusUnsupportedData {
		t.Error(err)
	}
}

func TestTheApiWantsTheKeyAndThePageDoesNot(t *testing.T) {
	r := newRig(t)
	_, resp, err := r.dial("wrong")
	if err == nil || resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("a wrong key: %v", err)
	}
	page, err := http.Get("http://" + r.addr + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	body, _ := io.ReadAll(page.Body)
	csp := page.Header.Get("Content-Security-Policy")
	if !strings.Contains(string(body), "page") || strings.Contains(csp, "script-src 'self' 'unsafe") || !strings.Contains(csp, "script-src 'self'") {
		t.Errorf("%s with %q", body, csp)
	}
}

// Closing ends the sockets, and nothing connects afterwards.
func TestClose(t *testing.T) {
	r := newRig(t)
	ws := r.connect()
	if err := r.server.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, _, err := ws.Read(ctx); err == nil || ctx.Err() != nil {
		t.Errorf("the socket is still open: %v", err)
	}
	if _, _, err := r.dial("secret"); err == nil {
		t.Error("it still listens")
	}
}
