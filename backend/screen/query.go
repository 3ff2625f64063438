package screen

import (
	"fmt"
	"strconv"
)

// query answers the sequences that ask, and acts on the few of CSI t.
func (s *Screen) query(id uint32) {
	p := &s.parser.params
	switch id {
	case 'c':
		switch {
		case p.v[0] != 0:
		case s.images: // 4 is sixel; the rest as @xterm/addon-image has it
			s.answer("\x1b[?62;4;9;22c")
		default:
			s.answer("\x1b[?1;2c")
		}
	case '>'<<8 | 'c':
		if p.v[0] == 0 {
			s.answer("\x1b[>0;276;0c")
		}
	case '>'<<8 | 'q':
		if p.v[0] == 0 {
			s.answer("\x1bP>|" + s.name + "\x1b\\")
		}
	case '?'<<8 | 'S':
		if s.images {
			s.graphics(p.v[0], p.v[1])
		}
	case 'n':
		switch p.v[0] {
		case 5:
			s.answer("\x1b[0n")
		case 6:
			s.answerCursor("")
		}
	case '?'<<8 | 'n':
		if p.v[0] == 6 {
			s.answerCursor("?")
		}
	case '$'<<8 | 'p':
		s.answerMode("", p.v[0], s.modeState(p.v[0]))
	case '?'<<16 | '$'<<8 | 'p':
		s.answerMode("?", p.v[0], s.privateModeState(p.v[0]))
	case 't':
		s.window()
	}
}

// answerCursor: a pending wrap is told as the last column. xterm.js tells one more,
// which no terminal before it did.
func (s *Screen) answerCursor(prefix string) {
	s.answer(fmt.Sprintf("\x1b[%s%d;%dR", prefix, s.cur.y+1, min(s.cur.x, s.cols-1)+1))
}

// modeState is what DECRPM says of a mode.
type modeState int

const (
	modeUnknown modeState = iota
	modeSet
	modeReset
	modeAlwaysSet
	modeAlwaysReset
)

func either(on bool) modeState {
	if on {
		return modeSet
	}
	return modeReset
}

func (s *Screen) answerMode(prefix string, mode int32, state modeState) {
	s.answer(fmt.Sprintf("\x1b[%s%d;%d$y", prefix, mode, state))
}

func (s *Screen) modeState(mode int32) modeState {
	switch mode {
	case 2:
		return modeAlwaysReset
	case 4:
		return either(s.modes.insert)
	case 12:
		return modeAlwaysSet
	case 20:
		return either(s.modes.newLine)
	}
	return modeUnknown
}

func (s *Screen) privateModeState(mode int32) modeState {
	m := &s.modes
	switch mode {
	case 1:
		return either(m.appCursor)
	case 6:
		return either(m.origin)
	case 7:
		return either(!m.noWrap)
	case 8, 1048:
		if mode == 8 {
			return modeAlwaysSet
		}
		return modeSet
	case 9:
		return either(m.mouse == MouseX10)
	case 12:
		return either(m.blink)
	case 25:
		return either(!m.hidden)
	case 45:
		return either(m.reverseWrap)
	case 66:
		return either(m.appKeypad)
	case 67, 1005, 1015:
		return modeAlwaysReset
	case 1000:
		return either(m.mouse == MouseNormal)
	case 1002:
		return either(m.mouse == MouseDrag)
	case 1003:
		return either(m.mouse == MouseAny)
	case 1004:
		return either(m.focus)
	case 1006:
		return either(m.encoding == EncodingSGR)
	case 1016:
		return either(m.encoding == EncodingSGRPixels)
	case 47, 1047, 1049:
		return either(s.Alternate())
	case 2004:
		return either(m.bracketed)
	case 2026:
		return either(m.sync)
	}
	return modeUnknown
}

// window is CSI t: reports of sizes, and the stack of titles. What would move or
// resize the window is ignored.
func (s *Screen) window() {
	p := &s.parser.params
	second := int32(0)
	if p.n > 1 {
		second = p.v[1]
	}
	known := s.pixelWidth > 0 && s.pixelHigh > 0
	switch p.v[0] {
	case 14:
		if known && second != 2 {
			s.answer(fmt.Sprintf("\x1b[4;%d;%dt", s.pixelHigh, s.pixelWidth))
		}
	case 15:
		if known {
			s.answer(fmt.Sprintf("\x1b[5;%d;%dt", s.pixelHigh, s.pixelWidth))
		}
	case 16:
		if known {
			s.answer(fmt.Sprintf("\x1b[6;%d;%dt", s.pixelHigh/s.rows, s.pixelWidth/s.cols))
		}
	case 18:
		s.answer(fmt.Sprintf("\x1b[8;%d;%dt", s.rows, s.cols))
	case 22:
		s.pushTitles(second)
	case 23:
		s.popTitles(second)
	}
}

// dcs acts on a device control string, of which pictures and DECRQSS are known:
// XTGETTCAP stays unanswered, as in xterm.js.
func (s *Screen) dcs(id uint32, payload []byte) {
	if id == 'q' && s.images {
		s.sixel(payload)
		return
	}
	if id != '$'<<8|'q' {
		return
	}
	answer := func(text string) { s.answer("\x1bP1$r" + text + "\x1b\\") }
	switch string(payload) {
	case "m":
		answer(string(s.appendPen(nil)) + "m")
	case "r":
		answer(fmt.Sprintf("%d;%dr", s.cur.top+1, s.cur.bottom+1))
	case " q":
		answer(strconv.Itoa(s.cursorStyle()) + " q")
	case `"q`:
		if s.pen.flags&attrProtected != 0 {
			answer(`1"q`)
		} else {
			answer(`0"q`)
		}
	case `"p`:
		answer(`61;1"p`)
	default:
		s.answer("\x1bP0$r\x1b\\")
	}
}

// cursorStyle is the parameter of DECSCUSR that makes the cursor as it is; 0 for
// the user's own.
func (s *Screen) cursorStyle() int {
	var n int
	switch s.modes.cursorShape {
	case CursorDefault:
		return 0
	case CursorBlock:
		n = 2
	case CursorUnderline:
		n = 4
	case CursorBar:
		n = 6
	}
	if s.modes.cursorBlink {
		n--
	}
	return n
}
