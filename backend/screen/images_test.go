package screen_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"drover/backend/screen"
)

func pngOf(t testing.TB, w, h int) string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// Where the cursor is behind a picture, so that text and answers are where the page
// has them: cells are 10 by 20 pixels here.
func TestPicturesTakeRoom(t *testing.T) {
	inline := func(args string, w, h int) string {
		data := pngOf(t, w, h)
		return fmt.Sprintf("\x1b]1337;File=size=%d;inline=1%s:%s\a", len(data)*3/4, args, data)
	}
	for _, c := range []struct {
		name, write string
		row, col    int
		text        string
	}{
		{"sixel with its size", "ab\x1bPq\"1;1;100;60#0;2;0;0;0#0~~\x1b\\c", 2, 3, "ab[image]\n\n  c"},
		{"sixel by what it paints", "\x1bP0;1q#1!35~-!20~-!3N\x1b\\c", 0, 1, "cima"},
		{"sixel over two rows", "\x1bPq!12~-!12~-!12~-!12~\x1b\\", 1, 0, "[i"},
		{"sixel at the bottom", "\x1b[5;1Hlast\x1b[5;3H\x1bPq\"1;1;60;41~\x1b\\", 4, 2, "\n\nla[image\n\n"},
		{"empty sixel", "a\x1bPq\x1b\\b", 0, 2, "ab"},
		{"sixel that is too large", "a\x1bPq\"1;1;99999;99999~\x1b\\b", 0, 2, "ab"},
		{"damaged sixel", "a\x1bPq\"1;;9999999999999999999999;!!99999999999999#\x1b\\b", 0, 2, "ab"},
		{"another string", "a\x1bP1;2q~\x1b[mb", 0, 2, "ab"},
		{"a PNG", inline("", 100, 60) + "c", 2, 1, "[image]\n\nc"},
		{"a PNG in cells", inline(";width=4;height=2;preserveAspectRatio=0", 100, 60), 1, 0, "[ima"},
		{"a PNG in percent", inline(";width=50%", 100, 60), 2, 0, "[image]"},
		{"a PNG in pixels", inline(";height=20px", 100, 60), 0, 0, "[ima"},
		{"a PNG that is fitted", inline("", 1000, 100), 0, 0, "[image]"},
		{"a file to be saved", strings.Replace(inline("", 100, 60), "inline=1", "inline=0", 1) + "b", 0, 1, "b"},
		{"no picture", "a\x1b]1337;File=size=3;inline=1:AAAA\ab", 0, 2, "ab"},
		{"something else of iTerm's", "a\x1b]1337;SetMark\ab", 0, 2, "ab"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := screen.New(screen.Options{Cols: 20, Rows: 5, Images: true})
			s.SetPixels(200, 100)
			_, _ = s.Write([]byte(c.write))
			row, col, _ := s.Cursor()
			text := strings.TrimRight(strings.Join(s.ScreenText(false), "\n"), "\n ")
			if want := strings.TrimRight(c.text, "\n "); row != c.row || col != c.col || text != want {
				t.Errorf("the cursor is at %d, %d, not %d, %d; %q, not %q", row, col, c.row, c.col, text, want)
			}
			plain := screen.New(screen.Options{Cols: 20, Rows: 5})
			_, _ = plain.Write([]byte(c.write))
			if got := strings.Join(plain.ScreenText(false), ""); strings.Contains(got, "[") {
				t.Errorf("without pictures: %q", got)
			}
		})
	}
}

func TestPicturesAreOffered(t *testing.T) {
	for ask, want := range map[string]string{
		"\x1b[c":       "\x1b[?62;4;9;22c",
		"\x1b[?1;1S":   "\x1b[?1;0;256S",
		"\x1b[?2;1S":   "\x1b[?2;0;200;100S",
		"\x1b[?2;4S":   "\x1b[?2;0;2896;2896S",
		"\x1b[?1;3;9S": "\x1b[?1;2S",
		"\x1b[?3;1S":   "\x1b[?3;1S",
	} {
		s := screen.New(screen.Options{Cols: 20, Rows: 5, Images: true})
		s.SetPixels(200, 100)
		if got := string(write(t, s, ask).Answers); got != want {
			t.Errorf("%q is answered with %q, not %q", ask, got, want)
		}
	}
}

// What is never ended, or is larger than is kept, takes bounded memory.
func TestEndlessPictures(t *testing.T) {
	for _, begin := range []string{"\x1bPq", "\x1b]1337;File=inline=1;size=9:"} {
		s := screen.New(screen.Options{Cols: 20, Rows: 5, Images: true})
		_, _ = s.Write([]byte(begin))
		for range 64 {
			_, _ = s.Write(bytes.Repeat([]byte("A~$-!9999"), 10_000))
		}
		if n := len(s.AppendSnapshot(nil, 0)); n > 2<<20 {
			t.Errorf("%q: a snapshot of %d bytes", begin, n)
		}
		_, _ = s.Write([]byte("\x1b\\behind"))
		if text := s.ScreenText(false)[0]; !strings.Contains(text, "behind") {
			t.Errorf("%q: %q", begin, text)
		}
	}
}

func FuzzPictures(f *testing.F) {
	f.Add("\"1;1;100;60#0;2;0;0;0~~", "File=size=9;inline=1;width=3:iVBORw0KGgo=")
	f.Add("!99~-$", "File=size=1;inline=1;height=99999999%:R0lGODlh")
	f.Fuzz(func(t *testing.T, sixel, inline string) {
		s := screen.New(screen.Options{Cols: 20, Rows: 5, Scrollback: 10, Images: true})
		_, _ = s.Write([]byte("\x1bPq" + sixel + "\x1b\\\x1b]1337;" + inline + "\x1b\\"))
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
	})
}
