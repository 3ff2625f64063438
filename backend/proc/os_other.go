//go:build !linux

package proc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/shirou/gopsutil/v4/net"
	"github.com/shirou/gopsutil/v4/process"
)

// bootID is "": elsewhere a process's start is absolute.
func bootID() string { return "" }

type clock struct{}

func startClock(time.Time) clock { return clock{} }

func (clock) at(start uint64) time.Time { return time.UnixMilli(int64(start)) }

type lister struct{}

func (lister) all(ctx context.Context, fn func(*raw)) error {
	procs, err := process.ProcessesWithContext(ctx)
	if err != nil {
		return err
	}
	for _, p := range procs {
		if r, err := rawOf(ctx, p); err == nil {
			fn(&r)
		}
	}
	return ctx.Err()
}

// rawOf asks for all that is known. Other users' processes show less.
func rawOf(ctx context.Context, p *process.Process) (raw, error) {
	start, err := p.CreateTimeWithContext(ctx)
	if err != nil {
		return raw{}, err
	}
	r := raw{pid: int(p.Pid), start: uint64(start)}
	if n, err := p.PpidWithContext(ctx); err == nil {
		r.parent = int(n)
	}
	if n, err := p.NameWithContext(ctx); err == nil {
		r.name = []byte(n)
	}
	if t, err := p.TimesWithContext(ctx); err == nil {
		r.cpu = time.Duration((t.User + t.System) * float64(time.Second))
	}
	if m, err := p.MemoryInfoWithContext(ctx); err == nil {
		r.memory = int64(m.RSS)
	}
	groups(&r)
	return r, nil
}

func readOne(pid int) (raw, error) {
	ctx := context.Background()
	p, err := process.NewProcessWithContext(ctx, int32(pid))
	if errors.Is(err, process.ErrorProcessNotRunning) {
		return raw{}, ErrGone
	}
	if err != nil {
		return raw{}, err
	}
	start, err := p.CreateTimeWithContext(ctx)
	if err != nil {
		if there, err := process.PidExistsWithContext(ctx, int32(pid)); err == nil && !there {
			return raw{}, ErrGone
		}
		return raw{}, fmt.Errorf("cannot find when process %d started: %w", pid, err)
	}
	r := raw{pid: pid, start: uint64(start)}
	groups(&r)
	return r, nil
}

func readCommand(pid int) []string {
	p, err := process.NewProcess(int32(pid))
	if err != nil {
		return nil
	}
	args, err := p.CmdlineSlice()
	if err != nil {
		return nil
	}
	return args
}

func readVariable(pid int, key string) (value string, empty bool) {
	p, err := process.NewProcess(int32(pid))
	if err != nil {
		return "", false
	}
	env, err := p.Environ()
	if err != nil {
		return "", false
	}
	for _, v := range env {
		if len(v) > len(key) && v[len(key)] == '=' && v[:len(key)] == key {
			return v[len(key)+1:], false
		}
	}
	return "", len(env) == 0
}

func (p Process) ofKernel() bool { return false }

func readCwd(pid int) (string, error) {
	p, err := process.NewProcess(int32(pid))
	if err != nil {
		return "", err
	}
	return p.Cwd()
}

// Ports returns the TCP ports on which the given processes listen, each once and rising. A process
// that listens on none, is gone, or does not show its files, is left out.
func Ports(ctx context.Context, ids []ID) (map[ID][]int, error) {
	out := map[ID][]int{}
	for _, id := range ids {
		conns, err := net.ConnectionsPidWithContext(ctx, "tcp", int32(id.PID))
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue
		}
		var found []int
		for _, c := range conns {
			if c.Status == "LISTEN" {
				found = append(found, int(c.Laddr.Port))
			}
		}
		if len(found) == 0 || same(id) != nil {
			continue
		}
		slices.Sort(found)
		out[id] = slices.Compact(found)
	}
	return out, nil
}
