//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"drover/backend/internal/client"
	"drover/backend/pty"
)

// keys is how many keys are timed, one after the other.
const keys = 400

// echoRows times a key to its echo at the socket: alone, and beside four floods.
func echoRows(bin string) ([]row, error) {
	bareEcho, err := bareEchoes()
	if err != nil {
		return nil, err
	}
	idle, err := socketEchoes(bin, 0)
	if err != nil {
		return nil, err
	}
	busy, err := socketEchoes(bin, 4)
	if err != nil {
		return nil, err
	}
	return []row{
		{What: "key to echo at the socket, p50", Value: ms(idle, 0.5), Unit: "ms", Against: "bare PTY echo", Other: ms(bareEcho, 0.5), Ratio: ms(idle, 0.5) / ms(bareEcho, 0.5), Aim: "under 1 ms", Met: ms(idle, 0.5) < 1},
		{What: "key to echo at the socket, p99", Value: ms(idle, 0.99), Unit: "ms", Against: "bare PTY echo", Other: ms(bareEcho, 0.99), Ratio: ms(idle, 0.99) / ms(bareEcho, 0.99), Aim: "told", Met: true},
		{What: "the same beside 4 unseen floods, p99", Value: ms(busy, 0.99), Unit: "ms", Against: "idle", Other: ms(idle, 0.99), Ratio: ms(busy, 0.99) / ms(idle, 0.99), Aim: "under 100 ms", Met: ms(busy, 0.99) < 100},
	}, nil
}

func ms(all []time.Duration, p float64) float64 {
	slices.Sort(all)
	return float64(all[int(float64(len(all)-1)*p)].Microseconds()) / 1000
}

func bareEchoes() ([]time.Duration, error) {
	p, err := pty.Start(pty.Command{Path: "/bin/sh", Args: []string{"sh", "-c", "stty raw -echo; echo ready; exec cat"}, Env: os.Environ(), Dir: os.TempDir()})
	if err != nil {
		return nil, err
	}
	defer func() {
		_ = p.Kill()
		p.Wait()
		_ = p.Close()
	}()
	buf := make([]byte, 1024)
	if _, err := p.Read(buf); err != nil {
		return nil, err
	}
	var out []time.Duration
	for range keys {
		began := time.Now()
		if _, err := p.Write([]byte("x")); err != nil {
			return nil, err
		}
		if _, err := p.Read(buf); err != nil {
			return nil, err
		}
		out = append(out, time.Since(began))
	}
	return out, nil
}

func socketEchoes(bin string, floods int) (out []time.Duration, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	home, err := os.MkdirTemp("", "drover-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	s, err := client.Start(bin, filepath.Join(home, "data"), client.Environment(home))
	if err != nil {
		return nil, err
	}
	defer func() { _, _ = s.Stop() }()
	api, err := s.API(ctx)
	if err != nil {
		return nil, err
	}
	defer api.Close()
	open := func(line string) (string, error) {
		var b struct {
			ID string `json:"id"`
		}
		err := api.Call(ctx, "Workspaces.OpenTerminal", map[string]any{"commandLine": line, "place": map[string]any{"index": -1}}, &b)
		return b.ID, err
	}
	for range floods {
		if _, err := open("yes a line of a flood that nobody looks at"); err != nil {
			return nil, err
		}
	}
	id, err := open("stty raw -echo; echo ready; exec cat")
	if err != nil {
		return nil, err
	}
	t, err := s.Attach(ctx, id)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if _, err := t.WaitFor(ctx, "ready\n"); err != nil {
		return nil, err
	}
	for range keys {
		began := time.Now()
		t.Type("x")
		if _, err := t.Read(ctx); err != nil {
			return nil, err
		}
		out = append(out, time.Since(began))
	}
	return out, nil
}
