package terminal

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"drover/backend/screen"
	"drover/backend/termlog"
)

// Set is the terminals of an app by block, each with its log in a directory of
// its own.
type Set struct {
	dir     string
	options func(block string) SetOptions

	mu     sync.Mutex
	closed bool
	theme  screen.Theme // zero: not known
	terms  map[string]*Terminal
}

// SetOptions are what a Set asks for when it makes a terminal.
type SetOptions struct {
	Terminal Options
	Log      termlog.Options
	InMemory bool // it is not to be recorded: its log is in memory alone
}

// NewSet keeps its logs below dir. options are asked for each terminal when it is
// made.
func NewSet(dir string, options func(block string) SetOptions) *Set {
	return &Set{dir: dir, options: options, terms: map[string]*Terminal{}}
}

// Open is the terminal of a block, made at its first use. The caller vouches for
// the block's name.
func (s *Set) Open(block string) (*Terminal, error) {
	if t := s.Peek(block); t != nil {
		return t, nil
	}
	o := s.options(block) // asked without the lock
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.terms[block]; t != nil {
		return t, nil
	}
	if s.closed {
		return nil, ErrClosed
	}
	log, err := s.log(block, o)
	if err != nil {
		return nil, fmt.Errorf("cannot open the terminal's log: %w", err)
	}
	o.Terminal.Theme = s.theme
	t := New(log, o.Terminal)
	s.terms[block] = t
	return t, nil
}

func (s *Set) log(block string, o SetOptions) (*termlog.Log, error) {
	if o.InMemory {
		return termlog.NewMemory(o.Log), nil
	}
	return termlog.Open(filepath.Join(s.dir, block), o.Log)
}

// SetTheme changes what programs are told that ask for colours, in every terminal.
func (s *Set) SetTheme(theme screen.Theme) {
	s.mu.Lock()
	s.theme = theme
	all := slices.Collect(maps.Values(s.terms))
	s.mu.Unlock()
	for _, t := range all {
		t.SetTheme(theme)
	}
}

// Peek is the terminal of a block if it is open.
func (s *Set) Peek(block string) *Terminal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.terms[block]
}

// Remove closes a block's terminal and deletes its log.
func (s *Set) Remove(block string) error {
	s.mu.Lock()
	t := s.terms[block]
	delete(s.terms, block)
	s.mu.Unlock()
	if t != nil {
		return t.Remove()
	}
	return os.RemoveAll(filepath.Join(s.dir, block))
}

// Stored is what the logs of each block take on the disk, in bytes.
func (s *Set) Stored() (map[string]int64, error) {
	out := map[string]int64{}
	dirs, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return out, err
	}
	for _, d := range dirs {
		files, err := os.ReadDir(filepath.Join(s.dir, d.Name()))
		if err != nil {
			continue // removed meanwhile
		}
		out[d.Name()] = 0
		for _, f := range files {
			if info, err := f.Info(); err == nil {
				out[d.Name()] += info.Size()
			}
		}
	}
	return out, nil
}

// Trim deletes the logs of blocks that are not known any more, and then, while
// all together take more than limit bytes, those of blocks that have no open
// terminal, the one that was written longest ago first.
func (s *Set) Trim(known func(block string) bool, limit int64) error {
	stored, err := s.Stored()
	if err != nil {
		return err
	}
	var total int64
	var idle []string
	for block, size := range stored {
		if !known(block) {
			if err := s.Remove(block); err != nil {
				return err
			}
			continue
		}
		total += size
		if s.Peek(block) == nil {
			idle = append(idle, block)
		}
	}
	slices.SortFunc(idle, func(a, b string) int { return s.written(a).Compare(s.written(b)) })
	for _, block := range idle {
		if total <= limit {
			return nil
		}
		total -= stored[block]
		if err := s.Remove(block); err != nil {
			return err
		}
	}
	return nil
}

// Close closes every terminal. It may be called twice.
func (s *Set) Close() error {
	s.mu.Lock()
	s.closed = true
	terms := s.terms
	s.terms = map[string]*Terminal{}
	s.mu.Unlock()
	var errs []error
	for _, t := range terms {
		errs = append(errs, t.Close())
	}
	return errors.Join(errs...)
}

// written is when a block's log was last written to; zero if it is gone.
func (s *Set) written(block string) (last time.Time) {
	files, err := os.ReadDir(filepath.Join(s.dir, block))
	if err != nil {
		return last
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}
