package recording

import (
	"context"
	"errors"
	"io"
	"time"

	"drover/backend/screen"
)

// The keys of a player.
const (
	KeyPause  = ' '
	KeyStep   = '.' // while paused: the next event
	KeyFaster = '+'
	KeySlower = '-'
	KeyQuit   = 'q'
	ctrlC     = 0x03
)

// The speeds that a person can reach.
const (
	slowest = 1.0 / 16
	fastest = 256
)

// Player plays a recording into a terminal. Keys, if not nil, are what a person
// types meanwhile.
type Player struct {
	Out   io.Writer
	Keys  <-chan byte
	Speed float64       // 1: as it was; 0 counts as 1
	Idle  time.Duration // no pause is longer, at speed 1; 0: as long as they were
}

// Play plays until the end, until a person quits, or until ctx ends. A change of
// size is not played: the terminal's size is its owner's.
func (p Player) Play(ctx context.Context, r *Reader) (err error) {
	defer func() {
		if _, e := io.WriteString(p.Out, screen.ModesOff); err == nil {
			err = e
		}
	}()
	s := playing{speed: p.Speed, keys: p.Keys}
	if s.speed <= 0 {
		s.speed = 1
	}
	var last time.Duration
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		pause := ev.At - last
		last = ev.At
		if p.Idle > 0 {
			pause = min(pause, p.Idle)
		}
		if !s.wait(ctx, pause) {
			return ctx.Err()
		}
		if ev.Kind != Output {
			continue
		}
		if _, err := io.WriteString(p.Out, ev.Data); err != nil {
			return err
		}
	}
}

type playing struct {
	keys   <-chan byte
	speed  float64
	paused bool
}

// wait waits for a time of the recording, and obeys keys meanwhile; false when
// it is to end.
func (s *playing) wait(ctx context.Context, left time.Duration) bool {
	for left > 0 || s.paused {
		began := time.Now()
		var done <-chan time.Time
		if !s.paused {
			timer := time.NewTimer(time.Duration(float64(left) / s.speed))
			defer timer.Stop()
			done = timer.C
		}
		select {
		case <-done:
			return true
		case <-ctx.Done():
			return false
		case key, ok := <-s.keys:
			if !s.paused {
				left -= time.Duration(float64(time.Since(began)) * s.speed)
			}
			if !ok {
				s.keys, s.paused = nil, false // nobody is there to go on
				continue
			}
			switch key {
			case KeyPause:
				s.paused = !s.paused
			case KeyStep:
				if s.paused {
					return true
				}
			case KeyFaster:
				s.speed = min(s.speed*2, fastest)
			case KeySlower:
				s.speed = max(s.speed/2, slowest)
			case KeyQuit, ctrlC:
				return false
			}
		}
	}
	return ctx.Err() == nil
}
