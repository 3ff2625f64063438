package main

import (
	"os"
	"os/exec"
	"testing"
)

// The hand cases, what is recorded, and the first of the generated cases. The
// command judges a thousand.
func TestTheScreenIsAsXtermShowsIt(t *testing.T) {
	const top = "../../../"
	missing := t.Skipf
	if os.Getenv("CI") != "" {
		missing = t.Fatalf
	}
	if _, err := exec.LookPath("node"); err != nil {
		missing("there is no node, which the judge needs")
	}
	for _, module := range []string{"@xterm/headless", "typescript"} {
		if _, err := os.Stat(top + "node_modules/" + module); err != nil {
			missing("%s is not installed: npm ci", module)
		}
	}
	ok, err := run(top+"e2e/screen", top+"frontend/src/features/terminal/widths.ts", 0, 300, testing.Verbose(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Error("more differs than may; go run ./backend/internal/screenjudge -v says what")
	}
}
