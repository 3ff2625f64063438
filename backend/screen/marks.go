package screen

// MarkKind is what a shell said with OSC 133.
type MarkKind uint8

// The marks of OSC 133.
const (
	PromptStart  MarkKind = iota + 1 // A
	CommandStart                     // B: the prompt ends, the user types
	OutputStart                      // C: the command runs
	CommandEnd                       // D
)

// Mark is a place that a shell has marked.
type Mark struct {
	Line    int64 // see Screen.FirstLine
	Col     int   // from 0; the number of columns is behind the last one
	Kind    MarkKind
	Exit    int    // of CommandEnd
	HasExit bool   // whether the shell said Exit
	Text    string // of OutputStart: the command, if the shell said it; no control characters but line ends
}

// maxMarks bounds how many are kept, the oldest goes first.
const maxMarks = 4096

// marks are those of the main screen and its scrollback, by rising line.
type marks struct{ list []Mark }

func (m *marks) clear() { m.list = m.list[:0] }

// add takes the place of the same mark at the same place: a prompt that is drawn
// again says its marks again.
func (m *marks) add(mark Mark) {
	i := len(m.list)
	for i > 0 && m.list[i-1].Line > mark.Line {
		i--
	}
	for k := i - 1; k >= 0 && m.list[k].Line == mark.Line; k-- {
		if m.list[k].Kind == mark.Kind && m.list[k].Col == mark.Col {
			m.list = append(m.list[:k], m.list[k+1:]...)
			i--
			break
		}
	}
	if len(m.list) >= maxMarks {
		m.list = m.list[1:]
		i = max(i-1, 0)
	}
	m.list = append(m.list, mark)
	copy(m.list[i+1:], m.list[i:])
	m.list[i] = mark
}

// trim drops the marks of lines before first.
func (m *marks) trim(first int64) {
	n := 0
	for n < len(m.list) && m.list[n].Line < first {
		n++
	}
	if n > 0 {
		m.list = m.list[n:]
	}
}

// from is the index of the first mark at line or below.
func (m *marks) from(line int64) int {
	i := len(m.list)
	for i > 0 && m.list[i-1].Line >= line {
		i--
	}
	return i
}

// shift moves what is at line and below by n.
func (m *marks) shift(line int64, n int) {
	for i := m.from(line); i < len(m.list); i++ {
		m.list[i].Line += int64(n)
	}
}

// remove follows the removal of n lines at line, in a region that ends at bottom.
func (m *marks) remove(line, bottom int64, n int) {
	i := m.from(line)
	kept := m.list[:i]
	for ; i < len(m.list); i++ {
		mark := m.list[i]
		if mark.Line < line+int64(n) {
			continue
		}
		if mark.Line <= bottom {
			mark.Line -= int64(n)
		}
		kept = append(kept, mark)
	}
	m.list = kept
}

// insert follows the insertion of n lines at line, in a region that ends at bottom.
func (m *marks) insert(line, bottom int64, n int) {
	i := m.from(line)
	kept := m.list[:i]
	for ; i < len(m.list); i++ {
		mark := m.list[i]
		if mark.Line <= bottom {
			mark.Line += int64(n)
			if mark.Line > bottom {
				continue
			}
		}
		kept = append(kept, mark)
	}
	m.list = kept
}

// drop removes the marks of one line.
func (m *marks) drop(line int64) {
	i := m.from(line)
	n := i
	for n < len(m.list) && m.list[n].Line == line {
		n++
	}
	if n > i {
		m.list = append(m.list[:i], m.list[n:]...)
	}
}

// Marks are the prompt marks kept, by rising line; at most 4,096. They move with
// their lines and go with them.
func (s *Screen) Marks() []Mark { return append([]Mark(nil), s.marks.list...) }
