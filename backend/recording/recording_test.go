package recording_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"drover/backend/pty"
	"drover/backend/recording"
	"drover/backend/termlog"
)

func logOf(t *testing.T, o termlog.Options, pieces ...string) *termlog.Log {
	l, err := termlog.Open(t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	l.Resize(termlog.Size{Cols: 100, Rows: 30})
	for _, p := range pieces {
		if s, ok := strings.CutPrefix(p, "size:"); ok {
			var size termlog.Size
			fmt.Sscanf(s, "%dx%d", &size.Cols, &size.Rows)
			l.Resize(size)
			continue
		}
		l.Append([]byte(p))
	}
	return l
}

func export(t *testing.T, l *termlog.Log, s recording.Span) string {
	t.Helper()
	var b bytes.Buffer
	if err := recording.Export(&b, l, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// played is what a file shows, with its sizes.
func played(t *testing.T, file string) (out string, head recording.Header) {
	t.Helper()
	r, err := recording.NewReader(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, r.Header()
		}
		if err != nil {
			t.Fatal(err)
		}
		if ev.Kind == recording.Resize {
			out += "{" + ev.Data + "}"
		} else {
			out += ev.Data
		}
	}
}

func TestExport(t *testing.T) {
	l := logOf(t, termlog.Options{}, "one\r\n", "\x1b[31mGr\xc3", "\xb6\xc3\x9fe \xf0\x9f\x98", "\x80 \xff<&>\r\n", "size:80x24", "after\r\n")
	for _, row := range []struct {
		name string
		span recording.Span
		want string
	}{
		{"everything", recording.Span{To: math.MaxUint64}, "one\r\n\x1b[31mGröße 😀 \ufffd<&>\r\n{80x24}after\r\n"},
		{"a part", recording.Span{From: 5, To: 9}, "\x1b[31"},
		{"cut in a character", recording.Span{From: 0, To: 13}, "one\r\n\x1b[31mGr\ufffd"},
		{"nothing", recording.Span{From: 5, To: 5}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, head := played(t, export(t, l, row.span))
			if got != row.want {
				t.Errorf("shows %q, want %q", got, row.want)
			}
			if head.Width != 100 || head.Height != 30 {
				t.Errorf("a screen of %d by %d", head.Width, head.Height)
			}
		})
	}
}

// Every line is JSON by itself, times rise, and the title is there.
func TestExportLines(t *testing.T) {
	l := logOf(t, termlog.Options{}, strings.Repeat("0123456789", 20_000))
	file := export(t, l, recording.Span{To: math.MaxUint64, Title: `a "title"`})
	last := -1.0
	for n, line := range strings.Split(strings.TrimSpace(file), "\n") {
		if n == 0 {
			if !strings.Contains(line, `"title":"a \"title\""`) {
				t.Errorf("the header is %s", line)
			}
			continue
		}
		var event []any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		at := event[0].(float64)
		if at < last {
			t.Fatalf("line %d: %v after %v", n+1, at, last)
		}
		last = at
	}
	if got, _ := played(t, file); len(got) != 200_000 {
		t.Errorf("%d bytes, want 200,000", len(got))
	}
}

func TestExportSaysWhatIsLost(t *testing.T) {
	pieces := make([]string, 100)
	for i := range pieces {
		pieces[i] = fmt.Sprintf("%05d%s\r\n", i, strings.Repeat(".", 60_000))
	}
	l := logOf(t, termlog.Options{Limit: 2 << 20}, pieces...)
	if err := l.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if l.First() == 0 {
		t.Fatal("nothing has left the log")
	}
	got, _ := played(t, export(t, l, recording.Span{To: math.MaxUint64}))
	if want := fmt.Sprintf("%d bytes lost", l.First()); !strings.Contains(got[:100], want) || !strings.HasSuffix(got, "..\r\n") {
		t.Errorf("begins with %q, want %s", got[:100], want)
	}
}

func TestDamaged(t *testing.T) {
	const head = `{"version":2,"width":80,"height":24}` + "\n"
	for _, row := range []struct{ name, file, want string }{
		{"empty", "", "the recording is empty"},
		{"something else", "hello\n", "no recording"},
		{"version 1", `{"version":1,"width":80,"height":24}`, "version 1"},
		{"no size", `{"version":2}`, "a screen of 0 by 0"},
		{"a huge screen", `{"version":2,"width":80,"height":1000000}`, "a screen of 80 by 1000000"},
		{"half a line", head + `[0.5,"o","x"]` + "\n" + `[0.6,"o","he`, "damaged in line 3"},
		{"a time before", head + `[-1,"o","x"]`, "damaged in line 2: -1 is no time"},
		{"a time without end", head + `[1e300,"o","x"]`, "is no time"},
		{"no text", head + `[0,"o",5]`, "not both texts"},
		{"a size of nothing", head + `[0,"r","0x0"]`, `"0x0" is no size`},
		{"a line that does not end", head + `[0,"o","` + strings.Repeat("x", 17<<20) + `"]`, "line 2 is longer than 16 MiB"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r, err := recording.NewReader(strings.NewReader(row.file))
			for err == nil {
				_, err = r.Next()
			}
			if !strings.Contains(err.Error(), row.want) {
				t.Errorf("says %q, want %q", err, row.want)
			}
		})
	}
}

func TestWhatIsNotPlayedIsSkipped(t *testing.T) {
	file := `{"version":2,"width":80,"height":24}` + "\n\n" + `[0.1,"i","typed"]` + "\n" + `[0.2,"m","mark"]` + "\n" + `[0.3,"o","shown"]` + "\n"
	if got, _ := played(t, file); got != "shown" {
		t.Errorf("shows %q", got)
	}
}

// The player that others have plays it.
func TestAsciinemaPlaysIt(t *testing.T) {
	player, err := exec.LookPath("asciinema")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("asciinema is not installed")
	}
	l := logOf(t, termlog.Options{}, "one\r\n", "\x1b[31mrot\x1b[0m\r\n", "size:80x24", "Größe 😀\r\n")
	path := filepath.Join(t.TempDir(), "a.cast")
	if err := os.WriteFile(path, []byte(export(t, l, recording.Span{To: math.MaxUint64})), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := pty.Start(pty.Command{
		Path: player, Args: []string{player, "play", "--speed", "100", path}, Size: pty.Size{Cols: 100, Rows: 30},
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LANG=C.UTF-8", "TERM=xterm-256color"},
	})
	if err != nil {
		t.Fatal(err)
	}
	out, _ := io.ReadAll(p)
	exit := p.Wait()
	_ = p.Close()
	for _, want := range []string{"one\r\n", "\x1b[31mrot\x1b[0m", "Größe 😀"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("it shows %q, without %q", out, want)
		}
	}
	if exit.Code != 0 {
		t.Errorf("it ended with %d", exit.Code)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(`{"version":2,"width":80,"height":24}` + "\n" + `[0.1,"o","x"]`))
	f.Add([]byte(`{"version":2,"width":80,"height":24}` + "\n" + `[0.1,"r","80x24"]`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := recording.NewReader(bytes.NewReader(b))
		last := recording.Event{}
		for err == nil {
			var ev recording.Event
			if ev, err = r.Next(); err == nil && ev.At < last.At {
				t.Fatalf("%v after %v", ev.At, last.At)
			}
			last = ev
		}
	})
}
