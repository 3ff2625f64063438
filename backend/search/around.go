package search

import "context"

// Line is one line of a log as plain text.
type Line struct {
	Offset uint64 // number of its first byte
	Text   string
}

// mostLine bounds the text of a Line, in bytes.
const mostLine = 4000

// Around is the line at the byte off, or the one that holds it, with up to
// before lines that stand above it and after below; at is its place among them.
// It reads from disk.
func Around(ctx context.Context, log Log, off uint64, before, after int) (lines []Line, at int, err error) {
	r := reader{log: log, text: text{blanks: true}}
	off = min(max(off, log.First()), log.End())
	above, err := r.above(ctx, off, before)
	if err != nil {
		return nil, 0, err
	}
	below, err := r.below(ctx, off, after+1)
	return append(above, below...), len(above), err
}

// above are up to most lines that end before the byte off, oldest first.
func (r *reader) above(ctx context.Context, off uint64, most int) (lines []Line, err error) {
	for end := off; len(lines) < most && end > r.log.First(); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from, err := r.back(end)
		if err != nil {
			return nil, err
		}
		lines = append(r.text.all(), lines...)
		end = from
	}
	return lines[max(0, len(lines)-most):], nil
}

// below are up to most lines from the byte off on.
func (r *reader) below(ctx context.Context, off uint64, most int) (lines []Line, err error) {
	for want := uint64(window / 16); ; want *= 4 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		end := min(off+want, r.log.End())
		b, from, err := r.read(off, end)
		if err != nil {
			return nil, err
		}
		r.text.read(from, b)
		lines = r.text.all()
		if len(lines) >= most || end == r.log.End() || want >= window {
			return lines[:min(most, len(lines))], nil
		}
	}
}

// all are the lines, but for one without text at the end, which has only begun.
func (t *text) all() []Line {
	lines := make([]Line, 0, len(t.starts))
	for n := range t.starts {
		if from, to := t.bounds(n); to > from || n+1 < len(t.starts) {
			lines = append(lines, Line{Offset: t.starts[n].off, Text: valid(cut(t.plain[from:to], mostLine))})
		}
	}
	return lines
}
