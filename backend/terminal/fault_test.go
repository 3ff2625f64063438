package terminal_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"drover/backend/proc"
	"drover/backend/pty"
	"drover/backend/terminal"
	"drover/backend/termlog"
)

// A child that holds the terminal, silent or flooding it, keeps neither the end from
// being told nor the next program from starting: it still lives, and holds it, when
// both have happened. So the end waits for no end of file, and for no silence.
func TestTheEndIsNotGatedByWhoHoldsTheTerminal(t *testing.T) {
	for name, child := range map[string]struct{ begins, goesOn string }{
		"silent": {":", "exec sleep 1000"},
		// It opens the terminal anew for each word: what it had is hung up with the end
		// of the session that the terminal belonged to.
		"flooding": {`trap "" HUP; t=$(tty <&2)`, "while :; do echo flood 2>/dev/null >$t; done"},
	} {
		t.Run(name, func(t *testing.T) {
			term := open(t)
			// Out of the session before the program ends, so that the hang-up spares it;
			// its output is the terminal.
			file, gate := filepath.Join(t.TempDir(), "pid"), filepath.Join(t.TempDir(), "go")
			p := start(t, term, sh(`setsid sh -c '`+child.begins+`; echo $$ >`+file+`.new; mv `+file+`.new `+file+`; `+child.goesOn+`' & while [ ! -e `+gate+` ]; do sleep 0.01; done; exit 5`))
			holder := identity(t, p, file)
			t.Cleanup(func() { _ = proc.Signal(holder, syscall.SIGKILL) })
			if err := os.WriteFile(gate, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if e := wait(t, p); e.Code != 5 {
				t.Errorf("exit %+v", e)
			}
			wait(t, start(t, term, sh("echo again")))
			if alive, known := proc.Alive(holder); !alive || !known {
				t.Error("the child ended meanwhile, so this shows nothing")
			}
		})
	}
}

// identity waits for the file in which a child of p says its pid.
func identity(t *testing.T, p *terminal.Process, file string) proc.ID {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		text, err := os.ReadFile(file)
		if err == nil {
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			id, err := proc.Identify(pid)
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		select {
		case <-tick.C:
		case <-p.Done():
			t.Fatalf("the program ended before its child had begun: %v", err)
		}
	}
}

// A byte is handed to a viewer without any time passing: what is queued goes out
// together, and nothing waits for a timer to bring more.
func TestNoTimerStandsBetweenAByteAndItsViewer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := termlog.NewMemory(termlog.Options{})
		term := terminal.New(log, terminal.Options{})
		v, err := term.Attach(terminal.View{From: 0, Size: terminal.Size{}, Visible: true})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		for i := range 20 {
			got := make(chan string, 1)
			go func() {
				c, err := v.Next(t.Context())
				got <- fmt.Sprintf("%s %v", c.Data, err)
				v.Ack(c.Offset + uint64(len(c.Data)))
			}()
			synctest.Wait() // it waits for a byte
			log.Append([]byte{'a' + byte(i)})
			if s := <-got; s != string(rune('a'+i))+" <nil>" {
				t.Fatalf("byte %d came as %q", i, s)
			}
		}
		// Time goes on here only when everybody waits for it.
		if d := time.Since(began); d != 0 {
			t.Errorf("20 bytes waited %s for a timer", d)
		}
		if err := term.Close(); err != nil {
			t.Error(err)
		}
	})
}

// The end of a program clears nothing of the one that comes after it: the size
// and its owner stay with the terminal, and the next program's input is its own.
func TestTheEndOfAProgramTakesNothingFromTheNext(t *testing.T) {
	term := open(t)
	first := start(t, term, sh("exec sleep 1000"))
	a := attach(t, term, 0, terminal.Size{Cols: 100, Rows: 30})
	b := attach(t, term, 0, terminal.Size{Cols: 120, Rows: 40})
	b.Typed()
	_ = first.Kill()
	wait(t, first)
	// The size that the next one is started with is another, as a pane's may be.
	c := sh("stty raw -echo; stty size; exec cat")
	c.Size = pty.Size{Cols: 80, Rows: 24}
	second := start(t, term, c)
	waitLog(t, term, "40 120")
	if err := a.Resize(terminal.Size{Cols: 90, Rows: 20}); err != nil {
		t.Fatal(err)
	}
	if s := term.Size(); s.Cols != 120 {
		t.Errorf("the owner of the size was forgotten: %+v", s)
	}
	// The first one's end comes once more, as a late one would.
	_ = first.Kill()
	if err := first.Input([]byte("lost"), nil); err == nil {
		t.Error("input to a program that has ended was accepted")
	}
	taken := make(chan struct{})
	if err := second.Input([]byte("kept"), func() { close(taken) }); err != nil {
		t.Fatal(err)
	}
	if text := waitLog(t, term, "kept"); bytes.Contains(text, []byte("lost")) {
		t.Errorf("the second got what was the first's: %q", text)
	}
	<-taken
}

// An endless flood with a viewer that is stuck takes a bounded amount of memory,
// and the viewer is told how many bytes it will never see.
func TestAFloodTakesBoundedMemoryAndShowsWhatIsLost(t *testing.T) {
	const flood, limit = 32 << 20, 2 << 20
	log, err := termlog.Open(filepath.Join(t.TempDir(), "log"), termlog.Options{Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	term := terminal.New(log, terminal.Options{})
	t.Cleanup(func() { _ = term.Close() })
	stuck := attach(t, term, 0, terminal.Size{})
	before := heap()
	p := start(t, term, sh(fmt.Sprintf(`stty -opost; yes "$(printf 'y\r')" | head -c %d`, flood)))
	sent := collect(t, stuck, terminal.Window, false) // and it acknowledges nothing
	wait(t, p)
	// What a log may hold in memory while the disk is slow, and half as much again.
	if grown := heap() - before; grown > 12<<20 {
		t.Errorf("a flood of %d MiB left %d MiB in memory", flood>>20, grown>>20)
	}
	data, lost := uint64(len(sent)), uint64(0)
	for stuck.Ack(data); data+lost < flood; stuck.Ack(data + lost) {
		c, err := stuck.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case c.Kind == terminal.Resized:
		case c.Offset != data+lost:
			t.Fatalf("byte %d came after %d", c.Offset, data+lost)
		case c.Kind == terminal.Data:
			data += uint64(len(c.Data))
		case c.Kind == terminal.Lost:
			lost += c.To - c.Offset
		}
	}
	if lost < flood/2 || data > flood/2 {
		t.Errorf("%d bytes came and %d are said to be lost, of %d with a log of %d", data, lost, flood, limit)
	}
}

// A write that the terminal cannot take whole is gone on with when there is room:
// one input that is larger than all buffers of a terminal, to a program that does
// not read yet.
func TestAWriteToAFullTerminalIsGoneOnWith(t *testing.T) {
	term := open(t)
	gate := filepath.Join(t.TempDir(), "go")
	want := bytes.Repeat([]byte("0123456789abcdef"), 16<<10)
	p := start(t, term, sh(fmt.Sprintf(`stty raw -echo; echo ready; while [ ! -e %s ]; do echo tick; sleep 0.01; done; head -c %d | md5sum`, gate, len(want))))
	waitLog(t, term, "ready")
	taken := make(chan struct{})
	if err := p.Input(bytes.Clone(want), func() { close(taken) }); err != nil {
		t.Fatal(err)
	}
	waitLog(t, term, "tick\ntick\ntick\n")
	select {
	case <-taken:
		t.Fatalf("%d bytes were taken without a reader: this shows nothing, or they are cut", len(want))
	default:
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	waitLog(t, term, md5sum(want))
	<-taken
	wait(t, p)
}

// heap is what is in use once the garbage is gone.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what is pooled goes with the second one
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The limit that people are warned of is the one that the system has: a line of
// so many bytes arrives, a longer one loses its end.
func TestALongLineIsCutWhereTheModesSay(t *testing.T) {
	dir := t.TempDir()
	for _, over := range []int{0, 1, 900} {
		term := open(t)
		file := filepath.Join(dir, fmt.Sprint(over))
		p := start(t, term, sh("echo ready; head -n 1 >"+file))
		waitLog(t, term, "ready")
		m := term.Modes()
		if !m.Known || !m.Canonical {
			t.Skipf("the system does not tell: %+v", m)
		}
		line := strings.Repeat("x", m.LineLimit+over)
		if err := p.Input([]byte(line+"\n"), nil); err != nil {
			t.Fatal(err)
		}
		wait(t, p)
		got, err := os.ReadFile(file)
		if err != nil || len(got) != m.LineLimit+1 {
			t.Errorf("of a line of %d bytes %d arrived, the limit is said to be %d (%v)", len(line), len(got)-1, m.LineLimit, err)
		}
	}
}
