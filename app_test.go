package main

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	_ "modernc.org/sqlite"

	"drover/backend/api"
	"drover/backend/controller"
	"drover/backend/store"
	"drover/backend/workspace"
)

// The log file's rotation has a goroutine that lives as long as the process.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("gopkg.in/natefinch/lumberjack%2ev2.(*Logger).millRun"))
}

const patience = 30 * time.Second

// rig is a whole app without its window, on a data directory of its own.
type rig struct {
	t    *testing.T
	app  *app
	deps *api.Deps
	api  api.Areas
}

// quietHost stands for the window.
type quietHost struct{}

func (quietHost) OpenURL(*url.URL) error         { return nil }
func (quietHost) ClipboardText() (string, error) { return "", nil }
func (quietHost) SetClipboardText(string) error  { return nil }
func (quietHost) Quit()                          {}

func testOptions(data string, deps *api.Deps) options {
	home := filepath.Dir(data)
	return options{
		data: data, listen: "127.0.0.1:0", browser: true, host: quietHost{}, deps: deps,
		environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "SHELL=/bin/sh", "ENV=", "PS1=$ "},
	}
}

func tryOpen(t *testing.T, data string) (*rig, error) {
	t.Helper()
	r := &rig{t: t, deps: &api.Deps{}}
	r.deps.Hello = func() (api.Hello, error) { return r.app.hello(), nil }
	r.api = api.New(r.deps)
	var err error
	if r.app, err = open(testOptions(data, r.deps)); err != nil {
		return nil, err
	}
	t.Cleanup(func() { r.app.close() })
	return r, nil
}

func openApp(t *testing.T, data string) *rig {
	t.Helper()
	r, err := tryOpen(t, data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func dataIn(t *testing.T) string { return filepath.Join(t.TempDir(), "data") }

// wait polls until ok; what a test waits for comes by itself.
func (r *rig) wait(what string, ok func() bool) {
	r.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(patience)
	for !ok() {
		select {
		case <-tick.C:
		case <-timeout:
			r.t.Fatalf("waited in vain for %s; statuses %+v", what, r.api.Controllers.List())
		}
	}
}

func (r *rig) status(block string) controller.Status {
	for _, s := range r.api.Controllers.List() {
		if s.Block == block {
			return s
		}
	}
	return controller.Status{}
}

func (r *rig) waitState(block string, state controller.State) controller.Status {
	r.t.Helper()
	r.wait(fmt.Sprintf("%s to be %s", block, state), func() bool { return r.status(block).State == state })
	return r.status(block)
}

func (r *rig) terminal(req api.OpenTerminal) workspace.Block {
	r.t.Helper()
	b, err := r.api.Workspaces.OpenTerminal(req)
	if err != nil {
		r.t.Fatal(err)
	}
	return b
}

func (r *rig) output(block string) string {
	t, err := r.app.viewed(block)
	if err != nil {
		r.t.Fatal(err)
	}
	text, _ := t.Text(0, 1<<20)
	return string(text)
}

func TestTwoAppsOnOneDataDirectory(t *testing.T) {
	data := dataIn(t)
	r := openApp(t, data)
	_, err := tryOpen(t, data)
	var held *store.HeldError
	if !errors.As(err, &held) || !strings.Contains(err.Error(), fmt.Sprint(os.Getpid())) {
		t.Fatalf("the second one says: %v", err)
	}
	r.app.close()
	openApp(t, data)
}

func TestDataDirectoryThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tryOpen(t, filepath.Join(file, "data")); err == nil || !strings.Contains(err.Error(), "--data") {
		t.Fatalf("it says: %v", err)
	}
}

// notices is what the page is told at its start.
func (r *rig) notices() string {
	hello, err := r.api.App.Hello()
	if err != nil {
		r.t.Fatal(err)
	}
	return fmt.Sprint(hello.Notices)
}

func TestDamagedDatabaseIsSetAsideAndSaid(t *testing.T) {
	data := dataIn(t)
	if err := errors.Join(os.MkdirAll(data, 0o700), os.WriteFile(filepath.Join(data, store.Name), []byte(strings.Repeat("garbage ", 1000)), 0o600)); err != nil {
		t.Fatal(err)
	}
	r := openApp(t, data)
	if said := r.notices(); !strings.Contains(said, "damaged") {
		t.Errorf("the page is told %s", said)
	}
	if m := r.api.Workspaces.Snapshot(); len(m.Workspaces) != 1 {
		t.Errorf("the model is %+v", m)
	}
}

func TestDamagedLayoutLosesNoBlock(t *testing.T) {
	data := dataIn(t)
	r := openApp(t, data)
	a := r.terminal(api.OpenTerminal{CommandLine: "sleep 1000"})
	b := r.terminal(api.OpenTerminal{CommandLine: "sleep 1000"})
	r.app.close()

	db, err := sql.Open("sqlite", filepath.Join(data, store.Name))
	if err != nil {
		t.Fatal(err)
	}
	// A block that is there twice, one that is unknown, and one that is missing.
	layout := fmt.Sprintf(`{"root":{"weight":1,"pane":{"id":"p","blocks":[%q,%q,"nobody"],"active":"nobody"}}}`, a.ID, a.ID)
	if _, err := db.Exec("UPDATE workspaces SET layout = ?", layout); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	next := openApp(t, data)
	m := next.api.Workspaces.Snapshot()
	if m.Check() != nil || len(m.Blocks) != 2 || len(m.Workspaces[0].Unplaced) != 1 || m.Workspaces[0].Unplaced[0] != b.ID {
		t.Errorf("the model is %+v", m)
	}
	if said := next.notices(); !strings.Contains(said, "mended") {
		t.Errorf("the page is told %s", said)
	}
}

func TestSettingsWithAWrongValue(t *testing.T) {
	data := dataIn(t)
	text := "{\n  \"theme\": \"light\",\n  \"terminal\": {\"fontSize\": 900}\n}\n"
	if err := errors.Join(os.MkdirAll(data, 0o700), os.WriteFile(filepath.Join(data, "settings.json"), []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	view := openApp(t, data).api.Settings.Load()
	if len(view.Problems) != 1 || view.Problems[0].Line != 3 || view.Problems[0].Key != "terminal.fontSize" {
		t.Errorf("problems: %+v", view.Problems)
	}
	if view.Settings.Theme != "light" || view.Settings.Terminal.FontSize != view.Defaults.Terminal.FontSize {
		t.Errorf("settings: %+v", view.Settings)
	}
}

func TestOpenTerminalRefusesAtTheDoor(t *testing.T) {
	r := openApp(t, dataIn(t))
	for _, c := range []struct {
		req  api.OpenTerminal
		want string
	}{
		{api.OpenTerminal{Dir: "/no/such/folder"}, "there is no such folder"},
		{api.OpenTerminal{Dir: "/etc/passwd"}, "it is a file"},
		{api.OpenTerminal{Command: []string{"a"}, CommandLine: "b"}, "give one"},
		{api.OpenTerminal{Place: workspace.Place{Workspace: "nowhere"}}, "not there"},
	} {
		_, err := r.api.Workspaces.OpenTerminal(c.req)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.req, err, c.want)
		}
	}
	if m := r.api.Workspaces.Snapshot(); len(m.Blocks) != 0 {
		t.Errorf("a refused terminal is there: %+v", m.Blocks)
	}
}

func TestShellThatIsNotThere(t *testing.T) {
	r := openApp(t, dataIn(t))
	if _, err := r.api.Settings.Set(api.Setting{Path: "terminal.shell", Value: "/no/such/shell"}); err != nil {
		t.Fatal(err)
	}
	b := r.terminal(api.OpenTerminal{})
	if s := r.waitState(b.ID, controller.Failed); !strings.Contains(s.Message, "/no/such/shell") || !strings.Contains(s.Message, "Settings") {
		t.Errorf("the pane says %q", s.Message)
	}
	if _, err := r.api.Settings.Set(api.Setting{Path: "terminal.shell", Value: nil}); err != nil {
		t.Fatal(err)
	}
	if s, err := r.api.Controllers.Ensure(api.Ensure{Block: b.ID, Revive: true}); err != nil || s.State != controller.Running {
		t.Errorf("restarted: %+v, %v", s, err)
	}
}

// What a person does with one shell, from its start to its end and back.
func TestLifeOfAShell(t *testing.T) {
	data := dataIn(t)
	r := openApp(t, data)
	b := r.terminal(api.OpenTerminal{Cols: 90, Rows: 20})
	r.waitState(b.ID, controller.Running)
	if err := r.api.Controllers.Type(api.Text{Block: b.ID, Text: "cd /usr/lib; stty size; echo block=$DROVER_BLOCK_ID\n"}); err != nil {
		t.Fatal(err)
	}
	r.wait("the shell's answer", func() bool {
		return strings.Contains(r.output(b.ID), "20 90\r\n") && strings.Contains(r.output(b.ID), "block="+b.ID+"\r\n")
	})
	closing, err := r.api.Controllers.Close(api.Close{Blocks: []string{b.ID}})
	if err != nil {
		t.Fatal(err)
	}
	pid := r.status(b.ID).PID
	if _, err := r.api.Controllers.Undo(api.ID{ID: closing.ID}); err != nil {
		t.Fatal(err)
	}
	if s := r.status(b.ID); s.PID != pid || s.State != controller.Running {
		t.Errorf("after undo: %+v", s)
	}
	before := r.output(b.ID)
	if line := r.app.close(); !strings.HasPrefix(line, "stopped 1, forced 0, survived 0") {
		t.Errorf("the quit says %q", line)
	}

	next := openApp(t, data)
	s := next.waitState(b.ID, controller.Running)
	if !strings.Contains(s.Message, "ended with Drover") {
		t.Errorf("the restart says %q", s.Message)
	}
	if err := next.api.Controllers.Type(api.Text{Block: b.ID, Text: "pwd\n"}); err != nil {
		t.Fatal(err)
	}
	next.wait("the new shell's folder", func() bool { return strings.Contains(next.output(b.ID), "/usr/lib\r\n") })
	if !strings.HasPrefix(next.output(b.ID), before) {
		t.Error("what was on the screen before is gone")
	}
	if _, err := next.api.Controllers.Close(api.Close{Blocks: []string{b.ID}, Now: true}); err != nil {
		t.Fatal(err)
	}
	next.wait("the log's end", func() bool {
		_, err := os.Stat(filepath.Join(data, "logs", b.ID))
		return errors.Is(err, os.ErrNotExist)
	})
}

// A terminal that is not to be recorded leaves nothing on the disk.
func TestUnrecordedTerminal(t *testing.T) {
	data := dataIn(t)
	r := openApp(t, data)
	b := r.terminal(api.OpenTerminal{CommandLine: "echo secret; sleep 1000", Unrecorded: true})
	r.wait("its output", func() bool { return strings.Contains(r.output(b.ID), "secret") })
	if _, err := os.Stat(filepath.Join(data, "logs", b.ID)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its log is on the disk: %v", err)
	}
}

// Closing names what else runs in a terminal, and ends it.
func TestClosePreviewNamesWhatRuns(t *testing.T) {
	r := openApp(t, dataIn(t))
	b := r.terminal(api.OpenTerminal{})
	r.waitState(b.ID, controller.Running)
	if p := r.api.Controllers.Preview(api.Close{Blocks: []string{b.ID}}); p.Ask {
		t.Errorf("an idle shell is asked about: %+v", p)
	}
	if err := r.api.Controllers.Type(api.Text{Block: b.ID, Text: "sleep 4711 &\n"}); err != nil {
		t.Fatal(err)
	}
	r.wait("the job in the preview", func() bool {
		p := r.api.Controllers.Preview(api.Close{Blocks: []string{b.ID}})
		return p.Ask && len(p.Items) == 1 && strings.Contains(p.Items[0].Name, "sleep 4711")
	})
	if _, err := r.api.Controllers.Close(api.Close{Blocks: []string{b.ID}, Now: true}); err != nil {
		t.Fatal(err)
	}
	r.wait("the close", func() bool { return len(r.api.Controllers.List()) == 0 })
}

// Opening is undone whole when a late step fails.
func TestOpenThatFailsLateLeavesNothing(t *testing.T) {
	data := dataIn(t)
	o := testOptions(data, nil)
	o.listen = "127.0.0.1:1" // nobody may take that, or it is in use
	if os.Getuid() == 0 {
		first := openApp(t, dataIn(t))
		o.listen = first.app.address()
	}
	if _, err := open(o); err == nil || !strings.Contains(err.Error(), "--listen") {
		t.Fatalf("it says: %v", err)
	}
	openApp(t, data) // the directory is free again
}

func TestLoopbackOnly(t *testing.T) {
	for addr, ok := range map[string]bool{
		"127.0.0.1:7070": true, "localhost:0": true, "[::1]:1": true,
		"0.0.0.0:7070": false, ":7070": false, "192.168.1.2:7070": false, "example.com:80": false, "7070": false,
	} {
		if err := loopback(addr); (err == nil) != ok {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

func TestDisplayThatIsMissing(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if err := display(); err == nil || !strings.Contains(err.Error(), "drover serve") {
		t.Errorf("it says: %v", err)
	}
}

// The user's own choice of renderer stands.
func TestRendererIsSwitchedOnlyIfTheUserHasNot(t *testing.T) {
	const name = "WEBKIT_DISABLE_DMABUF_RENDERER"
	t.Setenv(name, "0")
	quietRenderer()
	if v := os.Getenv(name); v != "0" {
		t.Errorf("the user's choice became %q", v)
	}
	if err := os.Unsetenv(name); err != nil {
		t.Fatal(err)
	}
	quietRenderer()
	if v := os.Getenv(name); v != "1" {
		t.Errorf("without a choice it is %q", v)
	}
}

// What a terminal wrote is found, read around and saved as a recording; each
// bad request is refused with a sentence.
func TestSearchAndRecordATerminal(t *testing.T) {
	r := openApp(t, dataIn(t))
	r.deps.Home = t.TempDir()
	b := r.terminal(api.OpenTerminal{CommandLine: "printf 'one\\n\\033[31mneed\\033[0mle in it\\nthree\\n'"})
	r.waitState(b.ID, controller.Exited)
	found, err := r.api.Terminals.Search(api.Search{Block: b.ID, Text: "NEEDLE"})
	if err != nil || !found.Done || len(found.Hits) != 1 || found.Hits[0].Match != "needle" || found.Hits[0].After != " in it" {
		t.Fatalf("found %+v, %v", found, err)
	}
	around, err := r.api.Terminals.Around(api.Around{Block: b.ID, Offset: found.Hits[0].Line, Above: 5, Below: 5})
	if err != nil || len(around.Lines) != 3 || around.At != 1 || around.Lines[2].Text != "three" {
		t.Errorf("around it %+v, %v", around, err)
	}
	for range 2 {
		path, err := r.api.Terminals.Record(api.Recording{Block: b.ID, Name: `../my: "cast"`})
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), `three\r\n`) {
			t.Errorf("recorded %q, %v", text, err)
		}
	}
	saved, err := filepath.Glob(filepath.Join(r.deps.Home, "*"))
	if err != nil || len(saved) != 2 || filepath.Base(saved[0]) != "my- -cast-2.cast" && filepath.Base(saved[0]) != "my- -cast.cast" {
		t.Errorf("saved as %q, %v", saved, err)
	}
	for _, row := range []struct {
		try  func() error
		want string
	}{
		{func() error { _, err := r.api.Terminals.Search(api.Search{Block: b.ID}); return err }, "nothing to look for"},
		{func() error {
			_, err := r.api.Terminals.Search(api.Search{Block: b.ID, Text: "(", Regexp: true})
			return err
		}, "no regular expression"},
		{func() error { _, err := r.api.Terminals.Search(api.Search{Block: "nobody", Text: "x"}); return err }, "no such"},
		{func() error { _, err := r.api.Terminals.Record(api.Recording{Block: b.ID, From: 1 << 40}); return err }, "nothing of that is kept"},
	} {
		if err := row.try(); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("says %v, want %q", err, row.want)
		}
	}
}
