package shell

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"drover/backend/controller"
	"drover/backend/pty"
)

// program is what a Spec comes down to.
type program struct {
	path        string
	args        []string // with the name first
	dir         string
	env         []string
	interactive bool // a shell that a person types into
	note        string
}

// resolve finds the program of a spec in the environment that it will have.
func resolve(spec controller.Spec, env []string, fallback func() (string, error)) (program, error) {
	p := program{env: env}
	p.dir, p.note = startDir(spec.Dir, lookup(env, "HOME"))
	switch {
	case len(spec.Command) > 0:
		path, err := find(spec.Command[0], p.dir, env)
		if err != nil {
			return p, err
		}
		p.path, p.args = path, spec.Command
	case spec.CommandLine != "":
		p.path, p.args = lineShell(spec.CommandLine)
	default:
		name, err := spec.Shell, error(nil)
		if name == "" {
			name, err = fallback()
		}
		if err != nil {
			return p, err
		}
		path, err := find(name, p.dir, env)
		if err != nil {
			return p, fmt.Errorf("cannot find the shell %s: choose another in Settings, Terminal, Shell", name)
		}
		p.path, p.interactive = path, true
		p.args = loginArgs(path)
	}
	return p, nil
}

// startDir is where to start, and what to say if that is not where it was asked
// for: a directory may be gone since the block was saved.
func startDir(dir, home string) (start, note string) {
	if dir == "" {
		return home, ""
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return dir, ""
	}
	for parent := filepath.Dir(dir); parent != filepath.Dir(parent); parent = filepath.Dir(parent) {
		if info, err := os.Stat(parent); err == nil && info.IsDir() {
			return parent, fmt.Sprintf("The folder %s is gone. This started in %s.", dir, parent)
		}
	}
	return home, fmt.Sprintf("The folder %s is gone. This started in %s.", dir, home)
}

// find is exec.LookPath in another environment than ours: relative names with a
// slash start at dir, bare ones are looked up in env's PATH.
func find(name, dir string, env []string) (string, error) {
	if strings.ContainsRune(name, filepath.Separator) || strings.Contains(name, "/") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		return name, executable(name)
	}
	for _, d := range filepath.SplitList(lookup(env, "PATH")) {
		for _, ext := range extensions(env) {
			if path := filepath.Join(d, name+ext); filepath.IsAbs(path) && executable(path) == nil {
				return path, nil
			}
		}
	}
	return "", fmt.Errorf("cannot find the program %s in PATH: install it, or name it with its folder", name)
}

func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("cannot start %s: there is no such file", path)
	case err != nil:
		return fmt.Errorf("cannot start %s: %w", path, err)
	case info.IsDir():
		return fmt.Errorf("cannot start %s: it is a folder", path)
	case !mayRun(info):
		return fmt.Errorf("cannot start %s: it is not executable (chmod +x makes it so)", path)
	}
	return nil
}

// lookup is the last value of a variable in env, as exec.Cmd has it.
func lookup(env []string, name string) string {
	for _, kv := range slices.Backward(env) {
		if k, v, ok := strings.Cut(kv, "="); ok && sameVariable(k, name) {
			return v
		}
	}
	return ""
}

func (p program) command(size controller.Size) pty.Command {
	return pty.Command{Path: p.path, Args: p.args, Dir: p.dir, Env: p.env, Size: pty.Size(size)}
}
