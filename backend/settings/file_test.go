package settings_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"drover/backend/settings"
)

// open returns a file and a channel that gets a value for each change.
func open(t *testing.T, path string) (*settings.File, chan struct{}) {
	t.Helper()
	changes := make(chan struct{}, 100)
	f, err := settings.Open(path, func() { changes <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f, changes
}

func TestChangesByHandAreSeen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	path := filepath.Join(dir, "settings.json")
	f, changes := open(t, path)
	seen := func(want string) {
		t.Helper()
		for f.Loaded().Settings.Theme != want {
			<-changes
		}
	}
	put(t, path, `{"theme": "dark"}`)
	seen("dark")
	// As editors do: write another file, rename it over.
	put(t, path+".swp", `{"theme": "light"}`)
	if err := os.Rename(path+".swp", path); err != nil {
		t.Fatal(err)
	}
	seen("light")
	put(t, path, `{"theme": "dark", `)
	seen("system") // the defaults, until it is mended
	if len(f.Loaded().Problems) != 1 {
		t.Errorf("problems are %+v", f.Loaded().Problems)
	}
	put(t, path, `{"theme": "dark"}`)
	seen("dark")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	seen("system")
}

func TestChangesBehindALinkAreSeen(t *testing.T) {
	target := file(t, `{}`)
	link := filepath.Join(t.TempDir(), "settings.json")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	f, changes := open(t, link)
	put(t, target, `{"theme": "dark"}`)
	for f.Loaded().Settings.Theme != "dark" {
		<-changes
	}
}

func TestEveryChangeOfOursIsToldOnce(t *testing.T) {
	path := file(t, `{}`)
	f, changes := open(t, path)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			if _, err := f.Set(fmt.Sprintf("keys.command%d", i), "x"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := f.Loaded().Settings.Keys; len(got) != 20 {
		t.Errorf("%d of 20 changes are left", len(got))
	}
	if _, err := f.Set("theme", "blue"); err == nil {
		t.Error("a wrong value was taken")
	}
	if _, err := f.Set("theme", nil); err != nil { // nothing to remove: nothing changes
		t.Error(err)
	}
	// The watcher sees all of that too. What it tells of this is the mark; by a
	// rename, because a file that is written may be seen half.
	put(t, path+".new", `{"theme": "dark"}`)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	told := 0
	for f.Loaded().Settings.Theme != "dark" {
		<-changes
		told++
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if told += len(changes); told != 21 {
		t.Errorf("%d changes were told, want 21", told)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if l, err := f.Set("theme", "light"); err != nil || l.Settings.Theme != "light" {
		t.Errorf("after Close: %+v, %v", l.Settings, err)
	}
}

func TestAFolderThatCannotBeWatched(t *testing.T) {
	path := filepath.Join(file(t, ""), "below", "settings.json")
	f, err := settings.Open(path, nil)
	if err == nil || f == nil {
		t.Fatalf("got %v", err)
	}
	if f.Loaded().Settings.Theme != "system" {
		t.Errorf("loaded %+v", f.Loaded())
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func TestWhoeverHasTheSettingsCannotChangeThem(t *testing.T) {
	f, _ := open(t, file(t, `{"keys": {"a": "b"}}`))
	f.Loaded().Settings.Keys["a"] = "x"
	if got := f.Loaded().Settings.Keys["a"]; got != "b" {
		t.Errorf("it is %q", got)
	}
}
