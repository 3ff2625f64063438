package terminal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"drover/backend/pty"
)

// tracker follows the cursor through a program's output, just far enough to
// answer what programs ask of a terminal before they draw: DA1, DA2, DSR 5 and
// DSR 6. The answers go out in the order of the questions, and whether anybody
// looks or not. The server-side screen will take its place.
type tracker struct {
	reply func([]byte) // called without the lock, by the writer's goroutine

	mu          sync.Mutex
	answers     []byte // of the current write
	cols, rows  int
	cur         cursor
	saved       [2]cursor // of the main and of the alternate screen
	alt         bool
	top, bottom int // scroll region, inclusive
	state       parseState
	params      [16]int // of the sequence being read; further ones are ignored
	nparams     int
	private     byte // '?', '>' or 0
	partial     [utf8.UTFMax]byte
	npartial    int
}

type cursor struct {
	row, col int
	pending  bool // the last column was written: the next character wraps
}

type parseState int

const (
	ground parseState = iota
	escape
	escapeInter // ESC and an intermediate: one more byte ends it
	csi
	csiIgnore // intermediates or too odd: skipped to its end
	str       // OSC, DCS, APC, PM, SOS: skipped to ST or BEL
	strEscape
)

func newTracker(size pty.Size, reply func([]byte)) *tracker {
	t := &tracker{reply: reply}
	t.resize(size)
	return t
}

func (t *tracker) resize(s pty.Size) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cols, t.rows = s.Cols, s.Rows
	t.top, t.bottom = 0, s.Rows-1
	t.moveLocked(t.cur.row, t.cur.col)
}

// write follows p and answers what it asks.
func (t *tracker) write(p []byte) {
	if answers := t.follow(p); len(answers) > 0 {
		t.reply(answers)
	}
}

func (t *tracker) follow(p []byte) (answers []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.answers = nil
	p = p[t.skipLocked(p):]
	for i := 0; i < len(p); {
		if t.state == ground && t.npartial == 0 {
			if n := t.quickLocked(p[i:]); n > 0 {
				i += n
				continue
			}
		}
		t.byteLocked(p[i])
		i++
	}
	return t.answers
}

// skipLocked is how much of p need not be looked at, because the cursor is known
// after it: behind a line end at the bottom of the screen, whatever text and
// colours came before.
func (t *tracker) skipLocked(p []byte) int {
	if t.state != ground || t.top != 0 || t.bottom != t.rows-1 {
		return 0
	}
	end := bytes.LastIndexByte(p[:colours(p)], '\n')
	if end < 1 || p[end-1] != '\r' {
		return 0
	}
	if t.cur.row != t.bottom && bytes.Count(p[:end], []byte{'\n'}) < t.rows {
		return 0
	}
	t.cur, t.npartial = cursor{row: t.bottom}, 0
	return end + 1
}

// colours is how much of p holds no escape sequence but for colours.
func colours(p []byte) int {
	for n := 0; ; {
		esc := bytes.IndexByte(p[n:], 0x1b)
		if esc < 0 {
			return len(p)
		}
		n += esc
		end := colour(p[n:])
		if end == 0 {
			return n
		}
		n += end
	}
}

// colour is the length of the SGR sequence that p begins with; 0 if there is none.
func colour(p []byte) int {
	if len(p) < 3 || p[1] != '[' {
		return 0
	}
	n := 2
	for n < len(p) && p[n] >= 0x30 && p[n] < 0x40 {
		n++
	}
	if n < len(p) && p[n] == 'm' {
		return n + 1
	}
	return 0
}

// quickLocked takes what floods are made of from the front of p, many bytes at
// once: plain text, whole characters, line ends, colours. It returns how many
// bytes it took; 0 leaves the first one to byteLocked.
func (t *tracker) quickLocked(p []byte) int {
	switch b := p[0]; {
	case b >= 0x20 && b < 0x7f:
		n := plain(p)
		t.advanceLocked(n)
		return n
	case b >= utf8.RuneSelf:
		return t.charactersLocked(p)
	case b == '\r':
		t.cur.col, t.cur.pending = 0, false
		return 1
	case b == '\n':
		t.lineFeedLocked()
		return 1
	case b == 0x1b:
		return colour(p) // moves nothing
	}
	return 0
}

// plain is how many printable ASCII bytes p begins with, found eight at a time.
func plain(p []byte) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	n := 0
	for ; n+8 <= len(p); n += 8 {
		x := binary.LittleEndian.Uint64(p[n:])
		// A byte below 0x20, one of 0x7f, or one from 0x80 on sets its high bit.
		if odd := (x - 0x20*ones) | (x + ones) | x; odd&highs != 0 {
			break
		}
	}
	for n < len(p) && p[n] >= 0x20 && p[n] < 0x7f {
		n++
	}
	return n
}

// charactersLocked takes the whole characters beyond ASCII that p begins with.
func (t *tracker) charactersLocked(p []byte) int {
	n := 0
	for n < len(p) && p[n] >= utf8.RuneSelf {
		q := p[n:]
		switch {
		case len(q) >= 2 && q[0] >= 0xc2 && q[0] < 0xe0 && q[1]&0xc0 == 0x80:
			t.runeLocked(width(rune(q[0]&0x1f)<<6|rune(q[1]&0x3f), 2))
			n += 2
		case len(q) >= 3 && q[0] > 0xe0 && q[0] < 0xf0 && q[0] != 0xed && q[1]&0xc0 == 0x80 && q[2]&0xc0 == 0x80:
			t.runeLocked(width(rune(q[0]&0x0f)<<12|rune(q[1]&0x3f)<<6|rune(q[2]&0x3f), 3))
			n += 3
		case !utf8.FullRune(q):
			return n
		default: // the rare and the broken
			r, size := utf8.DecodeRune(q)
			t.runeLocked(width(r, size))
			n += size
		}
	}
	return n
}

// width is a character's in cells; the common scripts are decided at once. What
// is no character (one byte that decodes to nothing) is not drawn.
func width(r rune, size int) int {
	switch {
	case r == utf8.RuneError && size == 1:
		return 0
	case r < 0x300, r >= 0x400 && r < 0x483:
		return 1
	case r >= 0x4e00 && r < 0xa000, r >= 0x3041 && r < 0x3097, r >= 0x30a1 && r < 0x30fb, r >= 0xac00 && r < 0xd7a4:
		return 2
	}
	return runewidth.RuneWidth(r)
}

func (t *tracker) byteLocked(b byte) {
	// Controls act inside sequences too; inside strings they only end them.
	if b < 0x20 && t.state != str && t.state != strEscape && b != 0x1b {
		t.controlLocked(b)
		return
	}
	switch t.state {
	case ground:
		t.groundLocked(b)
	case escape:
		t.escapeLocked(b)
	case escapeInter:
		if b >= 0x30 {
			t.state = ground
		}
	case csi:
		t.csiLocked(b)
	case csiIgnore:
		if b >= 0x40 && b < 0x7f {
			t.state = ground
		}
	case str:
		switch b {
		case 0x1b:
			t.state = strEscape
		case 0x07, 0x18, 0x1a:
			t.state = ground
		}
	case strEscape:
		t.state = ground
		if b != '\\' { // an ESC that began something else
			t.state = escape
			t.escapeLocked(b)
		}
	}
}

func (t *tracker) controlLocked(b byte) {
	t.npartial = 0
	switch b {
	case '\r':
		t.moveLocked(t.cur.row, 0)
	case '\n', 0x0b, 0x0c:
		t.lineFeedLocked()
	case '\b':
		t.moveLocked(t.cur.row, t.cur.col-1)
	case '\t':
		t.moveLocked(t.cur.row, (t.cur.col/8+1)*8)
	case 0x18, 0x1a:
		t.state = ground
	}
}

func (t *tracker) groundLocked(b byte) {
	switch {
	case b == 0x1b:
		t.npartial = 0
		t.state = escape
	case b == 0x7f:
	case b < utf8.RuneSelf:
		t.npartial = 0
		t.advanceLocked(1)
	default:
		t.partial[t.npartial] = b
		t.npartial++
		for t.npartial > 0 && utf8.FullRune(t.partial[:t.npartial]) {
			r, size := utf8.DecodeRune(t.partial[:t.npartial])
			t.npartial = copy(t.partial[:], t.partial[size:t.npartial])
			t.runeLocked(width(r, size))
		}
	}
}

func (t *tracker) runeLocked(cells int) {
	if next := t.cur.col + cells; next < t.cols && !t.cur.pending {
		t.cur.col = next
		return
	}
	if cells == 2 && t.cur.col == t.cols-1 && !t.cur.pending {
		t.cur.pending = true // no room for both halves: it wraps
	}
	t.advanceLocked(cells)
}

// advanceLocked writes n cells.
func (t *tracker) advanceLocked(n int) {
	for n > 0 {
		if t.cur.pending {
			t.lineFeedLocked()
			t.cur.col, t.cur.pending = 0, false
		}
		step := min(n, t.cols-t.cur.col)
		t.cur.col += step
		n -= step
		if t.cur.col >= t.cols {
			t.cur.col, t.cur.pending = t.cols-1, true
		}
	}
}

func (t *tracker) lineFeedLocked() {
	if t.cur.row != t.bottom && t.cur.row < t.rows-1 {
		t.cur.row++
	}
	t.cur.pending = false
}

func (t *tracker) moveLocked(row, col int) {
	t.cur = cursor{row: min(max(row, 0), t.rows-1), col: min(max(col, 0), t.cols-1)}
}

func (t *tracker) escapeLocked(b byte) {
	t.state = ground
	switch b {
	case '[':
		t.state, t.nparams, t.private = csi, 0, 0
		t.params = [16]int{}
	case ']', 'P', '_', '^', 'X':
		t.state = str
	case '7':
		t.saved[t.screenLocked()] = t.cur
	case '8':
		t.cur = t.saved[t.screenLocked()]
	case 'D':
		t.lineFeedLocked()
	case 'E':
		t.lineFeedLocked()
		t.cur.col = 0
	case 'M':
		if t.cur.row != t.top {
			t.moveLocked(t.cur.row-1, t.cur.col)
		}
	case 'c':
		t.cur, t.saved, t.alt = cursor{}, [2]cursor{}, false
		t.top, t.bottom = 0, t.rows-1
	case 0x1b:
		t.state = escape
	default:
		if b >= 0x20 && b < 0x30 {
			t.state = escapeInter
		}
	}
}

func (t *tracker) screenLocked() int {
	if t.alt {
		return 1
	}
	return 0
}

func (t *tracker) csiLocked(b byte) {
	switch {
	case b >= '0' && b <= '9':
		if t.nparams == 0 {
			t.nparams = 1
		}
		if t.nparams <= len(t.params) {
			v := &t.params[t.nparams-1]
			*v = min(*v*10+int(b-'0'), 1<<16)
		}
	case b == ';' || b == ':':
		t.nparams = max(t.nparams, 1) + 1
	case b == 0x1b:
		t.state = escape
	case b >= '<' && b <= '?':
		t.private = b
	case b >= 0x20 && b < 0x30:
		t.state = csiIgnore
	case b >= 0x40 && b < 0x7f:
		t.state = ground
		t.dispatchLocked(b)
	}
}

// dispatchLocked acts on a whole CSI sequence.
func (t *tracker) dispatchLocked(final byte) {
	n := max(t.params[0], 1)
	row, col := t.cur.row, t.cur.col
	if t.private != 0 {
		t.privateLocked(final)
		return
	}
	switch final {
	case 'A':
		t.moveLocked(row-n, col)
	case 'B', 'e':
		t.moveLocked(row+n, col)
	case 'C', 'a':
		t.moveLocked(row, col+n)
	case 'D':
		t.moveLocked(row, col-n)
	case 'E':
		t.moveLocked(row+n, 0)
	case 'F':
		t.moveLocked(row-n, 0)
	case 'G', '`':
		t.moveLocked(row, n-1)
	case 'd':
		t.moveLocked(n-1, col)
	case 'H', 'f':
		t.moveLocked(n-1, max(t.params[1], 1)-1)
	case 's':
		t.saved[t.screenLocked()] = t.cur
	case 'u':
		t.cur = t.saved[t.screenLocked()]
	case 'r':
		t.regionLocked()
	case 'c':
		if t.params[0] == 0 {
			t.answerLocked("\x1b[?1;2c")
		}
	case 'n':
		switch t.params[0] {
		case 5:
			t.answerLocked("\x1b[0n")
		case 6:
			t.answerLocked("\x1b[%d;%dR", row+1, col+1)
		}
	}
}

func (t *tracker) answerLocked(format string, args ...any) {
	t.answers = fmt.Appendf(t.answers, format, args...)
}

func (t *tracker) regionLocked() {
	top, bottom := max(t.params[0], 1)-1, t.params[1]-1
	if bottom < 0 || bottom >= t.rows {
		bottom = t.rows - 1
	}
	if top >= bottom {
		return
	}
	t.top, t.bottom = top, bottom
	t.moveLocked(0, 0)
}

// privateLocked acts on sequences with a private mark.
func (t *tracker) privateLocked(final byte) {
	switch {
	case t.private == '>' && final == 'c' && t.params[0] == 0:
		t.answerLocked("\x1b[>0;276;0c")
	case t.private == '?' && final == 'n' && t.params[0] == 6:
		t.answerLocked("\x1b[?%d;%dR", t.cur.row+1, t.cur.col+1)
	case t.private == '?' && (final == 'h' || final == 'l'):
		for _, mode := range t.params[:min(t.nparams, len(t.params))] {
			if mode == 47 || mode == 1047 || mode == 1049 {
				t.switchScreenLocked(final == 'h', mode == 1049)
			}
		}
	}
}

// switchScreenLocked enters or leaves the alternate screen; 1049 keeps the
// cursor of the main one meanwhile.
func (t *tracker) switchScreenLocked(alt, keep bool) {
	if t.alt == alt {
		return
	}
	if alt && keep {
		t.saved[0] = t.cur
	}
	t.alt = alt
	if !alt && keep {
		t.cur = t.saved[0]
	}
}
