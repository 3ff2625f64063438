package terminal

import (
	"time"

	"drover/backend/screen"
)

// A viewer that is sent screens gets bytes again once no more than keptUp of them
// have come in flowTime: what a page parses in a few milliseconds. All that are sent
// screens share that, as they share the page. It gets the
// scrollback that it lacks once nothing has come for calm: a flood that goes on
// slowly would only push it out again.
//
// Between two screens, a flood is shown in parts of partRows rows: a web view without
// a graphics card takes a third of a millisecond for each row that changes, and a
// frame has 16. They go down the screen and up again, for an emulator draws what lies
// between two of them, too. If no more than little has come since the last part
// the flood is over or pauses, and all rows are shown at once.
//
// A key may have ended the flood. So for answered after it the screen is sent as soon
// as nothing has come in a tick, though another may be on its way, if that was sent
// apart before: the page drops what it has not shown. Until then there is no more than
// a part each held, so that the page is free.
const (
	keptUp = 64 << 10
	// However fast it acknowledges, from so far behind it goes on with a screen. A
	// picture is shorter, mostly.
	farBehind = 1 << 20
	flowTime  = 100 * time.Millisecond
	calm      = 60 * time.Millisecond
	partRows  = 8
	little    = 4 << 10
	answered  = 250 * time.Millisecond
	tick      = time.Millisecond
	apart     = 8 * tick
	held      = 40 * time.Millisecond
)

// dueLocked says whether a screen is to be sent, and whether a part of it will do. There
// is never more than one on its way, but after a key: the next one shows what came
// meanwhile.
func (v *Viewer) dueLocked() (due, part bool) {
	if !v.screens {
		return false, false
	}
	now, end := time.Now(), v.t.log.End()
	far := end - v.next
	if !v.whole && !v.behind && (far > farBehind || far > 0 && v.next-v.acked >= Window) && !v.pictures.busy(v.acked, far) {
		v.behind, v.since, v.counted = true, now, end
	}
	if v.lacks && !v.drawing && far == 0 && now.Sub(v.moved) >= calm {
		v.whole, v.behind = true, false
	}
	quiet := false
	switch current := far == 0 && !v.parted; {
	case v.whole:
		due = !v.drawing
	case !v.behind || current:
	case v.hurriesLocked():
		quiet = v.quietLocked(now, end)
		since := now.Sub(v.moved)
		// Not two with the same place: they are acknowledged by it.
		due = quiet && (!v.drawing || end > v.drawn && since >= apart) || !v.drawing && min(since, now.Sub(v.typed)) >= held
	default:
		due = !v.drawing
	}
	if !due {
		return false, false
	}
	if v.behind && now.Sub(v.since) >= flowTime {
		v.behind = end-v.counted > v.t.o.Pacer.share()
		v.since, v.counted = now, end
	}
	came := end - v.seen
	v.seen = end
	return true, v.inParts && v.behind && !v.whole && !quiet && came > little
}

// hurriesLocked says whether a key may just have ended the flood.
func (v *Viewer) hurriesLocked() bool { return v.behind && time.Since(v.typed) < answered }

// quietLocked says whether nothing has come for a tick.
func (v *Viewer) quietLocked(now time.Time, end uint64) bool {
	if end != v.heard {
		v.heard, v.heardAt = end, now
	}
	return now.Sub(v.heardAt) >= tick
}

// later is told of when Next must look again, if it must, and whether what comes
// meanwhile makes no difference.
func (v *Viewer) later() (at <-chan time.Time, deaf bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case !v.visible:
		return nil, true
	case v.hurriesLocked():
		return time.After(tick), true
	case v.drawing:
		return nil, v.behind
	case v.lacks:
		return time.After(max(calm-time.Since(v.moved), time.Millisecond)), false
	}
	return nil, false
}

// drawLocked makes the screen chunk, or a part of it. It lets go of the lock while it
// draws, which waits for what is pending: a key that is typed must not.
func (v *Viewer) drawLocked(part bool) (c Chunk, ok bool, err error) {
	whole, parts, frame := v.whole, v.parts, v.frame
	v.mu.Unlock()
	if part {
		c, part = v.part(parts, frame)
	}
	if !part {
		c, frame = v.full(whole)
	}
	v.mu.Lock()
	switch {
	case v.closed:
		return Chunk{}, false, ErrClosed
	case !v.visible:
		v.behind = v.behind || v.parted // what it was sent last is fit for no bytes
		return Chunk{}, false, nil
	}
	if part {
		v.parts = parts.next(c.Size.Rows)
	} else {
		v.inParts, v.parts, v.frame = true, parts0, frame
	}
	v.parted = part
	c.Owner = v.owner
	v.sentScreenLocked(c)
	return c, true, nil
}

// parts is the place of the next part of a screen.
type parts struct {
	row  int // its first
	step int // from there to the one after it, in rows
	turn bool
}

var parts0 = parts{step: partRows, turn: true}

// next is the place after this one on a screen of so many rows.
func (p parts) next(rows int) parts {
	to := parts{row: p.row + p.step, step: p.step}
	if to.row < 0 || to.row >= rows {
		to.step, to.turn = -p.step, true
		if to.row = p.row + to.step; to.row < 0 || to.row >= rows {
			to.row = 0
		}
	}
	return to
}

// part is the rows at p, if the screen is still the one that frame is of.
func (v *Viewer) part(p parts, frame screen.Frame) (c Chunk, ok bool) {
	look := v.t.shown.peek // drawing once on each way is enough
	if p.turn {
		look = v.t.shown.look
	}
	look(func(scr *screen.Screen, end uint64) {
		if scr.Frame() != frame {
			return
		}
		c.Kind, c.Offset = Screen, end
		c.Size.Cols, c.Size.Rows = scr.Size()
		next := p.next(c.Size.Rows)
		near := next.row
		if next.step < 0 {
			near += partRows - 1
		}
		c.Data, ok = scr.AppendPart(v.buf[:0], p.row, p.row+partRows, near)
	})
	return c, ok
}

// full is the whole screen, with its scrollback if whole is set.
func (v *Viewer) full(whole bool) (c Chunk, frame screen.Frame) {
	lines := 0
	if whole {
		lines = v.t.o.Scrollback
	}
	c = Chunk{Kind: Screen, Whole: whole}
	v.t.shown.look(func(scr *screen.Screen, end uint64) {
		c.Data, c.Offset = scr.AppendSnapshot(v.buf[:0], lines), end
		c.Size.Cols, c.Size.Rows = scr.Size()
		frame = scr.Frame()
	})
	return c, frame
}

// sentScreenLocked notes that a screen, or a part of one, is on its way.
func (v *Viewer) sentScreenLocked(c Chunk) {
	if cap(c.Data) <= 4*ChunkSize {
		v.buf = c.Data[:cap(c.Data)]
	}
	v.next, v.acked, v.pictures = c.Offset, c.Offset, pictures{}
	v.drawn, v.drawing = c.Offset, true
	if v.flooded {
		v.t.o.Pacer.sent(true)
	}
	v.whole = v.whole && !c.Whole // it may have been asked for while this one was drawn
	v.lacks, v.moved = !c.Whole, time.Now()
	v.sent, v.told = c.Size, true
}
