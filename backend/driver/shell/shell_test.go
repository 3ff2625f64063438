package shell_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"drover/backend/controller"
	"drover/backend/controller/controllertest"
	"drover/backend/driver/shell"
	"drover/backend/terminal"
	"drover/backend/termlog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a shell driver with real terminals, in an environment of its own.
type rig struct {
	t    testing.TB
	env  []string
	dir  string
	mu   sync.Mutex
	term map[string]*terminal.Terminal
}

func newRig(t testing.TB) *rig {
	r := &rig{t: t, term: map[string]*terminal.Terminal{}, dir: t.TempDir()}
	r.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "LANG=C.UTF-8"}
	t.Cleanup(func() {
		for _, term := range r.term {
			_ = term.Close()
		}
	})
	return r
}

func (r *rig) terminal(block string) (*terminal.Terminal, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.term[block] == nil {
		log, err := termlog.Open(filepath.Join(r.dir, "log-"+block), termlog.Options{})
		if err != nil {
			return nil, err
		}
		r.term[block] = terminal.New(log, terminal.Options{})
	}
	return r.term[block], nil
}

func (r *rig) options() shell.Options {
	return shell.Options{
		Run:     shell.Here(r.terminal),
		Env:     func(context.Context) ([]string, error) { return r.env, nil },
		Vars:    func(s controller.Spec) map[string]string { return map[string]string{"DROVER_BLOCK_ID": s.Block} },
		Shell:   func() (string, error) { return "/bin/sh", nil },
		Version: "1.2.3",
	}
}

// Driver, Spec and Output make it a harness of the conformance suite.
func (r *rig) Driver(p controllertest.Program) controller.Driver {
	o := r.options()
	if p == controllertest.HangsInStart {
		o.Env = func(ctx context.Context) ([]string, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
	}
	return shell.New(o)
}

func (r *rig) Spec(p controllertest.Program, _ string) (controller.Spec, bool) {
	spec := controller.Spec{Kind: "shell"}
	switch p {
	case controllertest.Waits, controllertest.HangsInStart:
		spec.Command = []string{"sleep", "1000"}
	case controllertest.Echoes:
		spec.CommandLine = "stty raw -echo; echo ready; exec cat"
	case controllertest.Exits3:
		spec.CommandLine = "exit 3"
	case controllertest.Speaks:
		spec.CommandLine = fmt.Sprintf(`head -c %d /dev/zero | tr '\0' x`, controllertest.SpeaksBytes)
	case controllertest.IgnoresTerm:
		spec.CommandLine = "trap '' TERM HUP INT; echo ready; while :; do read x; done"
	case controllertest.CannotStart:
		spec.Command = []string{"/there/is/no/such/program"}
	default:
		return spec, false
	}
	return spec, true
}

func (r *rig) Output(block string) string {
	term, err := r.terminal(block)
	if err != nil {
		r.t.Error(err)
		return ""
	}
	text, _ := term.Text(0, 1<<20)
	return string(text)
}

func TestConformance(t *testing.T) {
	controllertest.Run(t, func(t *testing.T) controllertest.Harness { return newRig(t) })
}

// run starts a spec in a block of its own and returns when it has ended.
func (r *rig) run(spec controller.Spec) (controller.Status, string) {
	r.t.Helper()
	c, rec := controllertest.Record(r.t, "b")
	if err := c.Start(context.Background(), shell.New(r.options()), spec); err != nil {
		r.t.Fatal(err)
	}
	s := rec.WaitState(1, controller.Exited)
	return s, r.Output("b")
}

// waitOutput waits until a block's output holds want.
func (r *rig) waitOutput(block, want string) string {
	r.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(30 * time.Second)
	for {
		out := r.Output(block)
		if strings.Contains(out, want) {
			return out
		}
		select {
		case <-tick.C:
		case <-timeout:
			r.t.Fatalf("output is %q, without %q", out, want)
		}
	}
}

func TestEnvironmentNamesTheTerminalAndTheBlock(t *testing.T) {
	r := newRig(t)
	_, out := r.run(controller.Spec{Command: []string{"env"}, Env: map[string]string{"MINE": "1", "TERM_PROGRAM": "other"}})
	for _, want := range []string{"TERM=xterm-256color\r\n", "COLORTERM=truecolor\r\n", "TERM_PROGRAM_VERSION=1.2.3\r\n", "DROVER_BLOCK_ID=b\r\n", "MINE=1\r\n", "TERM_PROGRAM=other\r\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in %q", want, out)
		}
	}
}

// What the app itself was started with does not reach a program: a build that
// an agent starts must not take over the channels of what runs the app.
func TestTheAppsOwnEnvironmentStaysOut(t *testing.T) {
	t.Setenv("CLAUDE_CODE_SSE_PORT", "4711")
	r := newRig(t)
	_, out := r.run(controller.Spec{Command: []string{"env"}})
	if strings.Contains(out, "4711") {
		t.Errorf("the program saw it: %q", out)
	}
}

// The size is the pane's before the first byte, and one start is one size.
func TestSizeIsKnownBeforeTheFirstByte(t *testing.T) {
	for _, c := range []struct {
		size controller.Size
		want string
	}{
		{controller.Size{Cols: 101, Rows: 33}, "33 101\r\n33 101\r\n"},
		{controller.Size{}, "24 80\r\n24 80\r\n"},
		{controller.Size{Cols: 5000, Rows: -3}, "1 2000\r\n1 2000\r\n"},
	} {
		r := newRig(t)
		_, out := r.run(controller.Spec{CommandLine: "trap 'echo resized' WINCH; stty size; sleep 0.2; stty size", Size: c.size})
		if out != c.want {
			t.Errorf("%+v: %q, want %q", c.size, out, c.want)
		}
	}
}

func TestForms(t *testing.T) {
	for _, c := range []struct {
		name string
		spec controller.Spec
		want string
	}{
		{"a program with arguments", controller.Spec{Command: []string{"printf", "%s|", "a b", "c"}}, "a b|c|"},
		{"a command line", controller.Spec{CommandLine: "echo $0 $((1+2))"}, "sh 3\r\n"},
		{"a program in its folder", controller.Spec{Command: []string{"./here"}}, "here\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			if err := os.WriteFile(filepath.Join(r.dir, "here"), []byte("#!/bin/sh\necho here\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			if _, out := r.run(c.spec); out != c.want {
				t.Errorf("%q, want %q", out, c.want)
			}
		})
	}
}

func TestInteractiveShellIsALoginShell(t *testing.T) {
	for _, sh := range []struct{ name, profile, test string }{
		{"bash", ".bash_profile", "shopt -q login_shell && echo is-lo''gin\n"},
		{"zsh", ".zprofile", "[[ -o login ]] && echo is-lo''gin\n"},
		{"fish", ".config/fish/config.fish", "status is-login; and echo is-lo''gin\n"},
	} {
		t.Run(sh.name, func(t *testing.T) {
			r := newRig(t)
			r.env = append(r.env, "PS1=$ ")
			profile := filepath.Join(r.dir, sh.profile)
			if err := errors.Join(os.MkdirAll(filepath.Dir(profile), 0o700), os.WriteFile(profile, []byte("echo pro''file\n"), 0o600),
				os.WriteFile(filepath.Join(r.dir, ".zshrc"), nil, 0o600)); err != nil {
				t.Fatal(err)
			}
			c, rec := controllertest.Record(t, "b")
			if err := c.Start(t.Context(), shell.New(r.options()), controller.Spec{Shell: sh.name}); err != nil {
				t.Fatal(err)
			}
			r.waitOutput("b", "profile")
			for _, line := range []string{sh.test, "exit 4\n"} {
				if err := c.Send(t.Context(), controller.Input{Bytes: []byte(line)}, controller.Order{}); err != nil {
					t.Fatal(err)
				}
			}
			r.waitOutput("b", "is-login")
			if s := rec.WaitState(1, controller.Exited); s.Exit.Code != 4 || s.Process != sh.name {
				t.Errorf("ended with %+v", s)
			}
		})
	}
}

func TestStartRefusals(t *testing.T) {
	r := newRig(t)
	plain := filepath.Join(r.dir, "plain")
	if err := os.WriteFile(plain, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		spec  controller.Spec
		shell error
		want  string
	}{
		{"no such program", controller.Spec{Command: []string{"no-such-program"}}, nil, "cannot find the program no-such-program in PATH: install it, or name it with its folder"},
		{"no such file", controller.Spec{Command: []string{"/no/such/file"}}, nil, "cannot start /no/such/file: there is no such file"},
		{"not executable", controller.Spec{Command: []string{plain}}, nil, "cannot start " + plain + ": it is not executable (chmod +x makes it so)"},
		{"a folder", controller.Spec{Command: []string{r.dir}}, nil, "cannot start " + r.dir + ": it is a folder"},
		{"no such shell", controller.Spec{Shell: "/bin/no-shell"}, nil, "cannot find the shell /bin/no-shell: choose another in Settings, Terminal, Shell"},
		{"no shell at all", controller.Spec{}, errors.New("no shell was found"), "no shell was found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := r.options()
			o.Shell = func() (string, error) { return "/bin/sh", c.shell }
			ctl, _ := controllertest.Record(t, "b")
			err := ctl.Start(t.Context(), shell.New(o), c.spec)
			if err == nil || err.Error() != c.want {
				t.Errorf("%v, want %q", err, c.want)
			}
			if s := ctl.Status(); s.State != controller.Failed || s.Message != c.want {
				t.Errorf("the status says %q", s.Message)
			}
		})
	}
}

func TestFolderThatIsGone(t *testing.T) {
	r := newRig(t)
	gone := filepath.Join(r.dir, "was", "here")
	c, rec := controllertest.Record(t, "b")
	if err := c.Start(t.Context(), shell.New(r.options()), controller.Spec{CommandLine: "pwd; sleep 1000", Dir: gone}); err != nil {
		t.Fatal(err)
	}
	r.waitOutput("b", r.dir+"\r\n")
	want := fmt.Sprintf("The folder %s is gone. This started in %s.", gone, r.dir)
	rec.Wait("the note", func(s controller.Status) bool { return s.State == controller.Running && s.Message == want })
}

func TestShellThatDiesAtOnceSaysWhatMayBeTheReason(t *testing.T) {
	r := newRig(t)
	if err := os.WriteFile(filepath.Join(r.dir, ".profile"), []byte("exit 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := r.run(controller.Spec{})
	if s.Exit.Code != 1 || !strings.Contains(s.Message, "start-up files") {
		t.Errorf("%+v", s)
	}
}

// Every byte that was written before the exit is there at the exit, also when
// the program writes more than a terminal holds and ends at once.
func TestLastOutputIsNotLost(t *testing.T) {
	for range 30 {
		r := newRig(t)
		_, out := r.run(controller.Spec{CommandLine: `printf '%020480d' 7`})
		if len(out) != 20480 {
			t.Fatalf("%d bytes of 20480", len(out))
		}
	}
}

// A child in the background that holds the terminal does not keep the end from
// being told, nor the block from being started again.
func TestBackgroundChildThatHoldsTheTerminal(t *testing.T) {
	r := newRig(t)
	c, rec := controllertest.Record(t, "b")
	// setsid takes the child out of the session, so that the hang-up spares it;
	// it keeps the terminal open as its output.
	spec := controller.Spec{CommandLine: "setsid sleep 30 & echo $!; exit 5"}
	for instance := uint64(1); instance <= 2; instance++ {
		if err := c.Start(t.Context(), shell.New(r.options()), spec); err != nil {
			t.Fatal(err)
		}
		if s := rec.WaitState(instance, controller.Exited); s.Exit.Code != 5 {
			t.Errorf("exit %+v", s.Exit)
		}
	}
	for _, pid := range strings.Fields(r.Output("b")) {
		if n := 0; pid[0] >= '0' && pid[0] <= '9' {
			_, _ = fmt.Sscan(pid, &n)
			kill(n)
		}
	}
}

func TestSignals(t *testing.T) {
	r := newRig(t)
	c, rec := controllertest.Record(t, "b")
	spec := controller.Spec{CommandLine: `trap 'echo got-usr1' USR1; trap 'echo got-int' INT; trap 'echo got-hup; exit 6' HUP; echo ready; while :; do sleep 0.01; done`}
	if err := c.Start(t.Context(), shell.New(r.options()), spec); err != nil {
		t.Fatal(err)
	}
	r.waitOutput("b", "ready")
	for _, name := range []string{"INT", "SIGHUP"} {
		if err := c.Send(t.Context(), controller.Input{Signal: name}, controller.Order{}); err != nil {
			t.Fatal(err)
		}
		r.waitOutput("b", "got-"+strings.ToLower(strings.TrimPrefix(name, "SIG")))
	}
	if s := rec.WaitState(1, controller.Exited); s.Exit.Code != 6 {
		t.Errorf("exit %+v", s.Exit)
	}
	if err := c.Start(t.Context(), shell.New(r.options()), controller.Spec{Command: []string{"sleep", "1000"}}); err != nil {
		t.Fatal(err)
	}
	if err := c.Send(t.Context(), controller.Input{Signal: "NONSENSE"}, controller.Order{}); err == nil || !strings.Contains(err.Error(), "no such signal") {
		t.Errorf("an unknown signal: %v", err)
	}
	if err := c.Send(t.Context(), controller.Input{Signal: "TERM"}, controller.Order{}); err != nil {
		t.Fatal(err)
	}
	if s := rec.WaitState(2, controller.Exited); s.Exit.Signal != "SIGTERM" || s.Exit.Code != -1 {
		t.Errorf("exit %+v", s.Exit)
	}
}

// Ctrl-S and Ctrl-Q belong to the terminal: its modes are left alone.
func TestFlowControlIsTheTerminals(t *testing.T) {
	r := newRig(t)
	c, _ := controllertest.Record(t, "b")
	if err := c.Start(t.Context(), shell.New(r.options()), controller.Spec{CommandLine: "stty -echo; echo ready; exec cat"}); err != nil {
		t.Fatal(err)
	}
	r.waitOutput("b", "ready")
	send := func(s string) {
		t.Helper()
		if err := c.Send(t.Context(), controller.Input{Bytes: []byte(s)}, controller.Order{}); err != nil {
			t.Fatal(err)
		}
	}
	send("\x13stopped\n")
	tick := time.After(200 * time.Millisecond)
	<-tick
	if out := r.Output("b"); strings.Contains(out, "stopped") {
		t.Errorf("Ctrl-S did not stop the output: %q", out)
	}
	send("\x11")
	r.waitOutput("b", "stopped")
}

// A program that does not read stops whoever types, within a bound, and nothing
// that was accepted is lost once it reads.
func TestInputToAProgramThatDoesNotRead(t *testing.T) {
	r := newRig(t)
	c, _ := controllertest.Record(t, "b")
	file := filepath.Join(r.dir, "got")
	if err := c.Start(t.Context(), shell.New(r.options()), controller.Spec{
		CommandLine: "stty raw -echo; echo ready; while [ ! -e go ]; do sleep 0.02; done; head -c 1048576 >got; echo all",
	}); err != nil {
		t.Fatal(err)
	}
	r.waitOutput("b", "ready")
	want := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	for i := 0; i < len(want); i += 16 << 10 {
		if err := c.Send(t.Context(), controller.Input{Bytes: bytes.Clone(want[i : i+16<<10])}, controller.Order{}); err != nil {
			t.Fatalf("after %d bytes: %v", i, err)
		}
	}
	var full error
	for n := 0; n < 1000 && full == nil; n++ {
		full = c.Send(t.Context(), controller.Input{Bytes: make([]byte, 16<<10)}, controller.Order{})
	}
	if !errors.Is(full, controller.ErrFull) {
		t.Errorf("no bound: %v", full)
	}
	if s := c.Status(); s.State != controller.Running {
		t.Errorf("status %+v", s)
	}
	if err := os.WriteFile(filepath.Join(r.dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.waitOutput("b", "all")
	if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes arrived, %v", len(got), err)
	}
}
