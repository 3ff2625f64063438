package shell

import (
	"io/fs"
	"path/filepath"
	"strings"
)

// lineShell runs a command line.
func lineShell(line string) (path string, args []string) {
	return `C:\Windows\System32\cmd.exe`, []string{"cmd", "/d", "/s", "/c", line}
}

// loginArgs: Windows shells have no login form.
func loginArgs(path string) []string { return []string{filepath.Base(path)} }

func extensions(env []string) []string {
	ext := lookup(env, "PATHEXT")
	if ext == "" {
		ext = ".COM;.EXE;.BAT;.CMD"
	}
	return append([]string{""}, strings.Split(ext, ";")...)
}

func mayRun(fs.FileInfo) bool { return true }

func sameVariable(a, b string) bool { return strings.EqualFold(a, b) }
