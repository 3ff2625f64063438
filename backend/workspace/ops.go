package workspace

import (
	"crypto/rand"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The errors that a caller may act on; every other error is for a person.
var (
	// ErrStale means that the model has changed since the page drew it: pull it
	// again and redraw.
	ErrStale = errors.New("conflict: the workspaces have changed meanwhile")
	// ErrUnknown means that there is no such workspace, pane or block (any more).
	ErrUnknown = errors.New("it is not there (any more)")
)

// MaxName is the most characters that a name may have.
const MaxName = 200

// NewID returns a new random identifier of 26 letters and digits, for
// workspaces and blocks.
func NewID() string { return strings.ToLower(rand.Text()) }

// New returns an empty model.
func New() Model { return Model{}.Clone() }

// edit runs fn on a copy and takes the copy over, with the next version, if fn
// succeeds and the result is well formed. So an operation that fails changes
// nothing, and whoever holds an older value of m holds what nobody changes.
func (m *Model) edit(fn func(*Model) error) error {
	c := m.Clone()
	if err := fn(&c); err != nil {
		return err
	}
	if err := c.Check(); err != nil {
		return err
	}
	c.Version++
	for i := range c.Workspaces {
		w := &c.Workspaces[i]
		if old := m.workspace(w.ID); old == nil || !reflect.DeepEqual(old.Layout, w.Layout) {
			w.LayoutVersion = c.Version
		}
	}
	*m = c
	return nil
}

// Create adds a workspace after the others and makes it the active one. Only
// ID, Name and Dir of w count; an ID of "" gets a new one. It returns what was
// added.
func (m *Model) Create(w Workspace) (Workspace, error) {
	if w.ID == "" {
		w.ID = NewID()
	}
	w = Workspace{ID: w.ID, Name: strings.TrimSpace(w.Name), Dir: w.Dir, Unplaced: []string{}, Layout: Layout{Floating: []Floating{}}}
	err := m.edit(func(m *Model) error {
		if err := checkName(w.Name); err != nil {
			return fmt.Errorf("cannot create a workspace: %w", err)
		}
		if strings.ContainsRune(w.Dir, 0) {
			return errors.New("cannot create a workspace: its directory holds a zero byte")
		}
		if m.workspace(w.ID) != nil {
			return fmt.Errorf("cannot create workspace %s: it exists", w.ID)
		}
		m.Workspaces = append(m.Workspaces, w)
		m.Active = w.ID
		return nil
	})
	return w, err
}

// Rename gives a workspace another name of 1 to MaxName characters.
func (m *Model) Rename(id, name string) error {
	return m.edit(func(m *Model) error {
		w := m.workspace(id)
		if w == nil {
			return fmt.Errorf("cannot rename workspace %s: %w", id, ErrUnknown)
		}
		name = strings.TrimSpace(name)
		if err := checkName(name); err != nil {
			return fmt.Errorf("cannot rename workspace %s: %w", w.Name, err)
		}
		w.Name = name
		return nil
	})
}

// Reorder puts the workspaces into the order of ids, which must name each once.
func (m *Model) Reorder(ids []string) error {
	return m.edit(func(m *Model) error {
		if len(ids) != len(m.Workspaces) {
			return fmt.Errorf("cannot reorder: %d of %d workspaces named: %w", len(ids), len(m.Workspaces), ErrStale)
		}
		ordered := make([]Workspace, 0, len(ids))
		for i, id := range ids {
			w := m.workspace(id)
			if w == nil || slices.Contains(ids[:i], id) {
				return fmt.Errorf("cannot reorder: workspace %q is unknown or named twice: %w", id, ErrStale)
			}
			ordered = append(ordered, *w)
		}
		m.Workspaces = ordered
		return nil
	})
}

// Activate makes a workspace the one that the window shows.
func (m *Model) Activate(id string) error {
	return m.edit(func(m *Model) error {
		if m.workspace(id) == nil {
			return fmt.Errorf("cannot show workspace %s: %w", id, ErrUnknown)
		}
		m.Active = id
		return nil
	})
}

// RemoveWorkspace removes a workspace that holds no block any more; the one
// before it becomes active if it was.
func (m *Model) RemoveWorkspace(id string) error {
	return m.edit(func(m *Model) error {
		at := slices.IndexFunc(m.Workspaces, func(w Workspace) bool { return w.ID == id })
		if at < 0 {
			return fmt.Errorf("cannot remove workspace %s: %w", id, ErrUnknown)
		}
		if n := len(m.BlocksOf(id)); n > 0 {
			return fmt.Errorf("cannot remove workspace %s: it holds %d blocks; close them first", m.Workspaces[at].Name, n)
		}
		m.Workspaces = slices.Delete(m.Workspaces, at, at+1)
		switch {
		case m.Active != id:
		case len(m.Workspaces) == 0:
			m.Active = ""
		default:
			m.Active = m.Workspaces[max(at-1, 0)].ID
		}
		return nil
	})
}

// BlocksOf returns the IDs of a workspace's blocks: the panes' in reading order,
// then the unplaced.
func (m Model) BlocksOf(id string) []string {
	if w := m.workspace(id); w != nil {
		return w.blocks()
	}
	return nil
}

func (w *Workspace) blocks() []string {
	var out []string
	for _, p := range w.Layout.panes() {
		out = append(out, p.Blocks...)
	}
	return append(out, w.Unplaced...)
}

// RenameBlock sets a block's display name; "" lets the page make one up.
func (m *Model) RenameBlock(id, name string) error {
	name = strings.TrimSpace(name)
	return m.UpdateBlock(id, func(b *Block) { b.Name = name })
}

// UpdateBlock changes what is recorded of a block (its directory, its command).
// What fn does to ID and Workspace is undone.
func (m *Model) UpdateBlock(id string, fn func(*Block)) error {
	return m.edit(func(m *Model) error {
		b, ok := m.Blocks[id]
		if !ok {
			return fmt.Errorf("cannot change block %s: %w", id, ErrUnknown)
		}
		owner := b.Workspace
		fn(&b)
		b.ID, b.Workspace = id, owner
		if err := checkBlock(b); err != nil {
			return fmt.Errorf("cannot change block %s: %w", id, err)
		}
		m.Blocks[id] = b.Clone()
		return nil
	})
}

func (m *Model) workspace(id string) *Workspace {
	for i := range m.Workspaces {
		if m.Workspaces[i].ID == id {
			return &m.Workspaces[i]
		}
	}
	return nil
}

func checkName(name string) error {
	if name == "" {
		return errors.New("it needs a name")
	}
	return checkText("name", name)
}

func checkText(what, s string) error {
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return fmt.Errorf("its %s holds control characters", what)
	}
	if n := utf8.RuneCountInString(s); n > MaxName {
		return fmt.Errorf("its %s has %d characters, at most %d fit", what, n, MaxName)
	}
	return nil
}

func checkBlock(b Block) error {
	if b.ID == "" {
		return errors.New("it has no id")
	}
	switch b.Kind {
	case Shell, Subprocess, Persistent, ACP, AppServer, DurableSSH:
	default:
		return fmt.Errorf("kind %q is unknown", b.Kind)
	}
	switch b.CloseOnExit {
	case CloseAuto, CloseAlways, CloseNever:
	default:
		return fmt.Errorf("closeOnExit %q is unknown", b.CloseOnExit)
	}
	if len(b.Command) > 0 && b.CommandLine != "" {
		return errors.New("it has both a command and a command line; give one")
	}
	for _, s := range append([]string{b.Dir, b.CommandLine, b.Shell}, b.Command...) {
		if strings.ContainsRune(s, 0) {
			return errors.New("its command or directory holds a zero byte")
		}
	}
	for k, v := range b.Env {
		if k == "" || strings.ContainsAny(k, "=\x00") || strings.ContainsRune(v, 0) {
			return fmt.Errorf("environment variable %q cannot be set", k)
		}
	}
	return checkText("name", b.Name)
}
