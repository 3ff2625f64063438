//go:build unix

package shell

import (
	"io/fs"
	"path/filepath"
)

// lineShell runs a command line.
func lineShell(line string) (path string, args []string) {
	return "/bin/sh", []string{"sh", "-c", line}
}

// loginArgs makes a login shell of an interactive one: a name that begins with
// a dash is understood by every shell of Unix; pwsh wants to be told.
func loginArgs(path string) []string {
	name := filepath.Base(path)
	if name == "pwsh" {
		return []string{name, "-Login"}
	}
	return []string{"-" + name}
}

func extensions([]string) []string { return []string{""} }

func mayRun(info fs.FileInfo) bool { return info.Mode()&0o111 != 0 }

func sameVariable(a, b string) bool { return a == b }
