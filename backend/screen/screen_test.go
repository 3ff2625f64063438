package screen_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"drover/backend/screen"
	"drover/backend/width"
)

func write(t *testing.T, s *screen.Screen, text string) screen.Output {
	t.Helper()
	if n, err := s.Write([]byte(text)); n != len(text) || err != nil {
		t.Fatalf("took %d of %d: %v", n, len(text), err)
	}
	if err := s.Check(); err != nil {
		t.Fatalf("after %q: %v", text, err)
	}
	return s.Take()
}

func TestAnswersComeInTheOrderOfTheQuestions(t *testing.T) {
	for _, c := range []struct{ ask, want string }{
		{"\x1b[c", "\x1b[?1;2c"},
		{"\x1b[>c", "\x1b[>0;276;0c"},
		{"\x1b[1c\x1b[>1c", ""},
		{"\x1b[5n", "\x1b[0n"},
		{"ab\x1b[6n\r\n\x1b[?6n", "\x1b[1;3R\x1b[?2;1R"},
		{strings.Repeat("x", 20) + "\x1b[6n", "\x1b[1;20R"},
		{"\x1b[>q", "\x1bP>|drover 9\x1b\\"},
		{"\x1b[?7$p\x1b[?2026h\x1b[?2026$p\x1b[4$p\x1b[?9999$p", "\x1b[?7;1$y\x1b[?2026;1$y\x1b[4;2$y\x1b[?9999;0$y"},
		{"\x1b[2;4r\x1bP$qr\x1b\\", "\x1bP1$r2;4r\x1b\\"},
		{"\x1b[1;4:3;38;2;1;2;3;48;5;7;58;5;9m\x1bP$qm\x1b\\", "\x1bP1$r0;1;4:3;38;2;1;2;3;48;5;7;58;5;9m\x1b\\"},
		{"\x1bP$qm\x1b\\\x1bP$q q\x1b\\\x1bP$qx\x1b\\", "\x1bP1$r0m\x1b\\\x1bP1$r0 q\x1b\\\x1bP0$r\x1b\\"},
		{"\x1b[5 q\x1bP$q q\x1b\\", "\x1bP1$r5 q\x1b\\"},
		{"\x1b[14t\x1b[16t\x1b[18t", "\x1b[4;100;200t\x1b[6;20;10t\x1b[8;5;20t"},
		{"\x1b]11;?\a\x1b]4;1;?;17;?;255;?\a", "\x1b]11;rgb:0000/0000/0000\x1b\\\x1b]4;1;rgb:cccc/0000/0000\x1b\\\x1b]4;17;rgb:0000/0000/5f5f\x1b\\\x1b]4;255;rgb:eeee/eeee/eeee\x1b\\"},
		{"\x1b]10;#123;rgb:ff/80/00\a\x1b]10;?;?\a\x1b]110\a\x1b]10;?\a", "\x1b]10;rgb:1010/2020/3030\x1b\\\x1b]11;rgb:ffff/8080/0000\x1b\\\x1b]10;rgb:ffff/ffff/ffff\x1b\\"},
		{"\x1bP+q544e\x1b\\\x1b[?u", ""},
	} {
		s := screen.New(screen.Options{Cols: 20, Rows: 5, Name: "drover 9"})
		s.SetPixels(200, 100)
		if got := string(write(t, s, c.ask).Answers); got != c.want {
			t.Errorf("%q is answered with %q, not %q", c.ask, got, c.want)
		}
	}
}

func TestEvents(t *testing.T) {
	s := screen.New(screen.Options{Cols: 20, Rows: 5, Scrollback: 10})
	for _, c := range []struct {
		write string
		want  []screen.Event
	}{
		{"\a\a\a", []screen.Event{{Kind: screen.Bell, Count: 3}}},
		{"\x1b]2;one\a\x1b]0;t\x01w\x7fo\u202e\a", []screen.Event{{Kind: screen.TitleChanged, Text: "two"}}},
		{"\x1b]2;tar \u202egpj\u2066.ex\u200ee\u2028\u061cx\a", []screen.Event{{Kind: screen.TitleChanged, Text: "tar gpj.exex"}}},
		{"\x1b]2;two\a\x1b[22t\x1b]2;x\a\x1b[23t", []screen.Event{{Kind: screen.TitleChanged, Text: "two"}}},
		{"\x1b]9;done\a", []screen.Event{{Kind: screen.Notification, Text: "done"}}},
		{"\x1b]777;notify;a;b;c\a", []screen.Event{{Kind: screen.Notification, Title: "a", Text: "b;c"}}},
		{"\x1b]99;i=1;hello\a", []screen.Event{{Kind: screen.Notification, Title: "hello"}}},
		{"\x1b]99;p=body:e=1;aGk=\a", []screen.Event{{Kind: screen.Notification, Text: "hi"}}},
		{"\x1b]9;4;1;30\a\x1b]9;4;1;140\a", []screen.Event{{Kind: screen.Progress, Count: 1, Percent: 100}}},
		{"\x1b]52;c;aGk=\a", []screen.Event{{Kind: screen.ClipboardWrite, Title: "c", Text: "hi"}}},
		{"\x1b]52;c;?\a", []screen.Event{{Kind: screen.ClipboardRead, Title: "c"}}},
		{"\x1b]52;c;!!\a\x1b]1337;x\a\x1b]633;A\a", nil},
		{"\x1b]7;file://host/a\x1b\\\x1b]133;A\a\x1b]7;file://host/tmp\x1b\\", []screen.Event{{Kind: screen.PromptMark, Text: "file://host/a", Mark: screen.Mark{Kind: screen.PromptStart}}}},
		{"\x1b[?1049h\x1b[?1049l\x1b]4;1;#fff\a\x1b]104\a\x1bc", nil},
		{"\x1b]133;D;3\a", []screen.Event{{Kind: screen.PromptMark, Text: "file://host/tmp", Mark: screen.Mark{Kind: screen.CommandEnd, Exit: 3, HasExit: true}}}},
	} {
		if got := write(t, s, c.write).Events; !slices.Equal(got, c.want) {
			t.Errorf("%q: %+v, not %+v", c.write, got, c.want)
		}
	}
	if s.Title() != "two" || s.Directory() != "file://host/tmp" {
		t.Errorf("title %q, directory %q", s.Title(), s.Directory())
	}
}

func TestAHugeStringIsDroppedAndTextGoesOn(t *testing.T) {
	s := screen.New(screen.Options{Cols: 20, Rows: 5})
	write(t, s, "\x1b]52;c;")
	for range 1024 {
		write(t, s, strings.Repeat("QUJD", 4096))
	}
	if o := write(t, s, "\aafter"); len(o.Events) != 0 || s.ScreenText(false)[0] != "after" {
		t.Errorf("events %v, screen %q", o.Events, s.ScreenText(false))
	}
	half := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("x"), 500_000))
	if o := write(t, s, "\x1b]52;c;"+half+"\a"); len(o.Events) != 1 || len(o.Events[0].Text) != 500_000 {
		t.Error("half a megabyte did not reach the clipboard")
	}
	if o := write(t, s, "\x1b]2;"+strings.Repeat("é", 5000)+"\a"); len(o.Events[0].Text) != 1024 {
		t.Errorf("a title of %d bytes", len(o.Events[0].Text))
	}
}

func TestWhatIsNotTakenIsBounded(t *testing.T) {
	s := screen.New(screen.Options{Cols: 20, Rows: 5})
	for range 1000 {
		if _, err := s.Write(bytes.Repeat([]byte("\x1b[c\x1b]9;x\a\x1b]8;;http://a\ax"), 100)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	o := s.Take()
	if len(o.Events) != 256 || len(o.Answers) == 0 || len(o.Answers) > 256<<10 {
		t.Errorf("%d events, %d bytes of answers", len(o.Events), len(o.Answers))
	}
	if o := s.Take(); len(o.Events)+len(o.Answers) != 0 {
		t.Errorf("taken twice: %+v", o)
	}
}

func TestLinksAndClustersAreBounded(t *testing.T) {
	s := screen.New(screen.Options{Cols: 20, Rows: 5, Scrollback: 40_000})
	for i := range 30_000 {
		if _, err := fmt.Fprintf(s, "\x1b]8;;http://a/%d\ax\x1b]8;;\a\x1b[4;58;2;%d;%d;%dme%c\x1b[m\r\n", i, i>>16, i>>8&255, i&255, 0x300+i%64); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	first := s.Line(s.FirstLine()).Cells
	if first[0].Link != "http://a/0" || first[1].UnderlineColour.Value != 0 || first[1].Text != "e\u0300" {
		t.Errorf("the oldest line is %+v", first)
	}
	write(t, s, "\x1b[3J"+strings.Repeat("\r\n", 5))
	for i := range 3000 { // the table is swept again
		write(t, s, fmt.Sprintf("\r\x1b]8;;http://b/%d\ay", i))
	}
	if got := s.ScreenRow(4).Cells[0].Link; got != "http://b/2999" {
		t.Errorf("a new link is %q", got)
	}
}

func TestMarksMoveWithTheirLines(t *testing.T) {
	s := screen.New(screen.Options{Cols: 20, Rows: 4, Scrollback: 6})
	lines := func() (out []int64) {
		for _, m := range s.Marks() {
			out = append(out, m.Line)
		}
		return out
	}
	write(t, s, "a\r\n\x1b]133;A\a$ \x1b]133;B\amake\r\n\x1b]133;C\aout\r\n\x1b]133;D;2\a")
	if got := lines(); !slices.Equal(got, []int64{1, 1, 2, 3}) {
		t.Fatalf("marks on %v", got)
	}
	write(t, s, "x\r\ny\r\n") // two lines scroll away, and keep their numbers
	if got := lines(); !slices.Equal(got, []int64{1, 1, 2, 3}) || s.ScreenLine() != 2 {
		t.Errorf("marks on %v, the screen begins with %d", got, s.ScreenLine())
	}
	write(t, s, "\x1b[H\x1b[L") // a line above those on the screen
	if got := lines(); !slices.Equal(got, []int64{1, 1, 3, 4}) {
		t.Errorf("after an inserted line marks on %v", got)
	}
	write(t, s, "\x1b[M\x1b[1M")
	if got := lines(); !slices.Equal(got, []int64{1, 1, 2}) {
		t.Errorf("after deleted lines marks on %v", got)
	}
	write(t, s, strings.Repeat("\r\n", 30))
	if got := lines(); len(got) != 0 {
		t.Errorf("marks on %v, of lines from %d", got, s.FirstLine())
	}
}

func TestMarksFollowAReflow(t *testing.T) {
	s := screen.New(screen.Options{Cols: 20, Rows: 4, Scrollback: 50})
	write(t, s, strings.Repeat("x", 50)+"\r\n\x1b]133;A\a$ prompt\r\n"+strings.Repeat("\r\n", 5))
	text := func() string { return s.Text(s.Marks()[0].Line, s.Marks()[0].Line+1, false)[0] }
	for _, cols := range []int{20, 7, 60, 11, 20} {
		s.Resize(cols, 4)
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		if got := text(); !strings.HasPrefix("$ prompt", got) || got == "" {
			t.Errorf("at %d columns the mark is on %q", cols, got)
		}
	}
}

// The page makes its marks from bytes and from screens the same way.
func TestASnapshotHasTheMarks(t *testing.T) {
	mark := func(s string) string { return "\x1b]133;" + s + "\a" }
	prompt := mark("A") + "$ " + mark("B")
	for name, row := range map[string]struct {
		stream string
		want   []string // of the last lines
	}{
		"in the scrollback and on the screen": {
			prompt + "make\r\n" + mark("C") + strings.Repeat("out\r\n", 6) + mark("D;2") + prompt + "ls",
			[]string{"0,0 A", "0,2 B", "1,0 C", "7,0 D 2", "7,0 A", "7,2 B"},
		},
		"behind the last column": {"x\r\n" + mark("A") + "0123456789" + mark("B") + "ab\r\n" + mark("C"), []string{"1,0 A", "1,10 B", "3,0 C"}},
		"behind the last column, in the scrollback": {
			mark("A") + "0123456789" + mark("B") + "ab\r\n" + mark("C") + "\n\n\n\n\n\n", []string{"0,0 A", "0,10 B", "2,0 C"},
		},
		"behind a wide one":         {mark("A") + "01234567日" + mark("B") + "\r\n" + mark("C") + "\n\n\n\n\n", []string{"0,0 A", "0,10 B", "1,0 C"}},
		"in a line that goes on":    {mark("A") + "0123456789ab" + mark("B") + "日本語日本語\r\n\n\n\n\n\n\n", []string{"0,0 A", "1,2 B"}},
		"a line that begins wide":   {"012345678" + mark("A") + "日" + mark("B") + "\r\n\n\n\n\n\n\n", []string{"0,9 A", "1,2 B"}},
		"below all text":            {"x\x1b[4;7H" + mark("A"), []string{"3,6 A"}},
		"under the other screen":    {"x\r\n" + prompt + "vi\r\n" + mark("C") + "\x1b[?1049h\x1b[2;3Htext", []string{"1,0 A", "1,2 B", "2,0 C"}},
		"with the text":             {prompt + "x\r\n" + mark("C;cmdline_url=echo%20%22a%3Bb%22%0A%C3%A9"), []string{"0,0 A", "0,2 B", "1,0 C echo \"a;b\"\né"}},
		"a prompt drawn again":      {prompt + "\r" + prompt + "\r" + prompt + "ab", []string{"0,0 A", "0,2 B"}},
		"beside marks of no column": {"e\u0301" + mark("A") + "\u0301\u0301" + mark("B") + "\r\n\n\n\n\n\n\n", []string{"0,1 A", "0,1 B"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := screen.New(screen.Options{Cols: 10, Rows: 5, Scrollback: 20})
			write(t, s, row.stream)
			there := screen.New(screen.Options{Cols: 10, Rows: 5, Scrollback: 20})
			write(t, there, string(s.AppendSnapshot(nil, 20)))
			if got := marksOf(there); !slices.Equal(got, row.want) || !slices.Equal(marksOf(s), row.want) {
				t.Errorf("%q and then %q, not %q", marksOf(s), got, row.want)
			}
			if got := there.AppendSnapshot(nil, 20); string(got) != string(s.AppendSnapshot(nil, 20)) {
				t.Errorf("a snapshot of it differs:\n%q\n%q", s.AppendSnapshot(nil, 20), got)
			}
			above := int(s.ScreenLine() - s.FirstLine())
			write(t, there, string(s.AppendSnapshot(nil, 0)))
			var want []string
			for _, m := range s.Marks() {
				if m.Line -= int64(above); m.Line >= 0 {
					want = append(want, markText(m))
				} else if m.Kind == screen.OutputStart && len(want) == 0 {
					want = []string{"0,0 C"} // unless more come that are above
				} else {
					want = nil
				}
			}
			if got := marksOf(there); !slices.Equal(got, want) {
				t.Errorf("without scrollback %q, not %q", got, want)
			}
		})
	}
}

func marksOf(s *screen.Screen) (out []string) {
	for _, m := range s.Marks() {
		m.Line -= s.FirstLine()
		out = append(out, markText(m))
	}
	return out
}

func markText(m screen.Mark) string {
	text := fmt.Sprintf("%d,%d %c", m.Line, m.Col, " ABCD"[m.Kind])
	if m.HasExit {
		text += fmt.Sprint(" ", m.Exit)
	}
	if m.Text != "" {
		text += " " + m.Text
	}
	return text
}

func TestTheTextOfACommandIsBoundedAndClean(t *testing.T) {
	for coded, want := range map[string]string{
		"a%1b%5b2Jb%09c%7f": "a[2Jb c", "%zz": "", "%ff": "", strings.Repeat("x", 5000): "", "": "", "a;aid=1": "a",
	} {
		s := screen.New(screen.Options{Cols: 10, Rows: 5})
		write(t, s, "\x1b]133;C;aid=3;cmdline_url="+coded+"\a")
		if got := s.Marks()[0].Text; got != want {
			t.Errorf("%.20q gave %q, not %q", coded, got, want)
		}
	}
}

func TestMarksKeepTheirColumnInAReflow(t *testing.T) {
	s := screen.New(screen.Options{Cols: 20, Rows: 4, Scrollback: 50})
	write(t, s, "\x1b]133;A\a0123456789> \x1b]133;B\amake everything\r\n\x1b]133;C\a"+strings.Repeat("\r\n", 5))
	for _, cols := range []int{20, 7, 60, 11, 20} {
		s.Resize(cols, 4)
		want := []string{"0,0 A", fmt.Sprintf("%d,%d B", 12/cols, 12%cols), fmt.Sprintf("%d,0 C", (27+cols-1)/cols)}
		if got := marksOf(s); !slices.Equal(got, want) {
			t.Errorf("at %d columns %q, not %q", cols, got, want)
		}
	}
}

func TestTextJoinsWhatWasWrapped(t *testing.T) {
	s := screen.New(screen.Options{Cols: 6, Rows: 2, Scrollback: 10})
	write(t, s, "one two three\r\n日本語日\r\nx")
	if got := s.Text(0, 100, true); !slices.Equal(got, []string{"one two three", "日本語日", "x"}) {
		t.Errorf("joined %q", got)
	}
	if got := s.Text(0, 100, false); !slices.Equal(got, []string{"one tw", "o thre", "e", "日本語", "日", "x"}) {
		t.Errorf("as they are %q", got)
	}
	if got := s.ScreenText(true); !slices.Equal(got, []string{"日", "x"}) {
		t.Errorf("screen %q", got)
	}
}

func TestScrollbackIsCompactAndCleared(t *testing.T) {
	s := screen.New(screen.Options{Cols: 120, Rows: 40, Scrollback: 5000})
	for i := range 6000 {
		write(t, s, fmt.Sprintf("%06d ", i)+strings.Repeat("z", 93)+"\r\n")
	}
	if n := s.HistoryBytes(); n > 1_000_000 {
		t.Errorf("5,000 lines take %d bytes", n)
	}
	if got := s.Text(s.FirstLine(), s.FirstLine()+1, false)[0][:6]; s.FirstLine() != 961 || got != "000961" {
		t.Errorf("the first line kept is %d: %s", s.FirstLine(), got)
	}
	write(t, s, "\x1b[3J")
	if s.FirstLine() != s.ScreenLine() || s.ScreenLine() != 5961 {
		t.Errorf("after ED 3 lines from %d, screen from %d", s.FirstLine(), s.ScreenLine())
	}
	s = screen.New(screen.Options{Cols: 120, Rows: 40, Scrollback: 5000, ScrollbackBytes: 10_000})
	write(t, s, strings.Repeat(strings.Repeat("z", 100)+"\r\n", 1000))
	if n := s.ScreenLine() - s.FirstLine(); n < 50 || n > 100 {
		t.Errorf("10,000 bytes keep %d lines", n)
	}
}

func TestEverySizeIsTaken(t *testing.T) {
	s := screen.New(screen.Options{Cols: 80, Rows: 24, Scrollback: 1000})
	write(t, s, strings.Repeat("日本語 text \x1b[41mand\x1b[m colours ", 400)+"\x1b[?1049h alternate")
	for _, size := range [][2]int{{1, 1}, {2000, 2000}, {2, 3}, {80, 24}, {-5, 0}, {1 << 30, 2}, {3, 1 << 30}, {80, 24}} {
		s.Resize(size[0], size[1])
		write(t, s, "x日\r\n")
	}
	if cols, rows := s.Size(); cols != 80 || rows != 24 {
		t.Errorf("%dx%d", cols, rows)
	}
}

func TestModes(t *testing.T) {
	s := screen.New(screen.Options{})
	write(t, s, "\x1b[?1;1002;1006;2004;2026;1004h\x1b=\x1b[4h\x1b[?7l\x1b[3 q\x1b[?25l")
	want := screen.Modes{
		CursorKeys: true, Keypad: true, Focus: true, Bracketed: true, Synchronized: true, Insert: true,
		Mouse: screen.MouseDrag, Encoding: screen.EncodingSGR, CursorShape: screen.CursorUnderline, CursorBlink: true,
	}
	if got := s.Modes(); got != want || !s.Synchronized() {
		t.Errorf("%+v", got)
	}
	write(t, s, "\x1b[?2026l\x1b[!p")
	if got := s.Modes(); s.Synchronized() || got != (screen.Modes{Wrap: true, CursorVisible: true, Mouse: screen.MouseDrag, Encoding: screen.EncodingSGR}) {
		t.Errorf("after DECSTR %+v", got)
	}
}

// A snapshot of a snapshot is the same: nothing is lost on the way.
func TestSnapshotOfTheHandCases(t *testing.T) {
	cases, err := filepath.Glob("../../e2e/screen/cases/*.bin")
	if err != nil || len(cases) < 40 {
		t.Fatalf("%d hand cases: %v", len(cases), err)
	}
	for _, name := range cases {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		s := screen.New(screen.Options{Cols: 80, Rows: 24, Scrollback: 20})
		write(t, s, string(b))
		if got := again(t, s).AppendSnapshot(nil, 20); !bytes.Equal(got, s.AppendSnapshot(nil, 20)) {
			t.Errorf("%s: %q, then %q", filepath.Base(name), s.AppendSnapshot(nil, 20), got)
		}
	}
}

// The stream goes on behind a snapshot wherever it was taken.
func TestASnapshotMayComeAnywhere(t *testing.T) {
	stream := "a\x1b[31;4:3mb日\x1b]0;t\a\x1bP$qm\x1b\\\x1b(0q\x1b[?25l…\x1b[!p👍\x1b[5;3Hze\u0301👩\u200d👩\u200d👧\x1b[7m─\x1b[3b\x1b(0q\x1b[2b"
	whole := screen.New(screen.Options{Cols: 20, Rows: 5})
	write(t, whole, stream)
	want := whole.AppendSnapshot(nil, 0)
	for i := range stream {
		s := screen.New(screen.Options{Cols: 20, Rows: 5})
		write(t, s, stream[:i])
		there := again(t, s)
		write(t, there, stream[i:])
		if got := there.AppendSnapshot(nil, 0); !bytes.Equal(got, want) {
			t.Errorf("behind %q: %q, not %q", stream[:i], got, want)
		}
	}
}

// The fast paths are right only as long as these hold.
func TestPlainCharactersAreAsPackageWidthSays(t *testing.T) {
	plain := []rune{'a', ' ', '#', '1', 'é', 'Я', '中', '한', 'の', 'ア', '─'}
	for r := rune(0x20); r <= 0x10ffff; r++ {
		w := screen.PlainWidth(r)
		if w == 0 || r == 0x7f {
			continue
		}
		next, got, join := width.Next(0, r)
		if got != w || join {
			t.Fatalf("%U takes %d cells, not %d", r, got, w)
		}
		for _, p := range plain {
			if _, got, join := width.Next(next, p); join || got != screen.PlainWidth(p) {
				t.Fatalf("%U joins %U", p, r)
			}
			before, _, _ := width.Next(0, p)
			if n, got, join := width.Next(before, r); join || got != w || n != next {
				t.Fatalf("%U behind %U: %d cells, joins %t, state %d not %d", r, p, got, join, n, next)
			}
		}
	}
}

func TestAMarginHalvesAWideCharacterAsInXterm(t *testing.T) {
	s := screen.New(screen.Options{Cols: 4, Rows: 2})
	write(t, s, "\x1b[?7l\x1b[31m日本語") // the third has no room and takes the second's half
	if c := s.ScreenRow(0).Cells[2]; c.Foreground.Kind != screen.Colour16 {
		t.Errorf("the first half is gone: %+v", c)
	}
	write(t, s, "\x1b[m\x1b[P") // behind a first half, that goes too
	if c := s.ScreenRow(0).Cells[2]; c.Text != "" || c.Foreground.Kind != screen.DefaultColour {
		t.Errorf("the first half is still there: %+v", c)
	}
	s = screen.New(screen.Options{Cols: 4, Rows: 2, Scrollback: 5})
	write(t, s, "\x1b[?7l日本x\r\n\n\n")
	if got := s.Text(0, 1, false); got[0] != "日本x" {
		t.Errorf("a kept line is %q", got)
	}
	again(t, s)
}
