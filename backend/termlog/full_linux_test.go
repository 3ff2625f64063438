package termlog_test

import (
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// limitFiles makes writes beyond size fail for this process; lift takes that back.
func limitFiles(size uint64) (lift func() error, err error) {
	signal.Ignore(syscall.SIGXFSZ)
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return nil, err
	}
	now := syscall.Rlimit{Cur: size, Max: old.Max}
	return func() error { return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old) },
		syscall.Setrlimit(syscall.RLIMIT_FSIZE, &now)
}

func TestFullDiskLosesTheOldestAndRecovers(t *testing.T) {
	out, err := childCommand(t, "full", t.TempDir()).Output()
	if err != nil || strings.TrimSpace(string(out)) != "ok" {
		t.Fatalf("%s %v", out, err)
	}
}
