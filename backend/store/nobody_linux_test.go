package store_test

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// asNobody runs fn without root's power over files: only this thread's.
func asNobody(t *testing.T, fn func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		fn()
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	must(t, unix.Setfsuid(65534))
	defer func() { must(t, unix.Setfsuid(0)) }()
	fn()
}
