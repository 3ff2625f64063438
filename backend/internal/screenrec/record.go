package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strings"
	"time"

	"drover/backend/pty"
	"drover/backend/screen"
)

// recording is what a program wrote, and what becomes its NAME.json.
type recording struct {
	Cols    int      `json:"cols"`
	Rows    int      `json:"rows"`
	Resizes []resize `json:"resizes,omitempty"`

	data []byte
}

// resize: the size is cols by rows from byte at on.
type resize struct {
	At   int `json:"at"`
	Cols int `json:"cols"`
	Rows int `json:"rows"`
}

const (
	// A program has settled once it was silent for so long: after a line of keys,
	// and between the keys of one that is typed.
	quiet      = 200 * time.Millisecond
	quietTyped = 25 * time.Millisecond
	// patience turns a program that does not do what its script wants into an error.
	patience = 30 * time.Second
)

// sandbox becomes a machine of its own and runs its arguments there: a host and a
// user named demo, whose home holds the files of $FILES. FILES may lie where the
// new homes will be.
const sandbox = `set -e
hostname demo
mount -t tmpfs none /mnt
mkdir /mnt/demo
cp -a "$FILES"/. /mnt/demo
echo 'demo:x:0:0:Demo:/home/demo:/bin/bash' > /mnt/passwd
mount --bind /mnt/passwd /etc/passwd
mount --bind /mnt /home
cd /home/demo
exec env -i HOME=/home/demo USER=demo LOGNAME=demo SHELL=/bin/bash PATH=/usr/bin:/bin \
	TMPDIR=/home/demo TMUX_TMPDIR=/home/demo TERM=xterm-256color COLORTERM=truecolor \
	LANG=C.UTF-8 TZ=UTC HISTFILE= sh -c '"$@"; exit $?' init "$@"`

// session is a program that is being recorded.
type session struct {
	recording
	pty    *pty.PTY
	screen *screen.Screen
	output chan []byte // closed when nobody holds the terminal any more
	ended  bool
}

// record runs p to its end.
func record(p program, files string) (*recording, error) {
	unshare, err := exec.LookPath("unshare")
	if err != nil {
		return nil, fmt.Errorf("cannot record without unshare, install util-linux: %w", err)
	}
	args := []string{
		"unshare", "--user", "--map-root-user", "--mount", "--uts", "--ipc", "--pid", "--fork",
		"--mount-proc", "--kill-child", "sh", "-c", sandbox, "sh",
	}
	s := &session{
		recording: recording{Cols: p.cols, Rows: p.rows},
		screen:    screen.New(screen.Options{Cols: p.cols, Rows: p.rows, Scrollback: 1000}),
		output:    make(chan []byte),
	}
	s.pty, err = pty.Start(pty.Command{
		Path: unshare, Args: append(args, p.command...), Size: pty.Size{Cols: p.cols, Rows: p.rows},
		Env: []string{"PATH=" + os.Getenv("PATH"), "FILES=" + files},
	})
	if err != nil {
		return nil, err
	}
	stop := make(chan struct{})
	readerEnded := make(chan struct{})
	go func() {
		defer close(readerEnded)
		s.read(stop)
	}()
	err = s.play(p.steps)
	if !s.ended {
		err = errors.Join(err, s.pty.Kill()) // and all of its namespace with it
	}
	close(stop)
	<-readerEnded
	s.pty.Wait()
	s.pty.Close()
	if err != nil {
		os.WriteFile("/tmp/w/jrec/fail.bin", s.data, 0o644)
		return nil, fmt.Errorf("%w; its screen shows:\n%s", err, strings.Join(s.screen.ScreenText(false), "\n"))
	}
	return &s.recording, nil
}

// read hands the output on, until its end; once stop is closed it is thrown away.
func (s *session) read(stop <-chan struct{}) {
	defer close(s.output)
	for {
		b := make([]byte, 4096)
		n, err := s.pty.Read(b)
		if err != nil {
			return
		}
		select {
		case s.output <- b[:n]:
		case <-stop:
		}
	}
}

// play does the steps; the last must end the program.
func (s *session) play(steps []step) error {
	for i, st := range steps {
		if err := s.do(st); err != nil {
			return fmt.Errorf("step %d (%q): %w", i, st.keys, err)
		}
	}
	if !s.ended {
		return errors.New("it has not ended with its script")
	}
	return nil
}

func (s *session) do(st step) error {
	if s.ended {
		return errors.New("it has ended before its script")
	}
	if st.cols > 0 {
		if err := s.pty.Resize(pty.Size{Cols: st.cols, Rows: st.rows}); err != nil {
			return err
		}
		s.Resizes = append(s.Resizes, resize{len(s.data), st.cols, st.rows})
		s.screen.Resize(st.cols, st.rows)
	}
	pieces := []string{st.keys}
	silence := quiet
	if st.typed {
		pieces, silence = strings.Split(st.keys, ""), quietTyped
	}
	for i, keys := range pieces {
		if s.screen.Modes().CursorKeys && len(keys) == 3 {
			keys = strings.Replace(keys, "\x1b[", "\x1bO", 1) // arrows, Home and End
		}
		if _, err := s.pty.Write([]byte(keys)); err != nil {
			return fmt.Errorf("cannot type: %w", err)
		}
		if i == len(pieces)-1 {
			break
		}
		if err := s.settle(silence, ""); err != nil {
			return err
		}
	}
	return s.settle(quiet, st.until)
}

// settle takes output until there was none for a while and the screen shows text.
func (s *session) settle(silence time.Duration, text string) error {
	still := time.NewTimer(silence)
	late := time.NewTimer(patience)
	defer still.Stop()
	defer late.Stop()
	for {
		select {
		case b, ok := <-s.output:
			if !ok {
				s.ended = true
				if text == end {
					return nil
				}
				return fmt.Errorf("it has ended, waiting for %q", text)
			}
			if err := s.take(b); err != nil {
				return err
			}
			still.Reset(silence)
		case <-still.C:
			if s.shows(text) {
				return nil
			}
			still.Reset(silence)
		case <-late.C:
			return fmt.Errorf("it does not settle, or never shows %q", text)
		}
	}
}

func (s *session) shows(text string) bool {
	return text == "" || text != end && strings.Contains(strings.Join(s.screen.ScreenText(true), "\n"), text)
}

// take keeps what the program wrote and answers what it asked.
func (s *session) take(b []byte) error {
	s.data = append(s.data, b...)
	if _, err := s.screen.Write(b); err != nil {
		return err
	}
	if answers := s.screen.Take().Answers; len(answers) > 0 {
		if _, err := s.pty.Write(answers); err != nil {
			return fmt.Errorf("cannot answer: %w", err)
		}
	}
	return nil
}

// neutral fails if the recording tells where it was made.
func (r *recording) neutral() error {
	words := []string{os.TempDir(), "/root", "/work"}
	if host, err := os.Hostname(); err == nil && len(host) > 3 { // shorter ones are in every text
		words = append(words, host)
	}
	if u, err := user.Current(); err == nil {
		words = append(words, u.HomeDir, u.Username+"@")
	}
	if dir, err := os.Getwd(); err == nil {
		words = append(words, dir)
	}
	for _, w := range words {
		if w != "/" && bytes.Contains(r.data, []byte(w)) {
			return fmt.Errorf("the recording holds %q, which is this machine's", w)
		}
	}
	return nil
}
