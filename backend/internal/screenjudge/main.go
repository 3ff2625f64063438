// Command screenjudge holds package screen against @xterm/headless: the same bytes
// must show the same there and here, and a snapshot of here, written into a fresh
// xterm.js, must show what the bytes did and go on as they would. It judges hand
// cases, recordings of real programs as a whole and at many moments, and generated
// cases; it prints counts, names every case that differs, and fails beyond the
// limits in tally.go.
//
//	go run ./backend/internal/screenjudge [-seeds 1000] [directory of more cases]
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// testCase is a terminal and what happens to it.
type testCase struct {
	name       string
	cols, rows int
	scrollback int
	steps      []step
	next       []byte // what comes then, as far as it is to be seen that it goes on as it should
}

// options are what is judged, and with what.
type options struct {
	dir      string // of judge.mjs, cases and recordings
	provider string // the page's module of widths
	from     int    // the first generated case
	seeds    int    // how many of them
	moments  int    // how many of each recording
	verbose  bool
	more     []string // directories of further cases
}

func main() {
	var o options
	flag.IntVar(&o.seeds, "seeds", 1000, "how many generated cases")
	flag.IntVar(&o.from, "from", 0, "the first of them")
	flag.IntVar(&o.moments, "moments", 40, "at how many places each recording is cut")
	flag.StringVar(&o.provider, "provider", "frontend/src/features/terminal/widths.ts", "the page's module of widths")
	flag.BoolVar(&o.verbose, "v", false, "show what differs")
	flag.StringVar(&o.dir, "e2e", "e2e/screen", "where judge.mjs, cases and recordings are")
	flag.Parse()
	o.more = flag.Args()
	ok, err := run(os.Stdout, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "screenjudge:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run judges hand cases, recordings and moments of them, directories in more, and
// generated cases, and says whether all are within their limits.
func run(w io.Writer, o options) (ok bool, err error) {
	if o.provider, err = filepath.Abs(o.provider); err != nil {
		return false, err
	}
	court, err := convene(filepath.Join(o.dir, "judge.mjs"), o.provider, o.verbose)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, court.Close()) }()
	ok = true
	judge := func(what string, cases []testCase, l limits) error {
		if len(cases) == 0 {
			return nil
		}
		all, err := court.judge(cases)
		ok = err == nil && report(w, what, all, l, o.verbose) && ok
		return err
	}
	recordings := filepath.Join(o.dir, "recordings")
	for _, d := range append([]string{filepath.Join(o.dir, "cases"), recordings}, o.more...) {
		cases, err := readCases(d)
		if err != nil {
			return false, err
		}
		if err := judge(filepath.Base(d), cases, strict); err != nil {
			return false, err
		}
		if d != recordings {
			continue
		}
		var all []testCase
		for _, c := range cases {
			all = append(all, moments(c, o.moments)...)
		}
		if err := judge("moments of recordings", all, midway); err != nil {
			return false, err
		}
	}
	var generated []testCase
	for i := range o.seeds {
		generated = append(generated, generate(uint64(o.from+i)))
	}
	err = judge("seeds", generated, random)
	return ok, err
}

// readCases reads NAME.bin with NAME.json beside it: the size, and where it
// changes: {"cols", "rows", "resizes": [{"at": byte, "cols", "rows"}]}. A directory
// that is not there has none.
func readCases(dir string) ([]testCase, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.bin"))
	if err != nil {
		return nil, err
	}
	var out []testCase
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		meta, err := os.ReadFile(strings.TrimSuffix(name, ".bin") + ".json")
		if err != nil {
			return nil, err
		}
		var size struct {
			Cols, Rows int
			Resizes    []struct{ At, Cols, Rows int }
		}
		if err := json.Unmarshal(meta, &size); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c := testCase{name: filepath.Base(name), cols: size.Cols, rows: size.Rows, scrollback: 1000}
		at := 0
		for _, r := range size.Resizes {
			c.steps = append(c.steps, chunks(data[at:r.At])...)
			c.steps = append(c.steps, step{Resize: []int{r.Cols, r.Rows}})
			at = r.At
		}
		c.steps = append(c.steps, chunks(data[at:])...)
		out = append(out, c)
	}
	return out, nil
}

// chunks cuts as a PTY does.
func chunks(b []byte) []step {
	var out []step
	for c := range slices.Chunk(b, 4096) {
		out = append(out, step{Write: c})
	}
	return out
}

const (
	momentBytes      = 1500 // of what comes next
	momentScrollback = 200  // lines: comparing all of them takes the most time
)

// moments cuts a case at n places, within characters and sequences too: what there
// is then must be right, and go on rightly from a snapshot of there.
func moments(c testCase, n int) []testCase {
	total := 0
	for _, st := range c.steps {
		total += len(st.Write)
	}
	var out []testCase
	for k := range n {
		at := total * (2*k + 1) / (2 * n)
		m := testCase{name: fmt.Sprintf("%s at byte %d", c.name, at), cols: c.cols, rows: c.rows, scrollback: momentScrollback}
		for _, st := range c.steps {
			if take := min(at, len(st.Write)); take > 0 || st.Resize != nil {
				m.steps = append(m.steps, step{Write: st.Write[:take], Resize: st.Resize})
			}
			if at < len(st.Write) {
				m.next = st.Write[at:min(at+momentBytes, len(st.Write))]
				break
			}
			at -= len(st.Write)
		}
		out = append(out, m)
	}
	return out
}
