package proc

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// tick is USER_HZ, which Linux has fixed at 100 for programs on all its platforms.
const tick = time.Second / 100

func bootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(b))
}

// clock turns starts into times.
type clock struct{ boot time.Time }

func startClock(now time.Time) clock {
	var up unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &up); err != nil {
		return clock{}
	}
	return clock{boot: now.Add(-time.Duration(up.Nano()))}
}

func (c clock) at(start uint64) time.Time { return c.boot.Add(time.Duration(start) * tick) }

// lister reads /proc, reusing its buffers.
type lister struct {
	entries, stat []byte
	path          []byte
	page          int64
}

func (l *lister) all(ctx context.Context, fn func(*raw)) error {
	if l.stat == nil {
		l.entries, l.stat = make([]byte, 32<<10), make([]byte, 2<<10)
		l.page = int64(os.Getpagesize())
	}
	dir, err := unix.Open("/proc", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("/proc: %w", err)
	}
	defer unix.Close(dir)
	seen := 0
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := unix.Getdents(dir, l.entries)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return fmt.Errorf("/proc: %w", err)
		}
		if n <= 0 {
			break
		}
		for b := l.entries[:n]; len(b) > 0; {
			// struct linux_dirent64: ino 8, off 8, reclen 2, type 1, name.
			size := int(binary.NativeEndian.Uint16(b[16:]))
			name := b[19:size]
			b = b[size:]
			if name[0] < '1' || name[0] > '9' {
				continue
			}
			l.path = append(append(l.path[:0], name[:bytes.IndexByte(name, 0)]...), "/stat"...)
			stat, err := l.read(dir)
			if err != nil {
				continue // it ended meanwhile, or is hidden from us
			}
			var r raw
			if parseStat(stat, l.page, &r) {
				seen++
				fn(&r)
			}
		}
	}
	if seen == 0 {
		return errors.New("/proc shows no process; is it mounted?")
	}
	return nil
}

func (l *lister) read(dir int) ([]byte, error) {
	fd, err := unix.Openat(dir, string(l.path), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	n, err := unix.Read(fd, l.stat)
	_ = unix.Close(fd)
	if err != nil {
		return nil, err
	}
	return l.stat[:n], nil
}

// parseStat reads the text of /proc/PID/stat, whose second field is in brackets and may hold
// anything, brackets and line ends too.
func parseStat(b []byte, page int64, r *raw) bool {
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')')
	if open < 2 || end < open || end+2 >= len(b) {
		return false
	}
	*r = raw{name: b[open+1 : end]}
	pid, ok := number(b[:open-1])
	if !ok {
		return false
	}
	r.pid = int(pid)
	state := b[end+2]
	r.zombie = state == 'Z' || state == 'X'
	rest := b[end+3:]
	var utime, stime int64
	for field := 4; field <= 24; field++ {
		rest = bytes.TrimLeft(rest, " ")
		n := bytes.IndexByte(rest, ' ')
		if n < 0 {
			if n = len(rest); n == 0 {
				return false
			}
		}
		v, ok := number(rest[:n])
		rest = rest[n:]
		if !ok {
			if field == 24 {
				return false
			}
			continue
		}
		switch field {
		case 4:
			r.parent = int(v)
		case 5:
			r.group = int(v)
		case 6:
			r.session = int(v)
		case 8:
			r.foreground = int(v)
		case 14:
			utime = v
		case 15:
			stime = v
		case 22:
			r.start = uint64(v)
		case 24:
			r.memory = v * page
		}
	}
	r.cpu = time.Duration(utime+stime) * tick
	return true
}

// number reads a decimal that fits into 63 bits.
func number(b []byte) (n int64, ok bool) {
	neg := len(b) > 1 && b[0] == '-'
	if neg {
		b = b[1:]
	}
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	if neg {
		n = -n
	}
	return n, true
}

func readOne(pid int) (raw, error) {
	b, err := os.ReadFile(procFile(pid, "stat"))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		// With hidepid it may be there all the same.
		if err := unix.Kill(pid, 0); errors.Is(err, unix.ESRCH) {
			return raw{}, ErrGone
		}
		return raw{}, fmt.Errorf("cannot see process %d in /proc", pid)
	}
	if err != nil {
		return raw{}, err
	}
	var r raw
	if !parseStat(b, int64(os.Getpagesize()), &r) || r.pid != pid {
		return raw{}, fmt.Errorf("cannot understand the state of process %d", pid)
	}
	return r, nil
}

func procFile(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }

func readCommand(pid int) []string {
	b, err := os.ReadFile(procFile(pid, "cmdline"))
	if err != nil || len(b) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
}

// readVariable returns a variable as the process was started with, "" if it has none or will
// not show it, and whether it showed no variables at all.
func readVariable(pid int, key string) (value string, empty bool) {
	b, err := os.ReadFile(procFile(pid, "environ"))
	if err != nil {
		return "", false
	}
	for v := range bytes.SplitSeq(b, []byte{0}) {
		if len(v) > len(key) && v[len(key)] == '=' && string(v[:len(key)]) == key {
			return string(v[len(key)+1:]), false
		}
	}
	return "", len(b) == 0
}

// ofKernel reports whether p is a thread of the kernel: kthreadd is 2, the others are its children.
func (p Process) ofKernel() bool { return p.ID.PID == 2 || p.Parent == 2 }

func readCwd(pid int) (string, error) { return os.Readlink(procFile(pid, "cwd")) }

// ignoresHangUp reports whether the process ignores HUP, as under nohup.
func ignoresHangUp(pid int) (ignores, known bool) {
	b, err := os.ReadFile(procFile(pid, "status"))
	if err != nil {
		return false, false
	}
	_, after, ok := bytes.Cut(b, []byte("\nSigIgn:\t"))
	if !ok {
		return false, false
	}
	line, _, _ := bytes.Cut(after, []byte{'\n'})
	mask, err := strconv.ParseUint(string(line), 16, 64)
	return mask&(1<<(uint(syscall.SIGHUP)-1)) != 0, err == nil
}

// signal sends sig to the process that id names and to no other.
func signal(id ID, sig syscall.Signal) error {
	fd, err := unix.PidfdOpen(id.PID, 0)
	switch {
	case errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM):
		// A kernel before 5.3, or a sandbox: checked just before is the
		// best there is.
		if err := same(id); err != nil {
			return err
		}
		return unix.Kill(id.PID, sig)
	case errors.Is(err, unix.ESRCH):
		return ErrGone
	case err != nil:
		return err
	}
	defer unix.Close(fd)
	// The handle stands for whoever had the pid when it was opened. If the pid is still
	// id's now, it was id's then.
	if err := same(id); err != nil {
		return err
	}
	return unix.PidfdSendSignal(fd, sig, nil, 0)
}
