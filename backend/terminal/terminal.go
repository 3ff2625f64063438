// Package terminal owns one terminal: its PTY, its numbered log, its screen, its
// size, the answers to its queries and its viewers. The log outlives the programs
// that run in it one after another; so do the numbers of its bytes.
//
// Promises: the PTY is always drained, whatever a viewer does; every byte that
// the program wrote before its end is in the log before the end is told; a
// viewer gets the bytes in order, each once, or is told how many are lost; one
// that asked for screens gets the newest screen in place of what it cannot keep
// up with, one at a time but after a key. What happens (a title, a bell, a command's end)
// is told whether anybody looks or not.
package terminal

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"drover/backend/pty"
	"drover/backend/screen"
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
	o        Options
	log      *termlog.Log
	shown    shown
	commands commands
	visible  atomic.Int32 // viewers that are looked at

	mu      sync.Mutex
	size    pty.Size // zero until known
	proc    *Process // nil when no program runs
	viewers map[*Viewer]struct{}
	owner   *Viewer // whose size is in force
	closed  bool
}

// Options are what a terminal is handed; all of them may be zero.
type Options struct {
	// Images says that viewers draw sixel and iTerm pictures.
	Images bool
	Pacer  *Pacer
	// Scrollback is how many lines above the screen are kept for those who look
	// later; 0: DefaultScrollback.
	Scrollback int
	// Theme is what programs are told that ask for colours.
	Theme screen.Theme
	// OnEvent is told what happens, by what draws the program's output and answers its
	// questions: it must not wait.
	OnEvent func(Event)
}

// DefaultScrollback is how many lines are kept above a screen.
const DefaultScrollback = 5000

// New makes a terminal on a log, which it owns from then on.
func New(log *termlog.Log, o Options) *Terminal {
	if o.Scrollback == 0 {
		o.Scrollback = DefaultScrollback
	}
	if o.Theme == (screen.Theme{}) {
		o.Theme = screen.DefaultTheme()
	}
	return &Terminal{
		o: o, log: log, viewers: map[*Viewer]struct{}{},
		shown: shown{log: log, lines: o.Scrollback, images: o.Images, theme: o.Theme},
	}
}

// Look calls fn with the terminal's screen, which it must not keep, and with the
// number of the first byte that is not on it. Nothing is drawn meanwhile, so fn must be
// quick.
func (t *Terminal) Look(fn func(scr *screen.Screen, end uint64)) { t.shown.look(fn) }

// SetTheme changes what programs are told that ask for colours.
func (t *Terminal) SetTheme(theme screen.Theme) { t.shown.setTheme(theme) }

// Log is the terminal's log, for reading.
func (t *Terminal) Log() *termlog.Log { return t.log }

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
		t.shown.write([]byte(screen.ModesOff))
	}
	t.shown.resize(t.size, true)
	t.log.Mark(termlog.KindStart, nil)
	t.proc = newProcess(t, p)
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
	cells := s.Cols != t.size.Cols || s.Rows != t.size.Rows
	// Without pixels it says nothing of them, and to the program it is no change.
	if s == t.size || t.closed || !cells && s.XPixels == 0 && s.YPixels == 0 {
		return nil
	}
	t.size = s
	// The mark comes first: what the program writes because of the resize has a
	// higher number.
	t.shown.resize(s, cells)
	if t.proc == nil {
		return nil
	}
	return t.proc.pty.Resize(s)
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
