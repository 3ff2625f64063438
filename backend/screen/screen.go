// Package screen is a terminal's screen without a terminal: bytes of a program go
// in, and it knows what xterm.js 6.0.0 would show, cell for cell.
//
// It owns the grid (main and alternate), the scrollback as compact text, cursor,
// modes, colours, hyperlinks and prompt marks of one terminal. It answers the
// program's queries in the order of the stream and collects what happened (bell,
// title, notification, …); both are handed out by Take after a Write. A Snapshot is
// a sequence of escape codes that makes an xterm.js of the same size show the same.
//
// It promises never to panic, whatever the bytes and sizes, and to hold bounded
// memory: strings, clusters, links, marks, events, answers and the scrollback have
// limits, given at their constants. It starts no goroutine and takes no lock: a
// Screen belongs to one owner, who calls one method at a time.
package screen

import "drover/backend/width"

// Limits of a screen's size; New and Resize clamp to them. Two columns is what
// xterm.js asks for at least, so that a wide character has a place.
const (
	MinCols = 2
	MinRows = 1
	MaxCols = 2048
	MaxRows = 2048
)

// Options say what a screen is like; the zero value of a field is its default.
type Options struct {
	Cols, Rows int // 80x24

	// Scrollback is how many lines are kept above the main screen; 0: none.
	Scrollback int

	// ScrollbackBytes bounds their memory, oldest lines first; 0: 32 MiB.
	ScrollbackBytes int

	// Images says that whoever shows the screen draws sixel and iTerm pictures:
	// they take room, programs are told that they may send them, and a word stands
	// in their place in text and snapshots.
	Images bool

	// Name is what XTVERSION answers, such as "drover 1.0"; empty: "drover".
	Name string
}

// Screen is one terminal's screen. See the package comment for its rules.
type Screen struct {
	cols, rows int
	main, alt  buffer
	cur        *buffer // one of the two
	history    history

	pen   pen
	ink   cell // what the pen writes: its colours and attributes, no text
	modes modes
	sets  charsets
	tail  tail

	parser   parser
	clusters clusters
	deeds    deeds
	links    links
	extras   extras
	marks    marks
	colours  colours
	titles   titles
	out      output

	name                   string
	theme                  Theme
	pixelWidth, pixelHigh  int // of the whole text area; 0: unknown
	directory              string
	images                 bool   // Options.Images
	following              bool   // Follow was called
	halves                 bool   // a resize or a margin may have halved wide characters since RIS
	cellBuffer, lineBuffer []byte // scratch
	scratch                []*row // rows that are being read or written, outside the screen
}

// New makes a blank screen.
func New(o Options) *Screen {
	if o.Cols == 0 {
		o.Cols = 80
	}
	if o.Rows == 0 {
		o.Rows = 24
	}
	if o.Name == "" {
		o.Name = "drover"
	}
	s := &Screen{
		cols:  min(max(o.Cols, MinCols), MaxCols),
		rows:  min(max(o.Rows, MinRows), MaxRows),
		name:  printable(o.Name, maxTitle),
		theme: DefaultTheme(),

		images: o.Images,
	}
	s.history.init(o.Scrollback, o.ScrollbackBytes)
	s.reset()
	return s
}

// reset is RIS. As in xterm.js, the cursor's visibility, its blinking and LNM are
// left as they are, and so are title and colours.
func (s *Screen) reset() {
	s.history.clear()
	s.marks.clear()
	s.main = newBuffer(s.cols, s.rows)
	s.main.fillRows(s.cols, s.rows, cell{})
	s.alt = newBuffer(s.cols, s.rows)
	s.cur = &s.main
	s.pen = pen{}
	s.inkPen()
	s.modes.reset()
	s.modes.mouse, s.modes.encoding = MouseNone, EncodingDefault
	s.sets = charsets{}
	s.tail.clear()
	s.parser.reset()
	s.halves = false
}

// Size is the screen's, in cells.
func (s *Screen) Size() (cols, rows int) { return s.cols, s.rows }

// SetPixels says how large the text area is, for the queries CSI 14 t and 16 t;
// zero (the default) leaves them unanswered.
func (s *Screen) SetPixels(width, height int) {
	s.pixelWidth, s.pixelHigh = max(width, 0), max(height, 0)
}

// Cursor is where the next character goes, from 0. pending: the last column was
// written, col is that column, and the next character wraps.
func (s *Screen) Cursor() (row, col int, pending bool) {
	if s.cur.x >= s.cols {
		return s.cur.y, s.cols - 1, true
	}
	return s.cur.y, s.cur.x, false
}

// Alternate says whether the alternate screen is shown.
func (s *Screen) Alternate() bool { return s.cur == &s.alt }

// Title is the window's title, without control characters and at most 1 KiB.
func (s *Screen) Title() string { return s.titles.window }

// Directory is what OSC 7 said last: a file URL or a path, as it came; "" if none.
func (s *Screen) Directory() string { return s.directory }

// tail is the last character printed, as long as nothing but printing happened
// since: what comes next may join its cluster, and REP repeats it.
type tail struct {
	after width.State // of the cluster, unless it is ascii
	ascii byte        // its state is asked for only when something comes that could join
	cells int8
	joins bool // it is a mark that has joined what is before it
}

func (t *tail) clear() { *t = tail{} }

func (t *tail) state() width.State {
	if t.ascii != 0 {
		after, _, _ := width.Next(0, rune(t.ascii))
		return after
	}
	return t.after
}
