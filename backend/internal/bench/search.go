//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"drover/backend/search"
	"drover/backend/termlog"
)

// searchedBytes is a full log; foundLines is how many hits a page asks for at once.
const (
	searchedBytes = 64 << 20
	foundLines    = 200
)

// searchRows times a search through a full log that is on disk: to the first hits,
// and to the end of it for a text that is not there; grep does the same with the
// same bytes.
func searchRows(string) ([]row, error) {
	dir, err := os.MkdirTemp("", "drover-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	plain, log, err := fullLog(dir)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	var rows []row
	for _, c := range []struct {
		what  string
		query search.Query
		grep  []string
	}{
		{"a frequent text", search.Query{Text: "step 7"}, []string{"-iF", "step 7"}},
		{"a text far from the end", search.Query{Text: "the only one"}, []string{"-iF", "the only one"}},
		{"a text that is not there", search.Query{Text: "not anywhere"}, []string{"-iF", "not anywhere"}},
		{"an expression far from the end", search.Query{Text: `the o\w+y one`, Regexp: true, MatchCase: true}, []string{"-E", `the o\w+y one`}},
	} {
		took, err := quickest(func() (time.Duration, error) { return firstHits(log, c.query) })
		if err != nil {
			return nil, err
		}
		grep, err := quickest(func() (time.Duration, error) { return grepped(append(c.grep, plain)...) })
		if err != nil {
			return nil, err
		}
		value, other := milliseconds(took), milliseconds(grep)
		aim, met := "under 300 ms", value < 300
		if c.query.Regexp {
			aim, met = "told", true
		}
		rows = append(rows, row{What: "search 64 MiB for " + c.what, Value: value, Unit: "ms", Against: "grep, all of it", Other: other, Ratio: value / other, Aim: aim, Met: met})
	}
	return rows, nil
}

// quickest is the shortest of some tries.
func quickest(try func() (time.Duration, error)) (least time.Duration, err error) {
	for n := range 5 {
		took, err := try()
		if err != nil {
			return 0, err
		}
		if n == 0 || took < least {
			least = took
		}
	}
	return least, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// fullLog is a log as a build makes it, and a file of the same bytes.
func fullLog(dir string) (plain string, log *termlog.Log, err error) {
	log, err = termlog.Open(filepath.Join(dir, "log"), termlog.Options{Limit: 2 * searchedBytes})
	if err != nil {
		return "", nil, err
	}
	plain = filepath.Join(dir, "plain")
	f, err := os.Create(plain)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	var piece []byte
	for n, done := 0, 0; done < searchedBytes; n++ {
		piece = fmt.Appendf(piece[:0], "\x1b[32m[%6d]\x1b[0m compiling part %d, step %d of the whole, and more of such text\r\n", n, n%977, n%100)
		if n == 1000 {
			piece = append(piece, "this is the only one of its kind\r\n"...)
		}
		log.Append(piece)
		if _, err := f.Write(piece); err != nil {
			return "", nil, err
		}
		done += len(piece)
	}
	return plain, log, log.Flush(context.Background())
}

// firstHits asks as a page does until there is something to show, or nothing left.
func firstHits(log *termlog.Log, q search.Query) (time.Duration, error) {
	m, err := search.Compile(q)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	for before := log.End(); ; {
		hits, err := m.Back(context.Background(), log, before, foundLines, 8<<20)
		if err != nil || len(hits.Lines) > 0 || hits.Done {
			return time.Since(began), err
		}
		before = hits.Next
	}
}

func grepped(args ...string) (time.Duration, error) {
	cmd := exec.Command("grep", args...)
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	began := time.Now()
	_, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 { // none found
		err = nil
	}
	return time.Since(began), err
}
