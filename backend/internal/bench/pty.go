//go:build unix

package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"drover/backend/pty"
	"drover/backend/terminal"
	"drover/backend/termlog"
)

const floodBytes = 64 << 20

// floodLine is one line of a kind of output.
func floodLine(kind string, i int) string {
	switch kind {
	case "sgr":
		return fmt.Sprintf("\x1b[1;3%dmline %d\x1b[0m of a \x1b[38;5;%dmcoloured\x1b[0m flood\r\n", i%8, i, i%256)
	case "unicode":
		return fmt.Sprintf("строка %d — 日本語のテキスト, ça va\r\n", i)
	default:
		return fmt.Sprintf("%06d the quick brown fox jumps over the lazy dog, again and again\r\n", i)
	}
}

// flood writes n bytes of one kind to its output, as fast as that takes them.
func flood(kind string, n int64) {
	var b strings.Builder
	for i := 0; b.Len() < 1<<20; i++ {
		b.WriteString(floodLine(kind, i))
	}
	chunk := []byte(b.String())
	w := bufio.NewWriterSize(os.Stdout, 64<<10)
	for n > 0 {
		k := min(n, int64(len(chunk)))
		if _, err := w.Write(chunk[:k]); err != nil {
			return
		}
		n -= k
	}
	_ = w.Flush()
}

func self() string {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return exe
}

func floodCommand(kind string) pty.Command {
	return pty.Command{
		Path: "/bin/sh",
		Args: []string{"sh", "-c", fmt.Sprintf("stty -opost; exec %s -emit %d -kind %s", self(), int64(floodBytes), kind)},
		Env:  os.Environ(), Dir: os.TempDir(),
		Size: pty.Size{Cols: 120, Rows: 40},
	}
}

// cost is how long something took and what it cost this process.
type cost struct{ wall, cpu time.Duration }

func (c cost) rate() float64     { return float64(floodBytes) / 1e6 / c.wall.Seconds() }
func (c cost) cpuPerGB() float64 { return c.cpu.Seconds() / (float64(floodBytes) / 1e9) }

func cpuOf(who int) time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(who, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func measure(f func() error) (cost, error) {
	cpu, began := cpuOf(syscall.RUSAGE_SELF), time.Now()
	err := f()
	return cost{time.Since(began), cpuOf(syscall.RUSAGE_SELF) - cpu}, err
}

// bare reads a PTY and does nothing with it.
func bare(kind string) error {
	p, err := pty.Start(floodCommand(kind))
	if err != nil {
		return err
	}
	buf := make([]byte, 64<<10)
	for err == nil {
		_, err = p.Read(buf)
	}
	p.Wait()
	return p.Close()
}

// logged is a terminal with its log on the disk.
func logged(kind string) error {
	dir, err := os.MkdirTemp("", "drover-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	log, err := termlog.Open(dir, termlog.Options{})
	if err != nil {
		return err
	}
	t := terminal.New(log, terminal.Options{Pacer: terminal.NewPacer()})
	p, err := t.Start(floodCommand(kind))
	if err != nil {
		return err
	}
	<-p.Done()
	if log.End() < floodBytes {
		return fmt.Errorf("only %d bytes are in the log", log.End())
	}
	return t.Close()
}

// tmux runs the same in a detached tmux, whose server's own time is counted.
func tmux(kind string) (cost, error) {
	dir, err := os.MkdirTemp("", "drover-bench-")
	if err != nil {
		return cost{}, err
	}
	defer os.RemoveAll(dir)
	socket, done := filepath.Join(dir, "s"), filepath.Join(dir, "done")
	run := func(args ...string) ([]byte, error) {
		return exec.Command("tmux", append([]string{"-S", socket, "-f", "/dev/null"}, args...)...).CombinedOutput()
	}
	c := floodCommand(kind)
	if out, err := run("new-session", "-d", "-x", "120", "-y", "40", c.Args[2][:len("stty -opost; ")]+"while [ ! -e "+dir+"/go ]; do sleep 0.01; done; "+
		strings.TrimPrefix(c.Args[2], "stty -opost; exec ")+"; touch "+done+"; sleep 100"); err != nil {
		return cost{}, fmt.Errorf("tmux: %w: %s", err, out)
	}
	defer func() { _, _ = run("kill-server") }()
	out, err := run("display-message", "-p", "#{pid}")
	if err != nil {
		return cost{}, err
	}
	pid := strings.TrimSpace(string(out))
	cpu, began := procCPU(pid), time.Now()
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		return cost{}, err
	}
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Stat(done); err == nil {
			return cost{time.Since(began), procCPU(pid) - cpu}, nil
		}
		<-tick.C
	}
}

// procCPU is what a process has used, from /proc; the tick is 10 ms on Linux.
func procCPU(pid string) time.Duration {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0
	}
	f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+2:]))
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// tries: the best of so many runs counts, on both sides.
const tries = 3

func ptyRows(string) ([]row, error) {
	var rows []row
	for _, kind := range []string{"plain", "sgr", "unicode"} {
		var ours, base, other cost
		for range tries {
			b, err := measure(func() error { return bare(kind) })
			if err != nil {
				return nil, err
			}
			o, err := measure(func() error { return logged(kind) })
			if err != nil {
				return nil, err
			}
			x, err := tmux(kind)
			if err != nil {
				return nil, err
			}
			base, ours, other = best(base, b), best(ours, o), best(other, x)
		}
		rows = append(rows,
			against("PTY to log, "+kind, ours.rate(), "MB/s", "bare PTY read", base.rate(), 0.8, false),
			against("PTY to log, "+kind, ours.rate(), "MB/s", "tmux detached", other.rate(), 1, false),
			against("PTY to log, "+kind, ours.cpuPerGB(), "CPU s/GB", "tmux detached", other.cpuPerGB(), 1, true),
		)
	}
	return rows, nil
}

func best(a, b cost) cost {
	if a.wall == 0 || b.wall < a.wall {
		return b
	}
	return a
}
