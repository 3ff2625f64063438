package api

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"drover/backend/controller"
	"drover/backend/proc"
	"drover/backend/supervisor"
	"drover/backend/workspace"
)

// Workspaces is the area of workspaces, panes and blocks.
type Workspaces struct{ d *Deps }

// NewWorkspace asks for a workspace.
type NewWorkspace struct {
	Name string `json:"name"`
	Dir  string `json:"dir"`
}

// Rename gives something another name.
type Rename struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Order is a new order of all workspaces.
type Order struct {
	IDs []string `json:"ids"`
}

// SetLayout brings a layout that a page made from version Base of the model.
type SetLayout struct {
	Workspace string           `json:"workspace"`
	Base      uint64           `json:"base"`
	Layout    workspace.Layout `json:"layout"`
}

// Move takes a block to another place.
type Move struct {
	Block string          `json:"block"`
	Place workspace.Place `json:"place"`
}

// OpenTerminal asks for a new terminal. Without a command and a command line it
// is an interactive shell.
type OpenTerminal struct {
	Place       workspace.Place   `json:"place"`
	Name        string            `json:"name"`
	Dir         string            `json:"dir"`  // "" is that of Like, else the workspace's; "~" is home
	Like        string            `json:"like"` // a block: its program's current folder is taken
	Command     []string          `json:"command"`
	CommandLine string            `json:"commandLine"`
	Shell       string            `json:"shell"`
	Env         map[string]string `json:"env"`
	Unrecorded  bool              `json:"unrecorded"` // keep its output in memory only
	// Later: whoever shows it starts it, by Ensure, in the size that it has there.
	Later bool `json:"later"`
	Cols  int  `json:"cols"`
	Rows  int  `json:"rows"`
}

// Path names a folder.
type Path struct {
	Path string `json:"path"`
}

// Folder is a folder with the folders in it.
type Folder struct {
	Path string   `json:"path"`
	Dirs []string `json:"dirs"`
}

// Snapshot is the whole model.
func (w *Workspaces) Snapshot() workspace.Model { return w.d.Records.Model() }

func (w *Workspaces) change(f func(*workspace.Model) error) (workspace.Model, error) {
	ctx, cancel := callContext()
	defer cancel()
	return w.d.Records.Change(ctx, f)
}

// Create adds a workspace and shows it.
func (w *Workspaces) Create(req NewWorkspace) (workspace.Workspace, error) {
	dir, err := w.folder(req.Dir)
	if err != nil {
		return workspace.Workspace{}, err
	}
	var made workspace.Workspace
	_, err = w.change(func(m *workspace.Model) error {
		made, err = m.Create(workspace.Workspace{Name: req.Name, Dir: dir})
		return err
	})
	return made, err
}

// Rename names a workspace.
func (w *Workspaces) Rename(req Rename) error {
	_, err := w.change(func(m *workspace.Model) error { return m.Rename(req.ID, req.Name) })
	return err
}

// Activate shows a workspace.
func (w *Workspaces) Activate(req ID) error {
	_, err := w.change(func(m *workspace.Model) error { return m.Activate(req.ID) })
	return err
}

// Reorder orders the workspaces.
func (w *Workspaces) Reorder(req Order) error {
	_, err := w.change(func(m *workspace.Model) error { return m.Reorder(req.IDs) })
	return err
}

// SetLayout takes a layout from a page. One that was made from an old model is
// refused with a text that begins with "conflict".
func (w *Workspaces) SetLayout(req SetLayout) (workspace.Model, error) {
	return w.change(func(m *workspace.Model) error { return m.SetLayout(req.Workspace, req.Layout, req.Base) })
}

// MoveBlock moves a block.
func (w *Workspaces) MoveBlock(req Move) error {
	_, err := w.change(func(m *workspace.Model) error { return m.MoveBlock(req.Block, req.Place) })
	return err
}

// RenameBlock names a block; "" lets the page make a name up.
func (w *Workspaces) RenameBlock(req Rename) error {
	if _, err := w.change(func(m *workspace.Model) error { return m.RenameBlock(req.ID, req.Name) }); err != nil {
		return err
	}
	return w.d.Supervisor.SetIdentity(req.ID, controller.Identity{Name: req.Name})
}

// OpenTerminal adds a terminal and starts it. How the start went is in its
// status.
func (w *Workspaces) OpenTerminal(req OpenTerminal) (workspace.Block, error) {
	b := workspace.Block{
		ID: workspace.NewID(), Kind: workspace.Shell, Name: req.Name,
		Command: req.Command, CommandLine: req.CommandLine, Shell: req.Shell, Env: req.Env,
		Unrecorded: req.Unrecorded, Created: time.Now(),
	}
	if len(b.Command) > 0 && b.CommandLine != "" {
		return b, refuse("open the terminal", "it has both a command and a command line; give one")
	}
	dir, err := w.folder(req.Dir)
	if err != nil {
		return b, err
	}
	if dir == "" {
		dir = w.folderOf(req.Like)
	}
	m, err := w.change(func(m *workspace.Model) error {
		if b.Dir = dir; dir == "" {
			b.Dir = workspaceDir(m, req.Place.Workspace)
		}
		return m.AddBlock(b, req.Place)
	})
	if err != nil {
		return b, err
	}
	if req.Later {
		return m.Blocks[b.ID], nil
	}
	w.d.Supervisor.Begin(b.ID, supervisor.EnsureOptions{Size: controller.Size{Cols: req.Cols, Rows: req.Rows}})
	return m.Blocks[b.ID], nil
}

// folderOf is the folder in which a block's program is now; "" if there is none.
func (w *Workspaces) folderOf(block string) string {
	ctl := w.d.Supervisor.Controller(block)
	if ctl == nil {
		return ""
	}
	id, err := proc.Identify(ctl.Status().PID)
	if err != nil {
		return ""
	}
	dir, err := proc.Cwd(id)
	if err != nil {
		return ""
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "" // gone, or not for us
	}
	return dir
}

func workspaceDir(m *workspace.Model, id string) string {
	for _, w := range m.Workspaces {
		if w.ID == id {
			return w.Dir
		}
	}
	return ""
}

// folder checks a folder that a person named: "" stays "", "~" is home.
func (w *Workspaces) folder(dir string) (string, error) {
	if dir == "" {
		return "", nil
	}
	path := w.expand(dir)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", refuse("use the folder "+dir, "there is no such folder")
	case err != nil:
		return "", refuse("use the folder "+dir, err)
	case !info.IsDir():
		return "", refuse("use the folder "+dir, "it is a file")
	}
	return path, nil
}

func (w *Workspaces) expand(dir string) string {
	home := w.d.Home
	if dir == "~" {
		return home
	}
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		return filepath.Join(home, rest)
	}
	if !filepath.IsAbs(dir) {
		return filepath.Join(home, dir)
	}
	return filepath.Clean(dir)
}

// maxDirs bounds what ListDir answers.
const maxDirs = 200

// ListDir lists the folders in a folder, for completion: hidden ones last.
func (w *Workspaces) ListDir(req Path) (Folder, error) {
	path := w.expand(req.Path)
	entries, err := os.ReadDir(path)
	if err != nil {
		return Folder{Path: path, Dirs: []string{}}, refuse("list "+req.Path, errors.Unwrap(err))
	}
	out := Folder{Path: path, Dirs: []string{}}
	for _, e := range entries {
		if e.IsDir() || e.Type()&fs.ModeSymlink != 0 && isDir(filepath.Join(path, e.Name())) {
			out.Dirs = append(out.Dirs, e.Name())
		}
	}
	slices.SortStableFunc(out.Dirs, func(a, b string) int {
		ha, hb := strings.HasPrefix(a, "."), strings.HasPrefix(b, ".")
		switch {
		case ha == hb:
			return strings.Compare(a, b)
		case ha:
			return 1
		}
		return -1
	})
	out.Dirs = out.Dirs[:min(len(out.Dirs), maxDirs)]
	return out, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Shells lists the shells of this machine.
func (w *Workspaces) Shells() []string { return append([]string{}, w.d.Shells()...) }
