//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// windowRows floods the real window: a gigabyte into the pane that is looked at and
// into one that is hidden, Ctrl-C in the middle of it, a hidden pane that is shown
// again; and the same gigabyte into other terminals.
func windowRows(bin string) ([]row, error) {
	w, err := openWindow(bin)
	if err != nil {
		return nil, err
	}
	defer w.close()
	tail, err := w.text(bigBytes)
	if err != nil {
		return nil, err
	}
	shown, fps, err := w.big(false)
	if err != nil {
		return nil, err
	}
	kept, err := w.keeps(tail)
	if err != nil {
		return nil, err
	}
	unseen, _, err := w.big(true)
	if err != nil {
		return nil, err
	}
	rows := []row{
		against(big()+" in the window, pane shown", shown, "MB/s", "the same, pane hidden", unseen, 0.8, false),
		{What: "the same, frames", Value: fps, Unit: "a second", Aim: "45 or more", Met: fps >= 45},
		{What: "the same, lines kept that are the file's last", Value: float64(kept), Aim: "all: 4000 or more", Met: kept >= 4000},
	}
	stopped, err := w.stops()
	if err != nil {
		return nil, err
	}
	back, err := w.hidden()
	if err != nil {
		return nil, err
	}
	rows = append(rows,
		row{What: "Ctrl-C in a flood to what is seen of it, p50", Value: ms(stopped, 0.5), Unit: "ms", Aim: "told", Met: true},
		row{What: "the same, longest of " + strconv.Itoa(stops), Value: ms(stopped, 1), Unit: "ms", Aim: "under 100 ms", Met: ms(stopped, 1) < 100},
		row{What: "a pane hidden for 100 MB, until it is seen again", Value: float64(back.Microseconds()) / 1000, Unit: "ms", Aim: "under 100 ms", Met: back < 100*time.Millisecond},
	)
	others, err := w.others(shown)
	return append(rows, others...), err
}

// big writes the big file to a pane and says how fast that went, in MB/s, and how
// many frames were painted in a second.
func (w *window) big(hidden bool) (rate, fps float64, err error) {
	w.forget("go", "began", "ended")
	if err := w.terminal("big", 't'); err != nil {
		return 0, 0, err
	}
	if hidden {
		w.press('t', symControl, symShift)
	}
	pause(2 * time.Second)
	frames := w.count()
	if err := w.touch("go"); err != nil {
		return 0, 0, err
	}
	if err := eventually(big()+" in a pane", 5*time.Minute, func() bool { return w.has("ended") }); err != nil {
		return 0, 0, err
	}
	frames = w.count() - frames
	took, err := w.took()
	return float64(bigBytes) / 1e6 / took.Seconds(), float64(frames) / took.Seconds(), err
}

// took is the time between the files that a script has left, in nanoseconds.
func (w *window) took() (time.Duration, error) {
	var at [2]int64
	for i, name := range []string{"began", "ended"} {
		err := eventually(name, 10*time.Second, func() bool {
			b, _ := os.ReadFile(filepath.Join(w.home, name))
			n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
			at[i] = n
			return err == nil
		})
		if err != nil {
			return 0, err
		}
	}
	return time.Duration(at[1] - at[0]), nil
}

// keeps saves the text of the pane that has the keys and says how many lines it has,
// all of which must be the last of the file.
func (w *window) keeps(tail []byte) (int, error) {
	w.press('p', symControl, symShift)
	pause(500 * time.Millisecond)
	w.enter("save text")
	var name string
	err := eventually("the saved text", 30*time.Second, func() bool {
		names, _ := filepath.Glob(filepath.Join(w.home, "*.txt"))
		more, _ := filepath.Glob(filepath.Join(w.home, "Downloads", "*.txt"))
		for _, name = range append(names, more...) {
			return true
		}
		return false
	})
	if err != nil {
		return 0, err
	}
	size := int64(-1)
	err = eventually("all of the saved text", 30*time.Second, func() bool {
		pause(100 * time.Millisecond)
		info, err := os.Stat(name)
		if err != nil || info.Size() == 0 {
			return false
		}
		before := size
		size = info.Size()
		return size == before
	})
	if err != nil {
		return 0, err
	}
	saved, err := os.ReadFile(name)
	if err != nil {
		return 0, err
	}
	lines := bytes.Split(bytes.TrimSpace(saved), []byte("\n"))
	want := bytes.Split(bytes.TrimSpace(tail), []byte("\n"))
	last := func(l [][]byte) []byte { return l[len(l)-1] }
	for len(lines) > 0 && !bytes.Equal(last(lines), last(want)) { // the prompt
		lines = lines[:len(lines)-1]
	}
	kept := 0
	for len(lines) > 0 && len(want) > 0 && bytes.Equal(last(lines), last(want)) {
		lines, want = lines[:len(lines)-1], want[:len(want)-1]
		kept++
	}
	if len(lines) > 0 && len(want) > 0 {
		return 0, fmt.Errorf("after %d lines the scrollback has %q, the file %q", kept, last(lines), last(want))
	}
	return kept, nil
}

// stops interrupts a flood again and again and times how long it takes to be seen.
func (w *window) stops() ([]time.Duration, error) {
	if err := w.terminal("stop", 't'); err != nil {
		return nil, err
	}
	pause(time.Second)
	var all []time.Duration
	for range stops {
		w.press(symReturn)
		if err := eventually("the flood", 5*time.Second, func() bool { return !w.is(red, middleX, middleY) }); err != nil {
			return nil, err
		}
		pause(300*time.Millisecond + rand.N(time.Second))
		began := time.Now()
		w.press('c', symControl)
		if err := eventually("the end of the flood", 10*time.Second, func() bool { return w.is(red, middleX, middleY) }); err != nil {
			return nil, err
		}
		all = append(all, time.Since(began))
	}
	w.press('d', symControl)
	return all, nil
}

// hidden shows a pane again that was hidden while 100 MB came.
func (w *window) hidden() (time.Duration, error) {
	w.forget("go", "ended")
	if err := w.terminal("hide", 't'); err != nil {
		return 0, err
	}
	w.press('t', symControl, symShift)
	pause(time.Second)
	if err := w.touch("go"); err != nil {
		return 0, err
	}
	if err := eventually("100 MB in a hidden pane", time.Minute, func() bool { return w.has("ended") }); err != nil {
		return 0, err
	}
	pause(time.Second)
	began := time.Now()
	w.press(symTab, symControl, symShift)
	err := eventually("the pane", 10*time.Second, func() bool { return w.is(red, middleX, middleY) })
	return time.Since(began), err
}
