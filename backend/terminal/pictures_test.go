package terminal_test

import (
	"testing"

	"drover/backend/terminal"
	"drover/backend/termlog"
)

// A picture that is larger than the window comes in bytes: a screen has only a
// word in its place. What floods behind it comes in screens again.
func TestALargePictureIsNotReplacedByAScreen(t *testing.T) {
	for name, script := range map[string]string{
		"sixel": `printf '\033Pq'; head -c 1000000 /dev/zero | tr '\0' '~'; printf '\033\\below'`,
		"iTerm": `printf '\033]1337;File=inline=1;size=750000:'; head -c 1000000 /dev/zero | tr '\0' 'A'; printf '\007below'`,
	} {
		t.Run(name, func(t *testing.T) {
			term := terminal.New(termlog.NewMemory(termlog.Options{}), terminal.Options{Images: true})
			defer term.Close()
			p := newPage(t, term, 0)
			// All of it is there before anything is acknowledged.
			wait(t, start(t, term, sh(script)))
			p.settle()
			if p.screens != 0 || uint64(p.bytes) != term.Log().End() {
				t.Errorf("it got %d screens and %d of %d bytes", p.screens, p.bytes, term.Log().End())
			}
			wait(t, start(t, term, sh("seq 300000")))
			for p.screens == 0 {
				if !p.step(t.Context(), false) {
					t.Fatal("a flood behind it comes in bytes")
				}
			}
		})
	}
}
