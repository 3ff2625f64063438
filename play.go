package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"drover/backend/recording"
)

func playCommand() *cobra.Command {
	var speed float64
	var idle time.Duration
	c := &cobra.Command{
		Use:   "play FILE",
		Short: "Play a recording (asciicast v2) in this terminal",
		Long: `Play a recording (asciicast v2) in this terminal.

Keys: space pauses and goes on, . shows the next piece while it is paused,
+ and - change the speed, q ends it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return play(args[0], recording.Player{Speed: speed, Idle: idle})
		},
	}
	c.Flags().Float64Var(&speed, "speed", 1, "how many times as fast as it was")
	c.Flags().DurationVar(&idle, "idle", 2*time.Second, "the longest pause; 0 keeps all as they were")
	return c
}

func play(path string, p recording.Player) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("cannot play the recording: %w", err)
	}
	defer f.Close()
	r, err := recording.NewReader(f)
	if err != nil {
		return fmt.Errorf("cannot play %s: %w", filepath.Base(path), err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p.Out = os.Stdout
	if cols, rows, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
		if h := r.Header(); cols > 0 && (h.Width > cols || h.Height > rows) {
			fmt.Printf("Recorded at %dx%d; this terminal has %dx%d, so some of it may not look right.\r\n", h.Width, h.Height, cols, rows)
		}
	}
	if in := int(os.Stdin.Fd()); term.IsTerminal(in) {
		old, err := term.MakeRaw(in)
		if err != nil {
			return fmt.Errorf("cannot read keys: %w", err)
		}
		defer func() { _ = term.Restore(in, old) }()
		p.Keys = typed()
	}
	if err := p.Play(ctx, r); err != nil && ctx.Err() == nil {
		return fmt.Errorf("cannot play %s: %w", filepath.Base(path), err)
	}
	return nil
}

// typed are the keys that come from standard input. Its goroutine ends with the
// process: a read of a terminal cannot be woken.
func typed() <-chan byte {
	keys := make(chan byte)
	go func() {
		defer close(keys)
		b := make([]byte, 1)
		for {
			if n, err := os.Stdin.Read(b); err != nil || n == 0 {
				return
			}
			keys <- b[0]
		}
	}()
	return keys
}
