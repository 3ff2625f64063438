package screen_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"drover/backend/screen"
)

// allocated is how many bytes f allocates in all, freed or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// kept is how many bytes are in use.
func kept() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestAStringWithoutEndTakesBoundedMemory(t *testing.T) {
	const bound = 8 << 20
	for i, c := range []struct{ begin, fill, end string }{
		{"\x1b]2;", "x", "\a"},
		{"\x1b]2;", "日", "\x1b\\"},
		{"\x1b]52;c;", "QUJD", "\u009c"},
		{"\x1b]8;;http://a/", "b", "\a"},
		{"\x1b]4;", "1;#fff;", "\a"},
		{"\x1b]", "1", "\a"},
		{"\x1bP$q", "m", "\x1b\\"},
		{"\x1bPq", "\x01\x07#~", "\x1b\\"},
		{"\x1b_", "x", "\x1b\\"},
		{"\x1b[", "1;", "m"},
		{"\x1b[", "1:", "m"},
		{"\x1b[", "9", "C\r\x1b[K"},
		{"\x1b", " ", "F"},
		{"\x1b]2;", "x", "\x18"}, // never ended: cancelled
		{"\x1b]2;", "x", "\x1b[m"},
	} {
		size := 2 << 20 // twice what is kept of a string
		if i == 0 {
			size = 16 << 20
		}
		for _, piece := range []int{4096, size} {
			s := screen.New(screen.Options{Cols: 20, Rows: 5, Scrollback: 100})
			b := bytes.Repeat([]byte(c.fill), piece/len(c.fill))
			write(t, s, "before"+c.begin)
			took := allocated(func() {
				for range size / piece {
					if _, err := s.Write(b); err != nil {
						t.Fatal(err)
					}
				}
				if err := s.Check(); err != nil {
					t.Fatal(err)
				}
				if n := len(s.AppendSnapshot(nil, 100)); n > 2<<20 {
					t.Errorf("%q: a snapshot of %d bytes", c.begin, n)
				}
			})
			o := write(t, s, c.end+"after")
			if got := s.ScreenText(true)[0]; !strings.HasSuffix(got, "after") {
				t.Errorf("%q in pieces of %d: the screen shows %q", c.begin, piece, got)
			}
			if took > bound {
				t.Errorf("%q in pieces of %d: %d bytes were allocated", c.begin, piece, took)
			}
			if n := len(fmt.Sprint(o)); n > bound {
				t.Errorf("%q: %d bytes of events and answers", c.begin, n)
			}
		}
	}
}

// harmless fails for text of an event that could do something where it is shown.
func harmless(t *testing.T, o screen.Output) {
	t.Helper()
	for _, e := range o.Events {
		text := e.Title
		if e.Kind != screen.ClipboardWrite {
			text += e.Text
		}
		for _, r := range text {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) && r >= 0x2029 {
				t.Errorf("event %d has %U in %q", e.Kind, r, text)
			}
		}
	}
}

func TestWhatAProgramSaysHasNoControls(t *testing.T) {
	bad := "a\x01\x02\x1f\x7f\r\n\t\u0085\u009b31m\u202e\u2066\u200bb\xff\xc2"
	coded := base64.StdEncoding.EncodeToString([]byte("a\x1b[31m\x1b]0;x\a\n\u202e\u009bb"))
	for _, ask := range []string{
		"\x1b]0;" + bad + "\a", "\x1b]1;" + bad + "\x1b\\", "\x1b]2;" + bad + "\a", "\x1b]7;file://h/" + bad + "\a", "\x1b]9;" + bad + "\a",
		"\x1b]9;4;1;" + bad + "\a", "\x1b]777;notify;" + bad + ";" + bad + "\a", "\x1b]99;i=1;" + bad + "\a", "\x1b]99;e=1;" + coded + "\a",
		"\x1b]99;p=body:e=1;" + coded + "\a", "\x1b]52;" + bad + ";" + coded + "\a", "\x1b]52;" + bad + ";?\a", "\x1b]133;D;" + bad + "\a",
		"\x1b]2;\u009b31m\u009c\x1b[22t\x1b[23t", "\x1b]2;a\x1b[21t\x1b[20t",
	} {
		s := screen.New(screen.Options{Cols: 20, Rows: 5})
		o := write(t, s, ask)
		harmless(t, o)
		for _, r := range s.Title() + s.Directory() {
			if unicode.IsControl(r) || r == '\u202e' {
				t.Errorf("%q: title %q, directory %q", ask, s.Title(), s.Directory())
			}
		}
		if bytes.Contains(o.Answers, []byte("a")) {
			t.Errorf("%q is answered with %q, which the program could choose", ask, o.Answers)
		}
	}
}

func TestAResizeToAnythingKeepsNothingOfIt(t *testing.T) {
	s := screen.New(screen.Options{Cols: 80, Rows: 24, Scrollback: 500})
	text := strings.Repeat("日本語👩‍👩‍👧 e\u0301 \x1b[4:3;58;5;1mred\x1b[m ", 300)
	write(t, s, text+"\x1b[?1049h"+text)
	before := kept()
	small := func() {
		t.Helper()
		if now := kept(); now > before+8<<20 {
			t.Errorf("%d bytes are kept, %d more than before", now, now-before)
		}
	}
	for range 2 {
		for _, size := range [][2]int{{1, 1}, {2, 2000}, {2000, 1}, {3, 3}, {2000, 2000}, {80, 24}} {
			s.Resize(size[0], size[1])
			if size[0] == 80 {
				small()
			}
			// The main screen and the alternate one: lines inserted, scrolled and shifted.
			write(t, s, text[:200]+"\x1b[H\x1b[900L\x1b[999;999H日\x1b[5L\x1b[9M\x1b[3T\x1b['}\x1b[?1049l"+text[:200]+"\x1b[H\x1b[900M\x1b[5L\n\n\x1bM\x1b[?1049h日\x1b[3S")
			if size[0]*size[1] < 10_000 {
				again(t, s)
			}
		}
	}
	small()
	if cols, rows := s.Size(); cols != 80 || rows != 24 {
		t.Errorf("%dx%d", cols, rows)
	}
	write(t, s, "\x1b[?1049l\x1b[H\x1b[2J日本語")
	if got := s.ScreenText(false)[0]; got != "日本語" {
		t.Errorf("the screen shows %q", got)
	}
}
