package screen

// A cell is one place of the grid. The zero cell is a blank in default colours,
// so that clearing is clearing memory.
type cell struct {
	text uint32 // a code point, or the index of a cluster; 0: nothing was written here
	fg   uint32 // a colour: see colour.go
	bg   uint32
	attr uint32 // attribute flags, the underline style, and from bit 16 the index into extras
}

// Bits of cell.text. Without wide and without half, a cell is one column wide.
const (
	textMask    = 1<<21 - 1 // the code point, or the index of the cluster
	textCluster = 1 << 21   // more than one code point: the index into clusters
	textWide    = 1 << 22   // two columns; the next cell is its second half
	textHalf    = 1 << 23   // no columns: a second half, or a character without a width
	hasText     = textMask | textCluster
)

// Bits of cell.attr. They are xterm.js's flags, so that its states can be told
// apart: attrExtended is set only while an underline style or a link is on, and
// only then do style, underline colour and link count.
const (
	attrBold uint32 = 1 << iota
	attrDim
	attrItalic
	attrUnderline
	attrBlink
	attrInverse
	attrInvisible
	attrStrike
	attrOverline
	attrProtected
	attrExtended

	attrFlags      = 1<<11 - 1
	attrStyleShift = 11
	attrStyleMask  = 7 << attrStyleShift
	attrExtraShift = 16
)

// isASCII says whether a cell's text is a printable character of ASCII.
func isASCII(text uint32) bool { return text-0x20 < 0x7f-0x20 }

func (c cell) width() int {
	switch c.text & (textWide | textHalf) {
	case textWide:
		return 2
	case textHalf:
		return 0
	}
	return 1
}

func (c cell) wide() bool { return c.text&textWide != 0 }

// emptyHalf is the second half of a wide character, or what is left of one.
func (c cell) emptyHalf() bool { return c.text == textHalf }

// looksLike says whether the cells differ in nothing but their text.
func (c *cell) looksLike(d *cell) bool { return (c.fg^d.fg)|(c.bg^d.bg)|(c.attr^d.attr) == 0 }

// blank is the cell without its text, one column wide.
func (c cell) blank() cell {
	c.text = 0
	return c
}

func sized(text uint32, width int) uint32 {
	switch width {
	case 0:
		return text | textHalf
	case 1:
		return text
	}
	return text | textWide
}

// A row is a line of the grid. Cells from used on are zero, which keeps clearing,
// storing and drawing of mostly empty lines cheap. On the alternate screen a row
// may be longer than the screen is wide: xterm.js keeps what a narrower window
// hides and shows it again.
type row struct {
	cells   []cell
	used    int
	wrapped bool // goes on from the row above
}

func newRow(cols int) *row { return &row{cells: make([]cell, cols)} }

func (r *row) set(x int, c cell) {
	r.cells[x] = c
	if x >= r.used {
		r.used = x + 1
	}
}

// fill sets the cells from a up to b.
func (r *row) fill(a, b int, c cell) {
	b = min(b, len(r.cells))
	if c == (cell{}) {
		if b >= r.used {
			b, r.used = r.used, min(r.used, a)
		}
		if a < b {
			clear(r.cells[a:b])
		}
		return
	}
	for i := a; i < b; i++ {
		r.cells[i] = c
	}
	if a < b {
		r.used = max(r.used, b)
	}
}

// reset makes the row one of cols blank cells; it may have been longer.
func (r *row) reset(cols int, c cell, wrapped bool) {
	r.fill(0, len(r.cells), c)
	r.cells = r.cells[:cols]
	r.used = min(r.used, cols)
	r.wrapped = wrapped
}

// erase fills the cells from a up to b; a wide character that loses one half
// loses the other too. Protected cells stay if keep is set.
func (r *row) erase(a, b int, c cell, keep bool) {
	n := len(r.cells)
	kept := func(x int) bool { return keep && r.cells[x].attr&attrProtected != 0 }
	if a > 0 && a <= n && r.cells[a-1].wide() && !kept(a-1) {
		r.set(a-1, c)
	}
	if b > 0 && b < n && r.cells[b-1].wide() && !kept(b) {
		r.set(b, c)
	}
	if !keep {
		r.fill(a, b, c)
		return
	}
	for x := a; x < min(b, n); x++ {
		if !kept(x) {
			r.set(x, c)
		}
	}
}

// insert shifts the cells from x on by n to the right and fills the gap.
func (r *row) insert(x, n int, c cell) {
	width := len(r.cells)
	x %= width
	if n <= 0 {
		return
	}
	if x > 0 && r.cells[x-1].wide() {
		r.set(x-1, c)
	}
	if n < width-x {
		if r.used > x {
			copy(r.cells[x+n:], r.cells[x:min(r.used, width-n)])
			r.used = min(width, r.used+n)
		}
		for i := x; i < x+n; i++ {
			r.set(i, c)
		}
	} else {
		r.fill(x, width, c)
	}
	if r.cells[width-1].wide() {
		r.set(width-1, c)
	}
}

// remove shifts the cells from x+n on to x and fills what comes free at the end.
func (r *row) remove(x, n int, c cell) {
	width := len(r.cells)
	x %= width
	if n < width-x {
		copy(r.cells[x:], r.cells[x+n:])
		r.used = width // the end still holds what was shifted; fill puts used right
		r.fill(width-n, width, c)
	} else {
		r.fill(x, width, c)
	}
	if x > 0 && r.cells[x-1].wide() {
		r.set(x-1, c)
	}
	if r.cells[x].emptyHalf() {
		r.set(x, c)
	}
}

// length is how many columns hold text: blanks at the end do not count.
func (r *row) length() int {
	for i := r.used - 1; i >= 0; i-- {
		if r.cells[i].text&hasText != 0 {
			return i + r.cells[i].width()
		}
	}
	return 0
}

// drawn is how many cells there are up to the last that is not zero.
func (r *row) drawn() int {
	n := r.used
	for n > 0 && r.cells[n-1] == (cell{}) {
		n--
	}
	return n
}
