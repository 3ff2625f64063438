package termlog_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"drover/backend/termlog"
)

// child is what the test binary does when a test runs it again.
func child(what string) {
	switch what {
	case "append":
		childAppend(os.Getenv("TERMLOG_DIR"))
	case "full":
		childFull(os.Getenv("TERMLOG_DIR"))
	}
}

func childCommand(t *testing.T, what, dir string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env = append(os.Environ(), "TERMLOG_CHILD="+what, "TERMLOG_DIR="+dir)
	c.Stderr = os.Stderr
	return c
}

const killLimit = 8 << 20

// childAppend floods and idles by turns until it is killed, and says which numbers it has given
// ("g") and which bytes are with the system ("f").
func childAppend(dir string) {
	l, err := termlog.Open(dir, termlog.Options{Limit: killLimit})
	if err != nil {
		fmt.Println("e", err)
		return
	}
	for {
		start := l.End()
		burst := 1 + rand.IntN(4)*rand.IntN(400)
		for range burst {
			off := l.End()
			n := 1 + rand.IntN(1+rand.IntN(40_000))
			l.Append(pattern(off, n))
		}
		l.Mark(termlog.KindPrompt, nil)
		// After an idle time the log writes its first bytes at once, and only then are
		// their numbers safe. On a busy machine the next line would be faster.
		if l.End()-start < 512<<10 {
			_ = l.Flush(context.Background())
		} else {
			l.WaitWritten(start)
		}
		fmt.Println("g", l.End())
		if rand.IntN(4) == 0 {
			end := l.End()
			if l.Flush(context.Background()) == nil {
				fmt.Println("f", end)
			}
		}
	}
}

// Killed at random moments, a log is readable up to what was written, and gives no number
// twice.
func TestKilledWhileAppending(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	for round := range 5 {
		c := childCommand(t, "append", dir)
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		var given, flushed uint64
		lines := bufio.NewScanner(out)
		for left := 1 + rand.IntN(60); lines.Scan(); left-- {
			var n uint64
			switch kind, num, _ := strings.Cut(lines.Text(), " "); kind {
			case "g":
				_, _ = fmt.Sscan(num, &n)
				given = max(given, n)
			case "f":
				_, _ = fmt.Sscan(num, &n)
				flushed = max(flushed, n)
			default:
				t.Error(lines.Text())
			}
			if left == 0 {
				_ = c.Process.Kill()
			}
		}
		_ = c.Wait()
		l := open(t, dir, termlog.Options{Limit: killLimit})
		if l.End() < given {
			t.Fatalf("round %d: numbers go on at %d, %d were given", round, l.End(), given)
		}
		var unsure uint64
		for _, g := range readAll(t, l, l.First(), 50_000) {
			if g.unsure && g.from < flushed && g.to > flushed {
				t.Fatalf("round %d: lost %v, though %d was written", round, g, flushed)
			}
			unsure = g.to
		}
		t.Logf("round %d: %d given, %d written, %d to %d, last gap to %d", round, given, flushed, l.First(), l.End(), unsure)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// childFull runs with a limit on the size of files, so that a write fails half-way, as on a
// full disk; it says "ok" or what is wrong.
func childFull(dir string) {
	if err := fullDisk(dir); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("ok")
}

func fullDisk(dir string) error {
	var reports atomic.Int32
	told := make(chan error, 10)
	l, err := termlog.Open(dir, termlog.Options{OnError: func(err error) {
		reports.Add(1)
		told <- err
	}})
	if err != nil {
		return err
	}
	l.Append(pattern(0, 100_000))
	if err := l.Flush(context.Background()); err != nil {
		return err
	}
	lift, err := limitFiles(150_000)
	if err != nil {
		return err
	}
	var end uint64 = 100_000
	for end < 30<<20 {
		l.Append(pattern(end, 10_000))
		end += 10_000
	}
	<-told
	gaps, err := check(l, 0, 64<<10)
	if err != nil {
		return err
	}
	// 8 MiB stay in memory, the rest is shown as lost.
	lost, kept := one(gaps)
	if lost.from < 100_000 || lost.from > 150_000 || lost.unsure || !kept || end-lost.to > 8<<20 || end-lost.to < 7<<20 {
		return fmt.Errorf("full: end %d, gaps %v", end, gaps)
	}
	if n := reports.Load(); n != 1 {
		return fmt.Errorf("told %d times", n)
	}
	if err := lift(); err != nil {
		return err
	}
	if err := l.Flush(context.Background()); err != nil {
		return err
	}
	if err := l.Close(); err != nil {
		return err
	}
	l, err = termlog.Open(dir, termlog.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = l.Close() }()
	after, err := check(l, 0, 64<<10)
	if err != nil {
		return err
	}
	if now, ok := one(after); !ok || now != lost || l.End() != end {
		return fmt.Errorf("afterwards: end %d, want %d, gaps %v, want %v", l.End(), end, after, gaps)
	}
	return nil
}

// one joins gaps that lie end to end.
func one(gaps []gap) (all gap, ok bool) {
	for i, g := range gaps {
		if i == 0 {
			all = g
			continue
		}
		if g.from != all.to || g.unsure != all.unsure {
			return all, false
		}
		all.to = g.to
	}
	return all, len(gaps) > 0
}
