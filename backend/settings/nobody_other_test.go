//go:build !linux

package settings_test

import (
	"os"
	"runtime"
	"testing"
)

func asNobody(t *testing.T, fn func()) {
	t.Helper()
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("permissions do not bind this user")
	}
	fn()
}
