//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/damage"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"
)

// The display's size, in pixels.
const displayWidth, displayHeight = 1600, 1000

// A display is an X server of its own, with a keyboard and eyes. It counts what
// anybody paints on it.
type display struct {
	name    string
	conn    *xgb.Conn
	root    xproto.Window
	server  *exec.Cmd
	keys    map[xproto.Keysym]stroke
	watched chan struct{} // closed when nothing is watched any more

	mu     sync.Mutex
	last   time.Time // when the last frame began
	frames int
}

// A stroke is a key of the keyboard.
type stroke struct {
	code  xproto.Keycode
	shift bool
}

// Keysyms of the keys without a character, and of the modifiers.
const (
	symReturn  xproto.Keysym = 0xff0d
	symTab     xproto.Keysym = 0xff09
	symShift   xproto.Keysym = 0xffe1
	symControl xproto.Keysym = 0xffe3
)

// openDisplay starts Xvfb.
func openDisplay() (*display, error) {
	xgb.Logger.SetOutput(io.Discard) // it misses an authority file that needs none
	cmd := exec.Command("Xvfb", "-displayfd", "1", "-screen", "0", fmt.Sprintf("%dx%dx24", displayWidth, displayHeight), "-nolisten", "tcp", "-noreset")
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start Xvfb: %w", err)
	}
	d := &display{server: cmd, watched: make(chan struct{})}
	number, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		d.name = ":" + strings.TrimSpace(number)
		d.conn, err = xgb.NewConnDisplay(d.name)
	}
	if err == nil {
		d.root = xproto.Setup(d.conn).DefaultScreen(d.conn).Root
		err = errors.Join(xtest.Init(d.conn), damage.Init(d.conn), d.readKeys())
	}
	if err != nil {
		close(d.watched)
		d.close()
		return nil, fmt.Errorf("cannot use Xvfb: %w", err)
	}
	return d, d.watch()
}

func (d *display) close() {
	if d.conn != nil {
		d.conn.Close()
	}
	<-d.watched
	_ = d.server.Process.Kill()
	_ = d.server.Wait()
}

func (d *display) readKeys() error {
	setup := xproto.Setup(d.conn)
	count := byte(setup.MaxKeycode - setup.MinKeycode + 1)
	m, err := xproto.GetKeyboardMapping(d.conn, setup.MinKeycode, count).Reply()
	if err != nil {
		return err
	}
	d.keys = map[xproto.Keysym]stroke{}
	per := int(m.KeysymsPerKeycode)
	for i := range int(count) {
		for level := range min(2, per) {
			sym := m.Keysyms[i*per+level]
			if _, ok := d.keys[sym]; !ok {
				d.keys[sym] = stroke{setup.MinKeycode + xproto.Keycode(i), level == 1}
			}
		}
	}
	return nil
}

// frame is how close together paintings are one frame: half of one at 60 a second.
const frame = 8 * time.Millisecond

// watch counts the frames that are painted anywhere, until the connection closes.
func (d *display) watch() error {
	if _, err := damage.QueryVersion(d.conn, 1, 1).Reply(); err != nil {
		close(d.watched)
		return err
	}
	id, err := damage.NewDamageId(d.conn)
	if err == nil {
		err = damage.CreateChecked(d.conn, id, xproto.Drawable(d.root), damage.ReportLevelRawRectangles).Check()
	}
	if err != nil {
		close(d.watched)
		return err
	}
	go func() {
		defer close(d.watched)
		for {
			event, xerr := d.conn.WaitForEvent()
			if event == nil && xerr == nil {
				return
			}
			if _, ok := event.(damage.NotifyEvent); ok {
				d.painted()
			}
		}
	}()
	return nil
}

func (d *display) painted() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := time.Now(); now.Sub(d.last) >= frame {
		d.last = now
		d.frames++
	}
}

// count is how many frames were painted so far.
func (d *display) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.frames
}

// press presses a key with its modifiers, and lets go.
func (d *display) press(sym xproto.Keysym, modifiers ...xproto.Keysym) {
	k := d.keys[sym]
	if k.shift {
		modifiers = append(modifiers, symShift)
	}
	fake := func(kind byte, code xproto.Keycode) {
		xtest.FakeInput(d.conn, kind, byte(code), 0, d.root, 0, 0, 0)
	}
	for _, m := range modifiers {
		fake(xproto.KeyPress, d.keys[m].code)
	}
	fake(xproto.KeyPress, k.code)
	fake(xproto.KeyRelease, k.code)
	for _, m := range modifiers {
		fake(xproto.KeyRelease, d.keys[m].code)
	}
	d.conn.Sync()
}

// click clicks at a place.
func (d *display) click(x, y int16) {
	xtest.FakeInput(d.conn, xproto.MotionNotify, 0, 0, d.root, x, y, 0)
	xtest.FakeInput(d.conn, xproto.ButtonPress, 1, 0, d.root, 0, 0, 0)
	xtest.FakeInput(d.conn, xproto.ButtonRelease, 1, 0, d.root, 0, 0, 0)
	d.conn.Sync()
}

// enter types a line and Return.
func (d *display) enter(line string) {
	for _, c := range line {
		d.press(xproto.Keysym(c)) // Latin-1's keysyms are its characters
		pause(5 * time.Millisecond)
	}
	d.press(symReturn)
}

// pixel is its colour: red, green and blue.
func (d *display) pixel(x, y int) (r, g, b byte, err error) {
	image, err := xproto.GetImage(d.conn, xproto.ImageFormatZPixmap, xproto.Drawable(d.root), int16(x), int16(y), 1, 1, 1<<32-1).Reply()
	if err != nil {
		return 0, 0, 0, err
	}
	return image.Data[2], image.Data[1], image.Data[0], nil
}

func (d *display) is(c colour, x, y int) bool {
	r, g, b, err := d.pixel(x, y)
	if err != nil {
		return false
	}
	switch c {
	case red:
		return r > 120 && g < 100 && b < 120
	default:
		return g > 100 && r < 100
	}
}

// colour is what a program fills its screen with, to be seen from outside.
type colour int

const (
	red colour = iota
	green
)

// focus gives the keys to the window with that title, once it is there: no window
// manager does.
func (d *display) focus(title string) error {
	return eventually("the window "+title, 30*time.Second, func() bool {
		tree, err := xproto.QueryTree(d.conn, d.root).Reply()
		if err != nil {
			return false
		}
		for _, w := range tree.Children {
			attr, err := xproto.GetWindowAttributes(d.conn, w).Reply()
			if err != nil || attr.MapState != xproto.MapStateViewable {
				continue
			}
			name, err := xproto.GetProperty(d.conn, false, w, xproto.AtomWmName, xproto.GetPropertyTypeAny, 0, 64).Reply()
			if err != nil || title != "" && string(name.Value) != title {
				continue
			}
			return xproto.SetInputFocusChecked(d.conn, xproto.InputFocusPointerRoot, w, xproto.TimeCurrentTime).Check() == nil
		}
		return false
	})
}

// picture writes what is on the display, for whoever wants to look.
func (d *display) picture(path string) error {
	cmd := exec.Command("import", "-silent", "-window", "root", path)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.name)
	return cmd.Run()
}

func pause(d time.Duration) { <-time.After(d) }

// eventually waits until so.
func eventually(what string, within time.Duration, so func() bool) error {
	end := time.Now().Add(within)
	for !so() {
		if time.Now().After(end) {
			return fmt.Errorf("%s: not within %s", what, within)
		}
		pause(time.Millisecond)
	}
	return nil
}
