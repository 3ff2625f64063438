//go:build !windows

package loginenv_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"drover/backend/loginenv"
)

// dialect is how a shell is told things in its start files.
type dialect struct {
	login       string // the file that every login shell reads
	interactive string // the file that only interactive ones read, "" if there is none
	fish        bool
}

func dialects() map[string]dialect {
	return map[string]dialect{
		"bash": {login: ".bash_profile"},
		"zsh":  {login: ".zprofile", interactive: ".zshrc"},
		"fish": {login: ".config/fish/config.fish", fish: true},
		"sh":   {login: ".profile"},
	}
}

func (d dialect) export(name, value string) string {
	if d.fish {
		return "set -gx " + name + " \"" + value + "\"\n"
	}
	return "export " + name + "=\"" + value + "\"\n"
}

// home makes a home directory with start files.
func home(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(content), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func find(t *testing.T, o loginenv.Options) loginenv.Env {
	t.Helper()
	f := loginenv.Start(o)
	env, err := f.Wait(t.Context())
	if err := errors.Join(err, f.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return env
}

func each(t *testing.T, test func(t *testing.T, shell string, d dialect)) {
	t.Helper()
	for name, d := range dialects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shell, err := exec.LookPath(name)
			if err != nil {
				t.Skipf("no %s here", name)
			}
			test(t, shell, d)
		})
	}
}

// bare is what a desktop gives an app, and less.
func bare(home string, more ...string) []string {
	return append([]string{"HOME=" + home, "PATH=/usr/bin:/bin"}, more...)
}

func TestTheUsersEnvironmentIsFound(t *testing.T) {
	each(t, func(t *testing.T, shell string, d dialect) {
		home := home(t, map[string]string{d.login: "echo welcome\necho oops >&2\n" +
			d.export("PATH", "$HOME/tools:$PATH") + d.export("SSH_AUTH_SOCK", "/run/agent") + d.export("https_proxy", "http://proxy:8080") +
			d.export("LINES_OF_TEXT", "first\nFAKE=second\nthird ü") + d.export("EMPTY", "") +
			d.export("CLAUDE_CODE_OF_THE_USER", "1") + d.export("DROVER_FROM_RC", "1")})
		env := find(t, loginenv.Options{Shell: shell, Environ: bare(home,
			"XDG_RUNTIME_DIR=/run/user/1", "DISPLAY=:0",
			// What must not get through.
			"DROVER_TOKEN=x", "GDK_BACKEND=x11", "WEBKIT_DISABLE_DMABUF_RENDERER=1", "VTE_VERSION=1", "TERM_PROGRAM=x", "TERM_PROGRAM_VERSION=x",
			"TERM=dumb", "COLORTERM=x", "WINDOWID=1", "npm_config_x=1", "npm_package_name=x", "CLAUDECODE=1", "CLAUDE_CODE_ENTRYPOINT=cli",
			"CODEX_SANDBOX=1", "VSCODE_IPC_HOOK=x", "ELECTRON_RUN_AS_NODE=1", "SHLVL=7", "OLDPWD=/x", "_=/x", "TMUX=x", "NOTIFY_SOCKET=x")})
		if env.Problem != "" || env.Shell != shell {
			t.Errorf("asked %s: %s", env.Shell, env.Problem)
		}
		want := map[string]string{
			"PATH": home + "/tools:/usr/bin:/bin", "SSH_AUTH_SOCK": "/run/agent", "https_proxy": "http://proxy:8080",
			"LINES_OF_TEXT": "first\nFAKE=second\nthird ü", "EMPTY": "", "CLAUDE_CODE_OF_THE_USER": "1",
			"XDG_RUNTIME_DIR": "/run/user/1", "DISPLAY": ":0", "LANG": "C.UTF-8", "HOME": home,
		}
		for name, value := range want {
			if got, ok := env.Vars[name]; !ok || got != value && (name != "PATH" || !strings.HasPrefix(got, home+"/tools:")) {
				t.Errorf("%s is %q (%v), want %q", name, got, ok, value)
			}
		}
		for name := range env.Vars {
			if _, ok := want[name]; !ok && !slices.Contains([]string{"SHELL", "USER", "LOGNAME", "MAIL", "LC_CTYPE", "SSH_AGENT_PID"}, name) {
				t.Errorf("%s=%q is in it", name, env.Vars[name])
			}
		}
	})
}

func TestWhateverRcFilesDo(t *testing.T) {
	rows := map[string]string{
		"print without a new line": `printf "no new line"`,
		"print much":               `seq 200000`,
		"ask for input":            "read answer",
		"change directory":         "cd /",
		"fail":                     "false; no-such-command",
		"redefine what we call":    "alias env=false; alias printf=false; alias echo=false",
		"start a daemon that keeps our pipe": `sleep 1000 & 
echo`,
	}
	posix := map[string]string{
		"set options":       "set -v; set -x; set -u; set -e",
		"break PATH":        "export PATH=/nowhere",
		"read the terminal": "stty sane; read answer < /dev/tty",
		"define functions":  "env() { :; }; echo() { :; }",
	}
	each(t, func(t *testing.T, shell string, d dialect) {
		all := map[string]string{}
		for name, rc := range rows {
			all[name] = rc
		}
		if !d.fish {
			for name, rc := range posix {
				all[name] = rc
			}
		}
		for name, rc := range all {
			file := d.login
			if d.interactive != "" {
				file = d.interactive
			}
			home := home(t, map[string]string{file: d.export("FOUND", "yes") + rc + "\n"})
			env := find(t, loginenv.Options{Shell: shell, Environ: bare(home), Patience: time.Minute})
			if env.Problem != "" || env.Vars["FOUND"] != "yes" {
				t.Errorf("%s: FOUND is %q: %s", name, env.Vars["FOUND"], env.Problem)
			}
		}
	})
}

func TestATrapThatPrintsBeforeEveryCommand(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	home := home(t, map[string]string{".bash_profile": "export FOUND=yes\ntrap 'printf \"\\e]0;title\\a\"' DEBUG\ntrap 'echo bye' EXIT\n"})
	env := find(t, loginenv.Options{Shell: shell, Environ: bare(home), Patience: time.Minute})
	if env.Problem != "" || env.Vars["FOUND"] != "yes" || env.Vars["HOME"] != home {
		t.Errorf("%+v", env)
	}
}

func TestStartFilesThatLeaveTheShell(t *testing.T) {
	for _, rc := range []string{"exec true", "exit 3", "kill -9 $$", "exec cat"} {
		t.Run(rc, func(t *testing.T) {
			t.Parallel()
			shell, err := exec.LookPath("zsh")
			if err != nil {
				t.Skip(err)
			}
			home := home(t, map[string]string{".zprofile": "export FOUND=yes\n", ".zshrc": rc + "\n"})
			env := find(t, loginenv.Options{Shell: shell, Environ: bare(home), Patience: time.Minute})
			if env.Vars["FOUND"] != "yes" || !strings.Contains(env.Problem, "without its interactive start files it did") {
				t.Errorf("FOUND is %q: %s", env.Vars["FOUND"], env.Problem)
			}
		})
	}
}

func TestAShellThatHangsIsEndedWithAllItsChildren(t *testing.T) {
	each(t, func(t *testing.T, shell string, d dialect) {
		pid := "echo $$ >> $HOME/pids\nsleep 1000 &\n"
		if d.fish {
			pid = "echo $fish_pid >> $HOME/pids\nsleep 1000 &\n"
		}
		home := home(t, map[string]string{d.login: d.export("FOUND", "yes") + pid + "sleep 1000\n"})
		env := find(t, loginenv.Options{Shell: shell, Environ: bare(home, "MINE=1", "DROVER_X=1"), Patience: 1500 * time.Millisecond})
		if !strings.Contains(env.Problem, "not within 1.5s") || !strings.Contains(env.Problem, "the app's own environment") {
			t.Errorf("the problem is %q", env.Problem)
		}
		if env.Vars["MINE"] != "1" || env.Vars["PATH"] != "/usr/bin:/bin" || env.Vars["LANG"] == "" || env.Vars["DROVER_X"] != "" {
			t.Errorf("the environment is %q", env.Vars)
		}
		pids, err := os.ReadFile(filepath.Join(home, "pids"))
		if err != nil || len(strings.Fields(string(pids))) == 0 {
			t.Fatalf("the shell did not run: %v", err)
		}
		for _, pid := range strings.Fields(string(pids)) {
			untilNoneIn(t, pid)
		}
	})
}

func TestNothingIsLeftOfAShellThatAnswered(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	home := home(t, map[string]string{".bash_profile": "echo $$ > $HOME/pids\nsleep 1000 &\n"})
	if env := find(t, loginenv.Options{Shell: shell, Environ: bare(home), Patience: time.Minute}); env.Problem != "" {
		t.Fatal(env.Problem)
	}
	pid, err := os.ReadFile(filepath.Join(home, "pids"))
	if err != nil {
		t.Fatal(err)
	}
	untilNoneIn(t, strings.TrimSpace(string(pid)))
}

// untilNoneIn waits until no process of a session lives.
func untilNoneIn(t *testing.T, session string) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		out, _ := exec.Command("ps", "-A", "-o", "sess=,pid=,stat=,args=").Output()
		alive := ""
		for line := range strings.Lines(string(out)) {
			if f := strings.Fields(line); len(f) > 2 && f[0] == session && !strings.HasPrefix(f[2], "Z") {
				alive = line
			}
		}
		if alive == "" {
			return
		}
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatalf("still there: %s", alive)
		}
	}
}

func TestNoShellAtAll(t *testing.T) {
	for _, shell := range []string{"/nowhere/shell", "/bin/false", "/etc/passwd"} {
		env := find(t, loginenv.Options{Shell: shell, Environ: []string{"MINE=1"}})
		if env.Problem == "" || env.Vars["MINE"] != "1" || env.Vars["PATH"] == "" {
			t.Errorf("%s: %+v", shell, env)
		}
	}
}

func TestWaitingCanBeGivenUpAndTheSearchEnded(t *testing.T) {
	home := home(t, map[string]string{".profile": "sleep 1000\n"})
	f := loginenv.Start(loginenv.Options{Shell: "/bin/sh", Environ: bare(home), Patience: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	env, err := f.Wait(t.Context())
	if err != nil || env.Vars["HOME"] != home {
		t.Errorf("after Close: %+v, %v", env, err)
	}
	env.Vars["HOME"] = "x"
	if again, _ := f.Wait(t.Context()); again.Vars["HOME"] != home {
		t.Error("whoever has the environment can change it")
	}
}

func TestTheDefaultShell(t *testing.T) {
	for _, r := range []struct{ shell, want string }{
		{"/bin/sh", "/bin/sh"}, {"sh", ""}, {"/nowhere/sh", ""}, {"/etc", ""}, {"/etc/passwd", ""}, {"", ""},
	} {
		t.Setenv("SHELL", r.shell)
		got := loginenv.DefaultShell()
		if r.want != "" && got != r.want || r.want == "" && (got == r.shell || !filepath.IsAbs(got)) {
			t.Errorf("with SHELL=%q it is %q", r.shell, got)
		}
	}
	passwd := "root:x:0:0:root:/root:/bin/bash\na:x:1000:1000:A,,,:/home/a:/usr/bin/fish\nbroken\n"
	for uid, want := range map[int]string{0: "/bin/bash", 1000: "/usr/bin/fish", 1: ""} {
		if got := loginenv.PasswdShell(passwd, uid); got != want {
			t.Errorf("the shell of %d is %q, want %q", uid, got, want)
		}
	}
}

func TestShells(t *testing.T) {
	t.Setenv("SHELL", "/bin/sh")
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"nu": 0o755, "elvish": 0o644, "other": 0o755} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	got := loginenv.Shells(dir + ":" + dir + ":.")
	if got[0] != "/bin/sh" || !slices.Contains(got, filepath.Join(dir, "nu")) {
		t.Errorf("shells are %q", got)
	}
	seen := map[string]bool{}
	for _, s := range got {
		info, err := os.Stat(s)
		if err != nil || info.Mode()&0o111 == 0 || !filepath.IsAbs(s) || filepath.Base(s) == "other" || filepath.Base(s) == "tmux" {
			t.Errorf("%s is listed", s)
		}
		real, _ := filepath.EvalSymlinks(filepath.Dir(s))
		if key := filepath.Join(real, filepath.Base(s)); seen[key] {
			t.Errorf("%s is listed twice in %q", s, got)
		} else {
			seen[key] = true
		}
	}
}
