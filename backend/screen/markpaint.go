package screen

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxCommandLine bounds what is taken of a command's text, in bytes as it comes.
const maxCommandLine = 4 << 10

// commandKey is what a C mark calls the text of the command, percent-encoded.
const commandKey = "cmdline_url="

// commandLine is the command's text in what follows a C; "" if it is not there,
// too long, or no text.
func commandLine(rest string) string {
	for field := range strings.SplitSeq(rest, ";") {
		coded, ok := strings.CutPrefix(field, commandKey)
		if !ok || len(coded) > maxCommandLine {
			continue
		}
		text, err := url.PathUnescape(coded)
		if err != nil || !utf8.ValidString(text) {
			return ""
		}
		lines := strings.Split(strings.ReplaceAll(text, "\t", " "), "\n")
		for i := range lines {
			lines[i] = printable(lines[i], maxCommandLine)
		}
		return strings.Join(lines, "\n")
	}
	return ""
}

// takeMarks makes those from the line on the ones to come. Where that is within
// the output of a command, it is said once more that there is one.
func (p *painter) takeMarks(line int64) {
	list := p.s.marks.list
	i := p.s.marks.from(line)
	p.marks = list[i:]
	if i > 0 && list[i-1].Kind == OutputStart {
		p.mark(list[i-1])
	}
}

// marksOf takes the marks of a line from those to come.
func (p *painter) marksOf(line int64) []Mark {
	n := 0
	for n < len(p.marks) && p.marks[n].Line == line {
		n++
	}
	out := p.marks[:n]
	p.marks = p.marks[n:]
	return out
}

// rowMarks makes marks on the row that the cursor is at the start of, which is
// empty, and returns those for its end.
func (p *painter) rowMarks(marks []Mark) (end []Mark) {
	if len(marks) == 0 {
		return nil
	}
	for _, m := range marks {
		if m.Col >= p.s.cols {
			end = append(end, m)
			continue
		}
		p.right(m.Col)
		p.mark(m)
	}
	p.right(0)
	return end
}

// screenMarks makes the marks on the main screen, which is painted.
func (p *painter) screenMarks() {
	s := p.s
	for _, m := range p.marks {
		y := int(m.Line - s.topLine())
		if m.Col < s.cols {
			p.moveTo(m.Col, y)
		} else if !p.pending(&s.main, y, y) {
			p.moveTo(s.cols-1, y)
		}
		p.mark(m)
	}
	p.marks = nil
}

// pending goes to the row of the buffer, which is y for the reader, and makes a
// wrap pending by printing its last column again; false: there is nothing to print.
func (p *painter) pending(b *buffer, row, y int) bool {
	cells := b.rows[row].cells
	x := p.s.cols - 1
	if cells[x].emptyHalf() && cells[x-1].wide() {
		x--
	}
	c := cells[x]
	if c.text&hasText == 0 || c.width() == 0 || x+c.width() != p.s.cols { // a half is not shown
		return false
	}
	p.moveTo(x, y)
	p.lookOf(c)
	p.dst = p.s.appendText(p.dst, c)
	return true
}

func (p *painter) mark(m Mark) {
	p.text("\x1b]133;")
	p.dst = append(p.dst, " ABCD"[m.Kind])
	if m.HasExit {
		p.dst = strconv.AppendInt(append(p.dst, ';'), int64(m.Exit), 10)
	}
	if m.Text != "" {
		p.text(";" + commandKey)
		p.dst = appendEncoded(p.dst, m.Text)
	}
	p.text("\a")
	p.odd = false
}

// appendEncoded percent-encodes what an OSC could not hold or a URL would not.
func appendEncoded(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-_./~", c) >= 0:
			dst = append(dst, c)
		default:
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		}
	}
	return dst
}
