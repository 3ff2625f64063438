//go:build unix

// Command bench measures Drover against something real in the same run and
// prints one table; the figures go to bench/results.json. It times; tests never
// do.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"text/tabwriter"
)

// row is one figure against what it is measured by.
type row struct {
	What    string  `json:"what"`
	Value   float64 `json:"value"`
	Unit    string  `json:"unit"`
	Against string  `json:"against"`
	Other   float64 `json:"other"`
	Ratio   float64 `json:"ratio"` // value over other
	Aim     string  `json:"aim"`
	Met     bool    `json:"met"`
}

func main() {
	emit := flag.Int64("emit", 0, "internal: write so many bytes of a flood and end")
	kind := flag.String("kind", "plain", "internal: what kind of flood")
	flag.Int64Var(&bigBytes, "big", 1<<30, "how many bytes are written to a pane of the real window")
	painter := flag.Bool("paint", false, "internal: another colour for each key")
	bin := flag.String("bin", "build/bin/drover", "the app")
	out := flag.String("out", "bench/results.json", "where the figures go")
	only := flag.String("only", "", "one of screen, pty, echo, pages, search, window, many")
	flag.Parse()
	if *emit > 0 {
		flood(*kind, *emit)
		return
	}
	if *painter {
		paint()
		return
	}
	var rows []row
	for _, part := range []struct {
		name string
		run  func(bin string) ([]row, error)
	}{{"screen", screenRows}, {"pty", ptyRows}, {"echo", echoRows}, {"pages", pageRows}, {"search", searchRows}, {"window", windowRows}, {"many", manyRows}} {
		if *only != "" && *only != part.name {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", part.name)
		got, err := part.run(*bin)
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", part.name+":", err)
			os.Exit(1)
		}
		rows = append(rows, got...)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tvalue\t\tagainst\tvalue\tratio\taim\tmet")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%.4g\t%s\t%s\t%.4g\t%.2f\t%s\t%s\n", r.What, r.Value, r.Unit, r.Against, r.Other, r.Ratio, r.Aim, map[bool]string{true: "yes", false: "NO"}[r.Met])
	}
	_ = w.Flush()
	b, err := json.MarshalIndent(rows, "", "  ")
	if err == nil {
		err = os.WriteFile(*out, append(b, '\n'), 0o600)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// against makes a row; value has to reach share of other (or, where less is
// better, not exceed it).
func against(what string, value float64, unit, name string, other, share float64, less bool) row {
	r := row{What: what, Value: value, Unit: unit, Against: name, Other: other}
	if other != 0 {
		r.Ratio = value / other
	}
	if less {
		r.Aim = fmt.Sprintf("at most %.4g of it", share)
		r.Met = value <= other*share
	} else {
		r.Aim = fmt.Sprintf("at least %.4g of it", share)
		r.Met = value >= other*share
	}
	return r
}
