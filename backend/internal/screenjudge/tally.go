package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// An exception is a behaviour of xterm.js 6.0.0 that the screen does not share, or
// that a snapshot cannot bring about. A case that touches one and differs does not
// count.
type exception struct {
	note     string // of the judge
	snapshot bool   // it excuses snapshots only
	later    bool   // and only what is seen once more was written
	why      string
}

var exceptions = []exception{
	{"alt-scrollback", false, false, "the window was made lower before the alternate screen was entered: xterm.js gives that one a scrollback, which no alternate screen has"},
	{"reflow", false, false, "xterm.js threw while it joined lines, and its buffer is broken from there on"},
	{"hidden-columns", true, true, "the alternate screen was made narrower: xterm.js keeps the columns that do not fit and DCH brings them back; no sequence hides any"},
	{"empty-wrap", true, false, "a wrap is pending behind an empty cell of the alternate screen, which the main screen can pass on and nothing else makes"},
	{"half", true, true, "a resize or a margin has halved a wide character: xterm.js keeps the half, which no sequence makes, and a snapshot has a blank"},
	{"one-row", true, false, "the last cell of a screen of one row is empty but has a look: only a wide character that wraps leaves one, and here it takes the row along"},
	{"saved-line", true, true, "the scrollback is full, or was cleared: xterm.js counts the saved cursor's line from the oldest one kept, and a snapshot has other lines above"},
}

// reasonOf is why an answer that differs does not count; "" if it does.
func reasonOf(a answer) string {
	for _, e := range exceptions {
		if !e.snapshot && (slices.Contains(a.Notes, e.note) || e.note == "reflow" && strings.Contains(a.Error, "_reflowLarger")) {
			return e.note
		}
	}
	return ""
}

// later begins what differs only once more was written.
const later = "state: "

// excuses says why a snapshot that differs from what xterm.js shows does not count.
func excuses(a answer, differs ...string) string {
	for _, e := range exceptions {
		holds := e.snapshot && slices.Contains(a.Notes, e.note)
		for _, d := range differs {
			holds = holds && (d == "" || !e.later || strings.HasPrefix(d, later))
		}
		if holds {
			return e.note
		}
	}
	return ""
}

// limits are how many of a thousand cases may differ in text, in anything, and not
// count.
type limits struct{ text, all, excused int }

var (
	// Nothing that a program did, or a person thought of, may differ.
	strict = limits{}
	// In the middle of what a program does, a snapshot may meet an exception.
	midway = limits{excused: 10}
	random = limits{text: 5, all: 10, excused: 20}
)

// report prints the counts of a group of cases and says whether they are good
// enough.
func report(w io.Writer, what string, all []verdict, l limits, verbose bool) bool {
	var equal [checks]int
	excused := map[string]int{}
	judged := len(all)
	for _, v := range all {
		if v.excused != "" {
			excused[v.excused]++
			judged--
			continue
		}
		for i, d := range v.differs {
			if d == "" {
				equal[i]++
			}
		}
	}
	fmt.Fprintf(w, "%s: %d, judged %d\n", what, len(all), judged)
	for i, n := range equal {
		fmt.Fprintf(w, "  %-24s equal %d\n", checkNames[i], n)
	}
	for _, e := range exceptions {
		if n := excused[e.note]; n > 0 {
			fmt.Fprintf(w, "  excused %d: %s\n", n, e.why)
		}
	}
	for _, v := range all {
		v.print(w, verbose)
	}
	ok := true
	most := func(what string, n, thousandth int) {
		if n > (thousandth*len(all)+999)/1000 { // one of a few may, if any
			fmt.Fprintf(w, "  too many: %d %s, at most %d of 1000 may\n", n, what, thousandth)
			ok = false
		}
	}
	most("do not count", len(all)-judged, l.excused)
	for i, n := range equal {
		if check(i) == bytesText || check(i) == shortText {
			most("differ: "+checkNames[i], judged-n, l.text)
		} else {
			most("differ: "+checkNames[i], judged-n, l.all)
		}
	}
	return ok
}

// print names what differs, and with verbose how.
func (v *verdict) print(w io.Writer, verbose bool) {
	if v.excused != "" && verbose {
		fmt.Fprintf(w, "  %s: excused (%s): %s\n", v.name, v.excused, v.why)
	}
	for i, d := range v.differs {
		if d == "" {
			continue
		}
		if !verbose {
			d = ""
		}
		fmt.Fprintf(w, "  differs: %s: %s %s\n", v.name, checkNames[i], d)
	}
}
