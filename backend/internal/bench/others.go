//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// others gives the big file to other terminals, on the same display, and holds
// them against what Drover's window took in, in MB/s. What is not installed is
// left out, with a word.
func (w *window) others(ours float64) ([]row, error) {
	script := "cd " + w.home + "; date +%s%N > began; cat text; date +%s%N > ended"
	var rows []row
	for _, other := range []struct {
		name string
		args []string
	}{
		{"alacritty", []string{"-o", "window.dimensions.columns=120", "-o", "window.dimensions.lines=40", "-o", "scrolling.history=5000", "-e", "sh", "-c", script}},
		{"kitty", []string{"--config", "NONE", "-o", "scrollback_lines=5000", "-o", "remember_window_size=no", "-o", "initial_window_width=120c", "-o", "initial_window_height=40c", "sh", "-c", script}},
		{"tmux", []string{"-S", filepath.Join(w.home, "tmux"), "-f", "/dev/null", "new-session", "-d", "-x", "120", "-y", "40", script}},
	} {
		if _, err := exec.LookPath(other.name); err != nil {
			fmt.Fprintln(os.Stderr, "  "+other.name+" is not installed")
			continue
		}
		w.forget("began", "ended")
		cmd := exec.Command(other.name, other.args...)
		cmd.Env = append(os.Environ(), "DISPLAY="+w.name, "HOME="+w.home, "LIBGL_ALWAYS_SOFTWARE=1")
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		gone := make(chan struct{})
		go func() {
			_ = cmd.Wait()
			close(gone)
		}()
		err := eventually(big()+" in "+other.name, 5*time.Minute, func() bool { return w.has("ended") })
		if other.name != "tmux" { // its server ends with its session
			_ = cmd.Process.Kill()
		}
		<-gone
		if err != nil {
			return nil, err
		}
		took, err := w.took()
		if err != nil {
			return nil, err
		}
		rate := float64(bigBytes) / 1e6 / took.Seconds()
		rows = append(rows, against(big()+" in the window, pane shown", ours, "MB/s", other.name, rate, 1, false))
	}
	return w.headless(rows, ours)
}

// headless is xterm.js without a page, behind node-pty: what editors build terminals
// of. A quarter of the file has to do.
func (w *window) headless(rows []row, ours float64) ([]row, error) {
	const dir = "bench/headless"
	if there, _ := filepath.Glob(filepath.Join(dir, "node_modules", "node-pty")); len(there) == 0 {
		fmt.Fprintln(os.Stderr, "  node-pty is not installed: npm ci --prefix "+dir)
		return rows, nil
	}
	cmd := exec.Command("node", "flood.mjs", "head -c "+strconv.FormatInt(bigBytes/4, 10)+" "+filepath.Join(w.home, "text"))
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("node-pty: %w", err)
	}
	var got struct{ Bytes, Seconds, Snapshot float64 }
	if err := json.Unmarshal(out, &got); err != nil {
		return nil, err
	}
	snapshot := snapshotTime()
	return append(rows,
		against(big()+" in the window, pane shown", ours, "MB/s", "node-pty and @xterm/headless", float64(bigBytes)/4e6/got.Seconds, 1, false),
		against("a snapshot of a screen", float64(snapshot.Nanoseconds())/1000, "µs", "@xterm/addon-serialize", got.Snapshot*1000, 1, true),
	), nil
}
