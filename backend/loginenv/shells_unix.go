//go:build !windows

package loginenv

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

func defaultShell(env map[string]string) string {
	usual := []string{"/bin/bash", "/bin/sh"}
	if runtime.GOOS == "darwin" {
		usual = []string{"/bin/zsh", "/bin/bash", "/bin/sh"}
	}
	if s := env["SHELL"]; filepath.IsAbs(s) && executable(s) {
		return s
	}
	if s := accountShell(os.Getuid()); filepath.IsAbs(s) && executable(s) {
		return s
	}
	for _, s := range usual {
		if executable(s) {
			return s
		}
	}
	return "/bin/sh"
}

// passwdShell looks a user up in the text of a passwd file.
func passwdShell(passwd string, uid int) string {
	for line := range strings.Lines(passwd) {
		f := strings.Split(strings.TrimSpace(line), ":")
		if len(f) == 7 && f[2] == strconv.Itoa(uid) {
			return f[6]
		}
	}
	return ""
}

func shells(first, path string) []string {
	out := []string{first}
	seen := map[string]bool{place(first): true}
	add := func(shell string) {
		// Two paths to one folder are one shell; two names (bash, sh) are two.
		if !seen[place(shell)] && filepath.IsAbs(shell) && executable(shell) && !notShell(shell) {
			seen[place(shell)] = true
			out = append(out, shell)
		}
	}
	if f, err := os.Open("/etc/shells"); err == nil {
		defer func() { _ = f.Close() }()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			line, _, _ := strings.Cut(lines.Text(), "#")
			add(strings.TrimSpace(line))
		}
	}
	for _, name := range []string{"bash", "zsh", "fish", "nu", "pwsh", "elvish", "xonsh", "ksh", "tcsh", "dash"} {
		for _, dir := range filepath.SplitList(path) {
			add(filepath.Join(dir, name))
		}
	}
	return out
}

func place(shell string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(shell))
	if err != nil {
		return shell
	}
	return filepath.Join(dir, filepath.Base(shell))
}

// notShell names what /etc/shells lists for log-ins but nobody wants in a pane.
func notShell(path string) bool {
	return slices.Contains([]string{"tmux", "screen", "rbash", "nologin", "false", "true", "git-shell", "systemd-home-fallback-shell"}, filepath.Base(path))
}
