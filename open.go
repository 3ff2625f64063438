package main

import (
	"fmt"
	"net/url"
	"os/exec"
	"runtime"
)

// openFile shows a file link of this machine with the desktop's own program for
// it, which Wails and browsers do not do.
func openFile(link *url.URL) error {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", link.Path)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", link.String())
	default:
		cmd = exec.Command("xdg-open", link.Path)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot open %s: %w", link.Path, err)
	}
	go func() { _ = cmd.Wait() }() // it is the desktop's from here on
	return nil
}
