// Command widthgen writes the character widths of Drover, once for Go and once for the
// page, from the Unicode data that package.json beside it pins. The rules are in
// rules.go and nowhere else: what it writes is two tables, a class for each code
// point and a step for each state and class, and both sides only look them up.
//
// It runs at the top of the repository, by `make widths`.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

const (
	dir    = "backend/internal/widthgen"
	goFile = "backend/width/table.go"
	tsFile = "frontend/src/features/terminal/widths-table.ts"
	points = 0x110000
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "widthgen:", err)
		os.Exit(1)
	}
}

func run() error {
	data, err := load()
	if err != nil {
		return err
	}
	classes := classify(data)
	steps := machine()
	if err := write(goFile, goTable(data.Version, classes, steps)); err != nil {
		return err
	}
	return write(tsFile, tsTable(data.Version, classes, steps))
}

// unicode is what ranges.mjs prints: for each property its code points, both
// ends of a range included.
type unicode struct {
	Version string
	Ranges  map[string][][2]int
}

func load() (unicode, error) {
	cmd := exec.Command("node", "ranges.mjs")
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return unicode{}, fmt.Errorf("cannot read the Unicode data: %w", err)
	}
	var u unicode
	if err := json.Unmarshal(out, &u); err != nil {
		return unicode{}, fmt.Errorf("cannot read the Unicode data: %w", err)
	}
	return u, nil
}

// has says for every code point whether it has one of the properties.
func (u unicode) has(names ...string) []bool {
	set := make([]bool, points)
	for _, name := range names {
		ranges, ok := u.Ranges[name]
		if !ok {
			panic("no property " + name)
		}
		for _, r := range ranges {
			for c := r[0]; c <= r[1]; c++ {
				set[c] = true
			}
		}
	}
	return set
}

func write(name string, text []byte) error {
	if err := os.WriteFile(name, text, 0o644); err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	return nil
}
