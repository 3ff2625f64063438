package loginenv

import (
	"context"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
	"time"
)

// accountShell asks the directory service: macOS keeps users out of /etc/passwd.
func accountShell(uid int) string {
	u, err := user.LookupId(strconv.Itoa(uid))
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "/usr/bin/dscl", ".", "-read", "/Users/"+u.Username, "UserShell").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(string(out), "UserShell:"))
}
