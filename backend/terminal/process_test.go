package terminal_test

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"drover/backend/pty"
	"drover/backend/terminal"
	"drover/backend/termlog"
)

// Waiting for the end before reading would hang here: the child is blocked in its
// write until somebody reads.
func TestReadAndWaitGoOnTogether(t *testing.T) {
	term := open(t)
	if e := wait(t, start(t, term, sh(`printf '%0200000d' 7; exit 3`))); e.Code != 3 {
		t.Errorf("exit %+v", e)
	}
	if n := term.Log().End(); n != 200000 {
		t.Errorf("%d bytes are in the log", n)
	}
}

// The bytes of a character that came in two writes are the same bytes in the log:
// nothing decodes them on the way.
func TestBytesAreBytes(t *testing.T) {
	term := open(t)
	wait(t, start(t, term, sh(`stty -opost; printf '\342'; sleep 0.05; printf '\200\224\377\000\033'`)))
	if text, _ := term.Text(0, 100); !bytes.Equal(text, []byte("\xe2\x80\x94\xff\x00\x1b")) {
		t.Errorf("the log has %q", text)
	}
}

// When a session's leader ends, the kernel hangs the terminal up: what the others
// of the session write afterwards is lost, and the end is told nevertheless.
func TestLeaderThatEndsBeforeItsBackgroundJob(t *testing.T) {
	term := open(t)
	p := start(t, term, sh(`echo early; (sleep 1; echo late) & exit 4`))
	if e := wait(t, p); e.Code != 4 {
		t.Errorf("exit %+v", e)
	}
	if text, _ := term.Text(0, 1000); string(text) != "early\r\n" {
		t.Errorf("the log has %q", text)
	}
	// The terminal is free at once.
	wait(t, start(t, term, sh("echo again")))
}

func TestOneProgramAtATime(t *testing.T) {
	term := open(t)
	p := start(t, term, sh("sleep 1000"))
	if _, err := term.Start(sh("true")); !errors.Is(err, terminal.ErrRunning) {
		t.Errorf("a second program: %v", err)
	}
	_ = p.Kill()
	if e := wait(t, p); e.Signal != "SIGKILL" {
		t.Errorf("exit %+v", e)
	}
	if err := p.Input([]byte("x"), nil); !errors.Is(err, terminal.ErrEnded) {
		t.Errorf("input after the end: %v", err)
	}
	if err := errors.Join(term.Close(), term.Close()); err != nil {
		t.Error(err)
	}
	if _, err := term.Start(sh("true")); !errors.Is(err, terminal.ErrClosed) {
		t.Errorf("start after close: %v", err)
	}
	if _, err := term.Attach(terminal.View{From: 0, Size: terminal.Size{}, Visible: true}); !errors.Is(err, terminal.ErrClosed) {
		t.Errorf("attach after close: %v", err)
	}
}

// The second program begins with the modes of a fresh terminal, whatever the
// first one left on, and the numbers of the bytes go on.
func TestNextProgramStartsWithFreshModes(t *testing.T) {
	term := open(t)
	wait(t, start(t, term, sh(`printf '\033[?1049h\033[?1000h'; kill -9 $$`)))
	before := term.Log().End()
	wait(t, start(t, term, sh("echo second")))
	text, from := term.Text(before, 1000)
	if from != before || !strings.HasPrefix(string(text), "\x1b7\x1b[?1049l") || !strings.Contains(string(text), "1000") || !strings.HasSuffix(string(text), "second\r\n") {
		t.Errorf("the log goes on with %q at %d", text, from)
	}
	kinds := ""
	for _, m := range term.Log().Marks(0, term.Log().End()+1) {
		kinds += map[termlog.Kind]string{termlog.KindSize: "size ", termlog.KindStart: "start ", termlog.KindExit: "exit "}[m.Kind]
	}
	if !strings.HasPrefix(kinds, "size start exit") || !strings.HasSuffix(kinds, "start exit ") {
		t.Errorf("marks are %s", kinds)
	}
}

// 160 KB go into a program that writes everything back: neither side stalls.
func TestBigPasteIntoAProgramThatEchoes(t *testing.T) {
	term := open(t)
	p := start(t, term, sh("stty raw -echo; echo ready; head -c 160000"))
	waitLog(t, term, "ready")
	line := bytes.Repeat([]byte("x"), 79)
	var taken atomic.Int32
	for range 2000 {
		if err := p.Input(append(bytes.Clone(line), '\n'), func() { taken.Add(1) }); err != nil {
			t.Fatal(err)
		}
	}
	wait(t, p)
	text, _ := term.Text(0, 1<<20)
	if n := bytes.Count(text, append(line, '\n')); n != 2000 || taken.Load() != 2000 {
		t.Errorf("%d of 2000 lines came back, %d were taken", n, taken.Load())
	}
}

// A long prompt goes in whole with its marks around it, and the return that sends it
// comes behind. The reader in raw mode is late and counts what it got, as an agent's
// composer would.
func TestALongPromptArrivesWhole(t *testing.T) {
	for _, size := range []int{3000, 20000} {
		t.Run(strconv.Itoa(size), func(t *testing.T) {
			term := open(t)
			prompt := append([]byte("\x1b[200~"), bytes.Repeat([]byte("0123456789"), size/10)...)
			prompt = append(prompt, "\x1b[201~"...)
			p := start(t, term, sh(fmt.Sprintf(`stty raw -echo; echo ready; sleep 0.2; head -c %d | md5sum; head -c 1 | od -An -c`, len(prompt))))
			waitLog(t, term, "ready")
			if err := p.Input(prompt, nil); err != nil {
				t.Fatal(err)
			}
			if err := p.Input([]byte("\r"), nil); err != nil {
				t.Fatal(err)
			}
			wait(t, p)
			text, _ := term.Text(0, 1<<20)
			if want := md5sum(prompt); !bytes.Contains(text, []byte(want)) {
				t.Errorf("it is not %q: %q", want, text)
			}
			if !bytes.Contains(text, []byte(`\r`)) {
				t.Errorf("no return came behind it: %q", text)
			}
		})
	}
}

// The program learns of a resize, and the log knows from which byte on it holds.
func TestResize(t *testing.T) {
	term := open(t)
	c := sh(`trap 'stty size' WINCH; stty size; echo ready; while :; do sleep 0.02; done`)
	c.Size = pty.Size{Cols: 90, Rows: 20, XPixels: 900, YPixels: 400}
	p := start(t, term, c)
	waitLog(t, term, "20 90\r\nready\r\n")
	// The same size is no resize, and neither is one that says nothing of pixels.
	for _, x := range []int{1000, 1000, 0} {
		if err := p.Resize(pty.Size{Cols: 100, Rows: 30, XPixels: x, YPixels: x}); err != nil {
			t.Fatal(err)
		}
	}
	text := waitLog(t, term, "30 100\r\n")
	if n := bytes.Count(text, []byte("30 100")); n != 1 {
		t.Errorf("the program heard of it %d times", n)
	}
	sizes := 0
	for _, m := range term.Log().Marks(0, term.Log().End()+1) {
		if m.Kind == termlog.KindSize {
			sizes++
		}
	}
	if s, _ := term.Log().SizeAt(0); s.Cols != 90 || sizes != 2 {
		t.Errorf("the first size is %+v, %d sizes", s, sizes)
	}
	if s, _ := term.Log().SizeAt(term.Log().End()); s.Cols != 100 || s.Rows != 30 {
		t.Errorf("the last size is %+v", s)
	}
}

func TestModes(t *testing.T) {
	term := open(t)
	if m := term.Modes(); m.Known {
		t.Errorf("without a program: %+v", m)
	}
	start(t, term, sh("echo cooked; read x; stty raw -echo; echo raw; sleep 1000"))
	waitLog(t, term, "cooked")
	if m := term.Modes(); !m.Known || !m.Canonical || !m.Echo || m.LineLimit != 4095 {
		t.Errorf("a fresh terminal: %+v", m)
	}
}

// Queries are answered in the order in which they were asked, also when nobody
// looks, and where the cursor is.
func TestQueriesAreAnsweredWithoutAViewer(t *testing.T) {
	term := open(t)
	c := sh(`stty raw -echo; printf 'abc\r\n\033[6n\033[c\033[5n'; head -c 17 | od -An -c | tr -d ' \n'`)
	wait(t, start(t, term, c))
	text, _ := term.Text(0, 1000)
	if want := `033[2;1R033[?1;2c033[0n`; !strings.Contains(string(text), want) {
		t.Errorf("the program got %q, want %s", text, want)
	}
}

func TestCloseEndsWhatRuns(t *testing.T) {
	term := open(t)
	p := start(t, term, sh("trap '' HUP TERM; echo ready; while :; do read x; done"))
	waitLog(t, term, "ready")
	if err := term.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.Done():
	case <-time.After(patience):
		t.Fatal("it runs on")
	}
}
