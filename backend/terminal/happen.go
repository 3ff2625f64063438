package terminal

import (
	"net/url"
	"os"
	"strings"
	"time"

	"drover/backend/screen"
)

// EventKind says what happened in a terminal.
type EventKind string

// The events of a terminal, which are told whether anybody looks or not. Text is
// without control characters in all of them.
const (
	TitleSet       EventKind = "title"        // Text is the window's title
	BellRung       EventKind = "bell"         // once for each draw, however often it rang
	Notified       EventKind = "notification" // Title and Text
	ProgressMade   EventKind = "progress"     // State as in OSC 9;4: 0 none, 1 normal, 2 error, 3 busy, 4 paused; Percent
	ClipboardSet   EventKind = "clipboard"    // Text
	ClipboardAsked EventKind = "clipboard-asked"
	CommandDone    EventKind = "command" // a command that the shell has marked ended
)

// Event is something that happened in a terminal.
type Event struct {
	Kind    EventKind
	Text    string
	Title   string
	State   int
	Percent int
	Command Command // of CommandDone
}

// Command is one that a shell with integration ran.
type Command struct {
	Text   string // as the shell said it, else as it stands on the screen; "" if that is not known
	Typed  string // it, with blanks before it, where it is known for certain what was typed; else ""
	Dir    string // where it ran, as the shell said it: a path, "host:path" of another machine; "" if it did not
	Began  time.Time
	Took   time.Duration
	Exit   int
	Exited bool // whether the shell said Exit
}

// tell turns what came of a draw into events. It is called by what draws the process's
// output, with the screen as it is after the draw or later.
func (t *Terminal) tell(events []screen.Event) {
	if t.o.OnEvent == nil {
		return
	}
	for _, e := range events {
		if out, ok := t.event(e); ok {
			t.o.OnEvent(out)
		}
	}
}

func (t *Terminal) event(e screen.Event) (Event, bool) {
	switch e.Kind {
	case screen.TitleChanged:
		return Event{Kind: TitleSet, Text: e.Text}, true
	case screen.Bell:
		return Event{Kind: BellRung}, true
	case screen.Notification:
		return Event{Kind: Notified, Title: e.Title, Text: e.Text}, true
	case screen.Progress:
		return Event{Kind: ProgressMade, State: e.Count, Percent: e.Percent}, true
	case screen.ClipboardWrite:
		return Event{Kind: ClipboardSet, Text: e.Text}, true
	case screen.ClipboardRead:
		return Event{Kind: ClipboardAsked}, true
	case screen.PromptMark:
		return t.commands.mark(t, e)
	}
	return Event{}, false
}

// commands follows the marks of a shell with integration. Its owner is what draws the
// process's output.
type commands struct {
	now     Command
	running bool
}

func (c *commands) mark(t *Terminal, e screen.Event) (Event, bool) {
	switch m := e.Mark; m.Kind {
	case screen.CommandStart:
	case screen.PromptStart:
		c.running = false
	case screen.OutputStart:
		c.now, c.running = Command{Began: time.Now(), Dir: pathOf(e.Text), Text: m.Text, Typed: m.Text}, true
		if m.Text == "" {
			t.shown.look(func(scr *screen.Screen, _ uint64) { c.now.Text, c.now.Typed = commandText(scr, m) })
		}
		c.now.Text = strings.TrimSpace(c.now.Text)
	case screen.CommandEnd:
		if !c.running {
			break // an empty line
		}
		c.running = false
		done := c.now
		done.Took, done.Exit, done.Exited = time.Since(done.Began), m.Exit, m.HasExit
		return Event{Kind: CommandDone, Command: done}, true
	}
	return Event{}, false
}

// mostCommand bounds the text of a command, in bytes.
const mostCommand = 4 << 10

// commandText is what stands between a prompt and its output, which begins at the
// mark output: what was typed, as the screen shows it. It is not the last one when
// several commands came in one draw. Between lines bash shows its second prompt: if
// that is not the usual one, it is not certain what was typed.
func commandText(scr *screen.Screen, output screen.Mark) (shown, typed string) {
	marks := scr.Marks()
	n := len(marks) - 1
	for n > 0 && marks[n] != output {
		n--
	}
	if n < 1 || marks[n-1].Kind != screen.CommandStart {
		return "", ""
	}
	from, to := marks[n-1], marks[n]
	var text strings.Builder
	for line := from.Line; line <= to.Line && text.Len() < mostCommand; line++ {
		l := scr.Line(line)
		first, end := 0, len(l.Cells)
		if line == from.Line {
			first = from.Col
		}
		if line == to.Line {
			end = to.Col
		}
		if line > from.Line && !l.Wrapped {
			text.WriteByte('\n')
		}
		for _, cell := range l.Cells[min(first, len(l.Cells)):min(max(first, end), len(l.Cells))] {
			switch {
			case cell.Text != "":
				text.WriteString(cell.Text)
			case cell.Width > 0:
				text.WriteByte(' ')
			}
		}
	}
	shown = strings.TrimRight(text.String(), " \n")
	lines := strings.Split(shown, "\n")
	for i, line := range lines[1:] {
		var usual bool
		if lines[i+1], usual = strings.CutPrefix(line, "> "); !usual {
			return shown, ""
		}
	}
	typed = strings.Join(lines, "\n")
	return typed, typed
}

// pathOf reads what OSC 7 said.
func pathOf(said string) string {
	u, err := url.Parse(said)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	if host, _ := os.Hostname(); u.Host == "" || u.Host == "localhost" || strings.EqualFold(u.Host, host) {
		return u.Path
	}
	return u.Host + ":" + u.Path
}
