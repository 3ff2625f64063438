package terminal_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"drover/backend/screen"
	"drover/backend/terminal"
	"drover/backend/termlog"
)

// Where is held against a screen that has drawn all of it: the line so far above
// the bottom is the one that was meant, though others are the same.
func TestWhere(t *testing.T) {
	const lines = 200
	numbered := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "line %d\r\n", i)
		}
		return b.String()
	}
	size := func(cols, rows uint16) termlog.Size { return termlog.Size{Cols: cols, Rows: rows} }
	for _, row := range []struct {
		name    string
		before  string
		after   string
		resized termlog.Size // between, if it is not zero
		gone    bool
	}{
		{name: "the last line", before: numbered(3)},
		{name: "among lines like it", before: strings.Repeat("the same\r\n", 50), after: strings.Repeat("the same\r\n", 70)},
		{name: "below a flood", before: numbered(20_000), after: numbered(30)},
		{name: "above a small flood", before: numbered(5), after: numbered(150)},
		{name: "above a flood that takes it away", before: numbered(5), after: numbered(20_000), gone: true},
		{name: "on a screen that was made narrow", before: numbered(20), after: strings.Repeat("wraps more than once ", 3) + "\r\n", resized: size(20, 10)},
		{name: "on a screen that was made wide", before: strings.Repeat("0123456789", 30) + "\r\n", after: numbered(30), resized: size(100, 30)},
		{name: "cleared away with the scrollback", before: numbered(5), after: "\x1b[H\x1b[2J\x1b[3J$ ", gone: true},
		{name: "behind an editor", before: numbered(30), after: "\x1b[?1049h\x1b[H\x1b[2J" + strings.Repeat("~\r\n", 40)},
		{name: "in an editor", before: numbered(5) + "\x1b[?1049h\x1b[3;4H", after: "\x1b[?1049l$ ", gone: true},
		{name: "with marks of a shell", before: strings.Repeat("\x1b]133;A\x07$ \r\n", 20), after: strings.Repeat("\x1b]133;A\x07$ \r\n", 20)},
	} {
		t.Run(row.name, func(t *testing.T) {
			log := termlog.NewMemory(termlog.Options{})
			defer log.Close()
			scr := screen.New(screen.Options{Cols: 40, Rows: 12, Scrollback: lines})
			write := func(s string) {
				log.Append([]byte(s))
				_, _ = scr.Write([]byte(s))
			}
			log.Resize(size(40, 12))
			write(row.before)
			off := log.End()
			write("this one\r\n")
			if row.resized != (termlog.Size{}) {
				log.Resize(row.resized)
				scr.Resize(int(row.resized.Cols), int(row.resized.Rows))
			}
			write(row.after)
			end := log.End()
			log.Append([]byte(numbered(50))) // the viewer has not seen this
			below, ok, err := terminal.Where(t.Context(), log, off, end, lines, false)
			if err != nil || ok == row.gone {
				t.Fatalf("found %v, %v", ok, err)
			}
			if row.gone {
				return
			}
			if scr.Alternate() {
				_, _ = scr.Write([]byte("\x1b[?1049l"))
			}
			_, rows := scr.Size()
			text, _ := scr.AppendLine(nil, scr.ScreenLine()+int64(rows-1-below))
			if got := strings.TrimSpace(string(text)); got != "this one" {
				t.Errorf("%d above the bottom stands %q", below, got)
			}
		})
	}
}

func TestWhereIsStopped(t *testing.T) {
	log := termlog.NewMemory(termlog.Options{})
	defer log.Close()
	log.Append([]byte("one\r\ntwo\r\n"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := terminal.Where(ctx, log, 5, log.End(), 10, false); !errors.Is(err, context.Canceled) {
		t.Errorf("it went on: %v", err)
	}
}
