package store_test

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"drover/backend/store"
)

func on(name string) func(string) store.FileSystem {
	return func(string) store.FileSystem { return store.FileSystem{Name: name, Network: name == "nfs"} }
}

func TestANetworkFileSystemGetsARollbackJournal(t *testing.T) {
	dir := t.TempDir()
	s, _ := open(t, dir, store.Options{}) // a write-ahead log from before the move
	must(t, s.SetValue(t.Context(), "k", "v"), s.Close())
	s, notices := open(t, dir, store.Options{FileSystem: on("nfs")})
	if len(notices) != 1 || !strings.Contains(notices[0].Text, "nfs") || !strings.Contains(notices[0].Fix, "--data") {
		t.Errorf("notices: %+v", notices)
	}
	if got := scan[string](t, raw(t, dir), "PRAGMA journal_mode"); got != "delete" {
		t.Errorf("journal is %s", got)
	}
	if got, _, err := s.Value(t.Context(), "k"); got != "v" || err != nil {
		t.Errorf("value is %q, %v", got, err)
	}
}

// damaged makes a database with some content and damages it.
func damaged(t *testing.T, damage func(path string)) (dir string, content []byte) {
	t.Helper()
	dir = t.TempDir()
	path := filepath.Join(dir, store.Name)
	s, _ := open(t, dir, store.Options{})
	must(t, s.Save(t.Context(), model(t, "b", 20)))
	must(t, s.Close())
	damage(path)
	content, err := os.ReadFile(path)
	must(t, err)
	return dir, content
}

func TestDamageIsSetAsideAndSaidAndTheAppStarts(t *testing.T) {
	edit := func(fn func([]byte) []byte) func(string) {
		return func(path string) {
			b, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, fn(b), 0o600))
		}
	}
	rows := map[string]func(path string){
		"garbage":         edit(func([]byte) []byte { return bytes.Repeat([]byte("garbage "), 1000) }),
		"a few bytes":     edit(func([]byte) []byte { return []byte("SQLite") }),
		"truncated":       edit(func(b []byte) []byte { return b[:len(b)/2] }),
		"zeros in a page": edit(func(b []byte) []byte { clear(b[4096:12288]); return b }),
		"zeros all over":  edit(func(b []byte) []byte { clear(b); return b }),
		"another program's database": func(path string) {
			must(t, os.Remove(path))
			db, err := sql.Open("sqlite", path)
			must(t, err)
			exe(t, db, "CREATE TABLE theirs (x)")
			must(t, db.Close())
		},
		"an index that lacks rows": func(path string) {
			db, err := sql.Open("sqlite", path)
			must(t, err)
			exe(t, db, "PRAGMA writable_schema = 1")
			exe(t, db, "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'ended') WHERE name = 'blocks'")
			must(t, db.Close())
		},
	}
	at := time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC)
	for name, damage := range rows {
		t.Run(name, func(t *testing.T) {
			dir, content := damaged(t, damage)
			s, notices := open(t, dir, store.Options{Now: func() time.Time { return at }})
			aside := filepath.Join(dir, store.Name+".damaged-20310203-040506")
			if len(notices) != 1 || notices[0].Level != "warn" || !strings.Contains(notices[0].Text, aside) {
				t.Errorf("notices: %+v", notices)
			}
			if got, err := os.ReadFile(aside); err != nil || !bytes.Equal(got, content) {
				t.Errorf("what was set aside is not what was there: %v", err)
			}
			if m, said, err := s.Model(t.Context()); err != nil || len(said) > 0 || len(m.Blocks) != 0 {
				t.Errorf("the fresh one has %d blocks: %v %v", len(m.Blocks), said, err)
			}
			must(t, s.Save(t.Context(), model(t, "b", 1)), s.Close())
			if _, notices := open(t, dir, store.Options{}); len(notices) > 0 {
				t.Errorf("the next start said %+v", notices)
			}
		})
	}
}

func TestTwoDamagesInOneSecondAreBothKept(t *testing.T) {
	at := time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC)
	dir := t.TempDir()
	for _, content := range []string{"one damaged file", "another damaged file"} {
		must(t, os.WriteFile(filepath.Join(dir, store.Name), []byte(content), 0o600))
		must(t, os.WriteFile(filepath.Join(dir, store.Name+"-wal"), []byte(content), 0o600))
		s, _ := open(t, dir, store.Options{Now: func() time.Time { return at }})
		must(t, s.Close())
	}
	for name, want := range map[string]string{"": "one damaged file", "-2": "another damaged file"} {
		if got, err := os.ReadFile(filepath.Join(dir, store.Name+".damaged-20310203-040506"+name)); string(got) != want {
			t.Errorf("kept %q, want %q: %v", got, want, err)
		}
	}
}

func TestAnEmptyFileIsSaid(t *testing.T) {
	dir, _ := damaged(t, func(path string) { must(t, os.Truncate(path, 0)) })
	s, notices := open(t, dir, store.Options{})
	if len(notices) != 1 || !strings.Contains(notices[0].Text, "held nothing") {
		t.Errorf("notices: %+v", notices)
	}
	must(t, s.Save(t.Context(), model(t, "b", 1)))
}

func TestANewerDatabaseIsRefusedAndLeftAlone(t *testing.T) {
	dir, before := damaged(t, func(path string) {
		db, err := sql.Open("sqlite", path)
		must(t, err)
		exe(t, db, "PRAGMA journal_mode = delete")
		exe(t, db, "PRAGMA user_version = 99")
		must(t, db.Close())
	})
	_, _, err := store.Open(t.Context(), dir, store.Options{})
	if !errors.Is(err, store.ErrNewer) || !strings.Contains(err.Error(), "update Drover") || !strings.Contains(err.Error(), "99") {
		t.Fatalf("got %v", err)
	}
	if after, err := os.ReadFile(filepath.Join(dir, store.Name)); err != nil || !bytes.Equal(before, after) {
		t.Fatalf("it was changed: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Fatalf("there are %v", entries)
	}
}

func TestMigrations(t *testing.T) {
	v1 := store.Migrations()[0]
	two := "ALTER TABLE user_values ADD COLUMN note TEXT"
	three := "CREATE TABLE more (x)"
	dir := t.TempDir()
	s, _ := open(t, dir, store.WithMigrations(store.Options{}, v1))
	must(t, s.SetValue(t.Context(), "k", "v"), s.Close())

	// A step that fails leaves what the last one made.
	if _, _, err := store.Open(t.Context(), dir, store.WithMigrations(store.Options{}, v1, two, "CREATE TABEL")); err == nil || !strings.Contains(err.Error(), "from 2 to 3") {
		t.Fatalf("got %v", err)
	}
	db := raw(t, dir)
	if got := scan[int](t, db, "PRAGMA user_version"); got != 2 {
		t.Fatalf("version is %d, want the last that worked", got)
	}
	must(t, db.Close())
	s, _ = open(t, dir, store.WithMigrations(store.Options{}, v1, two, three))
	if got, _, err := s.Value(t.Context(), "k"); got != "v" || err != nil {
		t.Fatalf("value is %q, %v", got, err)
	}
	must(t, s.Close())
	backup := filepath.Join(dir, store.Name+".before-3")
	if info, err := os.Stat(backup); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Fatalf("the backup is %v, %v", info, err)
	}
	must(t, os.Rename(backup, filepath.Join(dir, store.Name)))
	s, _ = open(t, dir, store.WithMigrations(store.Options{}, v1, two, three))
	if got, _, err := s.Value(t.Context(), "k"); got != "v" || err != nil {
		t.Fatalf("the backup's value is %q, %v", got, err)
	}
	must(t, s.Close())
	before, err := os.ReadDir(dir)
	must(t, err)
	s, _ = open(t, dir, store.WithMigrations(store.Options{}, v1, two, three))
	must(t, s.Close())
	if after, _ := os.ReadDir(dir); len(after) != len(before) {
		t.Fatalf("nothing was to be done, but there are %v", after)
	}
}

func TestADirectoryThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	rows := map[string]string{"below a file": filepath.Join(file, "data"), "read-only": readOnly(t)}
	for name, dir := range rows {
		t.Run(name, func(t *testing.T) {
			asNobody(t, func() {
				_, _, err := store.Open(t.Context(), dir, store.Options{})
				_, _, lockErr := store.Lock(dir)
				for _, err := range []error{err, lockErr} {
					if err == nil || !strings.HasPrefix(err.Error(), "cannot write to "+dir+": ") || !strings.Contains(err.Error(), "choose another folder with --data") {
						t.Errorf("got %v", err)
					}
				}
				if name == "read-only" && !errors.Is(err, os.ErrPermission) {
					t.Errorf("refused for another reason: %v", err)
				}
			})
		})
	}
}

// readOnly is a directory that everybody may read and nobody but root may write.
func readOnly(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o555))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	return dir
}

func TestADatabaseThatIsAFolder(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, store.Name), 0o700))
	if _, _, err := store.Open(t.Context(), dir, store.Options{}); err == nil || !strings.Contains(err.Error(), "not a file") {
		t.Errorf("got %v", err)
	}
}
