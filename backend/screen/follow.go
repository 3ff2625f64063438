package screen

// Follow keeps an eye on the line of the cursor from now on, in place of the
// prompt marks, which are not kept any more. On the alternate screen there is
// nothing to follow.
func (s *Screen) Follow() {
	s.following = true
	s.marks.clear()
	if s.cur == &s.main {
		s.marks.add(Mark{Line: s.topLine() + int64(s.main.y), Col: min(s.main.x, s.cols-1)})
	}
}

// Followed is how many lines stand below the one that is followed, down to the
// bottom of the main screen; false when that line is gone.
func (s *Screen) Followed() (below int, ok bool) {
	if !s.following || len(s.marks.list) == 0 {
		return 0, false
	}
	return int(s.topLine() + int64(s.rows) - 1 - s.marks.list[0].Line), true
}
