package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"drover/backend/store"
	"drover/backend/workspace"
)

// keep makes a data directory with the output of three terminals, one of which
// was closed.
func keep(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	s, _, err := store.Open(t.Context(), dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := workspace.New()
	m.Version, m.Active = 1, "w"
	m.Workspaces = []workspace.Workspace{{ID: "w", Name: "lantern", Layout: workspace.Layout{}, Unplaced: []string{"small", "large"}}}
	m.Blocks["small"] = workspace.Block{ID: "small", Workspace: "w", Kind: workspace.Shell, Shell: "/usr/bin/zsh"}
	m.Blocks["large"] = workspace.Block{ID: "large", Workspace: "w", Kind: workspace.Shell, Name: "api log"}
	if err := s.Save(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if err := s.AddCommands(t.Context(), store.Command{Text: "make", Dir: "/x"}, store.Command{Text: "ls"}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 14, 5, 0, 0, time.Local)
	for block, size := range map[string]int{"small": 100, "large": 3 << 20, "gone": 50 << 10} {
		path := filepath.Join(dir, "logs", block, "00.log")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// data runs `drover data` with an answer for whatever it asks.
func data(t *testing.T, dir, answer string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	c := dataCommand(&dir)
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetIn(strings.NewReader(answer))
	err := c.ExecuteContext(context.Background())
	return out.String(), err
}

func TestDataShowsTheLargestFirstByName(t *testing.T) {
	out, err := data(t, keep(t), "")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for line := range strings.Lines(out) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	want := []string{
		"3.0 MiB 2026-03-01 14:05 api log lantern large",
		"50 KiB 2026-03-01 14:05 (closed) gone",
		"100 B 2026-03-01 14:05 zsh lantern small",
		"3.0 MiB in all: the output of 3 terminals",
		"8 B: the history of 2 commands",
	}
	if got := rows[1:]; strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("it says\n%s", out)
	}
}

func TestDataOfADirectoryThatIsNotThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "nowhere")
	if _, err := data(t, dir, ""); err == nil || !strings.Contains(err.Error(), "no such directory") {
		t.Errorf("it says %v", err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("looking made the directory")
	}
}

func TestDataClearsAfterAYesOnly(t *testing.T) {
	for _, r := range []struct {
		answer string
		args   []string
		left   bool
	}{
		{"\n", []string{"--clear"}, true},
		{"", []string{"--clear"}, true},
		{"no\n", []string{"--clear"}, true},
		{"y\n", []string{"--clear"}, false},
		{"", []string{"--clear", "--yes"}, false},
		{"y\n", []string{"--yes"}, true},
	} {
		dir := keep(t)
		out, err := data(t, dir, r.answer, r.args...)
		if err != nil {
			t.Errorf("%v: %v", r, err)
		}
		_, err = os.Stat(filepath.Join(dir, "logs", "large"))
		if left := err == nil; left != r.left {
			t.Errorf("%v: output is left: %v\n%s", r, left, out)
		}
		if n, _, err := store.PeekCommands(t.Context(), dir); (n > 0) != r.left || err != nil {
			t.Errorf("%v: %d commands are left (%v)\n%s", r, n, err, out)
		}
	}
}

func TestDataIsNotClearedWhereNobodyCanBeAsked(t *testing.T) {
	dir := keep(t)
	in, err := os.Open(filepath.Join(dir, "logs", "large", "00.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	c := dataCommand(&dir)
	c.SetArgs([]string{"--clear"})
	c.SetOut(&bytes.Buffer{})
	c.SetErr(&bytes.Buffer{})
	c.SetIn(in)
	if err := c.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "--yes") {
		t.Errorf("it says %v", err)
	}
}

func TestDataIsNotClearedWhileDroverRuns(t *testing.T) {
	dir := keep(t)
	lock, _, err := store.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if _, err := data(t, dir, "", "--clear", "--yes"); err == nil || !strings.Contains(err.Error(), "while Drover runs") {
		t.Errorf("it says %v", err)
	}
}
