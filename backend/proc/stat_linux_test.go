package proc_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"drover/backend/proc"
)

func FuzzStat(f *testing.F) {
	b, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte("1 (a) (b) S 0"))
	f.Add([]byte("7 () Z 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 0 0 0 0 12 0 18446744073709551615"))
	f.Fuzz(func(t *testing.T, b []byte) {
		pid, _, _, _, ok := proc.ParseStat(b)
		if ok && pid < 0 && b[0] != '-' {
			t.Error(pid)
		}
	})
}

func TestStatOfAZombieIsRead(t *testing.T) {
	pid, parent, name, start, ok := proc.ParseStat([]byte("7 (a b) Z 1 7 7 0 -1 4 0 0 0 0 2 3 0 0 20 0 1 0 1234 0 0 18446744073709551615 0\n"))
	if !ok || pid != 7 || parent != 1 || name != "a b" || start != 1234 {
		t.Error(pid, parent, name, start, ok)
	}
}

// BenchmarkScan is one scan of 300 processes or more.
func BenchmarkScan(b *testing.B) {
	s := proc.NewScanner("DROVER_BLOCK_ID")
	table, err := s.Scan(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	for range 300 - len(table.All()) {
		c := exec.Command("sleep", "1000")
		if err := c.Start(); err != nil {
			b.Fatal(err)
		}
		defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	}
	b.Run("scan", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if table, err = s.Scan(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(table.All())), "processes")
	})
	b.Run("tree", func(b *testing.B) {
		for b.Loop() {
			table.Tree(proc.Self(), proc.TreeOptions{Block: "none"})
		}
	})
}
