package terminal

import (
	"context"
	"sync"

	"drover/backend/pty"
	"drover/backend/screen"
	"drover/backend/termlog"
)

// replayed bounds how much of an old log a screen is made from, in bytes: what
// stands before it is not on the screen any more, nor in most scrollbacks.
const replayed = 4 << 20

// mostPending bounds what the screen may be behind the log, in bytes. Being behind
// is cheap: of a flood, only the lines that stay are drawn.
const mostPending = 4 << 20

// shown is the terminal's screen. The PTY's reader appends to log and pending and
// goes on; what is pending is drawn by whoever draws first: the process's own
// goroutine, or somebody who looks. The screen and its place in the log are always
// of one moment: it shows the bytes below the log's number end.
type shown struct {
	log    *termlog.Log
	lines  int  // of scrollback
	images bool // whether viewers draw pictures

	queue   sync.Mutex // held alone or inside mu
	pending []byte     // the newest bytes of the log, which are not drawn yet

	mu     sync.Mutex
	screen *screen.Screen // nil until it is needed
	theme  screen.Theme
	end    uint64
	size   pty.Size
}

// write appends to the log what a program wrote. Somebody has to draw it.
func (s *shown) write(p []byte) {
	s.queue.Lock()
	s.log.Append(p)
	s.pending = appendPooled(s.pending, p)
	full := len(s.pending) >= mostPending
	s.queue.Unlock()
	if full {
		s.skip()
	}
}

// skip drops what need not be drawn of a flood, and draws what is pending if that
// is not enough.
func (s *shown) skip() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.screen == nil {
		s.drawLocked()
		return
	}
	s.queue.Lock()
	n := s.screen.Skip(s.pending)
	s.pending = s.pending[:copy(s.pending, s.pending[n:])]
	s.end += uint64(n)
	full := len(s.pending) > mostPending/2
	s.queue.Unlock()
	if full {
		s.drawLocked()
	}
}

// draw draws what is pending, and returns what the program asked to be told and
// what happened since the last call.
func (s *shown) draw() (out screen.Output) {
	s.look(func(scr *screen.Screen, _ uint64) { out = scr.Take() })
	return out
}

// look calls fn with the screen, which it must not keep, and the number of the
// first byte that is not on it. Nothing is drawn meanwhile.
func (s *shown) look(fn func(scr *screen.Screen, end uint64)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawLocked()
	fn(s.screen, s.end)
}

// drawLocked makes the screen at its first use, and draws what is pending.
func (s *shown) drawLocked() {
	s.queue.Lock()
	b := s.pending
	s.pending = nil
	if s.screen == nil {
		s.end = s.log.End() - uint64(len(b))
	}
	s.queue.Unlock()
	if s.screen == nil {
		s.screen = screen.New(screen.Options{Cols: s.size.Cols, Rows: s.size.Rows, Scrollback: s.lines, Name: "drover", Images: s.images})
		s.screen.SetTheme(s.theme)
		s.replayLocked(s.end - min(s.end, replayed))
		s.screen.Take() // old questions are not answered, old bells do not ring
	}
	s.screen.Skim(b)
	s.end += uint64(len(b))
	release(b)
}

// peek is look without drawing: the screen as it was when it was drawn last. Somebody
// must have looked before.
func (s *shown) peek(fn func(scr *screen.Screen, end uint64)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn(s.screen, s.end)
}

// resize makes what comes from now on stand on a screen of another size; marked
// says whether the log is to know.
func (s *shown) resize(size pty.Size, marked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		s.drawLocked()
		s.queue.Lock()
		if len(s.pending) == 0 {
			break
		}
		s.queue.Unlock()
	}
	defer s.queue.Unlock()
	s.size = size
	s.screen.Resize(size.Cols, size.Rows)
	s.screen.SetPixels(size.XPixels, size.YPixels)
	if marked {
		s.log.Resize(termlog.Size{
			Cols: uint16(size.Cols), Rows: uint16(size.Rows), XPixel: uint16(size.XPixels), YPixel: uint16(size.YPixels),
		})
	}
}

// setTheme is what queries for colours are answered with.
func (s *shown) setTheme(t screen.Theme) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.theme = t
	if s.screen != nil {
		s.screen.SetTheme(t)
	}
}

// replayLocked writes the log from a number on to the screen, as far as it can be
// read: the rest shows what is there.
func (s *shown) replayLocked(from uint64) {
	_ = replay(context.Background(), s.log, s.screen, from, s.end)
}
