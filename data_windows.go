package main

import (
	"os"
	"path/filepath"
)

func platformData() (string, error) {
	dir, err := os.UserCacheDir() // %LocalAppData%: it does not roam with the profile
	return filepath.Join(dir, "Drover"), err
}
