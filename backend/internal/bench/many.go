//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// Where the panes of the sixteen floods come to lie: rows of four below the pane
// that echoes, in the window as it opens.
const (
	manyDown  = 4
	firstX    = 450
	bottomY   = 770
	rowHeight = 102
)

// manyRows has sixteen floods on screen, in the real window.
func manyRows(bin string) ([]row, error) {
	w, err := openWindow(bin)
	if err != nil {
		return nil, err
	}
	defer w.close()
	if _, err := w.text(1 << 20); err != nil {
		return nil, err
	}
	echo, fps, alive, err := w.many()
	if err != nil {
		return nil, err
	}
	return []row{
		{What: "16 floods in the window, key to echo beside them, p50", Value: ms(echo, 0.5), Unit: "ms", Aim: "told", Met: true},
		{What: "the same, p99", Value: ms(echo, 0.99), Unit: "ms", Aim: "under 100 ms", Met: ms(echo, 0.99) < 100},
		{What: "the same, frames", Value: fps, Unit: "a second", Aim: "told", Met: true},
		{What: "the same, panes that went on", Value: float64(alive), Aim: "all", Met: alive == floods},
	}, nil
}

// many has a pane that echoes above sixteen that flood, all on screen. It times keys
// to their echoes, counts frames, and says how many of the sixteen went on.
func (w *window) many() (echo []time.Duration, fps float64, alive int, err error) {
	if err := w.terminal("echo", 't'); err != nil {
		return nil, 0, 0, err
	}
	for range manyDown {
		if err := w.terminal("run", 'e'); err != nil {
			return nil, 0, 0, err
		}
	}
	for y := range manyDown {
		w.click(firstX, bottomY-int16(y)*rowHeight)
		for range floods/manyDown - 1 {
			if err := w.terminal("run", 'd'); err != nil {
				return nil, 0, 0, err
			}
		}
	}
	w.click(middleX, echoY)
	if err := w.touch("go"); err != nil {
		return nil, 0, 0, err
	}
	pause(2 * time.Second)
	written := w.written()
	frames, began := w.count(), time.Now()
	for range echoKeys {
		was := red
		if w.is(green, middleX, echoY) {
			was = green
		}
		key := time.Now()
		w.press('x')
		if err := eventually("an echo", 10*time.Second, func() bool { return w.is(red+green-was, middleX, echoY) }); err != nil {
			return nil, 0, 0, err
		}
		echo = append(echo, time.Since(key))
		pause(20*time.Millisecond + rand.N(30*time.Millisecond))
	}
	fps = float64(w.count()-frames) / time.Since(began).Seconds()
	for name, size := range w.written() {
		if size > written[name] {
			alive++
		}
	}
	return echo, fps, alive, nil
}

// written is how much each of the floods has counted.
func (w *window) written() map[string]int64 {
	out := map[string]int64{}
	names, _ := filepath.Glob(filepath.Join(w.home, "alive-*"))
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			out[name] = info.Size()
		}
	}
	return out
}
