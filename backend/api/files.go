package api

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// save writes a new file where a person finds what was saved: in their folder
// for downloads, else at home. A file that is there already is left alone, and
// the name gets a number. It answers with the path; what could not be written
// whole is removed.
func (d *Deps) save(name, ending string, write func(io.Writer) error) (path string, err error) {
	dir := downloads(d.Home, os.Getenv("XDG_CONFIG_HOME"))
	f, err := create(dir, fileName(name), ending)
	if err != nil {
		return "", fmt.Errorf("cannot save the file: %w", err)
	}
	err = errors.Join(write(f), f.Close())
	if err != nil {
		_ = os.Remove(f.Name())
		return "", fmt.Errorf("cannot save %s: %w", filepath.Base(f.Name()), err)
	}
	return f.Name(), nil
}

func create(dir, name, ending string) (*os.File, error) {
	for n := 1; ; n++ {
		full := name + ending
		if n > 1 {
			full = fmt.Sprintf("%s-%d%s", name, n, ending)
		}
		f, err := os.OpenFile(filepath.Join(dir, full), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) || n == 1000 {
			return f, err
		}
	}
}

// fileName is a name that every file system takes: what is special in one of
// them, or in a shell, becomes a dash.
func fileName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || strings.ContainsRune(`/\:*?"<>|'$`+"`", r) {
			return '-'
		}
		return r
	}, s)
	s = strings.Trim(s, " .-")
	for len(s) > 100 {
		r := []rune(s)
		s = string(r[:len(r)-1])
	}
	if s == "" {
		return "terminal"
	}
	return s
}

// downloads is the person's folder for downloads, by the rules of
// xdg-user-dirs, else ~/Downloads; their home when that is not there.
func downloads(home, config string) string {
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	dir := filepath.Join(home, "Downloads")
	if f, err := os.Open(filepath.Join(config, "user-dirs.dirs")); err == nil {
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			if v, ok := strings.CutPrefix(strings.TrimSpace(s.Text()), "XDG_DOWNLOAD_DIR="); ok {
				dir = strings.Replace(strings.Trim(v, `"`), "$HOME", home, 1)
			}
		}
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return home
	}
	return dir
}
