package settings

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quiet is how long the file must rest before it is read again: editors write in
// several steps.
const quiet = 100 * time.Millisecond

// File is the settings file, read, kept up to date, and changed by one writer at a
// time. Its methods may be called from several goroutines.
type File struct {
	path    string
	changed func()

	mu      sync.Mutex
	content []byte
	loaded  Loaded

	watcher *fsnotify.Watcher // nil without a watch
	stop    sync.Once
	done    chan struct{}
}

// Open reads the file and watches it. The error says why it cannot be watched
// (its folder cannot be made or seen, the system has no more watches); the File
// works nevertheless, without noticing what others do.
//
// changed (may be nil) is called after every change of the file, by Set or by
// others, from the goroutine that made or saw it, which holds nothing then; it
// must not call Close.
func Open(path string, changed func()) (*File, error) {
	if changed == nil {
		changed = func() {}
	}
	f := &File{path: path, changed: changed, done: make(chan struct{})}
	w, err := watch(path)
	if err != nil {
		close(f.done)
		f.reload()
		return f, fmt.Errorf("cannot watch %s: %w; changes by hand apply at the next start", path, err)
	}
	f.watcher = w
	// After the watch, so that no change falls between them.
	f.reload()
	go f.run()
	return f, nil
}

// watch watches folders, because editors and Set replace the file.
func watch(path string) (*fsnotify.Watcher, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, reason(err)
	}
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	dirs := []string{filepath.Dir(path)}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		dirs = append(dirs, filepath.Dir(real))
	}
	for _, dir := range dirs {
		if err := w.Add(dir); err != nil {
			return nil, errors.Join(err, w.Close())
		}
	}
	return w, nil
}

// Loaded returns what the file says, as last seen.
func (f *File) Loaded() Loaded {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.loaded.clone()
}

// Set changes one setting ("terminal.fontSize", "keys.tab.new") in the file and
// returns what the file says then. A nil value removes it: the default holds.
// Comments, order and unknown keys stay. The file is replaced in one step (0600)
// and made if it is not there; nothing is written if the value is wrong or if the
// file cannot be parsed.
func (f *File) Set(key string, value any) (Loaded, error) {
	loaded, changed, err := f.set(key, value)
	if changed {
		f.changed()
	}
	return loaded, err
}

func (f *File) set(key string, value any) (Loaded, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	content, err := set(f.path, key, value)
	if err != nil {
		return f.loaded.clone(), false, fmt.Errorf("cannot set %s: %w", key, err)
	}
	changed := f.takeLocked(content)
	return f.loaded.clone(), changed, nil
}

// Close ends the watch and returns when its goroutine has ended; later calls do
// nothing. Set works on.
func (f *File) Close() error {
	var err error
	f.stop.Do(func() {
		if f.watcher != nil {
			err = f.watcher.Close()
		}
	})
	<-f.done
	return err
}

func (f *File) run() {
	defer close(f.done)
	rest := time.NewTimer(time.Hour)
	rest.Stop()
	for {
		select {
		case _, ok := <-f.watcher.Events:
			if !ok {
				rest.Stop()
				return
			}
			// Of any file: the target of a link may have any name, and to read a
			// small file once too often costs nothing.
			rest.Reset(quiet)
		case _, ok := <-f.watcher.Errors:
			if !ok {
				rest.Stop()
				return
			}
			rest.Reset(quiet) // events were lost: look
		case <-rest.C:
			if f.reload() {
				f.changed()
			}
		}
	}
}

// reload reports whether the file says something else than before.
func (f *File) reload() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	content, err := read(f.path)
	if err != nil {
		f.loaded, f.content = Load(f.path), nil
		return true
	}
	return f.takeLocked(content)
}

func (f *File) takeLocked(content []byte) bool {
	if f.loaded.Path != "" && bytes.Equal(content, f.content) {
		return false
	}
	f.content, f.loaded = content, parse(f.path, content)
	return true
}
