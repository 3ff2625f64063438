package main

import (
	"fmt"
	"slices"

	"drover/backend/screen"
)

// probe makes what a dump cannot show visible: the pen, the character sets, the
// saved cursor, tab stops, insert mode and the scroll region.
const probe = "Q#`\x1b8s`q\x0e`\x0f`\x1bn`\x1bo`\x0f\r\tt\tt\tt\x1b[Zz\x1b[99BL\n\n\x1bM\x1b[99AT\x1bMt"

// check is one way in which two terminals are compared.
type check int

const (
	bytesText check = iota
	bytesCells
	bytesState
	shortText
	shortAll
	wholeAll
	checks
)

var checkNames = [checks]string{
	"text", "cells, cursor and modes", "after the probe",
	"snapshot text", "snapshot", "snapshot with scrollback",
}

// verdict is how a case came out: what differs first, for each check; or by which
// exception it does not count.
type verdict struct {
	name    string
	differs [checks]string
	excused string // the note of the exception
	why     string // what was seen then
}

// judge runs one case both ways: its bytes here and in xterm.js, and a snapshot of
// here, with and without the scrollback, in a fresh xterm.js.
func judge(n *node, c testCase) (verdict, error) {
	v := verdict{name: c.name}
	after := append(slices.Clone(c.next), probe...)
	want, err := n.show(c.cols, c.rows, c.scrollback, c.steps, after)
	if err != nil {
		return v, err
	}
	if want.Error != "" {
		v.excused, v.why = reasonOf(want), want.Error
		if v.excused == "" {
			v.differs[bytesText] = "xterm.js threw: " + want.Error
		}
		return v, nil
	}
	s := c.play()
	got := dumpOf(s)
	short, whole := s.AppendSnapshot(nil, 0), s.AppendSnapshot(nil, 1<<30)
	if _, err := s.Write(after); err != nil {
		return v, err
	}
	gotAfter := dumpOf(s)
	text, cells := compare(got, want.Before, true)
	_, state := compare(gotAfter, want.After, true)
	if text+cells+state != "" {
		if v.excused = reasonOf(want); v.excused != "" {
			v.why = text + cells + state
			return v, nil
		}
	}
	v.differs[bytesText], v.differs[bytesCells], v.differs[bytesState] = text, cells, state
	// A snapshot is judged against what xterm.js shows for the bytes; where that
	// differs from here already, it is judged against here.
	base, baseAfter := want.Before, want.After
	if cells != "" || state != "" {
		base, baseAfter = got, gotAfter
	}
	again := func(snapshot []byte, history bool) (text, all string, err error) {
		there, err := n.show(got.Cols, got.Rows, c.scrollback, []step{{Write: snapshot}}, after)
		if err != nil {
			return "", "", err
		}
		if there.Error != "" {
			return there.Error, there.Error, nil
		}
		text, all = compare(there.Before, base, history)
		if all == "" {
			if _, all = compare(there.After, baseAfter, history); all != "" {
				all = later + all
			}
		}
		return text, all, nil
	}
	if v.differs[shortText], v.differs[shortAll], err = again(short, false); err != nil {
		return v, err
	}
	if _, v.differs[wholeAll], err = again(whole, true); err != nil {
		return v, err
	}
	// Text that differs is never excused here.
	if d := v.differs; d[shortText] == "" && d[shortAll]+d[wholeAll] != "" {
		if v.excused = excuses(want, d[shortAll], d[wholeAll]); v.excused != "" {
			v.differs, v.why = [checks]string{}, d[shortAll]+d[wholeAll]
		}
	}
	return v, nil
}

// play does here what happens in the case.
func (c testCase) play() *screen.Screen {
	s := screen.New(screen.Options{Cols: c.cols, Rows: c.rows, Scrollback: c.scrollback})
	for _, st := range c.steps {
		if st.Resize != nil {
			s.Resize(st.Resize[0], st.Resize[1])
		} else if _, err := s.Write(st.Write); err != nil {
			panic(err) // it never fails
		}
	}
	return s
}

// firstStep says with which step a case begins to differ.
func firstStep(n *node, c testCase) (string, error) {
	all := c.steps
	for k := range all {
		c.steps = all[:k+1]
		there, err := n.show(c.cols, c.rows, c.scrollback, c.steps, nil)
		if err != nil || there.Error != "" {
			return there.Error, err
		}
		if _, cells := compare(dumpOf(c.play()), there.Before, true); cells != "" {
			return fmt.Sprintf("; first after step %d of %d (resize %v, write %q): %s", k, len(all), all[k].Resize, all[k].Write, cells), nil
		}
	}
	return "", nil
}

// forXterm keeps characters whole, as the page does: xterm.js 6.0.0 loses one that
// is split behind a byte 0x80, such as the dash E2 80 94. Here they stay split. held
// is what has begun at the end.
func forXterm(steps []step) (out []step, held []byte) {
	for _, st := range steps {
		if st.Resize != nil {
			out = append(out, st)
			continue
		}
		b := append(slices.Clone(held), st.Write...)
		n := 0
		for k := 1; k <= min(3, len(b)); k++ {
			if c := b[len(b)-k]; c >= 0xf8 || c < 0x80 {
				break // no part of a character
			} else if c >= 0xc0 {
				length := 2
				if c >= 0xe0 {
					length = 3
				}
				if c >= 0xf0 {
					length = 4
				}
				if k < length {
					n = k
				}
				break
			}
		}
		held = b[len(b)-n:]
		if len(b) > n {
			out = append(out, step{Write: b[:len(b)-n]})
		}
	}
	return out, held
}
