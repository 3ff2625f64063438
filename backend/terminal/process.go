package terminal

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"drover/backend/pty"
)

// The end of a program: how long its terminal must be quiet, and how long it is
// drained at most. A child in the background may hold the terminal for ever.
const (
	quietTime = 100 * time.Millisecond
	drainTime = time.Second
)

// readSize is how much one read of the PTY can take; Linux gives 4 KiB.
const readSize = 64 << 10

// Process is one program in a terminal, from Terminal.Start to its end.
type Process struct {
	term  *Terminal
	pty   *pty.PTY
	input *inputQueue
	read  chan struct{} // one token: something was read since last asked
	more  chan struct{} // one token: something is to be drawn
	eof   chan struct{} // closed when the reader has ended
	done  chan struct{}
	exit  pty.Exit // valid once done is closed
	wg    sync.WaitGroup
}

func newProcess(t *Terminal, p *pty.PTY) *Process {
	proc := &Process{
		term: t, pty: p,
		input: newInputQueue(),
		read:  make(chan struct{}, 1),
		more:  make(chan struct{}, 1),
		eof:   make(chan struct{}),
		done:  make(chan struct{}),
	}
	proc.wg.Go(proc.readLoop)
	proc.wg.Go(proc.drawLoop)
	proc.wg.Go(func() { proc.input.writeTo(p) })
	go proc.reap()
	return proc
}

// PID is the program's.
func (p *Process) PID() int { return p.pty.PID() }

// Done is closed when the program has ended, its output is in the log, and the
// terminal is free for the next.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit is how it ended; valid once Done is closed.
func (p *Process) Exit() pty.Exit { return p.exit }

// Input queues bytes for the program, which own b from then on, and returns at
// once. taken, if not nil, is called once the PTY has taken all of them; never,
// if the program ends first.
func (p *Process) Input(b []byte, taken func()) error { return p.input.add(b, taken) }

// Signal sends a signal by name ("INT", "SIGTERM") to what runs in the foreground. HUP
// hangs up: the foreground programs and the program itself hear it, as when a window is
// closed.
func (p *Process) Signal(name string) error {
	sig, ok := pty.SignalNumber(name)
	if !ok {
		return fmt.Errorf("cannot send %q: there is no such signal", name)
	}
	err := p.pty.SignalForeground(sig)
	if hup, _ := pty.SignalNumber("HUP"); sig == hup {
		return errors.Join(err, p.pty.HangUp())
	}
	return err
}

// Terminate asks the program to end.
func (p *Process) Terminate() error { return p.pty.Terminate() }

// HangUp asks the program to end as a closed terminal does.
func (p *Process) HangUp() error { return p.pty.HangUp() }

// Resize sets the terminal's size, whoever owns it.
func (p *Process) Resize(s pty.Size) error { return p.term.Resize(s) }

// Kill ends the program now.
func (p *Process) Kill() error { return p.pty.Kill() }

// readLoop drains the PTY into the log until the end. It waits for nobody but the
// pacer, and for that only when much has come.
func (p *Process) readLoop() {
	defer close(p.eof)
	buf := make([]byte, readSize)
	owed := 0
	for {
		n, err := p.pty.Read(buf)
		if n > 0 {
			p.term.shown.write(buf[:n])
			select {
			case p.more <- struct{}{}:
			default:
			}
			select {
			case p.read <- struct{}{}:
			default:
			}
			if owed += n; owed >= paidFrom {
				if p.term.visible.Load() > 0 {
					p.term.o.Pacer.wait(owed)
				}
				owed = 0
			}
		}
		if err != nil {
			return
		}
	}
}

// In a flood, what was read is drawn for whoever looks, and else seldom: its lines are
// gone before anybody could see them, and drawing a few at a time costs as much as
// reading them. It is one while flooding bytes come in each floodPause. What happens in
// it, a bell or a question, is found after seldom at most, and one pause after it ends.
const (
	flooding   = 32 << 10
	floodPause = 10 * time.Millisecond
	seldom     = 100 * time.Millisecond
)

// drawLoop draws what was read, answers what the program asks in that order, and
// tells what happened. It ends after the reader, with everything drawn.
func (p *Process) drawLoop() {
	drawn, end := time.Now(), p.term.log.End()
	for ended := false; !ended; {
		select {
		case <-p.more:
		case <-p.eof:
			ended = true
		}
		for flood := p.floods(&end, time.Since(drawn)); flood && !ended && time.Since(drawn) < seldom; {
			select {
			case <-time.After(floodPause):
				flood = p.floods(&end, floodPause)
			case <-p.eof:
				ended = true
			}
		}
		drawn = time.Now()
		out := p.term.shown.draw()
		if len(out.Answers) > 0 {
			p.input.reply(out.Answers)
		}
		p.term.tell(out.Events)
	}
}

// floods says whether what came since end, in so much time, is a flood.
func (p *Process) floods(end *uint64, took time.Duration) bool {
	from := *end
	*end = p.term.log.End()
	return float64(*end-from) >= flooding*max(1, float64(took)/float64(floodPause))
}

// reap waits for the program first and for its output afterwards, within
// bounds: a child that holds the terminal must not keep the end from being told.
func (p *Process) reap() {
	p.exit = p.pty.Wait()
	limit := time.NewTimer(drainTime)
	defer limit.Stop()
	quiet := time.NewTimer(quietTime)
	defer quiet.Stop()
	for draining := true; draining; {
		select {
		case <-p.eof:
			draining = false
		case <-p.read:
			quiet.Reset(quietTime)
		case <-quiet.C:
			draining = false
		case <-limit.C:
			draining = false
		}
	}
	p.input.close()
	_ = p.pty.Close()
	p.wg.Wait()
	p.term.ended(p)
	close(p.done)
}
