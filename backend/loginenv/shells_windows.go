package loginenv

import (
	"os/exec"
	"path/filepath"
	"strings"
)

// defaultShell is the newest PowerShell, else the command prompt.
func defaultShell(map[string]string) string {
	for _, name := range []string{"pwsh.exe", "powershell.exe", "cmd.exe"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return "cmd.exe"
}

func shells(first, path string) []string {
	out, seen := []string{first}, map[string]bool{strings.ToLower(first): true}
	for _, name := range []string{"pwsh.exe", "powershell.exe", "cmd.exe", "bash.exe", "nu.exe"} {
		for _, dir := range filepath.SplitList(path) {
			shell := filepath.Join(dir, name)
			if key := strings.ToLower(shell); !seen[key] && executable(shell) {
				seen[key] = true
				out = append(out, shell)
			}
		}
	}
	return out
}
