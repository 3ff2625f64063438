package rpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/sirupsen/logrus"
	"go.uber.org/goleak"

	"drover/backend/rpc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = 30 * time.Second

type Area struct{ waits, release chan struct{} }

func newArea() *Area { return &Area{make(chan struct{}, 2), make(chan struct{})} }

func (*Area) Add(a, b int) (int, error) { return a + b, nil }
func (*Area) Fail() (string, error)     { return "", errors.New("cannot do that: try this") }
func (*Area) Break()                    { panic("a bug") }
func (a *Area) Wait() string {
	a.waits <- struct{}{}
	<-a.release
	return "waited"
}

// connect makes a client of a server that tells what comes on news.
func connect(t *testing.T, area *Area, news chan string, told func(json.RawMessage)) *rpc.Client {
	t.Helper()
	log := logrus.New()
	log.SetOutput(io.Discard)
	s := rpc.NewServer([]any{area}, log)
	var serving sync.WaitGroup
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		serving.Add(1)
		defer serving.Done()
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = ws.CloseNow() }()
		s.Serve(context.Background(), ws, func(ctx context.Context) (any, error) {
			select {
			case text, ok := <-news:
				if !ok {
					return nil, io.EOF
				}
				return map[string]string{"event": text}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		})
	}))
	ws, _, err := websocket.Dial(t.Context(), strings.Replace(server.URL, "http", "ws", 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := rpc.NewClient(ws, told)
	t.Cleanup(func() {
		c.Close()
		server.Close()
		serving.Wait()
	})
	return c
}

func TestCallsAndTheirErrors(t *testing.T) {
	area := newArea()
	c := connect(t, area, nil, nil)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	waited := make(chan error, 1)
	var text string
	go func() { waited <- c.Call(ctx, "Area.Wait", &text) }()
	var sum int
	if err := c.Call(ctx, "Area.Add", &sum, 2, 3); err != nil || sum != 5 {
		t.Errorf("beside a call that waits: %d, %v", sum, err)
	}
	for method, want := range map[string]string{
		"Area.Fail":  "cannot do that: try this",
		"Area.Break": "a fault in Drover (a bug)",
		"Area.No":    "this version of Drover does not have it",
		"Area.Add":   "it takes 2 arguments, not 0",
	} {
		err := c.Call(ctx, method, nil)
		if failed := (*rpc.Error)(nil); !errors.As(err, &failed) || !strings.Contains(failed.Text, want) {
			t.Errorf("%s: %v", method, err)
		}
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if err := c.Call(gone, "Area.Wait", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was given up: %v", err)
	}
	close(area.release)
	if err := <-waited; err != nil || text != "waited" {
		t.Errorf("the one that waited: %q, %v", text, err)
	}
}

func TestWhatIsToldComesInOrder(t *testing.T) {
	const many = 1000
	news, all := make(chan string), make(chan []string, 1)
	var got []string
	connect(t, newArea(), news, func(b json.RawMessage) {
		var m struct{ Event string }
		if err := json.Unmarshal(b, &m); err != nil {
			t.Error(err)
		}
		if got = append(got, m.Event); len(got) == many {
			all <- got
		}
	})
	var want []string
	for i := range many {
		want = append(want, fmt.Sprint(i))
		news <- want[i]
	}
	select {
	case got := <-all:
		if !slices.Equal(got, want) {
			t.Error("not in order")
		}
	case <-time.After(patience):
		t.Error("not all of it came")
	}
}

// A call whose answer cannot come any more fails at once.
func TestCallsOfALostSocket(t *testing.T) {
	area, news := newArea(), make(chan string)
	c := connect(t, area, news, nil)
	waited := make(chan error, 1)
	go func() { waited <- c.Call(t.Context(), "Area.Wait", nil) }()
	<-area.waits
	close(news) // the server gives up
	select {
	case err := <-waited:
		if !errors.Is(err, rpc.ErrLost) {
			t.Errorf("the call that waited: %v", err)
		}
	case <-time.After(patience):
		t.Fatal("it waits for ever")
	}
	close(area.release)
	c.Close()
	if err := c.Call(t.Context(), "Area.Add", nil, 1, 1); !errors.Is(err, rpc.ErrLost) {
		t.Errorf("a call afterwards: %v", err)
	}
}
