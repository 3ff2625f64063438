package screen

import "fmt"

// Check says which promise about its inside the screen breaks.
func (s *Screen) Check() error {
	for _, b := range []*buffer{&s.main, &s.alt} {
		if b == &s.alt && b.rows == nil {
			continue
		}
		if len(b.rows) != s.rows {
			return fmt.Errorf("%d rows, not %d", len(b.rows), s.rows)
		}
		if b.top < 0 || b.bottom >= s.rows || (b.top >= b.bottom && s.rows > 1) {
			return fmt.Errorf("region %d to %d of %d", b.top, b.bottom, s.rows)
		}
		for y, r := range b.rows {
			if err := s.checkRow(r, b == &s.main); err != nil {
				return fmt.Errorf("row %d: %w", y, err)
			}
		}
	}
	if s.cur.x < 0 || s.cur.x > s.cols || s.cur.y < 0 || s.cur.y >= s.rows {
		return fmt.Errorf("cursor at %d,%d of %dx%d", s.cur.x, s.cur.y, s.cols, s.rows)
	}
	return s.checkBounds()
}

func (s *Screen) checkRow(r *row, exact bool) error {
	if len(r.cells) < s.cols || (exact && len(r.cells) != s.cols) {
		return fmt.Errorf("%d cells of %d", len(r.cells), s.cols)
	}
	for x, c := range r.cells {
		if x >= r.used && c != (cell{}) {
			return fmt.Errorf("cell %d is not blank behind %d", x, r.used)
		}
		// A window that was made narrower, or a margin, may have cut a wide character in two.
		if c.wide() && !s.halves && (x+1 == len(r.cells) || !r.cells[x+1].emptyHalf()) {
			return fmt.Errorf("cell %d is half of a wide character", x)
		}
		if c.text&textCluster != 0 && s.clusters.at(c.text&textMask) == "" {
			return fmt.Errorf("cell %d has a cluster that is gone", x)
		}
		if e := c.attr >> attrExtraShift; e != 0 && s.extras.at(e) == (extra{}) {
			return fmt.Errorf("cell %d has attributes that are gone", x)
		}
	}
	return nil
}

func (s *Screen) checkBounds() error {
	h := &s.history
	bytes := 0
	for i := range h.n {
		bytes += cap(h.line(i)) + lineOverhead
	}
	switch {
	case h.n > h.max || bytes != h.bytes || (h.bytes > h.maxBytes && h.n > 1):
		return fmt.Errorf("scrollback of %d lines and %d bytes, counted %d", h.n, bytes, h.bytes)
	case len(s.parser.str) > maxString || len(s.out.Answers) > maxAnswers || len(s.out.Events) > maxEvents:
		return fmt.Errorf("%d bytes of string, %d of answers, %d events", len(s.parser.str), len(s.out.Answers), len(s.out.Events))
	case len(s.marks.list) > maxMarks || len(s.links.items) > maxLinks+1 || len(s.extras.items) > maxExtras+1:
		return fmt.Errorf("%d marks, %d links, %d extras", len(s.marks.list), len(s.links.items), len(s.extras.items))
	}
	for i, m := range s.marks.list {
		if m.Line < h.first || m.Line >= s.topLine()+int64(s.rows) || (i > 0 && m.Line < s.marks.list[i-1].Line) {
			return fmt.Errorf("mark %d on line %d of %d to %d", i, m.Line, h.first, s.topLine())
		}
	}
	return nil
}

// HistoryBytes is what the scrollback takes.
func (s *Screen) HistoryBytes() int { return s.history.bytes + 24*len(s.history.ring) }

// PlainWidth is the fast answer to what package width knows.
func PlainWidth(r rune) int { return plainWidth(r) }
