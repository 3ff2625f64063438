package main_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// imports is the table of the house: which of our packages each package may
// import. A package without a row fails, and so does a row without a package. A
// row may change in a commit that says why. Its twin for the page is
// .dependency-cruiser.cjs.
//
// Tests are free to import what they like; "*" is anything.
var imports = map[string][]string{
	"event":     {},
	"pty":       {},
	"turn":      {},
	"termlog":   {},
	"workspace": {},
	"settings":  {},
	"proc":      {},
	"loginenv":  {},
	"search":    {"termlog"},
	"recording": {"screen", "termlog"},
	"width":     {},
	"history":   {},

	"controller":   {"turn"},
	"screen":       {"width"},
	"terminal":     {"pty", "screen", "termlog"},
	"driver/shell": {"controller", "terminal", "pty"},
	"supervisor":   {"controller", "event", "workspace", "proc", "turn"},
	"activity":     {"controller", "workspace", "proc", "event"},
	"store":        {"workspace"},
	"stream":       {"terminal"},
	"api":          {"activity", "controller", "event", "history", "proc", "pty", "recording", "screen", "search", "settings", "supervisor", "termlog", "terminal", "workspace"},
	"rpc":          {},
	"serve":        {"api", "rpc", "stream"},

	"controller/controllertest": {"*"},
}

// The root package wires everything; nobody imports it.
const root = "drover"

// A file is read whole by whoever joins: beyond this it is two things.
const maxLines = 600

type pkg struct {
	ImportPath string
	Dir        string
	Name       string
	Imports    []string
	GoFiles    []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Name,Imports,GoFiles", "./backend/...")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var all []pkg
	for d := json.NewDecoder(out); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestImportTable(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, root+"/backend/")
		if strings.HasPrefix(name, "internal/") {
			continue // only tests and commands import them
		}
		seen[name] = true
		allowed, ok := imports[name]
		if !ok {
			t.Errorf("package %s has no row in the table", name)
			continue
		}
		for _, imp := range p.Imports {
			ours, ok := strings.CutPrefix(imp, root+"/")
			if !ok {
				continue
			}
			ours = strings.TrimPrefix(ours, "backend/")
			if !slices.Contains(allowed, ours) && !slices.Contains(allowed, "*") {
				t.Errorf("%s may not import %s", name, ours)
			}
		}
		for _, imp := range p.Imports {
			if strings.HasPrefix(imp, "github.com/wailsapp/") {
				t.Errorf("%s imports Wails, which only the root does: everything else builds for every system without it", name)
			}
		}
	}
	for name, allowed := range imports {
		if !seen[name] {
			t.Errorf("the row %s has no package", name)
		}
		for _, a := range allowed {
			if a != "*" && imports[a] == nil {
				t.Errorf("the row %s allows %s, which has no row", name, a)
			}
		}
	}
}

func TestEveryPackageSaysWhatItOwns(t *testing.T) {
	for _, p := range packages(t) {
		doc := ""
		for _, file := range p.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			doc += f.Doc.Text()
		}
		begin := "Package " + p.Name + " "
		if p.Name == "main" {
			begin = "Command " + filepath.Base(p.Dir) + " "
		}
		if !strings.HasPrefix(doc, begin) || len(doc) < 100 {
			t.Errorf("%s: the package comment says too little: %q", p.ImportPath, doc)
		}
	}
}

// sources calls f with every Go and TypeScript file of ours.
func sources(t *testing.T, f func(path string, text []byte)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{"node_modules", "dist", ".git", "wailsjs", "bin"}, d.Name()):
			return fs.SkipDir
		case d.IsDir() || !slices.Contains([]string{".go", ".ts", ".tsx", ".mjs", ".css"}, filepath.Ext(path)):
			return nil
		}
		text, err := os.ReadFile(path)
		f(path, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestNoFileIsTooLong(t *testing.T) {
	sources(t, func(path string, text []byte) {
		if n := strings.Count(string(text), "\n"); n > maxLines {
			t.Errorf("%s has %d lines; over %d it is two things", path, n, maxLines)
		}
	})
}

// What the laws forbid everywhere: init, sleeps and condition variables.
func TestLaws(t *testing.T) {
	sources(t, func(path string, text []byte) {
		if filepath.Ext(path) != ".go" {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
		if err != nil {
			t.Error(err)
			return
		}
		test := strings.HasSuffix(path, "_test.go")
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s has an init", path)
				}
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok {
					return true
				}
				if name := x.Name + "." + n.Sel.Name; name == "sync.Cond" || name == "sync.NewCond" || name == "time.Sleep" && !test {
					t.Errorf("%s uses %s", path, name)
				}
			}
			return true
		})
	})
}
