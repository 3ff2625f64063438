//go:build unix

package main

import (
	"os"
	"path/filepath"
	"runtime"
)

func platformData() (string, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support", "Drover"), nil
	}
	return filepath.Join(home, ".local", "share", "drover"), nil
}
