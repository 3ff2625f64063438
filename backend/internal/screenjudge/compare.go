package main

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"drover/backend/screen"
)

// probe makes what a dump cannot show visible: the pen, the character sets, the
// saved cursor, tab stops, insert mode and the scroll region.
const probe = "Q#`\x1b8s`q\x0e`\x0f`\x1bn`\x1bo`\x0f\r\tt\tt\tt\x1b[Zz\x1b[99BL\n\n\x1bM\x1b[99AT\x1bMt"

// exceptions are known behaviours of xterm.js 6.0.0 that the screen does not share,
// by the note of the judge or by what is seen.
var exceptions = map[string]string{
	"threw":          "xterm.js threw: its own state is broken from there on",
	"ed1":            "ED 1 at a row's end: xterm.js counts from the top of the scrollback and marks the wrong line as not wrapped",
	"alt-scrollback": "the window was made lower before the alternate screen was entered: xterm.js gives that one a scrollback",
}

// tally counts how cases came out.
type tally struct {
	what    string
	verbose bool

	cases, text, cells, state   int // bytes here and in xterm.js
	snapText, snapAll, snapHist int // snapshots of here in a fresh xterm.js
	excused                     map[string]int
	names                       []string
}

// judge runs one case both ways.
func (t *tally) judge(n *node, c testCase) error {
	t.cases++
	var want answer
	if err := n.ask(request{c.cols, c.rows, c.scrollback, forXterm(c.steps), []byte(probe)}, &want); err != nil {
		return err
	}
	if want.Error != "" {
		t.except(c, "threw", want.Error)
		return nil
	}
	s := c.play()
	got := dumpOf(s)
	short, whole := s.AppendSnapshot(nil, 0), s.AppendSnapshot(nil, 1<<30)
	if _, err := s.Write([]byte(probe)); err != nil {
		return err
	}
	after := dumpOf(s)
	text, cells := compare(got, want.Before, true)
	_, state := compare(after, want.After, true)
	if text != "" || cells != "" || state != "" {
		for _, note := range want.Notes {
			t.except(c, note, text+cells)
			return nil
		}
	}
	if cells != "" && t.verbose {
		first, err := firstStep(n, c)
		if err != nil {
			return err
		}
		cells += first
	}
	t.count(c, &t.text, "text", text)
	t.count(c, &t.cells, "cells", cells)
	t.count(c, &t.state, "state", state)
	// A snapshot is judged against what its xterm.js shows for the bytes; where
	// that differs from here already, it is judged against here.
	base, baseAfter := want.Before, want.After
	if cells != "" || state != "" {
		base, baseAfter = got, after
	}
	for _, sn := range []struct {
		bytes   []byte
		history bool
		all     *int
		what    string
	}{{short, false, &t.snapAll, "snapshot"}, {whole, true, &t.snapHist, "snapshot with scrollback"}} {
		var there answer
		if err := n.ask(request{got.Cols, got.Rows, c.scrollback, []step{{Write: sn.bytes}}, []byte(probe)}, &there); err != nil {
			return err
		}
		if there.Error != "" {
			t.count(c, sn.all, sn.what, there.Error)
			continue
		}
		text, cells := compare(there.Before, base, sn.history)
		if cells == "" {
			if _, cells = compare(there.After, baseAfter, sn.history); cells != "" {
				cells = "state: " + cells
			}
		}
		t.count(c, sn.all, sn.what, cells)
		if !sn.history {
			t.count(c, &t.snapText, "snapshot text", text)
		}
	}
	return nil
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
		var there answer
		if err := n.ask(request{c.cols, c.rows, c.scrollback, forXterm(c.steps), []byte{}}, &there); err != nil || there.Error != "" {
			return there.Error, err
		}
		if _, cells := compare(dumpOf(c.play()), there.Before, true); cells != "" {
			return fmt.Sprintf("; first after step %d of %d (resize %v, write %q): %s", k, len(all), all[k].Resize, all[k].Write, cells), nil
		}
	}
	return "", nil
}

func (t *tally) count(c testCase, n *int, what, difference string) {
	if difference == "" {
		*n++
		return
	}
	t.names = append(t.names, c.name+": "+what)
	if t.verbose {
		t.names[len(t.names)-1] += ": " + difference
	}
}

func (t *tally) except(c testCase, why, difference string) {
	if t.excused == nil {
		t.excused = map[string]int{}
	}
	t.excused[why]++
	if t.verbose {
		t.names = append(t.names, fmt.Sprintf("%s: excused (%s): %s", c.name, why, difference))
	}
}

// report prints the counts and says whether they are good enough: for the same
// bytes at most one case in 200 differs in text, else one in 100 in anything.
func (t *tally) report(w io.Writer) bool {
	excused := 0
	for _, n := range t.excused {
		excused += n
	}
	judged := t.cases - excused
	fmt.Fprintf(w, "%s: %d, judged %d\n  bytes: text equal %d, cells, cursor and modes %d, after the probe %d\n  snapshot: text equal %d, everything %d; with scrollback %d\n",
		t.what, t.cases, judged, t.text, t.cells, t.state, t.snapText, t.snapAll, t.snapHist)
	for _, why := range sortedKeys(t.excused) {
		fmt.Fprintf(w, "  excused %d: %s\n", t.excused[why], exceptions[why])
	}
	for _, name := range t.names {
		fmt.Fprintf(w, "  differs: %s\n", name)
	}
	least := judged - judged/200
	most := judged - judged/100
	return t.text >= least && t.cells >= most && t.snapText >= most && t.snapAll >= most && t.snapHist >= most
}

func sortedKeys(m map[string]int) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// compare says how two dumps differ first, in text and in anything; "" if they do
// not. Without history the lines above the screen are left out.
func compare(got, want *dump, history bool) (text, all string) {
	main := func(d *dump) []line {
		if history {
			return d.Main
		}
		return d.Main[len(d.Main)-d.Rows:]
	}
	for _, b := range []struct {
		name      string
		got, want []line
	}{{"main", main(got), main(want)}, {"alt", got.Alt, want.Alt}} {
		if len(b.got) != len(b.want) {
			text = fmt.Sprintf("%s has %d lines, not %d", b.name, len(b.got), len(b.want))
			return text, text
		}
		for i := range b.got {
			g, w := b.got[i], b.want[i]
			if text == "" && g.Text != w.Text {
				text = fmt.Sprintf("%s %d: %q, not %q", b.name, i, g.Text, w.Text)
			}
			if all == "" && g != w {
				all = fmt.Sprintf("%s %d: wrapped %t, not %t; %s", b.name, i, g.Wrapped, w.Wrapped, firstCell(g.Cells, w.Cells))
			}
		}
	}
	if text != "" {
		return text, text
	}
	if all != "" {
		return "", all
	}
	g, w := *got, *want
	switch {
	case g.X != w.X || g.Y != w.Y:
		all = fmt.Sprintf("cursor at %d,%d, not %d,%d", g.X, g.Y, w.X, w.Y)
	case g.Alternate != w.Alternate:
		all = fmt.Sprintf("alternate %t", g.Alternate)
	case g.Modes != w.Modes:
		all = fmt.Sprintf("modes %+v, not %+v", g.Modes, w.Modes)
	case g.Cols != w.Cols || g.Rows != w.Rows || (history && g.Base != w.Base):
		all = fmt.Sprintf("size %dx%d above %d, not %dx%d above %d", g.Cols, g.Rows, g.Base, w.Cols, w.Rows, w.Base)
	}
	return "", all
}

func firstCell(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("cell %d: %q, not %q", i, a, b)
		}
	}
	return ""
}

// forXterm keeps characters whole: xterm.js 6.0.0 loses one that is split behind a
// byte 0x80, such as the dash E2 80 94. Here they stay split.
func forXterm(steps []step) []step {
	var out []step
	var held []byte
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
	if len(held) > 0 {
		out = append(out, step{Write: held})
	}
	return out
}
