package screen_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"drover/backend/screen"
)

// streams are a megabyte each of what terminals are given most.
func streams() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		b := make([]byte, 2+r.IntN(9))
		for i := range b {
			b[i] = byte('a' + r.IntN(26))
		}
		return string(b)
	}
	fill := func(line func(*bytes.Buffer)) []byte {
		var b bytes.Buffer
		for b.Len() < 1<<20 {
			line(&b)
		}
		return b.Bytes()
	}
	scripts := []string{"日本語のテキスト", "中文字符测试", "한국어", "Привет, мир", "über naïve", "👍🏽", "👩‍👩‍👧", "🙂", "→ ✓ ─│"}
	return map[string][]byte{
		"ascii": fill(func(b *bytes.Buffer) {
			for range 14 {
				b.WriteString(word() + " ")
			}
			b.WriteString("\r\n")
		}),
		"lines": fill(func(b *bytes.Buffer) { b.WriteString(word() + "\r\n") }),
		"long":  fill(func(b *bytes.Buffer) { b.WriteString(word() + " ") }),
		"sgr": fill(func(b *bytes.Buffer) {
			for range 12 {
				fmt.Fprintf(b, "\x1b[%d;%dm%s\x1b[0m ", r.IntN(2), 31+r.IntN(7), word())
			}
			b.WriteString("\r\n")
		}),
		"unicode": fill(func(b *bytes.Buffer) {
			for range 9 {
				b.WriteString(scripts[r.IntN(len(scripts))] + " ")
			}
			b.WriteString("\r\n")
		}),
		"tui": fill(func(b *bytes.Buffer) {
			b.WriteString("\x1b[H")
			for y := range 40 {
				fmt.Fprintf(b, "\x1b[%d;1H\x1b[48;5;%dm│\x1b[m", y+1, r.IntN(256))
				for range 8 {
					fmt.Fprintf(b, "\x1b[38;5;%dm%s%s\x1b[39m ", r.IntN(256), word(), word())
				}
				b.WriteString("\x1b[K")
			}
		}),
	}
}

func benchmarkWrite(b *testing.B, scrollback int) {
	for _, name := range []string{"ascii", "lines", "long", "sgr", "unicode", "tui"} {
		data := streams()[name]
		b.Run(name, func(b *testing.B) {
			s := screen.New(screen.Options{Cols: 120, Rows: 40, Scrollback: scrollback})
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				for p := data; len(p) > 0; {
					n := min(4096, len(p))
					_, _ = s.Write(p[:n])
					p = p[n:]
				}
				s.Take()
			}
		})
	}
}

func BenchmarkWrite(b *testing.B)           { benchmarkWrite(b, 0) }
func BenchmarkWriteScrollback(b *testing.B) { benchmarkWrite(b, 5000) }

func BenchmarkSnapshot(b *testing.B) {
	for _, name := range []string{"ascii", "sgr", "unicode", "tui"} {
		s := screen.New(screen.Options{Cols: 120, Rows: 40, Scrollback: 5000})
		_, _ = s.Write(streams()[name])
		b.Run(name, func(b *testing.B) {
			var buf []byte
			for b.Loop() {
				buf = s.AppendSnapshot(buf[:0], 0)
			}
			b.ReportMetric(float64(len(buf)), "bytes")
		})
	}
	s := screen.New(screen.Options{Cols: 120, Rows: 40})
	_, _ = s.Write([]byte("\x1b[2J\x1b[H\x1b[1;32muser@host\x1b[m:\x1b[34m~/src\x1b[m$ ls -l\r\n"))
	for i := range 20 {
		_, _ = fmt.Fprintf(s, "-rw-r--r-- 1 user user %5d Jan  1 12:00 \x1b[01;3%dmfile%d.go\x1b[0m\r\n", i*311, i%7+1, i)
	}
	b.Run("shell", func(b *testing.B) {
		var buf []byte
		for b.Loop() {
			buf = s.AppendSnapshot(buf[:0], 0)
		}
		b.ReportMetric(float64(len(buf)), "bytes")
	})
}

func BenchmarkResize(b *testing.B) {
	s := screen.New(screen.Options{Cols: 120, Rows: 40, Scrollback: 5000})
	_, _ = s.Write(streams()["ascii"])
	for b.Loop() {
		s.Resize(80, 40)
		s.Resize(120, 40)
	}
}
