package screen

const defaultHistoryBytes = 32 << 20

// history is the scrollback of the main screen: a ring of lines as encode.go writes
// them. Lines are numbered for ever; first is the number of the oldest one kept.
type history struct {
	ring     [][]byte
	head, n  int
	first    int64
	max      int // lines
	maxBytes int
	bytes    int // of the lines, with their slice headers
}

const lineOverhead = 24 // a slice header

func (h *history) init(lines, bytes int) {
	h.max = max(lines, 0)
	h.maxBytes = bytes
	if bytes <= 0 {
		h.maxBytes = defaultHistoryBytes
	}
}

func (h *history) len() int { return h.n }

// line is the i-th of those kept, from the oldest.
func (h *history) line(i int) []byte { return h.ring[h.place(i)] }

// place is where the i-th line is; i is no larger than the ring. Dividing would
// cost more than all the rest of keeping a short line.
func (h *history) place(i int) int {
	if i += h.head; i >= len(h.ring) {
		i -= len(h.ring)
	}
	return i
}

// clear forgets all lines; the next one gets the next number.
func (h *history) clear() {
	h.first += int64(h.n)
	h.ring, h.head, h.n, h.bytes = nil, 0, 0, 0
}

// push keeps a copy of the line.
func (h *history) push(line []byte) {
	if h.max == 0 {
		h.first++
		return
	}
	var free []byte
	for h.n > 0 && (h.n == h.max || h.bytes+len(line)+lineOverhead > h.maxBytes) {
		free = h.drop()
	}
	if h.n == len(h.ring) {
		h.grow()
	}
	// The memory of a dropped line serves again, unless it is far too large.
	if cap(free) < len(line) || cap(free) > 4*len(line)+64 {
		free = make([]byte, 0, len(line))
	}
	h.ring[h.place(h.n)] = append(free[:0], line...)
	h.n++
	h.bytes += cap(free) + lineOverhead
}

// drop forgets the oldest line and returns its memory.
func (h *history) drop() []byte {
	line := h.ring[h.head]
	h.ring[h.head] = nil
	h.head = h.place(1)
	h.n--
	h.first++
	h.bytes -= cap(line) + lineOverhead
	return line
}

func (h *history) grow() {
	ring := make([][]byte, min(max(2*len(h.ring), 64), h.max))
	for i := range h.n {
		ring[i] = h.line(i)
	}
	h.ring, h.head = ring, 0
}

func (h *history) markLinks(live []bool) {
	for i := range h.n {
		if line := h.line(i); line[0]&lineLinks != 0 {
			for r := readLine(line); r.next(); {
				live[r.style.link] = true
			}
		}
	}
}

// keepLine moves a row that leaves the main screen to the scrollback.
func (s *Screen) keepLine(r *row) {
	if s.history.max > 0 {
		s.lineBuffer = s.encodeRow(s.lineBuffer[:0], r.cells[:r.used], r.wrapped)
	}
	s.history.push(s.lineBuffer)
	s.marks.trim(s.history.first)
}

// forget drops the scrollback. The saved cursor keeps counting from where the
// first line was, as in xterm.js.
func (s *Screen) forget() {
	s.history.clear()
	s.marks.trim(s.history.first)
}

// topLine is the number of the main screen's first line.
func (s *Screen) topLine() int64 { return s.history.first + int64(s.history.n) }
