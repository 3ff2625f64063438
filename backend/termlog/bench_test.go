package termlog_test

import (
	"fmt"
	"runtime"
	"testing"

	"drover/backend/termlog"
)

// BenchmarkAppend floods (what the disk cannot take becomes a gap); BenchmarkRecord writes no
// faster than the disk takes it, so that its figure is for bytes that were all written.
func BenchmarkAppend(b *testing.B) { benchAppend(b, 0) }
func BenchmarkRecord(b *testing.B) { benchAppend(b, 2<<20) }

func benchAppend(b *testing.B, flushEvery int) {
	for _, size := range []int{64, 4096, 65536} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			l := open(b, b.TempDir(), termlog.Options{})
			p := pattern(0, size)
			b.SetBytes(int64(size))
			start := cpuTime()
			b.ResetTimer()
			for since := 0; b.Loop(); since += size {
				l.Append(p)
				if flushEvery > 0 && since > flushEvery {
					since = 0
					flush(b, l)
				}
			}
			flush(b, l)
			if cpu := (cpuTime() - start).Seconds(); cpu > 0 {
				b.ReportMetric(float64(l.End())/1e6/cpu, "MB/CPU-s")
			}
		})
	}
}

func BenchmarkReadAt(b *testing.B) {
	l := open(b, b.TempDir(), termlog.Options{})
	for off := uint64(0); off < 48<<20; off += 4096 {
		l.Append(pattern(off, 4096))
		if off%(1<<20) == 0 {
			flush(b, l)
		}
	}
	_ = l.Close()
	for _, size := range []int{4096, 65536} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			p := make([]byte, size)
			b.SetBytes(int64(size))
			off := uint64(0)
			for range b.N {
				n, err := l.ReadAt(off, p)
				if err != nil {
					off = 0
					continue
				}
				off += uint64(n)
			}
		})
	}
	b.Run("random", func(b *testing.B) {
		p := make([]byte, 65536)
		for i := range b.N {
			off := uint64(i) * 7_654_321 % l.End()
			if _, err := l.ReadAt(off, p); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkIdleLogs reports what one log costs that has been opened and left alone.
func BenchmarkIdleLogs(b *testing.B) {
	dir := b.TempDir()
	pool := termlog.NewPool()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	logs := make([]*termlog.Log, 0, b.N)
	for i := range b.N {
		l, err := termlog.Open(fmt.Sprintf("%s/%d", dir, i), termlog.Options{Pool: pool})
		if err != nil {
			b.Fatal(err)
		}
		l.Append([]byte("$ "))
		logs = append(logs, l)
	}
	for _, l := range logs {
		flush(b, l)
	}
	for runtime.NumGoroutine() > 10 {
		runtime.Gosched()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/float64(b.N), "B/log")
	for _, l := range logs {
		if err := l.Remove(); err != nil {
			b.Fatal(err)
		}
	}
}
