package screen

import "slices"

// group is the end of the lines that go on from the one at i.
func (l *layout) group(i int) int {
	end := i + 1
	for end < len(l.lines) && l.lines[end].wrapped() {
		end++
	}
	return end
}

// ownsCursor says whether the cursor is in the lines from i up to end: those stay
// as they are.
func (l *layout) ownsCursor(i, end int) bool {
	at := l.base + l.y
	return at >= i && at < end
}

// wider joins what a narrower screen had wrapped.
func (l *layout) wider(oldCols int) {
	var out []*stored
	removed := 0
	for i := 0; i < len(l.lines); {
		end := l.group(i)
		group := l.lines[i:end]
		if len(group) > 1 && !l.ownsCursor(i, end) {
			texts := l.rewrap(group, oldCols, nil)
			kept := min(len(texts), len(group))
			for kept > 1 && textColumns(texts[kept-1]) == 0 {
				kept--
			}
			l.spread(group, group[:kept], oldCols)
			for k := range kept {
				group[k].text = texts[k]
			}
			removed += len(group) - kept
			group = group[:kept]
		}
		out = append(out, group...)
		i = end
	}
	l.lines = out
	for range removed {
		if l.base > 0 {
			l.base--
			continue
		}
		l.y = max(l.y-1, 0)
		if len(l.lines) < l.rows {
			l.lines = append(l.lines, blankLine())
		}
	}
	l.saved = max(l.saved-removed, 0)
}

// narrower wraps what no longer fits. It goes from the last line up, as xterm.js
// does: what is pushed off the screen depends on it.
func (l *layout) narrower(oldCols int) {
	var inserted []insertion
	total := 0
	all := l.lines // pushDown may drop the last of them, which are wrapped all the same
	for i := len(all) - 1; i >= 0; i-- {
		end := i + 1
		if !all[i].wrapped() && textColumns(all[i].text) <= l.cols {
			continue
		}
		for i > 0 && all[i].wrapped() {
			i--
		}
		group := all[i:end:end]
		if l.ownsCursor(i, end) {
			continue
		}
		texts := l.rewrap(group, oldCols, group[len(group)-1])
		if len(texts) == 0 {
			continue // nothing but blanks
		}
		more := len(texts) - len(group)
		var added []*stored
		for k, text := range texts {
			if k < len(group) {
				group[k].text = text
			} else {
				added = append(added, &stored{text: text})
			}
		}
		l.spread(group, append(group, added...), oldCols)
		if len(added) > 0 {
			inserted = append(inserted, insertion{end + total, added})
			total += len(added)
		}
		lost := max(0, len(l.lines)-l.max+more)
		if l.base == 0 && l.y != len(l.lines)-1 {
			lost = max(0, l.y-l.max+more)
		}
		l.pushDown(more-lost, total)
		l.saved = min(l.saved+more, l.base+l.rows-1)
	}
	l.insert(inserted, total)
}

// spread puts the marks of a group, whose lines had oldCols columns, on the lines
// that it has become.
func (l *layout) spread(group, now []*stored, oldCols int) {
	var all []int
	for k, line := range group {
		for _, i := range line.marks {
			l.s.marks.list[i].Col += k * oldCols
		}
		all = append(all, line.marks...)
		line.marks = nil
	}
	for _, i := range all {
		m := &l.s.marks.list[i]
		k := min(m.Col/l.cols, len(now)-1)
		m.Col -= k * l.cols
		now[k].marks = append(now[k].marks, i)
	}
}

// An insertion is the lines that a group has become more. at counts from the top,
// with the lines that were inserted below before.
type insertion struct {
	at    int
	lines []*stored
}

// pushDown makes room for n lines more: the cursor goes down while there is room
// below it, and then the lines above go to the scrollback.
func (l *layout) pushDown(n, inserted int) {
	for range n {
		switch {
		case l.base > 0:
			if l.base < min(l.max, len(l.lines)+inserted)-l.rows {
				l.base++
			}
		case l.y < l.rows-1 && len(l.lines) > 0:
			l.y++
			l.lines = l.lines[:len(l.lines)-1]
		default:
			l.base++
		}
	}
}

// insert puts the insertions, which come from the last up, in their places. Where
// the screen has no room, lines are lost at the top.
func (l *layout) insert(inserted []insertion, total int) {
	if total == 0 {
		return
	}
	size := min(l.max, len(l.lines)+total)
	out := make([]*stored, size)
	from, done := len(l.lines)-1, 0
	for i := size - 1; i >= 0; {
		if len(inserted) > 0 && inserted[0].at > from+done {
			lines := inserted[0].lines
			for k := len(lines) - 1; k >= 0 && i >= 0; k-- {
				out[i] = lines[k]
				i--
			}
			done += len(lines)
			inserted = inserted[1:]
			continue
		}
		out[i] = blankLine()
		if from >= 0 {
			out[i] = l.lines[from]
		}
		from--
		i--
	}
	l.cut += len(l.lines) + total - size
	l.lines = out
}

// rewrap writes the text of a group of lines as lines of the new width. tail, if
// given, is the group's last line: if no lines come to be more, what was behind its
// text stays (colours of cleared cells).
func (l *layout) rewrap(group []*stored, oldCols int, tail *stored) [][]byte {
	s := l.s
	if l.scratch == nil {
		l.scratch = []*row{newRow(oldCols), newRow(oldCols), newRow(l.cols)}
	}
	s.scratch = l.scratch
	defer func() { s.scratch = nil }()
	from, next, to := l.scratch[0], l.scratch[1], l.scratch[2]
	var out [][]byte
	n := 0 // cells in to
	flush := func(end int) {
		k := len(out)
		wrapped := true
		if k < len(group) {
			wrapped = group[k].wrapped()
		}
		s.lineBuffer = s.encodeRow(s.lineBuffer[:0], to.cells[:end], wrapped)
		out = append(out, slices.Clone(s.lineBuffer))
		to.fill(0, l.cols, cell{})
		n = 0
	}
	s.decodeRow(next, group[0].text)
	for k := range group {
		from, next = next, from
		length := from.length()
		if k+1 < len(group) {
			s.decodeRow(next, group[k+1].text)
			length = oldCols
			// A wide character that did not fit has left a hole.
			if last := from.cells[oldCols-1]; last.text&hasText == 0 && last.width() == 1 && next.cells[0].wide() {
				length--
			}
		}
		put := func(c cell) {
			if n == l.cols || (n == l.cols-1 && c.wide()) {
				flush(n)
			}
			to.set(n, c)
			n++
		}
		for _, c := range from.cells[:min(length, oldCols)] {
			put(c)
		}
		if length > oldCols && tail != nil { // a wide character that the edge has halved is whole again
			put(cell{text: textHalf})
		}
	}
	if n == 0 {
		return out
	}
	if tail != nil && len(out)+1 == len(group) {
		for x := n + 1; x < min(l.cols, oldCols); x++ {
			to.set(x, from.cells[x])
		}
	}
	flush(to.used)
	return out
}

// textColumns is how many columns of a kept line hold text.
func textColumns(line []byte) int {
	if line[0]&lineASCII != 0 {
		return len(line) - 1
	}
	n, end := 0, 0
	for r := readLine(line); r.next(); {
		n++
		if r.text != nil {
			end = n - 1 + r.width
		}
		if r.half {
			n++
		}
	}
	return end
}
