//go:build unix

package main

import (
	"bytes"
	"fmt"
	"syscall"
	"time"

	"drover/backend/screen"
)

// screenRows times the screen alone: what it takes in, in pieces of 4 KiB as a PTY
// brings them, and what writing it down costs.
func screenRows(string) ([]row, error) {
	var rows []row
	for _, kind := range []string{"plain", "sgr", "unicode", "tui"} {
		rate := screenRate(kind)
		rows = append(rows, row{What: "screen alone, " + kind, Value: rate, Unit: "MB/s", Aim: "250 or more", Met: rate >= 250})
	}
	d := snapshotTime()
	return append(rows, row{
		What: "a snapshot of a screen of text", Value: float64(d.Nanoseconds()) / 1000, Unit: "µs", Aim: "under 50 µs", Met: d < 50*time.Microsecond,
	}), nil
}

const (
	screenCols, screenRowCount = 120, 40
	piece                      = 4 << 10
)

// screenRate is the best of many runs, in MB/s.
func screenRate(kind string) float64 {
	data := sample(kind, 16<<20)
	s := screen.New(screen.Options{Cols: screenCols, Rows: screenRowCount})
	best := time.Hour
	for range 12 {
		began := cpuOf(syscall.RUSAGE_SELF) // what else runs here does not count
		for p := data; len(p) > 0; p = p[min(piece, len(p)):] {
			_, _ = s.Write(p[:min(piece, len(p))])
		}
		best = min(best, cpuOf(syscall.RUSAGE_SELF)-began)
		s.Take()
	}
	return float64(len(data)) / 1e6 / best.Seconds()
}

// sample is n bytes or a little more of one kind.
func sample(kind string, n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		if kind != "tui" {
			b.WriteString(floodLine(kind, i))
			continue
		}
		// What a full-screen program does: it goes to places and draws there.
		b.WriteString("\x1b[?25l\x1b[H")
		for y := range screenRowCount {
			fmt.Fprintf(&b, "\x1b[%d;1H\x1b[48;5;%dm│\x1b[m \x1b[38;5;%dmprocess %d\x1b[39m using \x1b[1m%d%%\x1b[m of one processor and %d MiB\x1b[K", y+1, (i+y)%256, y%16, i*y, i%100, i+y)
		}
		b.WriteString("\x1b[?25h")
	}
	return b.Bytes()
}

// snapshotTime is how long it takes to write down a screen of text: the best of many.
func snapshotTime() time.Duration {
	s := screen.New(screen.Options{Cols: screenCols, Rows: screenRowCount})
	_, _ = s.Write(sample("plain", 8<<10))
	var buf []byte
	best := time.Hour
	for range 500 {
		began := time.Now()
		buf = s.AppendSnapshot(buf[:0], 0)
		best = min(best, time.Since(began))
	}
	return best
}
