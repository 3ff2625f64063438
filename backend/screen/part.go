package screen

// A Frame is what of a screen is not in its rows, as far as it matters to whoever
// looks at it: its size, which of the two it is, modes, and the program's colours.
// Two that are equal are the same.
type Frame struct {
	cols, rows int
	alternate  bool
	modes      modes
	colours    int
}

// Frame is that of the screen as it is.
func (s *Screen) Frame() Frame {
	return Frame{s.cols, s.rows, s.Alternate(), s.modes, s.colours.changes}
}

// AppendPart appends what shows the rows from up to to in an emulator that was sent
// a snapshot when the screen had the same frame, and since then nothing but parts.
// It costs the emulator much less than a snapshot: what stays as it was is not made
// anew. The cursor is hidden and goes to row next, which should be the nearest of the
// part that follows: xterm.js also draws all rows between the cursor and those that
// change.
//
// The look of an empty last column, which wrapping leaves there, is not made. It
// leaves the emulator unfit for the program's bytes: a snapshot has to come
// before those. ok is false if the screen is in a state where drawing in parts
// would go wrong, as within a scroll region.
func (s *Screen) AppendPart(dst []byte, from, to, next int) (_ []byte, ok bool) {
	b, m := s.cur, &s.modes
	if m.origin || m.insert || m.noWrap || m.newLine || m.sync || s.sets != (charsets{}) || b.top != 0 || b.bottom != s.rows-1 {
		return dst, false
	}
	p := painter{s: s, dst: append(dst, 0x18)} // the snapshot may have ended within a sequence
	p.text("\x1b[?25l\x1b[m\x1b[0\"q\x1b]8;;\a")
	rows := p.visible(b.rows)
	for y := max(from, 0); y < min(to, s.rows); y++ {
		r := *rows[y]
		r.wrapped = false
		p.look(look{})
		p.moveTo(0, y)
		p.text("\x1b[2K")
		p.row(&r)
	}
	p.look(look{})
	p.moveTo(0, min(max(next, 0), s.rows-1))
	return p.dst, true
}
