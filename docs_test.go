package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// faults are the ids that docs/faults.md must have a row for.
var faults = strings.Fields(`
	A1 A2 A3 A4 A5 A6 A7 A8 A11 A12 A13 A17 A32 A33 A43 A44
	B1 B3 B4 B5 B6 B7 B7a B7c B7d B7e B7f B13 B15 B18 B19 B20 B21 B22 B26
	B29 B31 B32 B33 B34 B35 B36 B37 B38 B39 B40 B42 B71 B73
	H1 H2 H3 H4 H5 H6`)

// TestEveryFaultNamesTestsThatExist reads the table: `package TestName` is a test
// function of that package, `file: title` is a text in that file.
func TestEveryFaultNamesTestsThatExist(t *testing.T) {
	row := regexp.MustCompile(`(?m)^\| ([A-Z]\d+[a-z]?) \|.*\|(.*)\|$`)
	name := regexp.MustCompile("`([^`]+)`")
	seen := map[string]bool{}
	for _, m := range row.FindAllStringSubmatch(read(t, "docs/faults.md"), -1) {
		id := m[1]
		if seen[id] {
			t.Errorf("%s has two rows", id)
		}
		seen[id] = true
		if !slices.Contains(faults, id) {
			t.Errorf("%s is not in the list of this test", id)
		}
		tests := name.FindAllStringSubmatch(m[2], -1)
		if len(tests) == 0 {
			t.Errorf("%s names no test", id)
		}
		for _, n := range tests {
			if why := missing(t, n[1]); why != "" {
				t.Errorf("%s names %s: %s", id, n[1], why)
			}
		}
	}
	for _, id := range faults {
		if !seen[id] {
			t.Errorf("%s has no row", id)
		}
	}
}

// missing says why a test that a row names cannot be found.
func missing(t *testing.T, name string) string {
	t.Helper()
	if file, title, ok := strings.Cut(name, ": "); ok {
		text, err := os.ReadFile(file)
		switch {
		case err != nil:
			return err.Error()
		case !strings.Contains(string(text), `"`+title+`"`):
			return "no such title"
		}
		return ""
	}
	dir, function, ok := strings.Cut(name, " ")
	if !ok {
		return "neither a package and a function nor a file and a title"
	}
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return err.Error()
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err.Error()
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == function && strings.HasPrefix(function, "Test") {
				return ""
			}
		}
	}
	return "no such test"
}

// docs calls f with every page of documentation.
func docs(t *testing.T, f func(path, text string)) {
	t.Helper()
	pages := []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"}
	err := filepath.WalkDir("docs", func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range pages {
		f(path, read(t, path))
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The project stands alone: its pages name no place of the machine on which they
// were written, no host that packages come from, and nobody's list of issues.
func TestDocsStandAlone(t *testing.T) {
	foreign := []*regexp.Regexp{
		regexp.MustCompile(`(^|[\s"'(\x60])/(work|tmp|root|mnt|srv)(/|\b)`),
		regexp.MustCompile(`/(home|Users)/\w`),
		regexp.MustCompile(`[A-Z]:\\Users`),
		regexp.MustCompile(`(?i)registry\.|npmjs|proxy\.golang|goproxy|sum\.golang|pypi|crates\.io|deb\.debian`),
		regexp.MustCompile(`(^|[\s(\w])#\d{2,}\b`),
		regexp.MustCompile(`(?i)\b(PR|issue|pull request) ?#?\d+`),
		regexp.MustCompile(`/(issues|pull)/\d+`),
	}
	docs(t, func(path, text string) {
		for i, line := range strings.Split(text, "\n") {
			for _, re := range foreign {
				if m := re.FindString(line); m != "" {
					t.Errorf("%s:%d: %q", path, i+1, m)
				}
			}
		}
	})
}

// What the pages point at is there: other pages, and what can be made.
func TestDocsPointAtWhatIsThere(t *testing.T) {
	link := regexp.MustCompile(`[^!]\[[^\]]*\]\(([^)#:]+)\)`)
	target := regexp.MustCompile(`(?m)^([a-z-]+):`)
	use := regexp.MustCompile("(?m)(?:`|^)make ([a-z-]+)")
	targets := map[string]bool{}
	for _, m := range target.FindAllStringSubmatch(read(t, "Makefile"), -1) {
		targets[m[1]] = true
	}
	docs(t, func(path, text string) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		for _, m := range use.FindAllStringSubmatch(text, -1) {
			if !targets[m[1]] {
				t.Errorf("%s: there is no make %s", path, m[1])
			}
		}
	})
}

// A page of architecture is a page, and a decision is short and dated.
func TestDocsAreShort(t *testing.T) {
	lines := func(text string) int { return strings.Count(text, "\n") }
	if n := lines(read(t, "ARCHITECTURE.md")); n > 110 {
		t.Errorf("ARCHITECTURE.md has %d lines: it is one page", n)
	}
	decisions, err := filepath.Glob("docs/decisions/[0-9]*.md")
	if err != nil || len(decisions) == 0 {
		t.Fatalf("no decisions: %v", err)
	}
	for _, path := range decisions {
		if n := lines(read(t, path)); n >= 40 {
			t.Errorf("%s has %d lines", path, n)
		}
	}
}
