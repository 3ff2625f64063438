//go:build !windows

package loginenv

// PasswdShell looks a user up.
func PasswdShell(passwd string, uid int) string { return passwdShell(passwd, uid) }
