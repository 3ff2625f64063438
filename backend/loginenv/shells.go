package loginenv

import (
	"os"
	"runtime"
)

// DefaultShell returns the path of the user's login shell: $SHELL, else that of
// the user database, else the first there is of the system's usual ones. It may
// run a program of the system's for up to a second (macOS, without $SHELL).
func DefaultShell() string { return defaultShell(parsePairs(os.Environ())) }

// Shells returns the paths of the shells that there are, the default one first.
// path is the PATH to look along, "" the app's own.
func Shells(path string) []string {
	if path == "" {
		path = os.Getenv("PATH")
	}
	return shells(DefaultShell(), path)
}

// executable reports whether path is a program that this user may run.
func executable(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	return runtime.GOOS == "windows" || info.Mode()&0o111 != 0
}
