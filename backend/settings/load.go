package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// maxFile bounds the file, in bytes: more is no settings file.
const maxFile = 256 << 10

// Load reads the file. It always returns settings that can be used: without a
// file the defaults; whatever does not apply is in Problems.
func Load(path string) Loaded {
	content, err := read(path)
	if err != nil {
		l := fresh(path)
		l.Problems = append(l.Problems, Problem{Text: fmt.Sprintf("the file cannot be read (%v); the defaults apply", err)})
		return l
	}
	return parse(path, content)
}

// read returns nil for a file that is not there.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, reason(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case info.Size() > maxFile:
		return nil, fmt.Errorf("it has %d bytes, at most %d are read", info.Size(), maxFile)
	}
	content, err := os.ReadFile(path)
	// Some editors begin a file with a byte order mark, which JSON does not know.
	return bytes.TrimPrefix(content, []byte("\xef\xbb\xbf")), reason(err)
}

// reason drops the path from an error of the system's: the caller says it.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func fresh(path string) Loaded {
	return Loaded{Settings: Defaults(), Problems: []Problem{}, Path: path, Defaults: Defaults()}
}

func parse(path string, content []byte) Loaded {
	l := fresh(path)
	if len(bytes.TrimSpace(content)) == 0 {
		return l
	}
	root, problem := object(content)
	if problem != nil {
		problem.Text += "; the defaults apply until it is mended"
		l.Problems = append(l.Problems, *problem)
		return l
	}
	r := reading{content: content, loaded: &l}
	r.object(root, "")
	slices.SortStableFunc(l.Problems, func(a, b Problem) int { return a.Line - b.Line })
	return l
}

// object parses the whole file; with a syntax error it returns that instead.
func object(content []byte) (*hujson.Object, *Problem) {
	value, err := hujson.Parse(content)
	if err != nil {
		return nil, syntaxError(err)
	}
	root, ok := value.Value.(*hujson.Object)
	if !ok {
		return nil, &Problem{Line: 1, Column: 1, Text: "the file must hold one object in braces"}
	}
	return root, nil
}

// syntaxError takes the position from hujson's text, which has it nowhere else.
func syntaxError(err error) *Problem {
	p := &Problem{Text: fmt.Sprintf("the file cannot be parsed: %v", err)}
	if _, scanErr := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &p.Line, &p.Column); scanErr == nil {
		cause := errors.Unwrap(err)
		p.Text = fmt.Sprintf("the file cannot be parsed: %v", cause)
	}
	return p
}

// reading is one pass over a parsed file.
type reading struct {
	content []byte
	loaded  *Loaded
}

// object reads the members of the root (prefix "") or of a section.
func (r *reading) object(o *hujson.Object, section string) {
	seen := map[string]bool{}
	for _, m := range o.Members {
		name := m.Name.Value.(hujson.Literal).String()
		path := name
		if section != "" {
			path = section + "." + name
		}
		if seen[name] {
			r.problem(m.Name.StartOffset, path, "is there twice; this one, the later, holds")
		}
		seen[name] = true
		if section == "" && slices.Contains(sections(), name) {
			if inner, ok := m.Value.Value.(*hujson.Object); ok {
				r.object(inner, name)
			} else {
				r.problem(m.Value.StartOffset, path, "must be an object in braces; its defaults hold")
			}
			continue
		}
		field := lookup(path)
		if field == nil || section == "" && strings.Contains(name, ".") {
			r.problem(m.Name.StartOffset, path, "is not a setting that this version knows; it is ignored and kept")
			continue
		}
		value := hujson.Value{Value: m.Value.Value}.Clone()
		value.Standardize()
		if err := field(&r.loaded.Settings, value.Pack()); err != nil {
			r.problem(m.Value.StartOffset, path, err.Error()+"; the default holds")
		}
	}
}

func (r *reading) problem(offset int, key, text string) {
	before := r.content[:min(max(offset, 0), len(r.content))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	r.loaded.Problems = append(r.loaded.Problems, Problem{
		Line:   bytes.Count(before, []byte{'\n'}) + 1,
		Column: utf8.RuneCount(line) + 1,
		Key:    key,
		Text:   text,
	})
}
