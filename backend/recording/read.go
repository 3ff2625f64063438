package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"
)

// A file's bounds: one line, and a size that a screen may have.
const (
	maxLine = 16 << 20
	maxSize = 2000
)

// Reader reads an asciicast line by line.
type Reader struct {
	head  Header
	lines *bufio.Scanner
	line  int
	last  time.Duration
}

// NewReader reads the header. Its errors are for the person who chose the file.
func NewReader(r io.Reader) (*Reader, error) {
	out := &Reader{lines: bufio.NewScanner(r)}
	out.lines.Buffer(make([]byte, 64<<10), maxLine)
	b, err := out.next()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the recording is empty")
	}
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(b, &out.head) != nil {
		return nil, errors.New("this is no recording: its first line is not the header of an asciicast")
	}
	h := out.head
	switch {
	case h.Version != 2:
		return nil, fmt.Errorf("this recording is an asciicast of version %d; Drover plays version 2", h.Version)
	case !size(h.Width) || !size(h.Height):
		return nil, fmt.Errorf("the recording is damaged: a screen of %d by %d", h.Width, h.Height)
	}
	return out, nil
}

func size(n int) bool { return n > 0 && n <= maxSize }

// Header is the file's.
func (r *Reader) Header() Header { return r.head }

// Next is the next event that is played, or io.EOF. Times never go back.
func (r *Reader) Next() (Event, error) {
	for {
		b, err := r.next()
		if err != nil {
			return Event{}, err
		}
		ev, err := event(b)
		if err != nil {
			return Event{}, fmt.Errorf("the recording is damaged in line %d: %w", r.line, err)
		}
		r.last = max(r.last, ev.At)
		ev.At = r.last
		if ev.Kind == Output || ev.Kind == Resize {
			return ev, nil
		}
	}
}

// next is the next line that is not empty.
func (r *Reader) next() ([]byte, error) {
	for r.lines.Scan() {
		r.line++
		if b := bytes.TrimSpace(r.lines.Bytes()); len(b) > 0 {
			return b, nil
		}
	}
	err := r.lines.Err()
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("the recording is damaged: line %d is longer than %d MiB", r.line+1, maxLine>>20)
	case err != nil:
		return nil, fmt.Errorf("cannot read the recording: %w", err)
	}
	return nil, io.EOF
}

func event(b []byte) (Event, error) {
	var parts []json.RawMessage
	if json.Unmarshal(b, &parts) != nil || len(parts) < 3 {
		return Event{}, errors.New("an event is a list of a time, a kind and a text")
	}
	var seconds float64
	var ev Event
	if json.Unmarshal(parts[0], &seconds) != nil || seconds < 0 || seconds > math.MaxInt32 {
		return Event{}, fmt.Errorf("%.20s is no time", parts[0])
	}
	if json.Unmarshal(parts[1], &ev.Kind) != nil || json.Unmarshal(parts[2], &ev.Data) != nil {
		return Event{}, errors.New("its kind and its text are not both texts")
	}
	ev.At = time.Duration(seconds * float64(time.Second))
	if ev.Kind == Resize {
		if _, _, ok := ev.Size(); !ok {
			return Event{}, fmt.Errorf("%.20q is no size", ev.Data)
		}
	}
	return ev, nil
}

// Size is that of a Resize event.
func (e Event) Size() (cols, rows int, ok bool) {
	var rest string
	n, _ := fmt.Sscanf(e.Data+" ", "%dx%d%s", &cols, &rows, &rest)
	return cols, rows, n == 2 && size(cols) && size(rows)
}
