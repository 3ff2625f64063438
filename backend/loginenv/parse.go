package loginenv

import (
	"bytes"
	"crypto/rand"
	"os"
	"regexp"
	"strings"
)

// marker separates the environment from whatever else a shell prints.
type marker struct{ a, b string }

func newMarker() marker { return marker{rand.Text(), rand.Text()} }

// command replaces the user's shell by a plain one, which no alias, trap or option
// of the rc files reaches, and which prints the environment twice, each time between
// two markers: with zero bytes where env can (values may hold new lines), and in
// lines. It is one word and one text in single quotes for bash, zsh, fish, tcsh and
// sh alike. The marker is in two parts, so that a shell that shows the command
// (set -v) does not show a marker.
func (m marker) command() string {
	env := "env"
	if _, err := os.Stat("/usr/bin/env"); err == nil {
		env = "/usr/bin/env" // also if the rc files have broken PATH
	}
	mark := `echo; echo ` + m.a + `""` + m.b
	return `exec /bin/sh -c '` + mark + `; ` + env + ` -0 2>/dev/null; ` + mark + `; ` + env + `; ` + mark + `'`
}

// complete reports whether an output holds all that is to come.
func (m marker) complete(output []byte) bool {
	return bytes.Count(output, []byte(m.a+m.b+"\n")) >= 3
}

// parse returns nil if the output holds no environment.
func (m marker) parse(output []byte) map[string]string {
	parts := strings.Split(string(output), "\n"+m.a+m.b+"\n")
	if len(parts) < 4 {
		return nil
	}
	// The last three marks count: anything may have printed before.
	zeros, lines := parts[len(parts)-3], parts[len(parts)-2]
	vars := parseLines(lines)
	if strings.Contains(zeros, "\x00") {
		vars = parsePairs(strings.Split(zeros, "\x00"))
	}
	if len(vars) == 0 {
		return nil
	}
	return vars
}

// parseLines reads env's lines. A line that begins no variable continues the value
// before; a value with a line like "A=b" in it cannot be told from a variable.
func parseLines(text string) map[string]string {
	begins := regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.]*|BASH_FUNC_[^=]+(?:%%|\(\)))=`)
	vars, last := map[string]string{}, ""
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if begins.MatchString(line) {
			name, value, _ := strings.Cut(line, "=")
			vars[name], last = value, name
		} else if last != "" {
			vars[last] += "\n" + line
		}
	}
	return vars
}
