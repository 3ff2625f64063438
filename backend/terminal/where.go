package terminal

import (
	"context"
	"errors"
	"fmt"

	"drover/backend/screen"
	"drover/backend/termlog"
)

// before is how much of a log is replayed in front of a place that is looked for,
// so that the screen is as it was there (bytes).
const before = 1 << 20

// Where says on which line the byte off of a log stood, or stands, once the bytes
// below at had been written: how many lines are below it, down to the bottom of
// the screen. It is false when the line is gone from a screen with a scrollback of
// so many lines, or was shown on the alternate screen. images: pictures take room. It reads from disk, a few
// tenths of a second for 64 MiB, and returns ctx's error once that has ended.
func Where(ctx context.Context, log *termlog.Log, off, at uint64, lines int, images bool) (below int, ok bool, err error) {
	off, at = max(off, log.First()), min(at, log.End())
	if off > at {
		return 0, false, nil
	}
	scr := screen.New(screen.Options{Scrollback: lines, Images: images})
	if err := replay(ctx, log, scr, off-min(off, before), off); err != nil {
		return 0, false, err
	}
	scr.Follow()
	if err := replay(ctx, log, scr, off, at); err != nil {
		return 0, false, err
	}
	below, ok = scr.Followed()
	return below, ok, nil
}

// replay writes the bytes of a log from number from to number to on a screen, at
// the sizes that they were written for. It fails where the log cannot be read, and
// with ctx's error.
func replay(ctx context.Context, log *termlog.Log, scr *screen.Screen, from, to uint64) error {
	from = max(from, log.First())
	sizes := log.Marks(from+1, to+1)
	resize := func(size termlog.Size, ok bool) {
		if ok {
			scr.Resize(int(size.Cols), int(size.Rows))
			scr.SetPixels(int(size.XPixel), int(size.YPixel))
		}
	}
	resize(log.SizeAt(from))
	buf := make([]byte, replayed/16)
	for from < to {
		if err := ctx.Err(); err != nil {
			return err
		}
		end := min(from+uint64(len(buf)), to)
		for len(sizes) > 0 && sizes[0].Off <= from {
			resize(sizes[0].Size())
			sizes = sizes[1:]
		}
		if len(sizes) > 0 {
			end = min(end, sizes[0].Off)
		}
		n, err := log.ReadAt(from, buf[:end-from])
		var lost *termlog.LostError
		if errors.As(err, &lost) {
			from = lost.To
			continue
		}
		if err != nil {
			return fmt.Errorf("cannot read the terminal's log: %w", err)
		}
		scr.Skim(buf[:n])
		from += uint64(n)
	}
	for _, m := range sizes {
		resize(m.Size())
	}
	return nil
}
