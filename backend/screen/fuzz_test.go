package screen_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"drover/backend/screen"
)

// FuzzWrite takes bytes as a program's output, where ESC # and two letters resize,
// and ESC # ! makes the rest of a piece a flood.
func FuzzWrite(f *testing.F) {
	cases, err := filepath.Glob("../../e2e/screen/cases/*.bin")
	if err != nil || len(cases) == 0 {
		f.Fatalf("the hand cases are not there: %v", err)
	}
	for _, name := range cases {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	for _, s := range []string{
		"日本語\x1b#ab\x1b[?1049h中\x1b#zb\x1b[4hab\x1b#aa", "\x1b[1;2r\x1b[?6h\x1b[99A\x1bM\x1b[3T", "e\u0301\u0301\x1b#ba\x1b[9b",
		"\x1b]8;;http://a\ax\x1b[58;5;1;4:3my\x1b#cc", "\x1b]133;A\a$ \x1b]133;B\a\n\n\x1b[2L\x1b#dd\x1b[J", "\x1b[?7l日日日\bx",
		"\x1b[2147483647b\x1b[2147483647L\x1b[2147483647@", "\x1bP$qm\x1b\\\x1b[?$p\x1b[22t\x1b[23t",
		"\x1b#!" + strings.Repeat("日本 \x1b[31mred\r\n", 60) + "\x1b#zz\x1b[999L\x1b#aa", "\x1b]99;e=1;" + "G1szMW0=" + "\a\x1b]2;\u202ea\u0001b\a",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := screen.New(screen.Options{Cols: 12, Rows: 5, Scrollback: 20})
		for len(b) > 0 {
			n := min(len(b), 1+int(b[0])%61)
			if len(b) > 3 && b[0] == 0x1b && b[1] == '#' && b[2] >= 'a' && b[2] <= 'z' {
				s.Resize(1+3*int(b[2]-'a'), 1+int(b[3])%17)
				n = 4
			} else if bytes.HasPrefix(b, []byte("\x1b#!")) {
				n = min(len(b), 2000)
				s.Skim(b[3:n])
			} else if _, err := s.Write(b[:n]); err != nil {
				t.Fatal(err)
			}
			b = b[n:]
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
		}
		harmless(t, s.Take())
		read(s)
		read(again(t, s))
	})
}

// read asks for all there is to see, and for more.
func read(s *screen.Screen) {
	_, rows := s.Size()
	for n := s.FirstLine() - 2; n < s.ScreenLine()+int64(rows)+2; n++ {
		s.Line(n)
		s.AppendLine(nil, n)
	}
	s.Text(s.FirstLine()-2, s.ScreenLine()+100, true)
	s.ScreenText(true)
	s.ScreenRow(0)
	s.Marks()
	s.Modes()
	s.Cursor()
}

// again writes a snapshot into a new screen, which must take it and be sound.
func again(t *testing.T, s *screen.Screen) *screen.Screen {
	t.Helper()
	cols, rows := s.Size()
	copied := screen.New(screen.Options{Cols: cols, Rows: rows, Scrollback: 20})
	if _, err := copied.Write(s.AppendSnapshot(nil, 20)); err != nil {
		t.Fatal(err)
	}
	if err := copied.Check(); err != nil {
		t.Fatal(err)
	}
	return copied
}
