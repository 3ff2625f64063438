package store_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"drover/backend/store"
	"drover/backend/workspace"
)

func TestWhatIsSavedIsThereAfterTheNextStart(t *testing.T) {
	// A name with everything that a URL would take for its own.
	dir := filepath.Join(t.TempDir(), "a b#c?d%20e&f")
	if runtime.GOOS == "windows" {
		dir = filepath.Join(t.TempDir(), "a b#c%20e&f")
	}
	s, notices := open(t, dir, store.Options{})
	if len(notices) != 0 {
		t.Fatalf("a first start said %+v", notices)
	}
	want := model(t, "b", 3)
	status := store.Status{
		Block: "b0", Kind: "shell", Instance: 3, Version: 9, State: "running", Reason: "user", Message: "m",
		PID: 4711, Process: "zsh", ProcessID: "4711@99@boot", ExitKnown: true, ExitCode: -1, ExitSignal: "SIGTERM",
		Started: time.Unix(2, 0).UTC(), Closing: true,
	}
	ended := store.Ended{
		ID: "e", Block: "b1", Name: "n", Owner: "api", Detail: "d", State: "failed", At: time.Unix(3, 0).UTC(), Code: 2, Signal: "SIGHUP", PID: 5, Started: time.Unix(1, 1).UTC(),
	}
	must(t, s.Save(t.Context(), want), s.PutStatus(t.Context(), status), s.AddEnded(t.Context(), ended), s.SetValue(t.Context(), "k", "v"))
	must(t, s.Close(), s.Close())

	s, notices = open(t, dir, store.Options{})
	if len(notices) != 0 {
		t.Fatalf("the next start said %+v", notices)
	}
	if got, said, err := s.Model(t.Context()); err != nil || len(said) != 0 || !reflect.DeepEqual(got, want) {
		t.Errorf("model is %+v (%v, %v), want %+v", got, said, err, want)
	}
	if got, err := s.Statuses(t.Context()); err != nil || !reflect.DeepEqual(got, []store.Status{status}) {
		t.Errorf("statuses are %+v, %v", got, err)
	}
	if got, err := s.Ended(t.Context()); err != nil || !reflect.DeepEqual(got, []store.Ended{ended}) {
		t.Errorf("ended are %+v, %v", got, err)
	}
	if got, ok, err := s.Value(t.Context(), "k"); err != nil || !ok || got != "v" {
		t.Errorf("value is %q, %v, %v", got, ok, err)
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestFilesAreTheOwnersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	dir := filepath.Join(t.TempDir(), "new", "data")
	s, _ := open(t, dir, store.Options{})
	must(t, s.Save(t.Context(), model(t, "b", 1)))
	l, _, err := store.Lock(dir)
	must(t, err)
	defer func() { must(t, l.Close()) }()
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory is %v, %v", info.Mode(), err)
	}
	entries, err := os.ReadDir(dir)
	must(t, err)
	if len(entries) < 4 { // database, log, shared memory, lock
		t.Errorf("only %v are there", entries)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s is %v, %v", e.Name(), info.Mode(), err)
		}
	}
	must(t, s.Close(), os.Chmod(filepath.Join(dir, store.Name), 0o644))
	open(t, dir, store.Options{})
	if info, err := os.Stat(filepath.Join(dir, store.Name)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a database that others could read stayed %v, %v", info.Mode(), err)
	}
}

func TestTheDatabaseIsSetUpAsPromised(t *testing.T) {
	dir := t.TempDir()
	s, _ := open(t, dir, store.Options{})
	must(t, s.Save(t.Context(), model(t, "b", 1)))
	if got := scan[string](t, raw(t, dir), "PRAGMA journal_mode"); got != "wal" {
		t.Errorf("journal is %s", got)
	}
	for query, want := range map[string]string{"PRAGMA foreign_keys": "1", "PRAGMA busy_timeout": "5000", "PRAGMA synchronous": "2"} {
		for name, db := range store.Pools(s) {
			if got := scan[string](t, db, query); got != want {
				t.Errorf("%s of the %s is %s, want %s", query, name, got, want)
			}
		}
	}
	if _, err := store.Pools(s)["reader"].ExecContext(t.Context(), "DELETE FROM blocks"); err == nil {
		t.Error("a reader could write")
	}
	if _, err := store.Pools(s)["writer"].ExecContext(t.Context(), "DELETE FROM workspaces"); err == nil {
		t.Error("a workspace could go before its blocks")
	}
	if n := store.Pools(s)["writer"].Stats().MaxOpenConnections; n != 1 {
		t.Errorf("there are up to %d writers", n)
	}
}

func TestSaveTouchesOnlyWhatChanged(t *testing.T) {
	dir := t.TempDir()
	s, _ := open(t, dir, store.Options{})
	m := model(t, "b", 3)
	must(t, s.Save(t.Context(), m))
	db := raw(t, dir)
	exe(t, db, "CREATE TABLE seen (what TEXT)")
	for _, table := range []string{"workspaces", "blocks", "model"} {
		for _, op := range []string{"INSERT", "UPDATE", "DELETE"} {
			row := "NEW.id"
			if op == "DELETE" {
				row = "OLD.id"
			}
			exe(t, db, "CREATE TRIGGER "+table+op+" AFTER "+op+" ON "+table+" BEGIN INSERT INTO seen VALUES ('"+op+" "+table+" ' || "+row+"); END")
		}
	}
	touched := func(change func() error) []string {
		t.Helper()
		exe(t, db, "DELETE FROM seen")
		must(t, change(), s.Save(t.Context(), m))
		got := scan[string](t, db, "SELECT coalesce(group_concat(what, ','), '') FROM (SELECT what FROM seen ORDER BY what)")
		if got == "" {
			return nil
		}
		return strings.Split(got, ",")
	}
	rows := []struct {
		change func() error
		want   []string
	}{
		{func() error { return nil }, nil},
		{func() error { return m.RenameBlock("b1", "x") }, []string{"UPDATE blocks b1", "UPDATE model 1"}},
		{func() error { return m.Rename("bw", "x") }, []string{"UPDATE model 1", "UPDATE workspaces bw"}},
		{func() error { _, err := m.RemoveBlocks([]string{"b2"}); return err }, []string{"DELETE blocks b2", "UPDATE model 1", "UPDATE workspaces bw"}},
		{func() error { _, err := m.Create(workspace.Workspace{ID: "v", Name: "v"}); return err }, []string{"INSERT workspaces v", "UPDATE model 1"}},
		{func() error { return m.MoveBlock("b0", workspace.Place{Workspace: "v"}) }, []string{"UPDATE blocks b0", "UPDATE model 1", "UPDATE workspaces bw", "UPDATE workspaces v"}},
	}
	for i, r := range rows {
		if got := touched(r.change); !slices.Equal(got, r.want) {
			t.Errorf("change %d touched %q, want %q", i, got, r.want)
		}
	}
}

func TestAModelThatLosesABlockIsNotSaved(t *testing.T) {
	s, _ := open(t, t.TempDir(), store.Options{})
	m := model(t, "b", 2)
	must(t, s.Save(t.Context(), m))
	bad := m.Clone()
	bad.Workspaces[0].Layout.Root = nil
	if err := s.Save(t.Context(), bad); err == nil {
		t.Fatal("it was saved")
	}
	if got, _, err := s.Model(t.Context()); err != nil || !reflect.DeepEqual(got, m) {
		t.Fatalf("the saved model is %+v, %v", got, err)
	}
}

func TestDamagedRowsAreMendedAndSaid(t *testing.T) {
	dir := t.TempDir()
	s, _ := open(t, dir, store.Options{})
	must(t, s.Save(t.Context(), model(t, "b", 2)))
	db := raw(t, dir)
	exe(t, db, `UPDATE workspaces SET layout = '{"root":'`)
	exe(t, db, `UPDATE blocks SET env = 'x' WHERE id = 'b1'`)
	m, said, err := s.Model(t.Context())
	must(t, err, m.Check())
	all := strings.Join(said, "\n")
	for _, want := range []string{`layout of workspace "api" could not be read`, "environment of block b1", "block b0; it is listed as unplaced"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not said in %q", want, all)
		}
	}
	if got := m.Workspaces[0].Unplaced; !slices.Equal(got, []string{"b0", "b1"}) {
		t.Errorf("unplaced are %v", got)
	}
	must(t, s.Save(t.Context(), m))
}

func TestAStatusOutlivesItsBlock(t *testing.T) {
	s, _ := open(t, t.TempDir(), store.Options{})
	m := model(t, "b", 1)
	must(t, s.Save(t.Context(), m), s.PutStatus(t.Context(), store.Status{Block: "b0", State: "running", PID: 1}))
	_, err := m.RemoveBlocks([]string{"b0"})
	must(t, err, s.Save(t.Context(), m))
	must(t, s.PutStatus(t.Context(), store.Status{Block: "b0", State: "killing", PID: 1}))
	if got, err := s.Statuses(t.Context()); err != nil || len(got) != 1 || got[0].State != "killing" {
		t.Fatalf("statuses are %+v, %v", got, err)
	}
	must(t, s.DropStatus(t.Context(), "b0"), s.DropStatus(t.Context(), "b0"))
	if got, err := s.Statuses(t.Context()); err != nil || len(got) != 0 {
		t.Fatalf("statuses are %+v, %v", got, err)
	}
}

func TestTheListOfWhatEnded(t *testing.T) {
	s, _ := open(t, t.TempDir(), store.Options{})
	var rows []store.Ended
	for i := range store.MaxEnded + 2 {
		rows = append(rows, store.Ended{ID: strconv.Itoa(i)})
	}
	must(t, s.AddEnded(t.Context(), rows...))
	must(t, s.AddEnded(t.Context(), store.Ended{ID: "5", State: "stopped"})) // once more: keeps its position
	got, err := s.Ended(t.Context())
	must(t, err)
	if len(got) != store.MaxEnded || got[0].ID != strconv.Itoa(store.MaxEnded+1) || got[len(got)-1].ID != "2" {
		t.Fatalf("%d rows from %s to %s", len(got), got[0].ID, got[len(got)-1].ID)
	}
	if row := got[len(got)-4]; row.ID != "5" || row.State != "stopped" {
		t.Fatalf("the row was not replaced: %+v", row)
	}
	must(t, s.DropEnded(t.Context(), "5", "6", "nobody"))
	if got, _ := s.Ended(t.Context()); len(got) != store.MaxEnded-2 {
		t.Fatalf("%d rows", len(got))
	}
}

func TestValues(t *testing.T) {
	s, _ := open(t, t.TempDir(), store.Options{})
	must(t, s.SetValue(t.Context(), "k", "1"), s.SetValue(t.Context(), "k", ""))
	if got, ok, err := s.Value(t.Context(), "k"); got != "" || !ok || err != nil {
		t.Errorf("value is %q, %v, %v", got, ok, err)
	}
	must(t, s.DropValue(t.Context(), "k"))
	if _, ok, err := s.Value(t.Context(), "k"); ok || err != nil {
		t.Errorf("it is still there: %v", err)
	}
}

func TestTwoProcessesWriteAtOnce(t *testing.T) {
	for _, fs := range []string{"ext4", "nfs"} {
		t.Run(fs, func(t *testing.T) {
			dir := t.TempDir()
			if fs == "nfs" { // the journal mode stays with the file
				s, _ := open(t, dir, store.Options{FileSystem: on(fs)})
				must(t, s.Close())
			}
			a, b := start(t, "write", dir, "a"), start(t, "write", dir, "b")
			a.end(t)
			b.end(t)
			s, notices := open(t, dir, store.Options{})
			if len(notices) > 0 {
				t.Errorf("notices: %+v", notices)
			}
			statuses, err := s.Statuses(t.Context())
			must(t, err)
			ended, err := s.Ended(t.Context())
			must(t, err)
			if len(statuses) != 2*rounds || len(ended) != 2*rounds {
				t.Errorf("%d statuses and %d rows, want %d", len(statuses), len(ended), 2*rounds)
			}
			for _, name := range []string{"a", "b"} {
				if got, _, err := s.Value(t.Context(), name); got != strconv.Itoa(rounds-1) || err != nil {
					t.Errorf("value of %s is %q, %v", name, got, err)
				}
			}
			if m, said, err := s.Model(t.Context()); err != nil || len(said) > 0 || len(m.Blocks) != 3 {
				t.Errorf("model has %d blocks: %v, %v", len(m.Blocks), said, err)
			}
		})
	}
}

func TestALockedDatabaseIsSaidInOurWords(t *testing.T) {
	dir := t.TempDir()
	s, _ := open(t, dir, store.Options{Busy: 20 * time.Millisecond})
	db := raw(t, dir)
	exe(t, db, "BEGIN IMMEDIATE")
	err := s.SetValue(t.Context(), "k", "v")
	if !errors.Is(err, store.ErrBusy) || strings.Contains(err.Error(), "locked") || !strings.Contains(err.Error(), "close it and try again") {
		t.Fatalf("got %v", err)
	}
	exe(t, db, "COMMIT")
	must(t, s.SetValue(t.Context(), "k", "v"), s.Close())

	exe(t, db, "PRAGMA locking_mode = EXCLUSIVE")
	exe(t, db, "BEGIN EXCLUSIVE")
	_, _, err = store.Open(t.Context(), dir, store.Options{Busy: 20 * time.Millisecond})
	if !errors.Is(err, store.ErrBusy) || strings.Contains(err.Error(), "locked") {
		t.Fatalf("got %v", err)
	}
}

func TestWritesWaitForTheOther(t *testing.T) {
	dir := t.TempDir()
	s, _ := open(t, dir, store.Options{})
	db := raw(t, dir)
	exe(t, db, "BEGIN IMMEDIATE")
	done := make(chan error, 1)
	go func() { done <- s.SetValue(t.Context(), "k", "v") }()
	select {
	case err := <-done:
		t.Fatalf("it did not wait: %v", err)
	default:
	}
	exe(t, db, "COMMIT")
	must(t, <-done)
}

func TestAFullDiskIsSaidAndLosesNothing(t *testing.T) {
	s, _ := open(t, t.TempDir(), store.Options{})
	m := model(t, "b", 1)
	must(t, s.Save(t.Context(), m))
	exe(t, store.Pools(s)["writer"], "PRAGMA max_page_count = 1") // the least that is possible: no growth
	big := model(t, "c", 200)
	if err := s.Save(t.Context(), big); err == nil || !strings.Contains(err.Error(), "the disk is full; free some space") {
		t.Fatalf("got %v", err)
	}
	if got, said, err := s.Model(t.Context()); err != nil || len(said) > 0 || !reflect.DeepEqual(got, m) {
		t.Fatalf("the saved model is %+v, %v, %v", got, said, err)
	}
	exe(t, store.Pools(s)["writer"], "PRAGMA max_page_count = 1000000")
	must(t, s.Save(t.Context(), big))
}

func TestACancelledCallSaysSo(t *testing.T) {
	s, _ := open(t, t.TempDir(), store.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.SetValue(ctx, "k", "v"); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	must(t, s.SetValue(t.Context(), "k", "v"))
}
