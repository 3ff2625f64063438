// Command screenrec records what real programs write to a terminal, as cases for
// screenjudge: vim, less, htop, tmux, mc, bash, zsh and fish run in a real PTY,
// get the keys of programs.go, are resized, and end. A screen of ours answers what
// they ask.
//
//	go run ./backend/internal/screenrec [name...]
//
// It runs on Linux with util-linux and those programs installed. Each runs in
// namespaces of its own, as user demo on host demo with nothing but the files of
// files.go in its home, so that a recording says nothing of the machine it was made
// on; one that does is refused. Bytes differ a little from run to run (times, how
// reads fall): what is committed is what the judge reads.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	dir := flag.String("out", "e2e/screen/recordings", "where the recordings go")
	flag.Parse()
	if err := run(*dir, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "screenrec:", err)
		os.Exit(1)
	}
}

func run(dir string, names []string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	files, err := os.MkdirTemp("", "screenrec")
	if err != nil {
		return err
	}
	defer os.RemoveAll(files)
	if err := writeFiles(files); err != nil {
		return err
	}
	for _, p := range programs() {
		if len(names) > 0 && !slices.Contains(names, p.name) {
			continue
		}
		r, err := record(p, files)
		if err == nil {
			err = r.neutral()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if err := r.save(filepath.Join(dir, p.name)); err != nil {
			return err
		}
		fmt.Printf("%s: %d bytes, %d resizes\n", p.name, len(r.data), len(r.Resizes))
	}
	return nil
}

// save writes NAME.bin and NAME.json.
func (r *recording) save(name string) error {
	meta, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".json", append(meta, '\n'), 0o644); err != nil {
		return err
	}
	return os.WriteFile(name+".bin", r.data, 0o644)
}
