package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"drover/backend/activity"
	"drover/backend/api"
	"drover/backend/controller"
	"drover/backend/event"
	"drover/backend/supervisor"
	"drover/backend/workspace"
)

// The window keeps what a big event was made of for as long as it lives, so events
// are small, whatever they are about: of an app with 1,000 blocks, too. Terminals'
// bytes go over the data plane, and what is large is pulled.
func TestEventsAreSmall(t *testing.T) {
	defer goleak.VerifyNone(t)
	const bound = 32 << 10
	var events api.Events
	got := events.Topic.Subscribe()
	var statuses event.Topic[controller.Status]
	var models event.Topic[uint64]
	var closings event.Topic[supervisor.Closing]
	events.Statuses(statuses.Subscribe())
	events.Models(models.Subscribe())
	events.Closings(closings.Subscribe())

	id := strings.Repeat("x", 26)
	path := "/" + strings.Repeat("d/", 2000)
	full := controller.Status{
		Block: id, Kind: "shell", Message: "cannot start " + path, Process: path,
		Started: time.Now(), Ended: time.Now(), Since: time.Now(),
		Exit: controller.Exit{Known: true, Error: "cannot start " + path, Note: path},
	}
	for i := range 11 { // as many as an end names
		full.Exit.HungUp = append(full.Exit.HungUp, fmt.Sprintf("%s (%d)", id, i))
		full.Exit.LeftRunning = append(full.Exit.LeftRunning, controller.Proc{PID: i, Started: time.Now(), Name: id})
	}
	all := supervisor.Closing{ID: id, State: supervisor.Closed, Result: "stopped 1000, forced 0, survived 0"}
	for range 1000 {
		all.Blocks = append(all.Blocks, id)
	}
	statuses.Deliver(full)
	models.Deliver(1 << 60)
	closings.Deliver(all)
	events.Pull("activity")
	events.Notice(api.Notice{ID: id, Title: id, Text: path, Fix: path})
	asked := api.ClosePreview{Ask: true}
	for range api.MaxItems + 1 {
		asked.Items = append(asked.Items, api.ItemOf(workspace.Block{ID: id, Name: id, Dir: path}, activity.Process{PID: 1 << 22, Command: strings.Repeat("<&漢", 1000)}, ""))
	}
	events.Quit(asked)
	statuses.Close()
	models.Close()
	closings.Close()
	events.Close()

	seen := map[string]bool{}
	for {
		e, err := got.Next(t.Context())
		if errors.Is(err, event.ErrClosed) {
			break
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if len(text) > bound {
			t.Errorf("an event %q has %d bytes", e.Name, len(text))
		}
		seen[e.Name] = true
	}
	for _, name := range []string{"status", "workspaces", "closing", "activity", "notice", "quit"} {
		if !seen[name] {
			t.Errorf("no event %q came", name)
		}
	}
}

// host is what the page has around it: it keeps what is put into the clipboard and
// what is opened.
type host struct {
	text   string
	opened []string
}

func (h *host) OpenURL(u *url.URL) error        { h.opened = append(h.opened, u.String()); return nil }
func (*host) Quit()                             {}
func (h *host) ClipboardText() (string, error)  { return h.text, nil }
func (h *host) SetClipboardText(s string) error { h.text = s; return nil }

// The page of the window copies and pastes through the system's own clipboard: the
// web view's is dead on Linux.
func TestTheClipboardIsTheSystems(t *testing.T) {
	c := &host{text: "from another program"}
	app := api.New(&api.Deps{Host: c}).App
	if text, err := app.ClipboardText(); err != nil || text != "from another program" {
		t.Errorf("pasted %q, %v", text, err)
	}
	if err := app.SetClipboardText("for another program"); err != nil || c.text != "for another program" {
		t.Errorf("copied %q, %v", c.text, err)
	}
}

// A program can put any address under any text: what would run, or would ask
// another machine for a file, is opened by nobody.
func TestOnlyHarmlessLinksAreOpened(t *testing.T) {
	own, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for link, opens := range map[string]bool{
		"https://example.invalid/a?b#c":    true,
		"HTTP://example.invalid/":          true,
		"mailto:ada@example.invalid":       true,
		"file:///etc/hosts":                true,
		"file://localhost/etc/hosts":       true,
		"file://" + own + "/etc/hosts":     true,
		"file://elsewhere.invalid/share":   false,
		"file://localhost:445/share":       false,
		"file://" + own + ".invalid/share": false,
		"javascript:alert(1)":              false,
		"data:text/html,<script></script>": false,
		"vscode://file/etc/hosts":          false,
		"ms-settings:":                     false,
		" https://example.invalid/":        false,
		"https://example.invalid/\x00":     false,
		"//elsewhere.invalid/share":        false,
		"\\\\elsewhere.invalid\\share":     false,
		"":                                 false,
	} {
		h := &host{}
		err := api.New(&api.Deps{Host: h}).App.OpenLink(link)
		if opens != (err == nil) || opens != (len(h.opened) == 1) {
			t.Errorf("%q: opened %q, %v", link, h.opened, err)
		}
	}
}
