package main

import (
	"os"
	"os/exec"
	"testing"
)

// The hand cases, what is recorded, and the first of the generated cases. make judge
// takes a thousand, and more moments.
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
	o := options{
		dir: top + "e2e/screen", provider: top + "frontend/src/features/terminal/widths.ts",
		seeds: 100, moments: 4, verbose: testing.Verbose(),
	}
	ok, err := run(os.Stdout, o)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		t.Error("more differs than may; go run ./backend/internal/screenjudge -v says what")
	}
}
