// Package terminal owns one terminal: its PTY, its numbered log, its size, the
// answers to its queries and its viewers. The log outlives the programs that
// run in it one after another; so do the numbers of its bytes.
//
// Promises: the PTY is always drained, whatever a viewer does; every byte that
// the program wrote before its end is in the log before the end is told; a
// viewer gets the bytes in order, each once, or is told how many are lost.
package terminal

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"drover/backend/pty"
	"drover/backend/termlog"
)

// Size is that of a terminal.
type Size = pty.Size

// What a terminal refuses.
var (
	ErrRunning = errors.New("a program runs in this terminal already")
	ErrClosed  = errors.New("the terminal is closed")
	ErrEnded   = errors.New("the program has ended")
	ErrFull    = errors.New("too much input is waiting; the program does not read it")
)

// Terminal is safe for use by many goroutines.
type Terminal struct {
	log     *termlog.Log
	pacer   *Pacer
	visible atomic.Int32 // viewers that are looked at

	mu      sync.Mutex
	size    pty.Size // zero until known
	proc    *Process // nil when no program runs
	viewers map[*Viewer]struct{}
	owner   *Viewer // whose size is in force
	closed  bool
}

// New makes a terminal on a log, which it owns from then on. pacer may be nil.
func New(log *termlog.Log, pacer *Pacer) *Terminal {
	return &Terminal{log: log, pacer: pacer, viewers: map[*Viewer]struct{}{}}
}

// Log is the terminal's log, for reading.
func (t *Terminal) Log() *termlog.Log { return t.log }

// modeReset undoes what a program that died may have left switched on: the
// alternate screen, mouse and focus reports, bracketed paste, application keys,
// a hidden cursor, colours, a scroll region, a line-drawing character set. The
// cursor is saved before what would move it: leaving an alternate screen that
// nobody entered, and a new scroll region. The next program writes below.
const modeReset = "\x1b7\x1b[?1049l" +
	"\x1b[?1000;1002;1003;1004;1005;1006;1015;1016;2004;2026l\x1b[?1l\x1b>\x1b[?25h\x1b[?7h\x1b[4l" +
	"\x1b7\x1b[r\x1b8\x1b[0m\x1b(B\x0f\r\n"

// Start runs a program in the terminal. A size that the terminal knows counts
// more than the command's. It fails with ErrRunning while one runs.
func (t *Terminal) Start(c pty.Command) (*Process, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.closed:
		return nil, ErrClosed
	case t.proc != nil:
		return nil, ErrRunning
	}
	if t.size == (pty.Size{}) {
		t.size = c.Size.Clamp()
	}
	c.Size = t.size
	// The program's first byte comes after the reset and the size: both are
	// logged before anything can be read from it.
	p, err := pty.Start(c)
	if err != nil {
		return nil, err
	}
	if t.log.End() > 0 {
		t.log.Append([]byte(modeReset))
	}
	t.logSizeLocked()
	t.log.Mark(termlog.KindStart, nil)
	t.proc = newProcess(t, p, t.size)
	return t.proc, nil
}

// ended takes the end of a program.
func (t *Terminal) ended(p *Process) {
	t.log.Mark(termlog.KindExit, fmt.Appendf(nil, "%d %s", p.exit.Code, p.exit.Signal))
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.proc == p {
		t.proc = nil
	}
}

// Size is the one in force, zero if none is known yet.
func (t *Terminal) Size() pty.Size {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.size
}

// Resize sets the size, whoever owns it.
func (t *Terminal) Resize(s pty.Size) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.resizeLocked(s)
}

func (t *Terminal) resizeLocked(s pty.Size) error {
	s = s.Clamp()
	if s == t.size || t.closed {
		return nil
	}
	cells := s.Cols != t.size.Cols || s.Rows != t.size.Rows
	t.size = s
	if cells {
		// The mark comes first: what the program writes because of the resize
		// has a higher number.
		t.logSizeLocked()
	}
	if t.proc == nil {
		return nil
	}
	t.proc.tracker.resize(s)
	return t.proc.pty.Resize(s)
}

func (t *Terminal) logSizeLocked() {
	t.log.Resize(termlog.Size{
		Cols: uint16(t.size.Cols), Rows: uint16(t.size.Rows),
		XPixel: uint16(t.size.XPixels), YPixel: uint16(t.size.YPixels),
	})
}

// Modes is what the running program has made of the line discipline.
func (t *Terminal) Modes() pty.Modes {
	t.mu.Lock()
	p := t.proc
	t.mu.Unlock()
	if p == nil {
		return pty.Modes{}
	}
	return p.pty.Modes()
}

// Text is what is kept of the bytes from number from on, at most limit of them,
// and the number of the first: for saving, and for tests.
func (t *Terminal) Text(from uint64, limit int) ([]byte, uint64) {
	from = max(from, t.log.First())
	buf := make([]byte, min(uint64(limit), t.log.End()-min(from, t.log.End())))
	n := 0
	for n < len(buf) {
		k, err := t.log.ReadAt(from+uint64(n), buf[n:])
		var lost *termlog.LostError
		if errors.As(err, &lost) && n == 0 {
			from = lost.To
			continue
		}
		if err != nil {
			break
		}
		n += k
	}
	return buf[:n], from
}

// Close ends the viewers and closes the log. A program that runs is killed and
// waited for. It may be called twice.
func (t *Terminal) Close() error { return t.end((*termlog.Log).Close) }

// Remove is Close, and deletes the log.
func (t *Terminal) Remove() error { return t.end((*termlog.Log).Remove) }

func (t *Terminal) end(log func(*termlog.Log) error) error {
	t.mu.Lock()
	t.closed = true
	p := t.proc
	viewers := t.viewers
	t.viewers = map[*Viewer]struct{}{}
	t.mu.Unlock()
	if p != nil {
		_ = p.Kill()
		<-p.Done()
	}
	for v := range viewers {
		v.Close()
	}
	return log(t.log)
}

// Oldest is a place to attach at: the oldest byte that is kept.
const Oldest = math.MaxUint64
