package terminal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"drover/backend/screen"
	"drover/backend/terminal"
	"drover/backend/termlog"
)

// page stands for an emulator: it shows what a viewer is sent.
type page struct {
	t       *testing.T
	viewer  *terminal.Viewer
	screen  *screen.Screen
	place   uint64
	screens int // drawn
	bytes   int
	whole   bool   // the last screen had its scrollback
	drew    []byte // the last screen, or part of one
}

func newPage(t *testing.T, term *terminal.Terminal, from uint64) *page {
	t.Helper()
	v, err := term.Attach(terminal.View{From: from, Size: terminal.Size{Cols: 80, Rows: 24}, Visible: true, Screens: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(v.Close)
	return &page{t: t, viewer: v, screen: screen.New(screen.Options{Scrollback: terminal.DefaultScrollback}), place: v.Place()}
}

// step shows the next chunk, and says whether there was one.
func (p *page) step(ctx context.Context, ack bool) bool {
	p.t.Helper()
	c, err := p.viewer.Next(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	if err != nil {
		p.t.Fatal(err)
	}
	switch c.Kind {
	case terminal.Data:
		if c.Offset != p.place {
			p.t.Fatalf("byte %d after %d", c.Offset, p.place)
		}
		_, _ = p.screen.Write(c.Data)
		p.place += uint64(len(c.Data))
		p.bytes += len(c.Data)
	case terminal.Screen:
		p.screen.Resize(c.Size.Cols, c.Size.Rows)
		_, _ = p.screen.Write(c.Data)
		p.place, p.whole, p.drew = c.Offset, c.Whole, bytes.Clone(c.Data)
		p.screens++
	case terminal.Resized:
		p.screen.Resize(c.Size.Cols, c.Size.Rows)
	case terminal.Lost:
		p.t.Fatalf("bytes %d to %d are lost", c.Offset, c.To)
	}
	if ack {
		p.viewer.Ack(p.place)
	}
	return true
}

// settle shows everything that comes until nothing more does.
func (p *page) settle() {
	p.t.Helper()
	for {
		ctx, cancel := context.WithTimeout(p.t.Context(), 300*time.Millisecond)
		more := p.step(ctx, true)
		cancel()
		if !more {
			return
		}
	}
}

// shows fails unless the page shows what the terminal does, scrollback and all.
func (p *page) shows(term *terminal.Terminal) {
	p.t.Helper()
	var want []byte
	term.Look(func(scr *screen.Screen, _ uint64) { want = scr.AppendSnapshot(nil, terminal.DefaultScrollback) })
	if got := p.screen.AppendSnapshot(nil, terminal.DefaultScrollback); string(got) != string(want) {
		p.t.Errorf("the page shows\n%.2000q\nthe terminal\n%.2000q", got, want)
	}
}

// A viewer that comes to a long log gets the screen with its scrollback at once,
// and the bytes from there on.
func TestAttachGetsTheScreen(t *testing.T) {
	term := open(t)
	wait(t, start(t, term, sh("seq 300000")))
	p := newPage(t, term, terminal.Oldest)
	p.settle()
	if p.screens != 1 || !p.whole || p.bytes > 0 {
		t.Errorf("it got %d screens and %d bytes", p.screens, p.bytes)
	}
	p.shows(term)
	wait(t, start(t, term, sh("echo again")))
	p.settle()
	if p.screens != 1 || p.bytes == 0 {
		t.Errorf("afterwards %d screens and %d bytes", p.screens, p.bytes)
	}
	p.shows(term)
}

// One that knows most of it goes on from its place.
func TestAttachNearTheEndGetsBytes(t *testing.T) {
	term := open(t)
	wait(t, start(t, term, sh("seq 300000")))
	p := newPage(t, term, term.Log().End()-1000)
	p.settle()
	if p.screens != 0 || p.bytes != 1000 {
		t.Errorf("it got %d screens and %d bytes", p.screens, p.bytes)
	}
}

// While a flood is too fast for a viewer it gets screens, never more than one on
// its way; when the flood is over it shows the end of it, with the scrollback.
func TestAFloodIsShownByScreens(t *testing.T) {
	term := open(t)
	const lines = 2_000_000
	p := newPage(t, term, 0)
	prog := start(t, term, sh(fmt.Sprintf("seq %d; echo the end", lines)))
	// Nothing is acknowledged until the window is full.
	for p.screens == 0 {
		if !p.step(t.Context(), false) {
			t.Fatal("the window never fills")
		}
	}
	held, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for p.step(held, false) {
		if p.screens > 1 {
			t.Fatal("a second screen was sent before the first was acknowledged")
		}
	}
	wait(t, prog)
	p.viewer.Ack(p.place)
	p.settle()
	if !p.whole {
		t.Error("the last screen has no scrollback")
	}
	if end := term.Log().End(); uint64(p.bytes) >= end-terminal.Window {
		t.Errorf("it was sent %d bytes of %d besides %d screens", p.bytes, end, p.screens)
	}
	p.shows(term)
	text := p.screen.Text(p.screen.FirstLine(), 1<<62, false)
	end := slices.Index(text, "the end")
	if end < terminal.DefaultScrollback || text[end-1] != fmt.Sprint(lines) || text[end-1000] != fmt.Sprint(lines-999) {
		t.Errorf("%d lines, ending with %q", len(text), text[max(0, len(text)-30):])
	}
}

// A hidden viewer is sent nothing; when it is shown after much it gets the screen.
func TestShownAfterMuchGetsTheScreen(t *testing.T) {
	term := open(t)
	p := newPage(t, term, 0)
	p.settle()
	p.viewer.SetVisible(false)
	wait(t, start(t, term, sh("seq 300000")))
	none(t, p.viewer)
	p.viewer.SetVisible(true)
	if p.step(t.Context(), true); p.screens != 1 || p.whole {
		t.Error("it did not get the screen alone at first")
	}
	p.settle()
	if p.screens != 2 || !p.whole {
		t.Errorf("it got %d screens", p.screens)
	}
	p.shows(term)
}

// What comes after a whole screen is sent behind it at once.
func TestBytesFollowAScreenThatIsNotAcknowledged(t *testing.T) {
	term := open(t)
	p := newPage(t, term, 0)
	gate := filepath.Join(t.TempDir(), "go")
	prog := start(t, term, sh("echo first; while [ ! -e "+gate+" ]; do sleep 0.01; done; echo second"))
	waitLog(t, term, "first")
	p.settle()
	p.viewer.Redraw()
	p.step(t.Context(), false)
	if p.screens != 1 {
		t.Fatalf("it was sent %d screens", p.screens)
	}
	held, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for p.step(held, false) {
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if before := p.bytes; !p.step(ctx, false) || p.bytes == before {
		t.Error("nothing comes behind the screen")
	}
	wait(t, prog)
}

func TestRedraw(t *testing.T) {
	term := open(t)
	p := newPage(t, term, 0)
	wait(t, start(t, term, sh("seq 100")))
	p.settle()
	p.viewer.Redraw()
	p.settle()
	if p.screens != 1 || !p.whole {
		t.Errorf("it got %d screens", p.screens)
	}
	p.shows(term)
}

// A viewer that has stopped reading holds neither the program nor another viewer.
func TestAStalledViewerHoldsNobody(t *testing.T) {
	term := open(t)
	stalled := newPage(t, term, 0)
	live := newPage(t, term, 0)
	p := start(t, term, sh("seq 1000000; echo the end"))
	for stalled.bytes == 0 {
		stalled.step(t.Context(), false)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		wait(t, p)
	}()
	for ended := false; !ended; {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		live.step(ctx, true)
		cancel()
		select {
		case <-done:
			ended = true
		default:
		}
	}
	live.settle()
	live.shows(term)
}

// A screen is made from the log that the last run left, at the sizes that it was
// written for; what stands in it is asked of nobody again.
func TestAScreenFromAnOldLog(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	log, err := termlog.Open(dir, termlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	log.Resize(termlog.Size{Cols: 40, Rows: 10})
	log.Append([]byte("\x1b[?1049h\x1b[2;3Hedited\x1b[6n\x1b[c\a"))
	log.Resize(termlog.Size{Cols: 30, Rows: 8})
	log.Append([]byte("\x1b[?1000h"))
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	log, err = termlog.Open(dir, termlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var happened events
	term := terminal.New(log, terminal.Options{OnEvent: happened.add})
	defer term.Close()
	term.Look(func(scr *screen.Screen, end uint64) {
		if cols, rows := scr.Size(); cols != 30 || rows != 8 || !scr.Alternate() || scr.ScreenText(false)[1] != "  edited" || end != log.End() {
			t.Errorf("it shows %q of %d by %d at %d", scr.ScreenText(false), cols, rows, end)
		}
	})
	// The next program finds a fresh terminal, and no answers to old questions.
	wait(t, start(t, term, sh("stty raw -echo; (sleep 0.2; echo quiet) & head -c 1 </dev/null; wait")))
	term.Look(func(scr *screen.Screen, _ uint64) {
		if m := scr.Modes(); scr.Alternate() || m.Mouse != screen.MouseNone {
			t.Errorf("modes of the program before are left: %+v", m)
		}
	})
	if got := happened.kinds(); got != "" {
		t.Errorf("old output made %s happen", got)
	}
}

// events collects what happens in a terminal.
type events struct {
	mu  sync.Mutex
	all []terminal.Event
}

func (e *events) add(ev terminal.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, ev)
}

func (e *events) kinds() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []string
	for _, ev := range e.all {
		out = append(out, string(ev.Kind))
	}
	return strings.Join(out, " ")
}

// What happens is told, whether anybody looks or not.
func TestWhatHappensIsTold(t *testing.T) {
	var happened events
	log, err := termlog.Open(filepath.Join(t.TempDir(), "log"), termlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	term := terminal.New(log, terminal.Options{OnEvent: happened.add})
	defer term.Close()
	script := filepath.Join(t.TempDir(), "script")
	lines := []string{
		`printf '\033]2;a\001title\007'`, `printf '\a\a'`, `printf '\033]9;done\007'`, `printf '\033]9;4;1;40\007'`, `printf '\033]52;c;aGVsbG8=\007'`, `printf '\033]52;c;?\007'`,
		`printf '\033]133;A\007$ \033]133;B\007make  test\r\n\033]133;C\007'; echo out; printf '\033]133;D;2\007'`,
	}
	if err := os.WriteFile(script, []byte(strings.Join(lines, "\nsleep 0.05\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	wait(t, start(t, term, sh(". "+script)))
	if got := happened.kinds(); got != "title bell notification progress clipboard clipboard-asked command" {
		t.Errorf("it tells %s", got)
	}
	for _, e := range happened.all {
		switch e.Kind {
		case terminal.ProgressMade:
			if e.State != 1 || e.Percent != 40 {
				t.Errorf("progress %+v", e)
			}
		case terminal.ClipboardSet:
			if e.Text != "hello" {
				t.Errorf("clipboard %q", e.Text)
			}
		case terminal.CommandDone:
			if c := e.Command; c.Text != "make  test" || c.Exit != 2 || !c.Exited {
				t.Errorf("command %+v", c)
			}
		case terminal.TitleSet:
			if strings.ContainsAny(e.Text, "\x01\x1b\a") {
				t.Errorf("title %q", e.Text)
			}
		case terminal.BellRung, terminal.Notified, terminal.ClipboardAsked:
		}
	}
}

// Commands that end within one draw have each their own text and directory.
func TestEachCommandHasItsOwnText(t *testing.T) {
	var happened events
	log, err := termlog.Open(filepath.Join(t.TempDir(), "log"), termlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	term := terminal.New(log, terminal.Options{OnEvent: happened.add})
	defer term.Close()
	wait(t, start(t, term, sh(`for c in one two three; do
		printf '\033]7;file:///in/%s\a\033]133;A\a$ \033]133;B\a%s\r\n\033]133;C\a\r\n\033]133;D;0\a' $c $c; done > $$.all; cat $$.all; rm $$.all`)))
	var got []string
	for _, e := range happened.all {
		got = append(got, e.Command.Dir+" "+e.Command.Text)
	}
	if want := []string{"/in/one one", "/in/two two", "/in/three three"}; !slices.Equal(got, want) {
		t.Errorf("it tells %q, not %q", got, want)
	}
}

// While the flood goes on, what follows a screen are parts of one: rows, and nothing
// else. When it is over, or more than rows changes, there is a whole one again.
func TestAFloodIsShownInParts(t *testing.T) {
	term := open(t)
	p := newPage(t, term, 0)
	prog := start(t, term, sh(`stty -echo; while read -r set end; do printf "$set"; seq 60000; echo "end of $end"; done`))
	bursts := 0
	burst := func(set string) {
		t.Helper()
		bursts++
		end := fmt.Sprintf("burst-%d", bursts)
		if err := prog.Input([]byte(set+" "+end+"\n"), nil); err != nil {
			t.Fatal(err)
		}
		waitLog(t, term, "end of "+end)
		term.Look(func(*screen.Screen, uint64) {}) // parts show what is drawn
	}
	// next acknowledges what was shown and says what comes then.
	next := func() string {
		t.Helper()
		p.viewer.Ack(p.place)
		p.step(t.Context(), false)
		if bytes.HasPrefix(p.drew, []byte("\x1bc")) {
			return "screen"
		}
		return "part"
	}
	burst("x")
	for p.screens == 0 {
		p.step(t.Context(), false)
	}
	var got []string
	for range 3 {
		burst("x")
		got = append(got, next())
	}
	// Together they have made all 24 rows; the last ones come from the last burst.
	term.Look(func(scr *screen.Screen, _ uint64) {
		if got, want := p.screen.ScreenText(false), scr.ScreenText(false); !slices.Equal(got, want) {
			t.Errorf("in parts it shows %q, not %q", got, want)
		}
	})
	burst(`\033[?2004h`)
	got = append(got, next())
	burst("x")
	got = append(got, next(), next()) // the last of them when nothing more comes
	if want := []string{"part", "part", "part", "screen", "part", "screen"}; !slices.Equal(got, want) {
		t.Errorf("it was sent %v, not %v", got, want)
	}
	// A key that ends it: the screen is sent though a part is on its way.
	burst("x")
	if got := next(); got != "part" {
		t.Errorf("it was sent a %s", got)
	}
	burst("x")
	for shown, began := p.screens, time.Now(); p.screens == shown; {
		p.viewer.Typed()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		p.step(ctx, false)
		cancel()
		if time.Since(began) > patience {
			t.Fatal("after a key there is no screen before the part is acknowledged")
		}
	}
	if !bytes.HasPrefix(p.drew, []byte("\x1bc")) {
		t.Error("after a key it was sent a part")
	}
	p.viewer.Ack(p.place)
	p.settle()
	p.shows(term)
}

// The pacer counts those that look at a flood, for as long as they do.
func TestThePacerCountsFloods(t *testing.T) {
	log, err := termlog.Open(filepath.Join(t.TempDir(), "log"), termlog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pacer := terminal.NewPacer()
	term := terminal.New(log, terminal.Options{Pacer: pacer})
	defer term.Close()
	counts := func(when string, want int) {
		t.Helper()
		if got := pacer.Floods(); got != want {
			t.Errorf("%s: %d floods, not %d", when, got, want)
		}
	}
	p, other := newPage(t, term, 0), newPage(t, term, 0)
	prog := start(t, term, sh("yes 'a long line of a flood, which is long enough'"))
	counts("before anybody fell behind", 0)
	for _, page := range []*page{p, other} {
		for page.screens == 0 {
			page.step(t.Context(), false)
		}
	}
	counts("two are behind", 2)
	p.viewer.SetVisible(false)
	counts("one is hidden", 1)
	waitEnd := term.Log().End() + 2*terminal.Window
	for term.Log().End() < waitEnd {
		if err := term.Log().Wait(t.Context(), term.Log().End()); err != nil {
			t.Fatal(err)
		}
	}
	p.viewer.SetVisible(true)
	counts("it is shown again", 2)
	p.viewer.Close()
	counts("it is closed", 1)
	if err := prog.Kill(); err != nil {
		t.Fatal(err)
	}
	wait(t, prog)
	other.viewer.Ack(other.place)
	other.settle()
	counts("the flood is over", 0)
}

// What is typed again must be what was typed: else nothing is.
func TestTheTextOfACommand(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]struct {
		before, mark string // what stands at the prompt, and what follows the C
		want         terminal.Command
	}{
		"on the screen":                {"make  test\r\n", "", terminal.Command{Text: "make  test", Typed: "make  test"}},
		"with a blank first":           {" secret\r\n", "", terminal.Command{Text: "secret", Typed: " secret"}},
		"said by the shell":            {"make     10:15\r\n", ";cmdline_url=%20make%0A%1bx", terminal.Command{Text: "make\nx", Typed: " make\nx"}},
		"longer than a line":           {strings.Repeat("0123456789", 15) + "\r\n", "", terminal.Command{Text: strings.Repeat("0123456789", 15), Typed: strings.Repeat("0123456789", 15)}},
		"of several lines":             {"for i in 1\r\n> do ls\r\n> done\r\n", "", terminal.Command{Text: "for i in 1\ndo ls\ndone", Typed: "for i in 1\ndo ls\ndone"}},
		"with another prompt between":  {"for i in 1\r\ndo? ls\r\n", "", terminal.Command{Text: "for i in 1\ndo? ls"}},
		"where the shell says it is":   {"ls\r\n\x1b]7;file://" + host + "/a%20b\a", "", terminal.Command{Text: "ls", Typed: "ls", Dir: "/a b"}},
		"where another machine's is":   {"ls\r\n\x1b]7;file://far.example/x\a", "", terminal.Command{Text: "ls", Typed: "ls", Dir: "far.example:/x"}},
		"where something else is said": {"ls\r\n\x1b]7;/tmp\a", "", terminal.Command{Text: "ls", Typed: "ls"}},
	} {
		t.Run(name, func(t *testing.T) {
			var happened events
			log, err := termlog.Open(filepath.Join(t.TempDir(), "log"), termlog.Options{})
			if err != nil {
				t.Fatal(err)
			}
			term := terminal.New(log, terminal.Options{OnEvent: happened.add})
			defer term.Close()
			script := filepath.Join(t.TempDir(), "script")
			out := "\x1b]133;A\a$ \x1b]133;B\a" + r.before + "\x1b]133;C" + r.mark + "\a\r\n\x1b]133;D;0\a"
			if err := os.WriteFile(script, []byte(out), 0o600); err != nil {
				t.Fatal(err)
			}
			wait(t, start(t, term, sh("cat "+script)))
			if len(happened.all) != 1 {
				t.Fatalf("it tells %s", happened.kinds())
			}
			got := happened.all[0].Command
			if got.Text != r.want.Text || got.Typed != r.want.Typed || got.Dir != r.want.Dir {
				t.Errorf("%+v, not %+v", got, r.want)
			}
		})
	}
}
