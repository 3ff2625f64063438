package terminal

import (
	"context"
	"errors"
	"sync"
	"time"

	"drover/backend/pty"
	"drover/backend/screen"
	"drover/backend/termlog"
)

// A viewer's bounds: what may be sent beyond what it has acknowledged, and how
// much one chunk holds, except for a screen.
const (
	Window    = 256 << 10
	ChunkSize = 32 << 10
)

// ChunkKind says what a Chunk is.
type ChunkKind int

// The kinds of chunk.
const (
	Data ChunkKind = iota
	Resized
	Lost
	Screen
)

// Chunk is the next thing that a viewer is to be sent.
type Chunk struct {
	Kind   ChunkKind
	Offset uint64
	// Data: bytes of the program. Screen: what makes an emulator show the screen as
	// it is before the byte Offset, whatever it showed before; in a flood it may be
	// some rows of it, for an emulator that shows the screen that was sent before.
	// Valid until the next call of Next.
	Data []byte
	To   uint64 // Lost: bytes Offset to To are gone
	// Unsure: the writer of the log died, so the count of Lost is the most that it
	// can be, not what it is.
	Unsure bool
	Size   pty.Size // Resized, Screen
	Owner  bool     // Resized, Screen: this viewer's size is in force
	Whole  bool     // Screen: with its scrollback; else the bytes come on too fast for that
}

// View says how a viewer looks at a terminal.
type View struct {
	From    uint64   // the first byte wanted, or Oldest
	Size    pty.Size // what it would like; zero: it does not say
	Visible bool
	// Screens: it takes the newest screen in place of bytes that are many, at once
	// and whenever it falls behind. Else it gets every byte that is kept.
	Screens bool
}

// Viewer is one view of a terminal, with its own place and its own window. Next
// is called by one goroutine; the other methods by any.
type Viewer struct {
	t    *Terminal
	wake chan struct{} // one token: something other than the log changed
	buf  []byte        // of Next

	screens bool

	mu       sync.Mutex
	whole    bool         // it is owed a screen with its scrollback, now
	behind   bool         // it is sent screens until it keeps up
	flooded  bool         // the pacer counts it among those
	since    time.Time    // if behind: from when on what comes is counted,
	counted  uint64       // and from which byte
	lacks    bool         // it lacks scrollback, and gets it when nothing comes
	moved    time.Time    // when it was last sent a screen, or something while it lacks
	drawing  bool         // a screen is on its way
	drawn    uint64       // the acknowledgement that tells that it has come
	frame    screen.Frame // of the last screen that it was sent, if parts may follow
	inParts  bool
	parted   bool   // the last thing that it was sent was a part
	parts    parts  // where the next one is
	seen     uint64 // the end of the log when it was sent a part or a screen last
	next     uint64
	acked    uint64
	visible  bool
	asked    pty.Size // the size it would like; zero if it never said
	sent     pty.Size // the last one it was told
	owner    bool
	typed    time.Time // when a key was last typed in it
	heard    uint64    // the end of the log when that was looked after last,
	heardAt  time.Time // and since when it is that
	pictures pictures
	told     bool // it was told of its ownership as it is
	closed   bool
}

// Attach adds a viewer. Its size is set at once if it is the only one. From a
// number that the log has not reached it starts at the oldest: the bytes that it
// has are another log's.
func (t *Terminal) Attach(o View) (*Viewer, error) {
	first, end := t.log.First(), t.log.End()
	from := o.From
	if from > end {
		from = first
	}
	v := &Viewer{
		t: t, wake: make(chan struct{}, 1), next: from, acked: from, visible: o.Visible, asked: o.Size,
		screens: o.Screens, whole: o.Screens && end > 0 && (o.From > end || end-from > Window),
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	t.viewers[v] = struct{}{}
	if o.Visible {
		t.visible.Add(1)
	}
	if t.owner == nil {
		t.ownLocked(v)
	}
	return v, nil
}

// ownLocked makes v, which may be nil, the owner of the size.
func (t *Terminal) ownLocked(v *Viewer) {
	if t.owner == v {
		return
	}
	if t.owner != nil {
		t.owner.setOwner(false)
	}
	t.owner = v
	if v == nil {
		return
	}
	v.setOwner(true)
	if asked := v.wanted(); asked != (pty.Size{}) {
		_ = t.resizeLocked(asked) // a PTY that is gone has no size to set
	}
}

func (v *Viewer) setOwner(owner bool) {
	v.mu.Lock()
	v.owner, v.told = owner, false
	v.mu.Unlock()
	v.poke()
}

func (v *Viewer) wanted() pty.Size {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.asked
}

func (v *Viewer) poke() {
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// Opened is where a viewer begins.
type Opened struct {
	First uint64 // the oldest byte that is kept
	Next  uint64 // the first byte that it is sent
	Size  Size   // of the terminal; a size that is not known yet is the usual one
}

// Opened is where it begins, for as long as Next was not called.
func (v *Viewer) Opened() Opened {
	return Opened{First: v.t.log.First(), Next: v.Place(), Size: v.t.Size().Clamp()}
}

// Place is the number of the next byte that it will be sent.
func (v *Viewer) Place() uint64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.next
}

// Ack tells that every byte below off has been shown.
func (v *Viewer) Ack(off uint64) {
	v.mu.Lock()
	if off > v.acked && off <= v.next {
		v.acked = off
	}
	if v.drawing && off >= v.drawn {
		v.drawing = false
		if v.flooded {
			v.t.o.Pacer.sent(false)
		}
	}
	v.mu.Unlock()
	v.poke()
}

// Redraw asks for the screen with its scrollback, whatever has been sent.
func (v *Viewer) Redraw() {
	v.mu.Lock()
	v.whole = v.screens
	v.mu.Unlock()
	v.poke()
}

// Resize asks for a size; it is set if this viewer owns the size.
func (v *Viewer) Resize(s pty.Size) error {
	v.mu.Lock()
	v.asked = s
	v.mu.Unlock()
	v.t.mu.Lock()
	defer v.t.mu.Unlock()
	if v.t.owner != v {
		return nil
	}
	return v.t.resizeLocked(s)
}

// Typed makes it the owner of the size: the last one typed in is.
func (v *Viewer) Typed() {
	v.t.o.Pacer.Typed()
	v.mu.Lock()
	v.typed = time.Now()
	v.mu.Unlock()
	v.poke()
	v.t.mu.Lock()
	defer v.t.mu.Unlock()
	if _, attached := v.t.viewers[v]; attached {
		v.t.ownLocked(v)
	}
}

// SetVisible tells whether anybody looks. A hidden viewer is sent nothing, and
// goes on from its place when it is shown, or gets the screen if that is far.
func (v *Viewer) SetVisible(visible bool) {
	v.mu.Lock()
	changed := v.visible != visible && !v.closed
	v.visible = visible
	if end := v.t.log.End(); visible && changed && v.screens && end-v.next > Window {
		// The screen at once, and its scrollback soon.
		v.behind, v.since, v.counted = true, time.Now(), end
		v.inParts = false
	}
	v.countLocked()
	v.mu.Unlock()
	if !changed {
		return
	}
	if visible {
		v.t.visible.Add(1)
	} else {
		v.t.visible.Add(-1)
	}
	v.poke()
}

// Close detaches it. If it owned the size, another viewer does from then on. It
// may be called twice.
func (v *Viewer) Close() {
	v.mu.Lock()
	was, closed := v.visible, v.closed
	v.closed = true
	v.countLocked()
	v.mu.Unlock()
	if closed {
		return
	}
	if was {
		v.t.visible.Add(-1)
	}
	v.poke()
	v.t.mu.Lock()
	defer v.t.mu.Unlock()
	delete(v.t.viewers, v)
	if v.t.owner == v {
		v.t.ownLocked(v.t.heirLocked())
	}
}

// heirLocked is the viewer that takes the size over: one that is looked at, if
// there is one.
func (t *Terminal) heirLocked() *Viewer {
	var heir *Viewer
	for v := range t.viewers {
		v.mu.Lock()
		visible := v.visible
		v.mu.Unlock()
		if heir == nil || visible {
			heir = v
		}
		if visible {
			break
		}
	}
	return heir
}

// Next waits for the next thing to send: it returns ErrClosed after Close or
// the terminal's, or ctx's error.
func (v *Viewer) Next(ctx context.Context) (Chunk, error) {
	for {
		changed := v.t.log.Changed() // before looking, so that nothing is missed
		c, ok, err := v.take()
		if ok || err != nil {
			return c, err
		}
		late, deaf := v.later()
		if deaf {
			changed = nil
		}
		select {
		case <-changed:
		case <-v.wake:
		case <-late:
			v.t.shown.look(func(*screen.Screen, uint64) {}) // so that little is to be drawn then
		case <-ctx.Done():
			return Chunk{}, ctx.Err()
		}
	}
}

func (v *Viewer) take() (Chunk, bool, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	defer v.countLocked()
	if v.closed {
		return Chunk{}, false, ErrClosed
	}
	if !v.visible {
		return Chunk{}, false, nil
	}
	if due, part := v.dueLocked(); due {
		return v.drawLocked(part)
	}
	if c, ok := v.sizeLocked(); ok {
		return c, true, nil
	}
	room := Window - int(v.next-v.acked)
	if room <= 0 || v.behind {
		return Chunk{}, false, nil
	}
	if len(v.buf) < ChunkSize {
		v.buf = make([]byte, ChunkSize)
	}
	next, want := v.next, v.untilResizeLocked(min(room, ChunkSize))
	// The disk may be slow, and others want the lock. Nobody else moves v.next.
	v.mu.Unlock()
	n, err := v.t.log.ReadAt(next, v.buf[:want])
	v.mu.Lock()
	var lost *termlog.LostError
	switch {
	case v.closed:
		return Chunk{}, false, ErrClosed
	case !v.visible:
		return Chunk{}, false, nil
	case errors.As(err, &lost):
		c := Chunk{Kind: Lost, Offset: v.next, To: lost.To, Unsure: lost.Unsure}
		v.next, v.acked = lost.To, lost.To
		return c, true, nil
	case n == 0:
		return Chunk{}, false, nil // the log has no more, or is closed
	}
	v.inParts, v.parted = false, false
	c := Chunk{Kind: Data, Offset: v.next, Data: v.buf[:n]}
	if v.screens && v.t.o.Images {
		v.pictures.pass(v.next, c.Data)
	}
	v.next += uint64(n)
	if v.lacks {
		v.moved = time.Now()
	}
	return c, true, nil
}

// countLocked keeps the pacer's count of those that look at a flood.
func (v *Viewer) countLocked() {
	if now := v.behind && v.visible && !v.closed; now != v.flooded {
		v.flooded = now
		v.t.o.Pacer.flood(now)
	}
}

// sizeLocked is the size chunk that is due before the byte at v.next.
func (v *Viewer) sizeLocked() (Chunk, bool) {
	s, ok := v.t.log.SizeAt(v.next)
	if !ok {
		return Chunk{}, false
	}
	size := pty.Size{Cols: int(s.Cols), Rows: int(s.Rows)}
	if size == v.sent && v.told {
		return Chunk{}, false
	}
	v.sent, v.told = size, true
	return Chunk{Kind: Resized, Offset: v.next, Size: size, Owner: v.owner}, true
}

// untilResizeLocked cuts n so that the bytes from v.next on hold no resize.
func (v *Viewer) untilResizeLocked(n int) int {
	for _, m := range v.t.log.Marks(v.next+1, v.next+uint64(n)) {
		if m.Kind == termlog.KindSize {
			return int(m.Off - v.next)
		}
	}
	return n
}
