package termlog_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"drover/backend/termlog"
)

// written makes a closed log of some small frames and one mark for each, and returns its files.
func written(t testing.TB, frames ...int) (files map[string][]byte, end uint64) {
	t.Helper()
	dir := t.TempDir()
	l := open(t, dir, termlog.Options{})
	for _, n := range frames {
		l.Mark(termlog.KindPrompt, []byte("payload"))
		l.Append(pattern(end, n))
		end += uint64(n)
		flush(t, l)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = b
	}
	return files, end
}

func put(t testing.TB, dir string, files map[string][]byte) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

const firstSegment = "00000000000000000000.seg"

// The tail is cut at each byte of the last frames, and filled with nothing, zeros or what
// may be left of an older file.
func TestTornTailIsCutAtTheLastWholeFrame(t *testing.T) {
	lengths := []int{40, 1, 300, 17, 60}
	files, end := written(t, lengths...)
	seg := files[firstSegment]
	older, _ := written(t, 10, 200, 30)
	whole := func(size int) (off uint64) { // what is whole in the first size bytes
		pos := 24
		for _, n := range lengths {
			if pos += 24 + n; pos > size {
				break
			}
			off += uint64(n)
		}
		return off
	}
	for _, fill := range []string{"nothing", "zeros", "old"} {
		for cut := len(seg); cut >= 24; cut-- {
			torn := append([]byte(nil), seg[:cut]...)
			switch fill {
			case "zeros":
				torn = append(torn, make([]byte, 500)...)
			case "old":
				torn = append(torn, older[firstSegment][24:]...)
			}
			dir := t.TempDir()
			put(t, dir, map[string][]byte{firstSegment: torn, "marks": files["marks"]})
			l := open(t, dir, termlog.Options{})
			want := whole(cut)
			settled := cut == len(seg)
			if settled != (l.End() == end) || l.End() < end {
				t.Fatalf("%s, cut at %d: numbers go on at %d, %d were given", fill, cut, l.End(), end)
			}
			gaps := readAll(t, l, 0, 64)
			switch {
			case settled && len(gaps) != 0,
				!settled && (len(gaps) != 1 || gaps[0] != gap{want, l.End(), true}):
				t.Fatalf("%s, cut at %d of %d: gaps %v, want from %d", fill, cut, len(seg), gaps, want)
			}
			at := l.End()
			l.Append(pattern(at, 50))
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			l = open(t, dir, termlog.Options{})
			if l.End() != at+50 || len(l.Marks(0, math.MaxUint64)) != len(lengths) {
				t.Fatalf("%s, cut at %d: opened again, end %d, want %d", fill, cut, l.End(), at+50)
			}
			if again := readAll(t, l, 0, 64); len(again) != len(gaps) {
				t.Fatalf("%s, cut at %d: gaps %v, then %v", fill, cut, gaps, again)
			}
			_ = l.Close()
		}
	}
}

func TestTornMarksAreCut(t *testing.T) {
	files, _ := written(t, 10, 10, 10)
	marks := files["marks"]
	for cut := range len(marks) + 1 {
		dir := t.TempDir()
		put(t, dir, map[string][]byte{firstSegment: files[firstSegment], "marks": marks[:cut]})
		l := open(t, dir, termlog.Options{})
		want := max(0, cut-24) / (24 + len("payload"))
		got := l.Marks(0, math.MaxUint64)
		if len(got) != want || l.End() != 30 {
			t.Fatalf("cut at %d: %d marks, want %d", cut, len(got), want)
		}
		l.Mark(termlog.KindExit, []byte("0"))
		_ = l.Close()
		l = open(t, dir, termlog.Options{})
		if got := l.Marks(0, math.MaxUint64); len(got) != want+1 || got[want].Kind != termlog.KindExit {
			t.Fatalf("cut at %d: then %v", cut, got)
		}
		_ = l.Close()
	}
}

// A flipped byte costs the frame that it is in, wherever it is.
func TestDamageCostsOneFrame(t *testing.T) {
	lengths := []int{40, 1, 300, 17, 60}
	files, end := written(t, lengths...)
	for at := range files[firstSegment] {
		b := append([]byte(nil), files[firstSegment]...)
		b[at] ^= 0x41
		dir := t.TempDir()
		put(t, dir, map[string][]byte{firstSegment: b})
		l := open(t, dir, termlog.Options{})
		if l.End() < end {
			t.Fatalf("damage at %d: numbers go on at %d, %d were given", at, l.End(), end)
		}
		var lost uint64
		for _, g := range readAll(t, l, 0, 64) {
			lost += min(g.to, end) - min(g.from, end)
		}
		if at >= 24 && lost > 300 || at < 24 && lost != end {
			t.Fatalf("damage at %d: %d lost", at, lost)
		}
		_ = l.Close()
	}
}

func TestDamageInAnOldSegmentIsShownAndPassed(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, termlog.Options{})
	end := uint64(0)
	for end < 5<<20 {
		l.Append(pattern(end, 64<<10))
		end += 64 << 10
	}
	_ = l.Close()
	names, _ := filepath.Glob(filepath.Join(dir, "*.seg"))
	b, err := os.ReadFile(names[1])
	if err != nil {
		t.Fatal(err)
	}
	copy(b[300_000:], make([]byte, 1000))
	put(t, dir, map[string][]byte{filepath.Base(names[1]): b})
	if err := os.Remove(names[3]); err != nil {
		t.Fatal(err)
	}
	l = open(t, dir, termlog.Options{})
	gaps := readAll(t, l, 0, 64<<10)
	if len(gaps) != 2 || gaps[0].to-gaps[0].from > 128<<10 || gaps[1].to-gaps[1].from > 1<<20 {
		t.Fatalf("gaps %v", gaps)
	}
	if l.End() != end {
		t.Fatal("end moved")
	}
}

// An old segment is renamed to become the next one. Killed before or after its new header was
// written, it must not give its old bytes new numbers.
func TestKilledWhileAnOldSegmentWasMadeNew(t *testing.T) {
	for _, headed := range []bool{false, true} {
		dir := t.TempDir()
		l := open(t, dir, termlog.Options{Limit: 1 << 20})
		end := uint64(0)
		for end < 900_000 {
			l.Append(pattern(end, 10_000))
			end += 10_000
			flush(t, l)
		}
		_ = l.Close()
		names, _ := filepath.Glob(filepath.Join(dir, "*.seg"))
		next := filepath.Join(dir, fmt.Sprintf("%020d.seg", end))
		if err := os.Rename(names[0], next); err != nil {
			t.Fatal(err)
		}
		if headed {
			// The header of an empty log whose first number is end.
			f, err := os.OpenFile(next, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteAt(termlog.SegmentHeader(end), 0); err != nil {
				t.Fatal(err)
			}
			_ = f.Close()
		}
		l = open(t, dir, termlog.Options{Limit: 1 << 20})
		if l.End() < end {
			t.Fatalf("headed %v: end %d, want %d or more", headed, l.End(), end)
		}
		gaps := readAll(t, l, l.First(), 64<<10)
		if len(gaps) != 1 || gaps[0] != (gap{end, l.End(), true}) {
			t.Fatalf("headed %v: gaps %v", headed, gaps)
		}
		_ = l.Close()
	}
}

// Numbers are those of a plain counter, whatever happens to the log in between.
func TestNumbersAsInAModel(t *testing.T) {
	base := t.TempDir()
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		dir := filepath.Join(base, fmt.Sprint(round))
		limit := rapid.Int64Range(1, 1<<19).Draw(t, "limit")
		start := func() *termlog.Log {
			l, err := termlog.Open(dir, termlog.Options{Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		l := start()
		defer func() { _ = l.Remove() }()
		var end, first uint64
		var marks int
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				n := rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(0, 100_000)).Draw(t, "n")
				if off := l.Append(pattern(end, n)); off != end {
					t.Fatalf("got number %d, want %d", off, end)
				}
				end += uint64(n)
			},
			"mark": func(t *rapid.T) {
				if off := l.Mark(termlog.KindStart, []byte("x")); off != end {
					t.Fatalf("mark at %d, want %d", off, end)
				}
				marks++
			},
			"reopen": func(t *rapid.T) {
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				l = start()
			},
			"read": func(t *rapid.T) {
				off := rapid.Uint64Range(0, end).Draw(t, "off")
				gaps, err := check(l, off, rapid.IntRange(10_000, 100_000).Draw(t, "size"))
				if err != nil {
					t.Fatal(err)
				}
				for _, g := range gaps {
					if g.unsure || g.to > l.First() {
						t.Fatalf("gap %v, first %d", g, l.First())
					}
				}
			},
			"": func(t *rapid.T) {
				if l.End() != end || l.First() < first || l.First() > end {
					t.Fatalf("%d to %d, want %d to %d", l.First(), l.End(), first, end)
				}
				first = l.First()
				if m := l.Marks(0, math.MaxUint64); marks > 0 && len(m) == 0 || len(m) > marks {
					t.Fatalf("%d marks of %d", len(m), marks)
				}
			},
		})
	})
}

// Whatever a file holds, Open and reading end without a panic, and numbers rise.
func FuzzSegment(f *testing.F) {
	files, _ := written(f, 40, 1, 300)
	f.Add(files[firstSegment], files["marks"])
	f.Add(files[firstSegment][:100], files["marks"][:40])
	f.Add([]byte{}, []byte("DRVMRK1\n"))
	f.Fuzz(func(t *testing.T, seg, marks []byte) {
		dir := t.TempDir()
		put(t, dir, map[string][]byte{firstSegment: seg, "marks": marks})
		l, err := termlog.Open(dir, termlog.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Remove() }()
		at := l.Append([]byte("new"))
		p := make([]byte, 1000)
		for off := uint64(0); off < at; {
			n, err := l.ReadAt(off, p)
			if lost, ok := err.(*termlog.LostError); ok && lost.To > off && lost.To <= at+3 {
				off = lost.To
				continue
			}
			if err != nil || n == 0 {
				t.Fatalf("at %d of %d: %d bytes, %v", off, at, n, err)
			}
			off += uint64(n)
		}
		if n, err := l.ReadAt(at, p); err != nil || string(p[:n]) != "new" {
			t.Fatalf("%q %v", p[:n], err)
		}
		l.Marks(0, math.MaxUint64)
		l.SizeAt(at)
	})
}
