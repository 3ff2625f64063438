//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

// pageRows runs bench/pages.mjs: what a person sees in Chromium while terminals
// flood.
func pageRows(bin string) ([]row, error) {
	cmd := exec.Command("node", "bench/pages.mjs", bin, "0,1,4,16", "6")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var results []struct {
		Panes       int     `json:"panes"`
		FPS         float64 `json:"fps"`
		MBPerSecond float64 `json:"mbPerSecond"`
		EchoP50     float64 `json:"echoP50"`
		EchoP99     float64 `json:"echoP99"`
	}
	if err := json.Unmarshal(out, &results); err != nil {
		return nil, err
	}
	idle := results[0]
	var rows []row
	for _, r := range results {
		name := fmt.Sprintf("%d floods on screen", r.Panes)
		rows = append(rows,
			row{What: name + ", frames", Value: r.FPS, Unit: "a second", Against: "idle page", Other: idle.FPS, Ratio: r.FPS / idle.FPS, Aim: "45 or more", Met: r.FPS >= 45},
			row{What: name + ", bytes to pixels", Value: r.MBPerSecond, Unit: "MB/s", Aim: "told", Met: true},
			row{What: name + ", key to echo p50", Value: r.EchoP50, Unit: "ms", Against: "idle page", Other: idle.EchoP50, Ratio: r.EchoP50 / idle.EchoP50, Aim: "told", Met: true},
			row{What: name + ", key to echo p99", Value: r.EchoP99, Unit: "ms", Against: "idle page", Other: idle.EchoP99, Ratio: r.EchoP99 / idle.EchoP99, Aim: "under 120 ms", Met: r.EchoP99 < 120},
		)
	}
	return rows, nil
}
