//go:build unix

package shell_test

import (
	"errors"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"drover/backend/controller"
	"drover/backend/controller/controllertest"
	"drover/backend/driver/shell"
)

var osc = regexp.MustCompile("\x1b\\](133|7);([^\x07\x1b]*)(?:\x07|\x1b\\\\)")

// marks are the integration's in out, in order, the URLs of OSC 7 as "7 path".
// One that is repeated because a prompt was drawn again counts once. The text of a
// command is left out.
func marks(out string) []string {
	var m []string
	for _, hit := range osc.FindAllStringSubmatch(out, -1) {
		s, _, _ := strings.Cut(hit[2], ";cmdline_url=")
		if hit[1] == "7" {
			s = "7 " + s
		}
		if len(m) == 0 || m[len(m)-1] != s {
			m = append(m, s)
		}
	}
	return m
}

// only keeps the marks of OSC 133.
func only133(m []string) []string {
	return slices.DeleteFunc(slices.Clone(m), func(s string) bool { return strings.HasPrefix(s, "7 ") })
}

// live is a shell that somebody types into.
type live struct {
	r    *rig
	t    *testing.T
	ctl  *controller.Controller
	rec  *controllertest.Recorder
	seen int // bytes of the output that were waited for
}

func (r *rig) write(files map[string]string) {
	r.t.Helper()
	for name, text := range files {
		path := filepath.Join(r.dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			r.t.Fatal(err)
		}
	}
}

// live starts a shell in a block of its own.
func (r *rig) live(t *testing.T, name, block string, integration bool) *live {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skip(err)
	}
	if runtime.GOOS == "darwin" && path == "/bin/bash" {
		t.Skip("Apple's bash has no integration")
	}
	o := r.options()
	o.Integration = func() bool { return integration }
	o.ScriptDir = filepath.Join(r.dir, "it's scripts")
	c, rec := controllertest.Record(t, block)
	l := &live{r: r, t: t, ctl: c, rec: rec}
	if err := c.Start(t.Context(), shell.New(o), controller.Spec{Shell: name}); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *live) send(s string) {
	l.t.Helper()
	if err := l.ctl.Send(l.t.Context(), controller.Input{Bytes: []byte(s)}, controller.Order{}); err != nil {
		l.t.Fatal(err)
	}
}

// until waits until the output since the last wait is as ok wants it.
func (l *live) until(what string, ok func(out string) bool) string {
	l.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(30 * time.Second)
	for {
		out := l.r.Output(l.ctl.BlockID())[l.seen:]
		if ok(out) {
			l.seen += len(out)
			return out
		}
		select {
		case <-tick.C:
		case <-timeout:
			l.t.Fatalf("no %s in %q", what, out)
		}
	}
}

// prompt waits for the next prompt, and gives what came before it and its marks.
func (l *live) prompt() string {
	l.t.Helper()
	return l.until("prompt", func(out string) bool {
		m := only133(marks(out))
		return len(m) > 1 && m[len(m)-1] == "B" && slices.Contains(m, "A")
	})
}

// after waits for text.
func (l *live) after(text string) string {
	l.t.Helper()
	return l.until(text, func(out string) bool { return strings.Contains(out, text) })
}

// exit ends the shell and returns all its output.
func (l *live) exit() string {
	l.t.Helper()
	l.send("exit 0\r")
	l.t.Cleanup(func() {
		if l.t.Failed() {
			l.t.Logf("%q", l.r.Output(l.ctl.BlockID()))
		}
	})
	l.rec.WaitState(1, controller.Exited)
	return l.r.Output(l.ctl.BlockID())
}

var shells = []string{"bash", "zsh", "fish"}

// quiet are start-up files with a short prompt and nothing else.
var quiet = map[string]string{
	".bash_profile":            "PS1='bash> '\n",
	".zshrc":                   "PS1='zsh> '\nunsetopt prompt_sp\n",
	".config/fish/config.fish": "set -g fish_greeting\nfunction fish_prompt; echo -n 'fish> '; end\n",
}

func TestMarks(t *testing.T) {
	steps := []struct {
		name, line string // typed, with a return key
		want       []string
	}{
		{"a command", "echo one", []string{"C", "D;0", "A", "B"}},
		{"a failing command", "sh -c 'exit 7'", []string{"C", "D;7", "A", "B"}},
		{"an empty line", "", []string{"A", "B"}},
		{"a command after an empty line", "true", []string{"C", "D;0", "A", "B"}},
		{"a pipeline", "echo a b | wc -w", []string{"C", "D;0", "A", "B"}},
		{"a command in the background", "sleep 0.01 &", []string{"C", "D;0", "A", "B"}},
		{"waiting for it", "wait", []string{"C", "D;0", "A", "B"}},
		{"a failing pipeline", "echo a | false", []string{"C", "D;1", "A", "B"}},
		{"no such command", "no-such-command-here", []string{"C", "D;127", "A", "B"}},
	}
	for _, sh := range shells {
		t.Run(sh, func(t *testing.T) {
			r := newRig(t)
			r.write(quiet)
			l := r.live(t, sh, "b", true)
			if m := only133(marks(l.prompt())); !slices.Equal(m, []string{"A", "B"}) {
				t.Errorf("at first: %q", m)
			}
			for _, s := range steps {
				l.send(s.line + "\r")
				m := only133(marks(l.prompt()))
				// The end of a job in the background draws the prompt again.
				if i := slices.Index(m, "C"); i > 0 && s.want[0] == "C" {
					m = m[i:]
				}
				if n := len(m); n > 4 && slices.Equal(m[n-4:], []string{"A", "B", "A", "B"}) {
					m = m[:n-2]
				}
				if !slices.Equal(m, s.want) {
					t.Errorf("%s: %q, want %q", s.name, m, s.want)
				}
			}
			l.exit()
		})
	}
}

// zsh and fish say what was typed; bash has no way that is always right.
func TestCommandsAreSaidAsTheyWereTyped(t *testing.T) {
	typed := regexp.MustCompile(`133;C;cmdline_url=([^;\x07]*)`)
	for _, sh := range []string{"zsh", "fish"} {
		t.Run(sh, func(t *testing.T) {
			r := newRig(t)
			r.write(quiet)
			l := r.live(t, sh, "b", true)
			l.prompt()
			for _, line := range []string{
				`echo "a;b" 'é 日' %d \\ $HOME # x`, " echo blank", "", "echo " + strings.Repeat("x", 3000), "echo " + strings.Repeat("é", 1500),
			} {
				l.send(line + "\r")
				out := l.prompt()
				got, want := "", line
				if hit := typed.FindStringSubmatch(out); hit != nil {
					var err error
					if got, err = url.PathUnescape(hit[1]); err != nil {
						t.Fatal(err)
					}
				}
				if len(url.PathEscape(line)) > 4096 {
					want = ""
				}
				if got != want {
					t.Errorf("%.60q was typed, %.60q said", want, got)
				}
			}
			loop := "for i in 1 2\rdo true\rdone\r"
			if sh == "fish" {
				loop = "for i in 1 2\rtrue\rend\r"
			}
			l.send(loop)
			out := l.until("end", func(out string) bool { return strings.Contains(out, "D;0") })
			hit := typed.FindStringSubmatch(out)
			if hit == nil {
				t.Fatalf("no text in %q", out)
			}
			got, _ := url.PathUnescape(hit[1])
			lines := strings.Split(strings.TrimSuffix(loop, "\r"), "\r")
			for i, line := range strings.Split(got, "\n") {
				if len(lines) <= i || strings.TrimSpace(line) != lines[i] {
					t.Errorf("%q was typed, %q said", lines, got)
				}
			}
			l.exit()
		})
	}
}

func TestMarksAroundInterrupts(t *testing.T) {
	for _, sh := range shells {
		t.Run(sh, func(t *testing.T) {
			r := newRig(t)
			r.write(quiet)
			l := r.live(t, sh, "b", true)
			l.prompt()
			l.send("echo not-run")
			if sh == "fish" {
				l.after("36mnot-run") // what comes before it has coloured the line is lost
			} else {
				l.after("run")
			}
			l.send("\x03")
			l.until("another prompt", func(out string) bool { return strings.Contains(out, "133;B") })
			l.send("sh -c 'echo be''gun; exec sleep 1000'\r")
			l.after("begun")
			l.send("\x03")
			l.prompt()
			l.send("true\r")
			l.prompt()
			out := l.exit()
			m := slices.DeleteFunc(only133(marks(out)), func(s string) bool { return s == "A" || s == "B" })
			if want := []string{"C", "D;130", "C", "D;0", "C"}; !slices.Equal(m[:len(want)], want) {
				t.Errorf("%q, want %q", m, want)
			}
		})
	}
}

// A command of several lines is one command: bash and zsh show their second
// prompt, fish goes on in its editor.
func TestMarksOfSeveralLines(t *testing.T) {
	for _, sh := range shells {
		t.Run(sh, func(t *testing.T) {
			r := newRig(t)
			r.write(quiet)
			l := r.live(t, sh, "b", true)
			l.prompt()
			line := "for i in 1 2 3\rdo echo $i\rdone\r"
			if sh == "fish" {
				line = "for i in 1 2 3\recho $i\rend\r"
			}
			l.send(line)
			l.until("end", func(out string) bool { return strings.Contains(out, "D;0") })
			m := only133(marks(l.exit()))
			if n := len(slices.DeleteFunc(slices.Clone(m), func(s string) bool { return s != "C" })); n != 2 {
				t.Errorf("%d commands in %q, want the loop and the exit", n, m)
			}
		})
	}
}

func TestDirectoryIsTold(t *testing.T) {
	for _, sh := range shells {
		t.Run(sh, func(t *testing.T) {
			r := newRig(t)
			r.write(quiet)
			dir := filepath.Join(r.dir, "a b", "zürich%;日")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			host, err := os.Hostname()
			if err != nil {
				t.Fatal(err)
			}
			l := r.live(t, sh, "b", true)
			for i, want := range []string{r.dir, dir, "/"} {
				if i > 0 {
					l.send("cd '" + want + "'\r")
				}
				out := l.prompt()
				m := slices.DeleteFunc(marks(out), func(s string) bool { return !strings.HasPrefix(s, "7 ") })
				if len(m) == 0 {
					t.Fatalf("no OSC 7 in %q", out)
				}
				u, err := url.Parse(strings.TrimPrefix(m[len(m)-1], "7 "))
				if err != nil || u.Scheme != "file" || u.Host != host || u.Path != want {
					t.Errorf("%q (%v), want the path %q", m, err, want)
				}
				for _, c := range m[len(m)-1] {
					if c < ' ' || c > '~' {
						t.Errorf("%q is not encoded", m)
					}
				}
			}
			l.exit()
		})
	}
}

// A shell inside the shell, or in its place, has no integration and no marks of
// ours, also where prompts and PROMPT_COMMAND are handed down.
func TestShellsInsideAreLeftAlone(t *testing.T) {
	for _, c := range []struct {
		name, shell string
		files       map[string]string
		inner       string
	}{
		{"bash in bash", "bash", map[string]string{".bash_profile": "set -a; PROMPT_COMMAND='x=1' PS1='in@@>' PS0=' '\n"}, "bash --norc"},
		{"exec bash in bash", "bash", map[string]string{".bash_profile": "export PS1='in@@>' PS0=' '\n"}, "exec bash --norc"},
		{"bash with its files in bash", "bash", map[string]string{".bash_profile": "PS1='in@@>'\n", ".bashrc": "PS1='in@@>'\n"}, "bash"},
		{"zsh in zsh", "zsh", map[string]string{".zshrc": "export PS1='in@@>'\n"}, "zsh -f"},
		{"zsh in bash", "bash", map[string]string{".bash_profile": "PS1='out@@>'\n", ".zshrc": "PS1='in@@>'\n"}, "zsh"},
		{"bash in fish", "fish", map[string]string{".config/fish/config.fish": "set -g fish_greeting\nfunction fish_prompt; echo -n 'out@@>'; end\n", ".bashrc": "PS1='in@@>'\n"}, "bash"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			r.write(c.files)
			l := r.live(t, c.shell, "b", true)
			l.prompt()
			l.send(c.inner + "\r")
			l.after("in@@>")
			l.send("env | grep -ci -e __drover -e ^ZDOTDIR -e ^ENV= | sed s/^/found:/\r")
			out := l.after("in@@>")
			if !strings.Contains(out, "found:") || len(marks(out)) != 0 {
				t.Errorf("marks %q in %q", marks(out), out)
			}
			// PS1, PS0 and PROMPT_COMMAND that are exported name our variables.
			if !strings.Contains(c.files[".bash_profile"]+c.files[".zshrc"], "export") && !strings.Contains(c.files[".bash_profile"], "set -a") && !strings.Contains(out, "found:0\r\n") {
				t.Errorf("a child has variables of ours: %q", out)
			}
			if !strings.HasPrefix(c.inner, "exec ") {
				l.send("exit 0\r")
				l.until("prompt", func(out string) bool { return strings.HasSuffix(strings.Join(only133(marks(out)), " "), "D;0 A B") })
			}
			l.exit()
		})
	}
}

// Who already marks prompts is not doubled.
func TestAnotherIntegrationGoesFirst(t *testing.T) {
	for sh, files := range map[string]map[string]string{
		"bash": {".bash_profile": `PS1='\[\e]133;A\a\]mine@@>\[\e]133;B\a\]'` + "\n"},
		"zsh":  {".zshrc": `PS1=$'%{\e]133;A\a%}mine@@>%{\e]133;B\a%}'` + "\n"},
		"fish": {".config/fish/config.fish": "set -g fish_greeting\nfunction fish_prompt; printf '\\e]133;A\\amine@@>\\e]133;B\\a'; end\n"},
	} {
		t.Run(sh, func(t *testing.T) {
			r := newRig(t)
			r.write(files)
			l := r.live(t, sh, "b", true)
			l.prompt()
			l.send("true\r")
			l.after("133;B")
			for _, m := range marks(l.exit()) {
				if m != "A" && m != "B" {
					t.Errorf("a mark of ours: %q", m)
				}
			}
		})
	}
}

func TestScriptsAreWrittenForTheUserOnly(t *testing.T) {
	r := newRig(t)
	r.write(quiet)
	script := filepath.Join(r.dir, "it's scripts", "zsh", ".zshenv")
	for range 2 { // what somebody changed is put right by the next start
		l := r.live(t, "zsh", "b", true)
		l.prompt()
		l.exit()
		file, err := os.Stat(script)
		if err != nil {
			t.Fatal(err)
		}
		dir, err := os.Stat(filepath.Dir(script))
		if err != nil {
			t.Fatal(err)
		}
		if file.Mode().Perm() != 0o600 || dir.Mode().Perm() != 0o700 {
			t.Errorf("modes %v and %v", file.Mode(), dir.Mode())
		}
		if names, err := os.ReadDir(filepath.Dir(script)); err != nil || len(names) != 1 {
			t.Errorf("left beside it: %v, %v", names, err)
		}
		if err := errors.Join(os.WriteFile(script, []byte("echo CHANGED\n"), 0o600), os.Chmod(script, 0o644), os.Chmod(filepath.Dir(script), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(r.Output("b"), "CHANGED") {
		t.Error("a changed script was run")
	}
}

// Without its scripts a shell starts as ever, and the reason is said once.
func TestScriptsThatCannotBeWritten(t *testing.T) {
	r := newRig(t)
	r.write(quiet)
	r.write(map[string]string{"file": ""})
	o := r.options()
	o.Integration = func() bool { return true }
	o.ScriptDir = filepath.Join(r.dir, "file", "scripts")
	d := shell.New(o)
	for i, block := range []string{"first", "second"} {
		c, rec := controllertest.Record(t, block)
		if err := c.Start(t.Context(), d, controller.Spec{Shell: "bash"}); err != nil {
			t.Fatal(err)
		}
		s := rec.WaitState(1, controller.Running)
		if told := strings.HasPrefix(s.Message, "Shell integration is off: cannot "); told != (i == 0) {
			t.Errorf("start %d says %q", i+1, s.Message)
		}
		out := r.waitOutput(block, "bash> ")
		if len(marks(out)) != 0 {
			t.Errorf("marks in %q", out)
		}
	}
}

// A block's own command is run as it stands, also if it is a shell.
func TestCommandsGetNoIntegration(t *testing.T) {
	r := newRig(t)
	r.write(quiet)
	o := r.options()
	o.Integration = func() bool { return true }
	o.ScriptDir = filepath.Join(r.dir, "scripts")
	for block, spec := range map[string]controller.Spec{
		"command": {Command: []string{"bash", "-l", "-i", "-c", "echo $- $ENV; set -o | grep posix"}},
		"line":    {CommandLine: "exec zsh -c 'echo got $ZDOTDIR'"},
		"unknown": {Shell: "dash"},
	} {
		c, rec := controllertest.Record(t, block)
		if err := c.Start(t.Context(), shell.New(o), spec); err != nil {
			t.Fatal(err)
		}
		if block == "unknown" {
			if err := c.Send(t.Context(), controller.Input{Bytes: []byte("env; exit\n")}, controller.Order{}); err != nil {
				t.Fatal(err)
			}
		}
		rec.WaitState(1, controller.Exited)
		if out := r.Output(block); len(marks(out)) != 0 || strings.Contains(out, o.ScriptDir) {
			t.Errorf("%s: %q", block, out)
		}
	}
	if _, err := os.Stat(o.ScriptDir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("scripts were written: %v", err)
	}
}
