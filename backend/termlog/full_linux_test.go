package termlog_test

import (
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"drover/backend/termlog"
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

// The same on a file system that is really full, where not even a new file can be made.
func TestFullFileSystem(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m,mode=700"); err != nil {
		t.Skipf("cannot mount a small file system here (needs root): %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	told := make(chan error, 10)
	l := open(t, dir+"/log", termlog.Options{OnError: func(err error) { told <- err }})
	end := uint64(0)
	for end < 30<<20 {
		l.Append(pattern(end, 10_000))
		l.Mark(termlog.KindPrompt, []byte("mark"))
		end += 10_000
	}
	if err := <-told; !strings.Contains(err.Error(), "no space left") {
		t.Error(err)
	}
	lost, ok := one(readAll(t, l, 0, 64<<10))
	if !ok || lost.unsure || lost.from > 2<<20 || lost.from < 1<<20 || end-lost.to > 8<<20 {
		t.Fatalf("lost %v of %d", lost, end)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=64m,mode=700"); err != nil {
		t.Fatal(err)
	}
	flush(t, l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open(t, dir+"/log", termlog.Options{})
	now, ok := one(readAll(t, l, 0, 64<<10))
	if !ok || now != lost || l.End() != end || len(l.Marks(0, end)) != int(end/10_000)-1 {
		t.Errorf("afterwards lost %v of %d, %d marks", now, l.End(), len(l.Marks(0, end)))
	}
	if len(told) != 0 {
		t.Errorf("told again: %v", <-told)
	}
	_ = l.Close()
}
