package screen

import "slices"

// Resize makes the screen cols wide and rows high, within the limits of a screen.
// Lines of the main screen and its scrollback are wrapped anew, except the cursor's
// own, which its program will mend; the alternate screen is cut or extended. All as
// xterm.js does it, so that both stay alike.
func (s *Screen) Resize(cols, rows int) {
	cols = min(max(cols, MinCols), MaxCols)
	rows = min(max(rows, MinRows), MaxRows)
	if cols == s.cols && rows == s.rows {
		return
	}
	s.halves = true
	s.resizeMain(cols, rows)
	s.resizeAlternate(cols, rows)
	s.cols, s.rows = cols, rows
	for _, b := range []*buffer{&s.main, &s.alt} {
		b.spare, b.room = nil, nil // they hold rows of the old size
	}
	s.main.resizeTabs(cols)
	s.alt.resizeTabs(cols)
}

// A stored is a line of the main screen or above it while they are resized.
type stored struct {
	text  []byte // as encode.go writes it
	marks []int  // of Screen.marks
}

func blankLine() *stored { return &stored{text: []byte{lineASCII}} }

func (l *stored) wrapped() bool { return l.text[0]&lineWrapped != 0 }

// layout is the main screen and its scrollback as one list of lines, with the
// counts that xterm.js keeps: base lines are above the screen.
type layout struct {
	s          *Screen
	lines      []*stored
	base, max  int // max: how many lines there may be
	y          int
	saved      int // line of the saved cursor
	cols, rows int // the new size
	cut        int // lines dropped at the top
	scratch    []*row
}

func (s *Screen) resizeMain(cols, rows int) {
	l := s.takeLayout(cols, rows)
	b := &s.main
	added := 0
	if rows > s.rows {
		added = l.taller(s.rows)
	} else {
		l.lower(s.rows)
	}
	if newMax := rows + s.history.max; newMax < l.max {
		l.max = newMax
		if cut := len(l.lines) - newMax; cut > 0 {
			l.trim(cut)
			l.base, l.saved = max(l.base-cut, 0), max(l.saved-cut, 0)
		}
	}
	l.y = min(l.y, rows-1) + added
	b.x = min(b.x, cols-1)
	b.saved.x = min(b.saved.x, cols-1)
	b.top, b.bottom = 0, rows-1
	switch {
	case cols > s.cols:
		l.wider(s.cols)
	case cols < s.cols:
		l.narrower(s.cols)
	}
	s.putLayout(l)
}

// takeLayout reads main screen and scrollback into a layout.
func (s *Screen) takeLayout(cols, rows int) *layout {
	n := s.history.n
	l := &layout{
		s: s, lines: make([]*stored, 0, n+max(s.rows, rows)),
		base: n, max: max(s.rows, rows) + s.history.max,
		y: s.main.y, saved: s.main.saved.line, cols: cols, rows: rows,
	}
	all := make([]stored, n+s.rows)
	for i := range all {
		if i < n {
			all[i].text = s.history.line(i)
		} else {
			r := s.main.rows[i-n]
			all[i].text = s.encodeRow(nil, r.cells[:r.used], r.wrapped)
		}
		l.lines = append(l.lines, &all[i])
	}
	for i, m := range s.marks.list {
		if at := m.Line - s.history.first; at >= 0 && at < int64(len(all)) {
			all[at].marks = append(all[at].marks, i)
		}
	}
	return l
}

// putLayout makes the layout the screen's.
func (s *Screen) putLayout(l *layout) {
	for len(l.lines) < l.rows {
		l.lines = append(l.lines, blankLine())
	}
	l.base = min(max(l.base, 0), len(l.lines)-l.rows)
	first := s.history.first + int64(l.cut)
	b := &s.main
	b.fillRows(l.cols, l.rows, cell{})
	for y, r := range b.rows {
		s.decodeRow(r, l.lines[l.base+y].text)
	}
	above := make([][]byte, 0, l.base)
	for _, line := range l.lines[:l.base] {
		if l.cols < s.cols && columns(line.text) > l.cols {
			line.text = s.cutLine(line.text, l.cols)
		}
		above = append(above, line.text)
	}
	s.history.replace(above, first)
	var marks []Mark
	for i, line := range l.lines[:l.base+l.rows] {
		for _, k := range line.marks {
			m := s.marks.list[k]
			m.Line, m.Col = first+int64(i), min(m.Col, l.cols)
			marks = append(marks, m)
		}
	}
	slices.SortStableFunc(marks, func(a, b Mark) int { return int(a.Line - b.Line) })
	s.marks.list = marks
	s.marks.trim(s.history.first)
	b.y = min(max(l.y, 0), l.rows-1)
	b.saved.line = l.saved
}

func (s *Screen) cutLine(line []byte, cols int) []byte {
	r := newRow(cols)
	s.scratch = []*row{r}
	s.decodeRow(r, line)
	s.scratch = nil
	return s.encodeRow(nil, r.cells[:r.used], r.wrapped)
}

// replace puts lines in the place of those kept.
func (h *history) replace(lines [][]byte, first int64) {
	h.ring, h.head, h.n, h.bytes, h.first = nil, 0, 0, 0, first
	for _, line := range lines {
		h.push(line)
	}
}

// trim drops n lines at the top.
func (l *layout) trim(n int) {
	l.lines = l.lines[n:]
	l.cut += n
}

// taller adds rows: from the scrollback if nothing but the end of the text is below
// the cursor, else blank ones. It returns by how much the cursor goes down.
func (l *layout) taller(old int) (added int) {
	for range l.rows - old {
		if len(l.lines) >= l.rows+l.base {
			continue
		}
		if l.base > 0 && len(l.lines) <= l.base+l.y+added+1 {
			l.base--
			added++
		} else {
			l.lines = append(l.lines, blankLine())
		}
	}
	return added
}

// lower takes rows away: those below the cursor first, then from the top.
func (l *layout) lower(old int) {
	for range old - l.rows {
		if len(l.lines) <= l.rows+l.base {
			continue
		}
		if len(l.lines) > l.base+l.y+1 {
			l.lines = l.lines[:len(l.lines)-1]
		} else {
			l.base++
		}
	}
}

// resizeAlternate cuts and extends. Rows keep the columns that a narrower screen
// hides.
func (s *Screen) resizeAlternate(cols, rows int) {
	b := &s.alt
	b.bottom = rows - 1
	if b.rows == nil {
		return
	}
	if cols > s.cols {
		for _, r := range b.rows {
			r.resize(cols)
		}
	}
	for len(b.rows) < rows {
		b.rows = append(b.rows, newRow(cols))
	}
	if over := len(b.rows) - rows; over > 0 {
		below := min(over, max(len(b.rows)-1-b.y, 0))
		b.rows = b.rows[:len(b.rows)-below]
		cut := over - below
		b.rows = slices.Clone(b.rows[cut:])
		b.saved.line = max(b.saved.line-cut, 0)
		for y, r := range b.rows { // they may be of one piece with those that are gone
			b.rows[y] = &row{cells: slices.Clone(r.cells), used: r.used, wrapped: r.wrapped}
		}
	}
	b.x = min(b.x, cols-1)
	b.y = min(b.y, rows-1)
	b.saved.x = min(b.saved.x, cols-1)
	b.top = 0
}

// resize makes the row cols cells long.
func (r *row) resize(cols int) {
	if cols <= len(r.cells) {
		r.cells = r.cells[:cols:cols]
		r.used = min(r.used, cols)
		return
	}
	cells := make([]cell, cols)
	copy(cells, r.cells[:r.used])
	r.cells = cells
}
