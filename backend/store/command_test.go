package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"drover/backend/store"
)

func texts(t *testing.T, s *store.Store, most int, words ...string) (found []string, total int) {
	t.Helper()
	rows, total, err := s.Commands(t.Context(), words, most)
	must(t, err)
	for _, r := range rows {
		found = append(found, r.Text)
	}
	return found, total
}

func TestCommandsAreFoundTheNewestFirst(t *testing.T) {
	dir := t.TempDir()
	s, _ := open(t, dir, store.Options{})
	want := store.Command{
		Text: "make test\nls", Dir: "/home/a/api", Block: "b", Exit: 2, Exited: true, Began: time.Unix(5, 0).UTC(), Took: 3 * time.Second,
	}
	must(t, s.AddCommands(t.Context(), want, store.Command{Text: "ls 100%_x", Dir: "/tmp"}, store.Command{Text: "LS", Dir: `/tmp\b`}))
	must(t, s.Close())
	s, _ = open(t, dir, store.Options{})
	rows, total, err := s.Commands(t.Context(), nil, 10)
	want.ID = 1
	if err != nil || total != 3 || len(rows) != 3 || !reflect.DeepEqual(rows[2], want) {
		t.Errorf("%+v, %d, %v", rows, total, err)
	}
	for _, r := range []struct {
		words []string
		most  int
		want  []string
		total int
	}{
		{nil, 2, []string{"LS", "ls 100%_x"}, 3},
		{[]string{"ls", "tmp"}, 9, []string{"LS", "ls 100%_x"}, 2},
		{[]string{"0%"}, 9, []string{"ls 100%_x"}, 1},
		{[]string{"_"}, 9, []string{"ls 100%_x"}, 1},
		{[]string{`p\b`}, 9, []string{"LS"}, 1},
		{[]string{"make", "tmp"}, 9, nil, 0},
	} {
		if got, total := texts(t, s, r.most, r.words...); !reflect.DeepEqual(got, r.want) || total != r.total {
			t.Errorf("%q: %q of %d", r.words, got, total)
		}
	}
	// The same in the same directory moves up, in another one it is another.
	must(t, s.AddCommands(t.Context(), store.Command{Text: "ls 100%_x", Dir: "/tmp", Exit: 1}, store.Command{Text: "LS", Dir: "/"}))
	if got, _ := texts(t, s, 9); !reflect.DeepEqual(got, []string{"LS", "ls 100%_x", "LS", "make test\nls"}) {
		t.Errorf("%q", got)
	}
	must(t, s.DropCommand(t.Context(), 1), s.DropCommand(t.Context(), 99))
	if _, total := texts(t, s, 9); total != 3 {
		t.Errorf("%d are left", total)
	}
}

func TestCommandsAreBounded(t *testing.T) {
	s, _ := open(t, t.TempDir(), store.Options{})
	rows := make([]store.Command, store.MaxCommands+5)
	for i := range rows {
		rows[i].Text = fmt.Sprint(i)
	}
	must(t, s.AddCommands(t.Context(), rows...))
	found, total := texts(t, s, store.MaxCommands)
	if total != store.MaxCommands || found[0] != fmt.Sprint(len(rows)-1) || found[total-1] != "5" {
		t.Errorf("%d from %s to %s", total, found[0], found[len(found)-1])
	}
}

func TestClearedCommandsAreInNoFile(t *testing.T) {
	dir := t.TempDir()
	s, _ := open(t, dir, store.Options{})
	const secret = "hunter2-hunter2"
	held := func() bool {
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		must(t, err)
		for _, f := range files {
			b, err := os.ReadFile(f)
			must(t, err)
			if bytes.Contains(b, []byte(secret)) {
				return true
			}
		}
		return false
	}
	must(t, s.AddCommands(t.Context(), store.Command{Text: secret}, store.Command{Text: "a"}))
	if !held() {
		t.Fatal("it cannot be seen where it is")
	}
	must(t, s.DropCommand(t.Context(), 1))
	if held() {
		t.Error("it is still there")
	}
	must(t, s.AddCommands(t.Context(), store.Command{Text: secret, Dir: "/x"}))
	if n, size, err := store.PeekCommands(t.Context(), dir); n != 2 || size != int64(len(secret)+len("/x")+1) || err != nil {
		t.Errorf("%d of %d bytes, %v", n, size, err)
	}
	must(t, s.ClearCommands(t.Context()))
	if n, _, err := store.PeekCommands(t.Context(), dir); n != 0 || err != nil || held() {
		t.Errorf("%d are left: %v", n, err)
	}
}

func TestAnOlderDatabaseHasNoCommandsUntilItIsOpened(t *testing.T) {
	dir := t.TempDir()
	s, _ := open(t, dir, store.WithMigrations(store.Options{}, store.Migrations()[0]))
	must(t, s.Close())
	if n, _, err := store.PeekCommands(t.Context(), dir); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	s, _ = open(t, dir, store.Options{})
	must(t, s.AddCommands(t.Context(), store.Command{Text: "ls"}))
	if n, _, err := store.PeekCommands(t.Context(), dir); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
}
