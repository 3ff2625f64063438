package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/sirupsen/logrus"

	"drover/backend/activity"
	"drover/backend/api"
	"drover/backend/controller"
	"drover/backend/driver/shell"
	"drover/backend/event"
	"drover/backend/history"
	"drover/backend/loginenv"
	"drover/backend/proc"
	"drover/backend/pty"
	"drover/backend/serve"
	"drover/backend/settings"
	"drover/backend/store"
	"drover/backend/stream"
	"drover/backend/supervisor"
	"drover/backend/terminal"
	"drover/backend/termlog"
	"drover/backend/workspace"
)

// blockVariable names, in a program's environment, the block that it runs in.
const blockVariable = "DROVER_BLOCK_ID"

// options are what an app is opened with.
type options struct {
	data    string
	environ []string // as it was when the program started
	listen  string   // host:port for the data plane, and for browsers
	browser bool     // the page is for a browser
	host    api.Host
	deps    *api.Deps // filled in for structs that are bound already; nil makes them
}

// app is the composition root: it builds every part, wires them, and closes them
// in reverse order.
type app struct {
	o         options
	log       *logrus.Logger
	lock      *store.DirLock
	store     *store.Store
	settings  *settings.File
	env       *loginenv.Finder
	terminals *terminal.Set
	pacer     *terminal.Pacer
	news      *api.News
	history   *history.Keeper
	records   *supervisor.Records
	sup       *supervisor.Supervisor
	activity  *activity.Service
	events    *api.Events
	areas     api.Areas
	listener  net.Listener
	token     string
	run       string
	failed    chan error // the server's end, if it ends by itself

	mu      sync.Mutex
	notices []api.Notice

	closers []func() // in the order of opening
	once    sync.Once
	line    string
}

// open builds an app. What it cannot do without is an error that says what to
// do; what it can is a notice.
func open(o options) (_ *app, err error) {
	a := &app{o: o, token: rand.Text(), run: rand.Text(), events: &api.Events{}, failed: make(chan error, 1)}
	defer func() {
		if err != nil {
			a.closeAll()
		}
	}()
	for _, step := range []func() error{
		a.openData, a.openSettings, a.openTerminals, a.openBlocks, a.openServer, a.restore,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// onClose adds what undoes a step.
func (a *app) onClose(f func()) { a.closers = append(a.closers, f) }

func (a *app) closeAll() {
	for i := len(a.closers) - 1; i >= 0; i-- {
		a.closers[i]()
	}
}

// close ends the app and returns the line that says what it ended. It may be
// called twice.
func (a *app) close() string {
	a.once.Do(a.closeAll)
	return a.line
}

// openData takes the data directory and opens the log and the database.
func (a *app) openData() error {
	lock, notices, err := store.Lock(a.o.data)
	if err != nil {
		return err
	}
	a.lock = lock
	a.onClose(func() { _ = lock.Close() })
	a.storeNotices(notices)

	file, log := newLog(a.o.data)
	a.log = log
	a.onClose(func() { _ = file.Close() })

	a.store, notices, err = store.Open(context.Background(), a.o.data, store.Options{})
	if err != nil {
		return err
	}
	a.onClose(func() { _ = a.store.Close() })
	a.storeNotices(notices)
	return nil
}

func (a *app) storeNotices(notices []store.Notice) {
	for _, n := range notices {
		a.notice(api.Notice{Level: n.Level, Title: n.Title, Text: n.Text, Fix: n.Fix})
	}
}

// notice keeps a notice for pages to come and tells those that are there. One that
// comes again takes the place of the old one.
func (a *app) notice(n api.Notice) {
	n.ID = strings.Join([]string{n.Block, n.Title}, " ")
	a.mu.Lock()
	a.notices = slices.DeleteFunc(a.notices, func(old api.Notice) bool { return old.ID == n.ID })
	a.notices = append(a.notices, n)
	a.mu.Unlock()
	a.events.Notice(n)
}

func (a *app) openSettings() error {
	file, err := settings.Open(filepath.Join(a.o.data, "settings.json"), func() { a.events.Pull("settings") })
	if err != nil {
		a.notice(api.Notice{Level: "warn", Title: "Settings are not watched", Text: err.Error(), Fix: "Restart Drover after changing the file by hand."})
	}
	a.settings = file
	a.onClose(func() { _ = file.Close() })
	a.env = loginenv.Start(loginenv.Options{Environ: a.o.environ})
	told := make(chan struct{})
	go func() {
		defer close(told)
		if env, err := a.env.Wait(context.Background()); err == nil && env.Problem != "" {
			a.notice(api.Notice{Level: "warn", Title: "Your login's environment is not known", Text: env.Problem, Fix: "Programs may not be found in PATH; see what your shell's start-up files do."})
		}
	}()
	a.onClose(func() {
		_ = a.env.Close()
		<-told
	})
	return nil
}

func (a *app) openTerminals() error {
	a.pacer, a.news = terminal.NewPacer(), api.NewNews(a.events)
	a.onClose(a.news.Close)
	a.history = history.Open(history.Options{Store: commands{a.store}, Keeps: a.keepsCommands, Log: a.log})
	a.onClose(a.history.Close)
	a.terminals = terminal.NewSet(filepath.Join(a.o.data, "logs"), func(block string) terminal.SetOptions {
		s := a.settings.Loaded().Settings
		rec, _ := a.records.Block(block)
		return terminal.SetOptions{
			Terminal: terminal.Options{
				Pacer: a.pacer, Scrollback: s.Terminal.Scrollback, Images: s.Terminal.Images,
				OnEvent: func(e terminal.Event) { a.happened(block, e) },
			},
			Log: termlog.Options{
				Limit: int64(s.Log.PerTerminalMiB) << 20,
				OnError: func(err error) {
					a.notice(api.Notice{Level: "warn", Block: block, Title: "A terminal's output is not kept", Text: err.Error(), Fix: "Make room on the disk; the terminal itself goes on."})
				},
			},
			InMemory: rec.Unrecorded,
		}
	})
	a.onClose(func() { _ = a.terminals.Close() })
	return nil
}

// happened hears what happens in a terminal, from what draws its output.
func (a *app) happened(block string, e terminal.Event) {
	a.news.Tell(block, e)
	if c := e.Command; e.Kind == terminal.CommandDone {
		a.history.Tell(history.Command{
			Text: c.Typed, Dir: c.Dir, Block: block, Exit: c.Exit, Exited: c.Exited, Began: c.Began, Took: c.Took,
		})
	}
}

// keepsCommands says whether the history has the commands of a block.
func (a *app) keepsCommands(block string) bool {
	rec, ok := a.records.Block(block)
	return ok && !rec.Unrecorded && a.settings.Loaded().Settings.Terminal.CommandHistory
}

// openBlocks loads the workspaces and makes the supervisor; its quit ends
// everything that runs.
func (a *app) openBlocks() error {
	ctx := context.Background()
	model, mended, err := a.store.Model(ctx)
	if err != nil {
		return err
	}
	if len(mended) > 0 {
		a.notice(api.Notice{Level: "warn", Title: "The saved layout was mended", Text: strings.Join(mended, " ")})
	}
	if len(model.Workspaces) == 0 {
		if _, err := model.Create(workspace.Workspace{Name: "workspace 1"}); err != nil {
			return err
		}
	}
	versions := &event.Topic[uint64]{}
	a.records = supervisor.NewRecords(model, a.store.Save, func(err error) {
		a.log.WithError(err).Error("cannot save the workspaces")
		a.notice(api.Notice{Level: "error", Title: "The workspaces could not be saved", Text: err.Error(), Fix: "They are kept in memory and saved with the next change."})
	}, versions)

	procs := proc.NewScanner(blockVariable)
	a.sup = supervisor.New(supervisor.Options{
		Records:     a.records,
		Store:       statuses{a.store},
		Drivers:     map[workspace.Kind]controller.Driver{workspace.Shell: a.shellDriver()},
		Procs:       procs,
		Log:         a.log,
		CloseOnExit: a.closeOnExit,
		Removed: func(block string) {
			a.activity.Forget(block)
			if err := a.terminals.Remove(block); err != nil {
				a.log.WithError(err).WithField("block", block).Warn("cannot delete a terminal's log")
			}
		},
		LeftRunning: func(b workspace.Block, left []proc.ID) { a.activity.AddLeftRunning(b, left) },
	})
	a.events.Statuses(a.sup.Statuses.Subscribe())
	a.events.Closings(a.sup.Closings.Subscribe())
	a.events.Models(versions.Subscribe())
	a.openActivity()
	a.onClose(func() {
		// The activity hears of what the quit leaves running, so it ends after it.
		a.line = a.sup.Quit(context.Background())
		a.activity.Close()
		versions.Close()
		a.events.Close()
	})
	return nil
}

func (a *app) closeOnExit() workspace.CloseOnExit {
	switch rule := a.settings.Loaded().Settings.Terminal.CloseOnExit; rule {
	case "always", "never":
		return workspace.CloseOnExit(rule)
	default:
		return workspace.CloseAuto
	}
}

// shell is what an interactive terminal runs: the settings' choice, else the
// user's own, from whose environment every program starts.
func (a *app) shell() (string, error) {
	if sh := a.settings.Loaded().Settings.Terminal.Shell; sh != "" {
		return sh, nil
	}
	if env, err := a.env.Wait(context.Background()); err == nil && env.Shell != "" {
		return env.Shell, nil
	}
	return "", errors.New("no shell was found: set one in Settings, Terminal, Shell")
}

func (a *app) shellDriver() controller.Driver {
	return shell.New(shell.Options{
		Run: shell.Here(a.terminals.Open),
		Env: func(ctx context.Context) ([]string, error) {
			env, err := a.env.Wait(ctx)
			return loginenv.Merge(env.Vars), err
		},
		Vars: func(s controller.Spec) map[string]string {
			vars := map[string]string{blockVariable: s.Block}
			if s.Identity.UID != "" {
				vars["DROVER_AGENT_ID"], vars["DROVER_AGENT_UID"] = s.Identity.Stable, s.Identity.UID
			}
			return vars
		},
		Shell:       a.shell,
		Version:     version,
		Integration: func() bool { return a.settings.Loaded().Settings.Terminal.ShellIntegration },
		ScriptDir:   filepath.Join(a.o.data, "shell"),
		Aftermath: func(block string, pid int) shell.Aftermath {
			hungUp, left := a.activity.Aftermath(block, pid)
			return shell.Aftermath{HungUp: hungUp, LeftRunning: left}
		},
	})
}

// openActivity starts the sampling of processes.
func (a *app) openActivity() {
	a.activity = activity.New(activity.Options{
		Models:     a.records.Model,
		Statuses:   a.sup.List,
		Procs:      proc.NewScanner(blockVariable),
		StatusFeed: a.sup.Statuses.Subscribe(),
		Store:      endings{a.store},
		Changed:    func(uint64) { a.events.Pull("activity") },
		Folders:    func(dirs map[string]string) { a.sup.RememberFolders(context.Background(), dirs) },
		Log:        a.log,
	})
}

// restore tidies after an earlier run, and begins to start what that left off.
func (a *app) restore() error {
	limit := int64(a.settings.Loaded().Settings.Log.TotalGiB) << 30
	// Before the restore: no log is open yet.
	err := a.terminals.Trim(func(block string) bool { _, ok := a.records.Block(block); return ok }, limit)
	if err != nil {
		a.log.WithError(err).Warn("cannot tidy the logs of terminals")
	}
	_, err = a.sup.Restore(context.Background())
	return err
}

func (a *app) address() string { return a.listener.Addr().String() }

// openServer listens for pages: the data plane of the window, and browsers.
func (a *app) openServer() error {
	deps := a.o.deps
	if deps == nil {
		deps = &api.Deps{Hello: func() (api.Hello, error) { return a.hello(), nil }}
	}
	deps.Supervisor, deps.Records, deps.Activity, deps.Settings = a.sup, a.records, a.activity, a.settings
	deps.Log, deps.Host, deps.Modes = a.log, a.o.host, a.modes
	deps.TermLog, deps.News, deps.SetTheme = a.termLog, a.news, a.terminals.SetTheme
	deps.History = a.history
	deps.Home, _ = os.UserHomeDir()
	deps.Shells = func() []string { return loginenv.Shells("") }

	a.areas = api.New(deps)

	l, err := net.Listen("tcp", a.o.listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: choose another address with --listen: %w", a.o.listen, err)
	}
	a.listener = l
	if err := a.lock.SetAddress(a.address()); err != nil {
		a.log.WithError(err).Warn("cannot note the address in the lock file")
	}
	guard := stream.Guard{Token: a.token, Hosts: a.hosts, Origins: a.origins}
	data := stream.New(stream.Options{
		Guard:  guard,
		Attach: a.attach,
		Input:  a.input,
		Pacer:  a.pacer,
		Log:    a.log,
	})
	server := serve.New(serve.Options{
		Bound:  a.areas.List(),
		Watch:  a.activity.Watch,
		Events: a.events, Stream: data, Guard: guard, Page: page(), Log: a.log,
	})
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := server.Serve(l); err != nil {
			a.log.WithError(err).Error("pages are not served any more")
			a.notice(api.Notice{Level: "error", Title: "Terminals are cut off", Text: err.Error(), Fix: "Restart Drover; what runs is ended then."})
			a.failed <- err
		}
	}()
	a.onClose(func() {
		_ = data.Close()
		_ = server.Close()
		<-served
	})
	return nil
}

// hosts are the addresses by which a page may ask for us.
func (a *app) hosts() []string {
	_, port, _ := net.SplitHostPort(a.address())
	return []string{a.address(), "localhost:" + port, "127.0.0.1:" + port, "[::1]:" + port}
}

// origins are the pages that may connect: ours over http, and the window's.
func (a *app) origins() []string {
	var out []string
	if !a.o.browser {
		return append(out, "wails://wails", "wails://wails.localhost", "http://wails.localhost")
	}
	for _, h := range a.hosts() {
		out = append(out, "http://"+h)
	}
	return out
}

// viewed is the terminal of a block that the workspaces know.
func (a *app) viewed(block string) (*terminal.Terminal, error) {
	if _, ok := a.records.Block(block); !ok {
		return nil, supervisor.ErrUnknown
	}
	return a.terminals.Open(block)
}

func (a *app) attach(block string, view terminal.View) (stream.Viewer, error) {
	t, err := a.viewed(block)
	if err != nil {
		return nil, err
	}
	return t.Attach(view)
}

func (a *app) termLog(block string) (*termlog.Log, error) {
	t, err := a.viewed(block)
	if err != nil {
		return nil, err
	}
	return t.Log(), nil
}

// input delivers what a page typed.
func (a *app) input(block string, in stream.Input, done func(error)) {
	ctl := a.sup.Controller(block)
	if ctl == nil {
		done(controller.ErrNotRunning)
		return
	}
	// A page counts from 0; for a controller 0 starts anew, which a page that sends
	// again after a lost link must not do.
	order := controller.Order{Client: in.Client, Seq: in.Seq + 1, Strict: true}
	ctl.Post(controller.Input{Bytes: in.Bytes, Taken: in.Taken}, order, func(err error) {
		if errors.Is(err, controller.ErrGap) {
			err = stream.ErrGap
		}
		done(err)
	})
}

func (a *app) modes(block string) (pty.Modes, error) {
	t := a.terminals.Peek(block)
	if t == nil {
		return pty.Modes{}, supervisor.ErrUnknown
	}
	return t.Modes(), nil
}

func (a *app) hello() api.Hello {
	home, _ := os.UserHomeDir()
	sh := cmp.Or(a.settings.Loaded().Settings.Terminal.Shell, loginenv.DefaultShell())
	binary, _ := os.Executable()
	hostname, _ := os.Hostname()
	a.mu.Lock()
	defer a.mu.Unlock()
	return api.Hello{
		Version: version, Platform: runtime.GOOS, Home: home, DataDir: a.o.data,
		Shell: sh, Browser: a.o.browser, Binary: binary, Hostname: hostname, Run: a.run,
		StreamURL: "ws://" + a.address() + "/stream", StreamToken: a.token,
		Notices: append([]api.Notice{}, a.notices...),
	}
}

// quitPreview is what quitting would end.
func (a *app) quitPreview() api.ClosePreview {
	var all []string
	for id := range a.records.Model().Blocks {
		all = append(all, id)
	}
	return a.areas.Controllers.Preview(api.Close{Blocks: all})
}
