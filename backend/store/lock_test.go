package store_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"drover/backend/store"
)

func TestOneProcessOwnsTheDirectory(t *testing.T) {
	for _, role := range []string{"lock", "lock-by-pid"} {
		t.Run(role, func(t *testing.T) {
			lock := store.Lock
			if role == "lock-by-pid" {
				lock = func(dir string) (*store.DirLock, []store.Notice, error) { return store.LockWith(dir, noLocks) }
			}
			dir := t.TempDir()
			o := start(t, role, dir, "")
			o.says(t, "locked")
			_, _, err := lock(dir)
			var held *store.HeldError
			if !errors.As(err, &held) {
				t.Fatalf("got %v", err)
			}
			pid := o.cmd.Process.Pid
			if held.Owner.PID != pid || !strings.Contains(err.Error(), "process "+strconv.Itoa(pid)) || !strings.Contains(err.Error(), "--data") {
				t.Errorf("the error is %v, the owner %d", err, pid)
			}
			if held.Owner.Address != "http://127.0.0.1:4711" || held.Owner.Started.IsZero() || held.Delete != "" {
				t.Errorf("held by %+v", held)
			}
			o.end(t)
			l, notices, err := lock(dir)
			must(t, err)
			if said := len(notices) > 0; said != (role == "lock-by-pid") {
				t.Errorf("notices: %+v", notices)
			}
			if _, _, err := lock(dir); !errors.As(err, &held) || held.Owner.PID != os.Getpid() {
				t.Errorf("locked twice in one process: %v", err)
			}
			must(t, l.Close(), l.Close())
			if err := l.SetAddress("x"); err == nil {
				t.Error("a closed lock was written")
			}
			l, _, err = lock(dir)
			must(t, err)
			must(t, l.Close())
		})
	}
}

func TestAKilledOwnerHoldsNothing(t *testing.T) {
	for _, role := range []string{"lock", "lock-by-pid"} {
		dir := t.TempDir()
		o := start(t, role, dir, "")
		o.says(t, "locked")
		must(t, o.cmd.Process.Kill())
		_ = o.cmd.Wait()
		lock := store.Lock
		if role == "lock-by-pid" {
			lock = func(dir string) (*store.DirLock, []store.Notice, error) { return store.LockWith(dir, noLocks) }
		}
		l, _, err := lock(dir)
		must(t, err)
		must(t, l.Close())
	}
}

func TestWhoseFileItIsWhereFilesCannotBeLocked(t *testing.T) {
	host, err := os.Hostname()
	must(t, err)
	rows := []struct {
		name, content string
		free          bool
		deletable     bool
	}{
		{"a pid that is used again", owner(t, store.Owner{PID: os.Getppid(), Host: host, Mark: "an older process"}), true, false},
		{"a living process, no mark", owner(t, store.Owner{PID: os.Getppid(), Host: host}), false, false},
		{"another machine", owner(t, store.Owner{PID: 1 << 30, Host: "elsewhere"}), false, true},
		{"a dead process", owner(t, store.Owner{PID: 1 << 30, Host: host}), true, false},
		{"nothing", "", false, true},
		{"garbage", "{", false, true},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, store.PIDName)
			must(t, os.WriteFile(path, []byte(r.content), 0o600))
			l, _, err := store.LockWith(dir, noLocks)
			if r.free {
				must(t, err)
				must(t, l.Close())
				return
			}
			var held *store.HeldError
			if !errors.As(err, &held) {
				t.Fatalf("got %v", err)
			}
			if says := strings.Contains(err.Error(), "delete "+path); says != r.deletable {
				t.Errorf("the error is %v", err)
			}
			if got, _ := os.ReadFile(path); string(got) != r.content {
				t.Errorf("the file became %q", got)
			}
		})
	}
}

func owner(t *testing.T, o store.Owner) string {
	t.Helper()
	text, err := json.Marshal(o)
	must(t, err)
	return string(text)
}

func TestOnlyOneOfManyTakesOverADeadOwnersFile(t *testing.T) {
	dir := t.TempDir()
	host, _ := os.Hostname()
	must(t, os.WriteFile(filepath.Join(dir, store.PIDName), []byte(owner(t, store.Owner{PID: 1 << 30, Host: host})), 0o600))
	results := make(chan *store.DirLock, 8)
	for range cap(results) {
		go func() {
			l, _, _ := store.LockWith(dir, noLocks)
			results <- l
		}()
	}
	var got []*store.DirLock
	for range cap(results) {
		if l := <-results; l != nil {
			got = append(got, l)
		}
	}
	if len(got) != 1 {
		t.Fatalf("%d own the directory", len(got))
	}
	must(t, got[0].Close())
}

// One who died while it took the lock over is named: a person can mend that.
func TestATakeOverThatWasNotEndedIsNamed(t *testing.T) {
	dir := t.TempDir()
	host, _ := os.Hostname()
	must(t, os.WriteFile(filepath.Join(dir, store.PIDName), []byte(owner(t, store.Owner{PID: 1 << 30, Host: host})), 0o600))
	taking := filepath.Join(dir, store.TakingName)
	must(t, os.WriteFile(taking, nil, 0o600))
	if _, _, err := store.LockWith(dir, noLocks); err == nil || !strings.Contains(err.Error(), "delete "+taking) {
		t.Errorf("got %v", err)
	}
	must(t, os.Remove(taking))
	l, _, err := store.LockWith(dir, noLocks)
	must(t, err)
	must(t, l.Close())
}
