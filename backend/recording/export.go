// Package recording turns a span of a terminal's log into an asciicast (version
// 2, the format of asciinema) and reads such files.
//
// Promises: an export holds every byte of the span in its order, with the time
// at which it came and each change of size; a damaged file is refused with the
// line that is wrong, and never costs more memory than one line.
package recording

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"drover/backend/termlog"
)

// Log is what is exported: the numbered bytes of a terminal.
type Log interface {
	ReadAt(off uint64, p []byte) (int, error)
	Span(off uint64) (termlog.Span, error)
	SizeAt(off uint64) (termlog.Size, bool)
	Marks(from, to uint64) []termlog.Mark
}

// Header is the first line of an asciicast.
type Header struct {
	Version   int               `json:"version"`
	Width     int               `json:"width"`  // cells
	Height    int               `json:"height"` // cells
	Timestamp int64             `json:"timestamp,omitempty"`
	Title     string            `json:"title,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
}

// Kind says what an event is.
type Kind string

// The kinds that are written, and played. Others are skipped.
const (
	Output Kind = "o" // Data was written to the terminal
	Resize Kind = "r" // Data is the new size, as 80x24
)

// Event is one line of an asciicast after the first.
type Event struct {
	At   time.Duration // since the beginning
	Kind Kind
	Data string
}

// piece is how much one read of the log takes, in bytes.
const piece = 32 << 10

// Span is what is exported: the bytes from From to To, To exclusive.
type Span struct {
	From, To uint64
	Title    string
}

// Export writes a span. What has left the log is missing from it, and said in
// its place. It reads from disk.
func Export(w io.Writer, log Log, s Span) error {
	e := exporter{w: bufio.NewWriter(w), log: log}
	size, ok := log.SizeAt(s.From)
	if !ok {
		size = termlog.Size{Cols: 80, Rows: 24}
	}
	first, err := log.Span(s.From)
	if lost := (*termlog.LostError)(nil); errors.As(err, &lost) {
		first, err = log.Span(lost.To)
	}
	if err == nil {
		e.began = first.At
	}
	head := Header{Version: 2, Width: int(size.Cols), Height: int(size.Rows), Title: s.Title, Env: map[string]string{"TERM": "xterm-256color"}}
	if !e.began.IsZero() {
		head.Timestamp = e.began.Unix()
	}
	e.line(head)
	e.bytes(s)
	if len(e.rest) > 0 {
		e.event(Event{At: e.last, Kind: Output, Data: string(e.rest)}) // broken: each byte a replacement
	}
	if e.err != nil {
		return e.err
	}
	return e.w.Flush()
}

type exporter struct {
	w     *bufio.Writer
	log   Log
	began time.Time
	last  time.Duration
	rest  []byte // of a character whose end has not come yet
	err   error  // the first one
}

// bytes writes the events of a span.
func (e *exporter) bytes(s Span) {
	sizes := e.sizes(s)
	buf := make([]byte, piece)
	for off := s.From; off < s.To && e.err == nil; {
		at, err := e.log.Span(off)
		var lost *termlog.LostError
		switch {
		case errors.As(err, &lost):
			to := min(lost.To, s.To)
			e.output(e.last, fmt.Appendf(nil, "\x18\r\n\x1b[0;2m%d bytes lost\x1b[0m\r\n", to-off))
			off = to
			continue
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			e.err = err
			return
		}
		end := min(at.To, s.To, off+piece)
		for len(sizes) > 0 && sizes[0].Off <= off {
			e.size(sizes[0])
			sizes = sizes[1:]
		}
		if len(sizes) > 0 {
			end = min(end, sizes[0].Off)
		}
		n, err := e.log.ReadAt(off, buf[:end-off])
		if err != nil {
			continue // gone meanwhile: the span says so
		}
		e.output(at.At.Sub(e.began), buf[:n])
		off += uint64(n)
	}
}

// sizes are the changes of size within a span.
func (e *exporter) sizes(s Span) (out []termlog.Mark) {
	for _, m := range e.log.Marks(s.From+1, s.To) {
		if m.Kind == termlog.KindSize {
			out = append(out, m)
		}
	}
	return out
}

func (e *exporter) size(m termlog.Mark) {
	if s, ok := m.Size(); ok {
		e.event(Event{At: e.last, Kind: Resize, Data: fmt.Sprintf("%dx%d", s.Cols, s.Rows)})
	}
}

// output writes bytes as text: a character that is cut waits for its end.
func (e *exporter) output(at time.Duration, b []byte) {
	e.last = max(e.last, at) // the system's clock may go back
	e.rest = append(e.rest, b...)
	n := whole(e.rest)
	if n == 0 {
		return
	}
	e.event(Event{At: e.last, Kind: Output, Data: string(e.rest[:n])})
	e.rest = append(e.rest[:0], e.rest[n:]...)
}

// whole is how much of b ends with a character's end.
func whole(b []byte) int {
	for i := 1; i <= min(utf8.UTFMax-1, len(b)); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return len(b) - i
			}
			break
		}
	}
	return len(b)
}

func (e *exporter) event(ev Event) {
	// Six decimals, as asciinema writes them.
	e.line([]any{json.Number(fmt.Sprintf("%.6f", ev.At.Seconds())), ev.Kind, ev.Data})
}

func (e *exporter) line(v any) {
	if e.err != nil {
		return
	}
	enc := json.NewEncoder(e.w)
	enc.SetEscapeHTML(false)
	e.err = enc.Encode(v)
}
