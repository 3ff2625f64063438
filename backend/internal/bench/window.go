//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jezek/xgb/xproto"
	"golang.org/x/term"
)

// How much is written to a pane of the real window, and what is asked of it.
const (
	hiddenBytes = 100 << 20
	stops       = 30  // how often a flood is interrupted
	echoKeys    = 200 // how many keys are timed beside sixteen floods
	floods      = 16
)

// bigBytes is a flag.
var bigBytes int64

// big is how much that is.
func big() string { return fmt.Sprintf("%.3g GB", float64(bigBytes)/1e9) }

// A window is Drover's own, on a display of its own. Programs in it leave files in
// home, by which they are followed.
type window struct {
	*display
	home string
	app  *exec.Cmd
}

// The middle of the pane, where programs that fill their screen show their colour.
// The one that echoes lies above others, and is low.
const middleX, middleY, echoY = 900, 500, 250

func openWindow(bin string) (_ *window, err error) {
	home, err := os.MkdirTemp("", "drover-bench-")
	if err != nil {
		return nil, err
	}
	d, err := openDisplay()
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(home))
	}
	w := &window{display: d, home: home}
	w.app = exec.Command(bin, "--data", filepath.Join(home, "data"))
	w.app.Env = []string{"DISPLAY=" + d.name, "HOME=" + home, "PATH=" + os.Getenv("PATH"), "SHELL=/bin/sh", "LANG=C.UTF-8", "BENCH=" + self()}
	if err := w.app.Start(); err != nil {
		return nil, err
	}
	if err := d.focus("Drover"); err != nil {
		w.close()
		return nil, err
	}
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(home, name), []byte(script), 0o600); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// close ends it. SHOTS names a folder for a picture of what it showed at the end.
func (w *window) close() {
	if to := os.Getenv("SHOTS"); to != "" {
		_ = w.picture(filepath.Join(to, "bench-window.png"))
	}
	_ = w.app.Process.Signal(syscall.SIGTERM)
	_ = w.app.Wait()
	w.display.close()
	_ = os.RemoveAll(w.home)
}

// scripts are what is typed into terminals, by names that are short to type.
var scripts = map[string]string{
	// Writes the big file and says when.
	"big": "until [ -e go ]; do sleep 0.02; done\ndate +%s%N > began\ncat text\ndate +%s%N > ended\n",
	// Writes the big file again and again; fills its screen with red when it is
	// interrupted; a line begins it anew.
	"stop": "trap 'printf \"\\033[41m\\033[2J\"; stop=1' INT\nwhile read x; do\nprintf '\\033[m\\033[2J'; stop=; while [ -z \"$stop\" ]; do cat text; done\ndone\n",
	// 100 MB while nobody looks.
	"hide": "until [ -e go ]; do sleep 0.02; done\nhead -c " + strconv.Itoa(hiddenBytes) + " text\nprintf '\\033[41m\\033[2J'; touch ended; cat\n",
	// A flood that counts how often it has written the file.
	"run": "until [ -e go ]; do sleep 0.1; done\nwhile :; do cat text; echo >> alive-$$; done\n",
	// Another colour for each key.
	"echo": "exec \"$BENCH\" -paint\n",
}

// paint fills the screen with the other colour for each byte that comes.
func paint() {
	if _, err := term.MakeRaw(int(os.Stdin.Fd())); err != nil {
		return
	}
	b := make([]byte, 1)
	for i := 0; ; i++ {
		fmt.Printf("\x1b[%dm\x1b[2J", 41+i%2)
		if _, err := os.Stdin.Read(b); err != nil {
			return
		}
	}
}

// text makes the file that is written to panes, of size bytes or a little more, and
// returns its last lines.
func (w *window) text(size int64) (tail []byte, err error) {
	f, err := os.Create(filepath.Join(w.home, "text"))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for i := 0; err == nil; i++ {
		fmt.Fprintf(&b, "%08d the quick brown fox jumps over the lazy dog, again and again\n", i)
		if b.Len() < 1<<20 {
			continue
		}
		if _, err = f.Write(b.Bytes()); err == nil {
			var at int64
			if at, err = f.Seek(0, io.SeekCurrent); at >= size {
				break
			}
		}
		tail = bytes.Clone(b.Bytes())
		b.Reset()
	}
	return append(tail, b.Bytes()...), errors.Join(err, f.Close())
}

// terminal opens one with its keys, types what runs in it, and waits until it does: a
// click may overtake keys, WebKit has a queue for each.
func (w *window) terminal(script string, chord xproto.Keysym) error {
	w.forget("typed", "running")
	w.press(chord, symControl, symShift)
	err := eventually("a terminal for "+script, 20*time.Second, func() bool {
		w.enter("cd; >typed")
		return eventually("", time.Second, func() bool { return w.has("typed") }) == nil
	})
	if err != nil {
		return err
	}
	w.enter("clear; >running; . ./" + script)
	return eventually(script, 20*time.Second, func() bool { return w.has("running") })
}

func (w *window) has(name string) bool {
	_, err := os.Stat(filepath.Join(w.home, name))
	return err == nil
}

func (w *window) touch(name string) error {
	return os.WriteFile(filepath.Join(w.home, name), nil, 0o600)
}

func (w *window) forget(names ...string) {
	for _, name := range names {
		_ = os.Remove(filepath.Join(w.home, name))
	}
}
