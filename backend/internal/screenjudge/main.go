// Command screenjudge holds package screen against @xterm/headless: the same bytes
// must show the same there and here, and a snapshot of here, written into a fresh
// xterm.js, must show what the bytes did. It prints counts, names every case that
// differs, and fails if there are more than the limits below.
//
//	go run ./backend/internal/screenjudge [-seeds 1000] [directory of more cases]
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
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
}

func main() {
	seeds := flag.Int("seeds", 1000, "how many generated cases")
	from := flag.Int("from", 0, "the first of them")
	provider := flag.String("provider", "frontend/src/features/terminal/widths.ts", "the page's module of widths")
	verbose := flag.Bool("v", false, "show what differs")
	dir := flag.String("e2e", "e2e/screen", "where judge.mjs, cases and recordings are")
	flag.Parse()
	ok, err := run(*dir, *provider, *from, *seeds, *verbose, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "screenjudge:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(dir, provider string, from, seeds int, verbose bool, more []string) (ok bool, err error) {
	if provider, err = filepath.Abs(provider); err != nil {
		return false, err
	}
	n, err := startNode(filepath.Join(dir, "judge.mjs"), provider)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	ok = true
	judge := func(what string, cases []testCase) error {
		t := tally{what: what, verbose: verbose}
		for _, c := range cases {
			if err := t.judge(n, c); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
		}
		ok = t.report(os.Stdout) && ok
		return nil
	}
	for _, d := range append([]string{filepath.Join(dir, "cases"), filepath.Join(dir, "recordings")}, more...) {
		cases, err := readCases(d)
		if err != nil {
			return false, err
		}
		if len(cases) > 0 {
			if err := judge(filepath.Base(d), cases); err != nil {
				return false, err
			}
		}
	}
	var generated []testCase
	for i := range seeds {
		generated = append(generated, generate(uint64(from+i)))
	}
	if len(generated) > 0 {
		if err := judge("seeds", generated); err != nil {
			return false, err
		}
	}
	return ok, nil
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
