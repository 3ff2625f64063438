//go:build !windows && !darwin

package loginenv

import "os"

func accountShell(uid int) string {
	passwd, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return ""
	}
	return passwdShell(string(passwd), uid)
}
