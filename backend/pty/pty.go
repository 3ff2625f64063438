// Package pty opens pseudo-terminals and starts programs in them: by creack/pty
// on Unix, by ConPTY on Windows. A PTY owns the master side and the program it
// started; nothing else reads, writes, waits for or signals them.
//
// Promises: the size is set before the program runs; a Read that waits is woken
// by Close; a Write takes all bytes or says how many it took; the terminal's
// modes are never touched.
package pty

import "errors"

// Size is that of a terminal, in cells and, where known, in pixels of the whole
// text area (0 if not known).
type Size struct {
	Cols, Rows       int
	XPixels, YPixels int
}

// The size when none is known, and the bounds of each axis.
const (
	DefaultCols = 80
	DefaultRows = 24
	MaxCells    = 2000
)

// Clamp replaces unknown axes by the default and bounds the others.
func (s Size) Clamp() Size {
	axis := func(n, unknown int) int {
		switch {
		case n == 0:
			return unknown
		case n < 1:
			return 1
		case n > MaxCells:
			return MaxCells
		}
		return n
	}
	pixels := func(n int) int { return min(max(n, 0), 1<<16-1) }
	return Size{
		Cols: axis(s.Cols, DefaultCols), Rows: axis(s.Rows, DefaultRows),
		XPixels: pixels(s.XPixels), YPixels: pixels(s.YPixels),
	}
}

// Command is a program to start.
type Command struct {
	Path string   // absolute, or found in PATH of Env by the caller
	Args []string // with the program's own name first
	Dir  string
	Env  []string
	Size Size // clamped by Start
}

// Exit is how the program ended.
type Exit struct {
	Code   int    // -1 when a signal ended it
	Signal string // "SIGKILL"; "" when it exited by itself
}

// Modes is what the program has made of the terminal's line discipline.
type Modes struct {
	// Known is false where the system does not tell.
	Known bool
	// Canonical: input is handed over by the line, and a line longer than
	// LineLimit bytes loses its end (4095 on Linux, 1024 on macOS).
	Canonical bool
	Echo      bool
	LineLimit int
}

// ErrUnsupported is returned by what a platform cannot do.
var ErrUnsupported = errors.New("not supported on this system")
