package screen

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxTitle        = 1024 // bytes
	maxTitleStack   = 10
	maxDirectory    = 4096
	maxNotification = 4096
)

// osc acts on an operating system command: a number and, mostly, an argument.
func (s *Screen) osc(payload []byte) {
	n := 0
	for n < len(payload) && payload[n] >= '0' && payload[n] <= '9' {
		n++
	}
	number, err := strconv.Atoi(string(payload[:n]))
	if err != nil || (n < len(payload) && payload[n] != ';') {
		return
	}
	arg := string(payload[min(n+1, len(payload)):])
	switch number {
	case 0:
		s.setTitle(arg)
		s.titles.icon = printable(arg, maxTitle)
	case 1:
		s.titles.icon = printable(arg, maxTitle)
	case 2:
		s.setTitle(arg)
	case 4:
		s.indexedColours(arg)
	case 7:
		s.setDirectory(arg)
	case 8:
		s.setLink(arg)
	case 9:
		s.notifyOrProgress(arg)
	case 10, 11, 12:
		s.specialColours(foreground+number-10, arg)
	case 52:
		s.clipboard(arg)
	case 99:
		s.notifyKitty(arg)
	case 104:
		s.resetColours(arg)
	case 110, 111, 112:
		s.resetColour(foreground + number - 110)
	case 133:
		s.promptMark(arg)
	case 777:
		if rest, ok := strings.CutPrefix(arg, "notify;"); ok {
			title, body, _ := strings.Cut(rest, ";")
			s.notify(title, body)
		}
	case 1337:
		if s.images {
			s.inlineImage(arg)
		}
	}
}

// printable is text as it may be shown: in one line, no control characters, no
// marks that turn the direction of writing, at most limit bytes.
func printable(text string, limit int) string {
	clean := func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp) {
			return -1
		}
		return r
	}
	text = strings.Map(clean, text[:min(len(text), 2*limit)])
	for len(text) > limit {
		_, n := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-n]
	}
	return text
}

// titles are the window's and the icon's, and what CSI 22 t has put aside.
type titles struct {
	window, icon           string
	windowStack, iconStack []string
}

func (s *Screen) setTitle(title string) {
	s.titles.window = printable(title, maxTitle)
	s.emit(Event{Kind: TitleChanged, Text: s.titles.window})
}

// pushTitles and popTitles: which is 0 for both, 1 for the icon's, 2 for the window's.
func (s *Screen) pushTitles(which int32) {
	push := func(stack []string, title string) []string {
		stack = append(stack, title)
		return stack[max(len(stack)-maxTitleStack, 0):]
	}
	if which == 0 || which == 2 {
		s.titles.windowStack = push(s.titles.windowStack, s.titles.window)
	}
	if which == 0 || which == 1 {
		s.titles.iconStack = push(s.titles.iconStack, s.titles.icon)
	}
}

func (s *Screen) popTitles(which int32) {
	t := &s.titles
	if n := len(t.windowStack); n > 0 && (which == 0 || which == 2) {
		s.setTitle(t.windowStack[n-1])
		t.windowStack = t.windowStack[:n-1]
	}
	if n := len(t.iconStack); n > 0 && (which == 0 || which == 1) {
		t.icon = t.iconStack[n-1]
		t.iconStack = t.iconStack[:n-1]
	}
}

func (s *Screen) setDirectory(arg string) {
	if len(arg) > maxDirectory || printable(arg, maxDirectory) != arg {
		return // half a path is a wrong path
	}
	s.directory = arg
}

func (s *Screen) notify(title, body string) {
	e := Event{Kind: Notification, Title: printable(title, maxTitle), Text: printable(body, maxNotification)}
	if e.Title != "" || e.Text != "" {
		s.emit(e)
	}
}

// notifyOrProgress is OSC 9: a notification, or "4;state;percent".
func (s *Screen) notifyOrProgress(arg string) {
	rest, ok := strings.CutPrefix(arg, "4;")
	if !ok {
		s.notify("", arg)
		return
	}
	what, value, _ := strings.Cut(rest, ";")
	state, err := strconv.Atoi(what)
	if err != nil || state < 0 || state > 4 {
		return
	}
	percent, _ := strconv.Atoi(value)
	s.emit(Event{Kind: Progress, Count: state, Percent: min(max(percent, 0), 100)})
}

// notifyKitty is OSC 99: "metadata;text". Pieces are shown as they come; what asks
// for a reply, an icon or buttons is not.
func (s *Screen) notifyKitty(arg string) {
	meta, text, ok := strings.Cut(arg, ";")
	if !ok {
		return
	}
	body := false
	for field := range strings.SplitSeq(meta, ":") {
		switch key, value, _ := strings.Cut(field, "="); {
		case key == "p" && value == "body":
			body = true
		case key == "p" && value != "title":
			return
		case key == "e" && value == "1":
			b, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				return
			}
			text = string(b)
		}
	}
	if body {
		s.notify("", text)
	} else {
		s.notify(text, "")
	}
}

// clipboard is OSC 52: "which;base64", or "which;?" for reading.
func (s *Screen) clipboard(arg string) {
	which, data, ok := strings.Cut(arg, ";")
	if !ok {
		return
	}
	which = printable(which, 16)
	if data == "?" {
		s.emit(Event{Kind: ClipboardRead, Title: which})
		return
	}
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil || !utf8.Valid(b) {
		return
	}
	s.emit(Event{Kind: ClipboardWrite, Title: which, Text: string(b)})
}

// promptMark is OSC 133. On the alternate screen there is no line to mark.
func (s *Screen) promptMark(arg string) {
	kind, rest, _ := strings.Cut(arg, ";")
	m := Mark{Line: s.topLine() + int64(s.cur.y), Col: s.cur.x}
	switch kind {
	case "A":
		m.Kind = PromptStart
	case "B":
		m.Kind = CommandStart
	case "C":
		m.Kind = OutputStart
		m.Text = commandLine(rest)
	case "D":
		m.Kind = CommandEnd
		code, _, _ := strings.Cut(rest, ";")
		exit, err := strconv.ParseInt(code, 10, 32)
		m.Exit, m.HasExit = int(exit), err == nil
	default:
		return
	}
	if s.cur == &s.main && !s.following {
		s.marks.add(m)
	}
	s.emit(Event{Kind: PromptMark, Mark: m, Text: s.directory})
}
