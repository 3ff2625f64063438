package shell

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Shell integration: the interactive shells that we know tell the terminal
// their directory (OSC 7) and where prompts, commands and output begin and how
// commands ended (OSC 133). None of the user's files is touched; a shell is
// started so that it reads a script of ours and all that it would have read.

//go:embed scripts
var scripts embed.FS

// integrate changes how the shell in p is started. It leaves p as it is where
// there is no integration for it, or none that would be safe.
func (d *Driver) integrate(p program) program {
	if !p.interactive || d.o.Integration == nil || !d.o.Integration() {
		return p
	}
	name := strings.TrimSuffix(filepath.Base(p.path), ".exe")
	with, ok := integrations[name]
	if !ok || !with.safe(p) {
		return p
	}
	path := filepath.Join(d.o.ScriptDir, filepath.FromSlash(with.file))
	if err := install(path, with.script); err != nil {
		if d.warned.CompareAndSwap(false, true) {
			p.note = strings.TrimSpace(p.note + " " + fmt.Sprintf("Shell integration is off: %v.", err))
		}
		return p
	}
	return with.start(p, path)
}

// integration is what is done for one shell.
type integration struct {
	script string // embedded
	file   string // under ScriptDir, with slashes
	safe   func(program) bool
	start  func(p program, script string) program
}

var integrations = map[string]integration{
	"bash": {"integration.bash", "integration.bash", bashReadsENV, startBash},
	"zsh":  {"integration.zsh", "zsh/.zshenv", zshKeepsZDOTDIR, startZsh},
	"fish": {"integration.fish", "integration.fish", onUnix, startFish},
	"pwsh": {"integration.ps1", "integration.ps1", anywhere, startPwsh},
}

// startBash starts a login shell in POSIX mode, which reads $ENV and none of
// the login files. The script ends that mode and reads them.
func startBash(p program, script string) program {
	p.args = append(p.args[:len(p.args):len(p.args)], "--posix")
	return carry(p, "ENV", script)
}

// bashReadsENV: not Apple's, which ignores ENV and would read no file at all;
// and who wants POSIX mode gets the shell as it is.
func bashReadsENV(p program) bool {
	appleOne := runtime.GOOS == "darwin" && p.path == "/bin/bash"
	return !appleOne && onUnix(p) &&
		lookup(p.env, "POSIXLY_CORRECT") == "" && lookup(p.env, "SHELLOPTS") == ""
}

// startZsh lets zsh find our .zshenv, which puts the user's ZDOTDIR back.
func startZsh(p program, script string) program {
	return carry(p, "ZDOTDIR", filepath.Dir(script))
}

// zshKeepsZDOTDIR: where the system's zshenv decides about ZDOTDIR, what it
// decides must not depend on ours.
func zshKeepsZDOTDIR(p program) bool {
	for _, file := range []string{"/etc/zshenv", "/etc/zsh/zshenv"} {
		if text, err := os.ReadFile(file); err == nil && bytes.Contains(text, []byte("ZDOTDIR")) {
			return false
		}
	}
	return onUnix(p)
}

func onUnix(program) bool { return runtime.GOOS != "windows" }

func anywhere(program) bool { return true }

// startFish runs the script after fish's own files.
func startFish(p program, script string) program {
	quoted := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(script)
	p.args = append(p.args[:len(p.args):len(p.args)], "--init-command", "source '"+quoted+"'")
	return p
}

// startPwsh runs the script after the profiles.
func startPwsh(p program, script string) program {
	quoted := strings.ReplaceAll(script, "'", "''")
	p.args = append(p.args[:len(p.args):len(p.args)], "-NoExit", "-Command", ". '"+quoted+"'")
	return p
}

// carry sets a variable that the script puts back to what it was: it finds that
// in __DROVER_<name>, which is not there if there was nothing.
func carry(p program, name, value string) program {
	env := p.env[:len(p.env):len(p.env)]
	if old := lookup(p.env, name); old != "" {
		env = append(env, "__DROVER_"+name+"="+old)
	}
	p.env = append(env, name+"="+value)
	return p
}

// install makes path hold the embedded script. Its folder is for the user only.
func install(path, script string) error {
	text, err := scripts.ReadFile("scripts/" + script)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("cannot make the folder of its scripts: %w", err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("cannot protect the folder of its scripts: %w", err)
	}
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, text) {
		return os.Chmod(path, 0o600)
	}
	if err := replace(path, text); err != nil {
		return fmt.Errorf("cannot write its script: %w", err)
	}
	return nil
}

// replace writes a file whole or not at all: a shell may be reading it.
func replace(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
