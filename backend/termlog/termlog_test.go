package termlog_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"drover/backend/termlog"
)

func TestMain(m *testing.M) {
	if what := os.Getenv("TERMLOG_CHILD"); what != "" {
		child(what)
		return
	}
	goleak.VerifyTestMain(m)
}

// pattern returns the bytes numbered from off on of a stream in which every byte follows
// from its number.
func pattern(off uint64, n int) []byte {
	p := make([]byte, n)
	for i := range p {
		x := off + uint64(i)
		p[i] = byte(x ^ x>>8 ^ x>>17)
	}
	return p
}

func open(t testing.TB, dir string, o termlog.Options) *termlog.Log {
	t.Helper()
	l, err := termlog.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

type gap struct {
	from, to uint64
	unsure   bool
}

// readAll reads from off to the end, checks each byte against the pattern, and returns the
// gaps.
func readAll(t testing.TB, l *termlog.Log, off uint64, size int) (gaps []gap) {
	t.Helper()
	gaps, err := check(l, off, size)
	if err != nil {
		t.Fatal(err)
	}
	return gaps
}

func check(l *termlog.Log, off uint64, size int) (gaps []gap, err error) {
	p := make([]byte, size)
	end := l.End()
	for off < end {
		n, err := l.ReadAt(off, p)
		var lost *termlog.LostError
		switch {
		case errors.As(err, &lost):
			if lost.From != off || lost.To <= off || lost.To > l.End() {
				return nil, fmt.Errorf("lost %d to %d when reading at %d, end %d", lost.From, lost.To, off, l.End())
			}
			gaps = append(gaps, gap{lost.From, lost.To, lost.Unsure})
			off = lost.To
		case err != nil:
			return nil, fmt.Errorf("reading at %d of %d: %w", off, end, err)
		case n == 0:
			return nil, fmt.Errorf("nothing and no error at %d", off)
		default:
			if !bytes.Equal(p[:n], pattern(off, n)) {
				return nil, fmt.Errorf("wrong bytes at %d (%d)", off, n)
			}
			off += uint64(n)
		}
	}
	return gaps, nil
}

func flush(t testing.TB, l *termlog.Log) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := l.Flush(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestNumbersGoOnOverCloseAndOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	var off uint64
	for round := range 5 {
		l := open(t, dir, termlog.Options{})
		if l.End() != off || l.First() != 0 {
			t.Fatalf("round %d: %d to %d, want 0 to %d", round, l.First(), l.End(), off)
		}
		for _, n := range []int{1, 0, 5000, 70_000, 3} {
			if got := l.Append(pattern(off, n)); got != off {
				t.Fatalf("append gave %d, want %d", got, off)
			}
			off += uint64(n)
		}
		if g := readAll(t, l, 0, 1000); g != nil {
			t.Fatalf("gaps %v", g)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if g := readAll(t, l, 0, 64<<10); g != nil {
			t.Fatalf("gaps after close %v", g)
		}
	}
}

func TestEndsOfReading(t *testing.T) {
	for name, l := range map[string]*termlog.Log{
		"disk": open(t, t.TempDir(), termlog.Options{}), "memory": termlog.NewMemory(termlog.Options{}),
	} {
		t.Run(name, func(t *testing.T) {
			p := make([]byte, 10)
			if _, err := l.ReadAt(0, p); !errors.Is(err, io.EOF) {
				t.Errorf("empty: %v", err)
			}
			l.Append([]byte("abc"))
			if _, err := l.ReadAt(3, p); !errors.Is(err, io.EOF) {
				t.Errorf("at the end: %v", err)
			}
			if _, err := l.ReadAt(4, p); !errors.Is(err, termlog.ErrAhead) {
				t.Errorf("beyond: %v", err)
			}
			if n, err := l.ReadAt(1, p); n != 2 || err != nil || string(p[:n]) != "bc" {
				t.Errorf("%d %v %q", n, err, p[:n])
			}
		})
	}
}

func TestEmptyLogLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, termlog.Options{})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if e, _ := os.ReadDir(dir); len(e) != 0 {
		t.Fatalf("files: %v", e)
	}
}

func TestFilesAreTheUsersOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	l := open(t, dir, termlog.Options{})
	l.Append([]byte("x"))
	l.Resize(termlog.Size{Cols: 80, Rows: 24})
	flush(t, l)
	if i, _ := os.Stat(dir); i.Mode().Perm() != 0o700 {
		t.Errorf("directory %v", i.Mode())
	}
	files, _ := os.ReadDir(dir)
	if len(files) != 2 {
		t.Errorf("files %v", files)
	}
	for _, f := range files {
		if i, _ := f.Info(); i.Mode().Perm() != 0o600 {
			t.Errorf("%s %v", f.Name(), i.Mode())
		}
	}
}

func TestLimitDropsTheOldest(t *testing.T) {
	dir := t.TempDir()
	const limit = 4 << 20
	l := open(t, dir, termlog.Options{Limit: limit})
	var off uint64
	for off < 20<<20 {
		l.Append(pattern(off, 32<<10))
		off += 32 << 10
	}
	flush(t, l)
	if s := l.Stored(); s > limit || s < limit/2 {
		t.Errorf("stored %d", s)
	}
	first := l.First()
	if kept := off - first; kept > limit || kept < limit/2 {
		t.Errorf("kept %d", kept)
	}
	want := []gap{{0, first, false}}
	if g := readAll(t, l, 0, 64<<10); len(g) != 1 || g[0] != want[0] {
		t.Errorf("gaps %v, want %v", g, want)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open(t, dir, termlog.Options{Limit: limit})
	if l.First() != first || l.End() != off {
		t.Errorf("after open %d to %d, want %d to %d", l.First(), l.End(), first, off)
	}
	readAll(t, l, first, 777)
}

func TestMemoryLogKeepsTheNewest(t *testing.T) {
	l := termlog.NewMemory(termlog.Options{Limit: 1 << 20})
	var off uint64
	for off < 5<<20 {
		l.Append(pattern(off, 3000))
		off += 3000
	}
	first := l.First()
	if kept := off - first; kept > 1<<20 || kept < 1<<19 {
		t.Errorf("kept %d", kept)
	}
	if g := readAll(t, l, 0, 64<<10); len(g) != 1 || g[0] != (gap{0, first, false}) {
		t.Errorf("gaps %v", g)
	}
	if err := l.Remove(); err != nil {
		t.Fatal(err)
	}
}

func TestRemoveLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	l := open(t, dir, termlog.Options{})
	l.Append(pattern(0, 1<<20))
	if err := l.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("still there: %v", err)
	}
	if _, err := l.ReadAt(5, make([]byte, 10)); err == nil {
		t.Error("read something")
	}
}

func TestWaitAndChanged(t *testing.T) {
	l := open(t, t.TempDir(), termlog.Options{})
	got := make(chan error)
	go func() { got <- l.Wait(context.Background(), 4) }()
	l.Append([]byte("abcd"))
	select {
	case err := <-got:
		t.Fatalf("came back before byte 4: %v", err)
	default:
	}
	l.Append([]byte("e"))
	if err := <-got; err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { got <- l.Wait(ctx, 5) }()
	cancel()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	ch := l.Changed()
	l.Resize(termlog.Size{Cols: 1, Rows: 1})
	<-ch
	go func() { got <- l.Wait(context.Background(), 5) }()
	ch = l.Changed()
	_ = l.Close()
	<-ch
	<-l.Changed()
	if err := <-got; !errors.Is(err, termlog.ErrClosed) {
		t.Fatal(err)
	}
	if off := l.Append([]byte("x")); off != 5 || l.End() != 5 {
		t.Error("a closed log grew")
	}
}

// A viewer that takes Changed, reads to the end and waits must see every byte.
func TestReadersFollowAWriter(t *testing.T) {
	l := open(t, t.TempDir(), termlog.Options{Limit: 8 << 20, Pool: termlog.NewPool()})
	const total = 24 << 20
	var wg sync.WaitGroup
	for reader := range 6 {
		wg.Go(func() {
			p := make([]byte, 1000+reader*13_000)
			var off, lost uint64
			for off < total {
				ch := l.Changed()
				n, err := l.ReadAt(off, p)
				var le *termlog.LostError
				switch {
				case errors.As(err, &le):
					lost += le.To - le.From
					off = le.To
				case errors.Is(err, io.EOF):
					<-ch
				case err != nil:
					t.Error(err)
					return
				default:
					if !bytes.Equal(p[:n], pattern(off, n)) {
						t.Errorf("wrong bytes at %d", off)
						return
					}
					off += uint64(n)
				}
				if reader == 5 && n > 0 && off%7 == 0 {
					off -= uint64(n) / 2 // one that goes back now and then
				}
			}
		})
	}
	for off := uint64(0); off < total; off += 4096 {
		l.Append(pattern(off, 4096))
	}
	wg.Wait()
}

func TestSpansTellWhenBytesCame(t *testing.T) {
	dir := t.TempDir()
	before := time.Now().Truncate(time.Millisecond)
	l := open(t, dir, termlog.Options{})
	for off := range uint64(3) {
		l.Append(pattern(off*100, 100))
		flush(t, l)
	}
	_ = l.Close()
	after := time.Now()
	var at uint64
	for at < l.End() {
		s, err := l.Span(at)
		if err != nil {
			t.Fatal(err)
		}
		if s.From != at || s.To <= at || s.At.Before(before) || s.At.After(after) {
			t.Fatalf("%+v at %d (%v to %v)", s, at, before, after)
		}
		at = s.To
	}
}

func TestMarks(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, termlog.Options{})
	l.Resize(termlog.Size{Cols: 80, Rows: 24})
	l.Mark(termlog.KindStart, []byte("1"))
	l.Append(pattern(0, 10))
	l.Resize(termlog.Size{Cols: 100, Rows: 30, XPixel: 800, YPixel: 600})
	l.Append(pattern(10, 10))
	l.Mark(termlog.KindExit, []byte("0"))
	verify := func() {
		t.Helper()
		var s string
		for _, m := range l.Marks(0, math.MaxUint64) {
			s += fmt.Sprintf("%d@%d ", m.Kind, m.Off)
		}
		if s != "1@0 2@0 1@10 3@20 " {
			t.Fatal(s)
		}
		if m := l.Marks(1, 20); len(m) != 1 || m[0].Off != 10 {
			t.Fatal(m)
		}
		a, _ := l.SizeAt(9)
		b, _ := l.SizeAt(10)
		if a.Cols != 80 || b != (termlog.Size{Cols: 100, Rows: 30, XPixel: 800, YPixel: 600}) {
			t.Fatal(a, b)
		}
	}
	verify()
	_ = l.Close()
	verify()
	l = open(t, dir, termlog.Options{})
	verify()
}

func TestMarksAreTrimmedWithTheBytesButTheSizeStays(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, termlog.Options{Limit: 1 << 20})
	l.Resize(termlog.Size{Cols: 80, Rows: 24})
	var off uint64
	for off < 8<<20 {
		l.Mark(termlog.KindPrompt, bytes.Repeat([]byte("x"), 300))
		l.Append(pattern(off, 4096))
		off += 4096
	}
	for range 2 {
		flush(t, l)
		all := l.Marks(0, math.MaxUint64)
		if all[0].Kind != termlog.KindSize || all[0].Off != 0 {
			t.Fatalf("first mark %+v", all[0])
		}
		if all[1].Off < l.First() {
			t.Fatalf("mark at %d, first %d", all[1].Off, l.First())
		}
		if s, ok := l.SizeAt(l.First()); !ok || s.Cols != 80 {
			t.Fatal("size forgotten")
		}
		i, err := os.Stat(filepath.Join(dir, "marks"))
		if err != nil || i.Size() > 400<<10 {
			t.Fatalf("marks file %v %v", i.Size(), err)
		}
		_ = l.Close()
		l = open(t, dir, termlog.Options{Limit: 1 << 20})
	}
}

func TestMarksAreBounded(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, termlog.Options{})
	l.Resize(termlog.Size{Cols: 80, Rows: 24})
	for range 40_000 {
		l.Mark(termlog.KindPrompt, nil)
		l.Append([]byte("x"))
	}
	l.Mark(termlog.KindExit, nil)
	for range 2 {
		all := l.Marks(0, math.MaxUint64)
		if len(all) > 16<<10 || len(all) < 8<<10 || all[0].Kind != termlog.KindSize || all[len(all)-1].Kind != termlog.KindExit {
			t.Fatalf("%d marks", len(all))
		}
		_ = l.Close()
		l = open(t, dir, termlog.Options{})
	}
}

func TestIdleLogCostsNoGoroutine(t *testing.T) {
	l := open(t, t.TempDir(), termlog.Options{})
	for round := range 3 {
		off := l.End()
		l.Append(pattern(off, 100))
		l.Resize(termlog.Size{Cols: 80, Rows: uint16(round)})
		// The log stays open: what runs on is not waited for by Close.
		if err := goleak.Find(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if g := readAll(t, l, 0, 64<<10); g != nil {
			t.Fatalf("gaps %v", g)
		}
	}
}
