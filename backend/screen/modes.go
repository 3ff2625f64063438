package screen

// MouseProtocol is which mouse events the program wants.
type MouseProtocol uint8

// The protocols, with the private mode that sets each.
const (
	MouseNone   MouseProtocol = iota
	MouseX10                  // 9: presses
	MouseNormal               // 1000: presses, releases, wheel
	MouseDrag                 // 1002: moves while a button is down too
	MouseAny                  // 1003: all moves
)

// MouseEncoding is how they are written.
type MouseEncoding uint8

// The encodings, with the private mode that sets each.
const (
	EncodingDefault   MouseEncoding = iota
	EncodingSGR                     // 1006
	EncodingSGRPixels               // 1016
)

// CursorShape is the cursor's form.
type CursorShape uint8

// The shapes of DECSCUSR; default is the user's setting.
const (
	CursorDefault CursorShape = iota
	CursorBlock
	CursorUnderline
	CursorBar
)

// Modes is what a program has switched on and off.
type Modes struct {
	CursorKeys    bool // 1: arrows send SS3
	Origin        bool // 6
	Wrap          bool // 7, on by default
	ReverseWrap   bool // 45
	Keypad        bool // 66 and ESC =
	Focus         bool // 1004
	Bracketed     bool // 2004: pastes are bracketed
	Synchronized  bool // 2026: an update is open
	Insert        bool // 4
	NewLine       bool // 20: a line feed returns too
	CursorVisible bool // 25, on by default
	BlinkDefault  bool // 12: blinking where DECSCUSR says nothing
	CursorBlink   bool // of CursorShape, unless that is the default one
	CursorShape   CursorShape
	Mouse         MouseProtocol
	Encoding      MouseEncoding
}

type modes struct {
	appCursor, origin, noWrap, reverseWrap bool
	appKeypad, focus, bracketed, sync      bool
	insert                                 bool
	cursorShape                            CursorShape
	cursorBlink                            bool

	// These outlive DECSTR, and the first three RIS too, as in xterm.js.
	newLine, hidden, blink bool
	mouse                  MouseProtocol
	encoding               MouseEncoding
}

// reset is what DECSTR and RIS have in common.
func (m *modes) reset() {
	*m = modes{
		newLine: m.newLine, hidden: m.hidden, blink: m.blink,
		mouse: m.mouse, encoding: m.encoding,
	}
}

// ModesOff is written to a terminal whose program is gone: it undoes what that may have
// left switched on, which are the alternate screen, mouse, paste and focus reports,
// application keys, a hidden cursor, colours, a scroll region, a line-drawing character
// set. The cursor is saved before what would move it: leaving an alternate screen that
// nobody entered, and a new scroll region. The next program writes below.
const ModesOff = "\x1b7\x1b[?1049l" +
	"\x1b[?9;1000;1002;1003;1004;1005;1006;1015;1016;2004;2026l\x1b[?1l\x1b>\x1b[?25h\x1b[?7h\x1b[4l" +
	"\x1b7\x1b[r\x1b8\x1b[0m\x1b(B\x0f\r\n"

// Modes are the modes as they are now.
func (s *Screen) Modes() Modes {
	m := &s.modes
	return Modes{
		CursorKeys: m.appCursor, Origin: m.origin, Wrap: !m.noWrap, ReverseWrap: m.reverseWrap,
		Keypad: m.appKeypad, Focus: m.focus, Bracketed: m.bracketed, Synchronized: m.sync,
		Insert: m.insert, NewLine: m.newLine, CursorVisible: !m.hidden, BlinkDefault: m.blink,
		CursorBlink: m.cursorBlink, CursorShape: m.cursorShape, Mouse: m.mouse, Encoding: m.encoding,
	}
}

// Synchronized says whether a program has begun an update (mode 2026) and not
// ended it. How long to wait for the end is the owner's business.
func (s *Screen) Synchronized() bool { return s.modes.sync }

func (s *Screen) setModes(on bool) {
	p := &s.parser.params
	for _, v := range p.v[:p.n] {
		switch v {
		case 4:
			s.modes.insert = on
		case 20:
			s.modes.newLine = on
		}
	}
}

func (s *Screen) setPrivateModes(on bool) {
	p := &s.parser.params
	for _, v := range p.v[:p.n] {
		s.setPrivateMode(v, on)
	}
}

func (s *Screen) setPrivateMode(v int32, on bool) {
	m := &s.modes
	switch v {
	case 1:
		m.appCursor = on
	case 2:
		if on {
			s.sets.g = [4]byte{}
			s.sets.current = 0
		}
	case 6:
		m.origin = on
		s.moveTo(0, 0)
	case 7:
		m.noWrap = !on
	case 12:
		m.blink = on
	case 25:
		m.hidden = !on
	case 45:
		m.reverseWrap = on
	case 66:
		m.appKeypad = on
	case 9:
		m.setMouse(MouseX10, on)
	case 1000:
		m.setMouse(MouseNormal, on)
	case 1002:
		m.setMouse(MouseDrag, on)
	case 1003:
		m.setMouse(MouseAny, on)
	case 1004:
		m.focus = on
	case 1006:
		m.setEncoding(EncodingSGR, on)
	case 1016:
		m.setEncoding(EncodingSGRPixels, on)
	case 2004:
		m.bracketed = on
	case 2026:
		m.sync = on
	case 47, 1047, 1048, 1049:
		s.setAlternate(v, on)
	}
}

// setAlternate is 47 and 1047 (the screen), 1048 (the cursor) and 1049 (both).
func (s *Screen) setAlternate(v int32, on bool) {
	if on {
		if v == 1048 || v == 1049 {
			s.saveCursor()
		}
		if v != 1048 {
			s.enterAlternate()
		}
		return
	}
	if v != 1048 {
		s.leaveAlternate()
	}
	if v == 1048 || v == 1049 {
		s.restoreCursor()
	}
}

// setMouse: resetting any of the protocols resets whichever is on.
func (m *modes) setMouse(p MouseProtocol, on bool) {
	m.mouse = MouseNone
	if on {
		m.mouse = p
	}
}

func (m *modes) setEncoding(e MouseEncoding, on bool) {
	m.encoding = EncodingDefault
	if on {
		m.encoding = e
	}
}
