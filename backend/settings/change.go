package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"
)

// head begins a file that the app makes.
const head = `// Drover's settings: JSON with comments. Changes apply when the file is saved.
// What is not here has its default; what is wrong is reported and ignored.
{
}
`

func set(path, key string, value any) ([]byte, error) {
	field := lookup(key)
	if field == nil {
		return nil, errors.New("there is no such setting")
	}
	var text []byte
	if value != nil {
		var err error
		if text, err = json.Marshal(value); err != nil {
			return nil, fmt.Errorf("its value is no JSON: %w", err)
		}
		try := Defaults()
		if err := field(&try, text); err != nil {
			return nil, fmt.Errorf("it %w", err)
		}
	}
	content, err := read(path)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, err)
	}
	if len(bytes.TrimSpace(content)) == 0 {
		content = []byte(head)
	}
	if content, err = edit(content, key, text); err != nil {
		return nil, fmt.Errorf("%w: mend %s first, it is left as it is", err, path)
	}
	if err := write(path, content); err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w; make its folder writable or choose another with --data", path, err)
	}
	return content, nil
}

// edit returns content with one value changed, or removed if text is nil.
func edit(content []byte, key string, text []byte) ([]byte, error) {
	if _, problem := object(content); problem != nil {
		return nil, fmt.Errorf("line %d: %s", problem.Line, problem.Text)
	}
	root, err := hujson.Parse(content)
	if err != nil {
		return nil, err
	}
	section, name, nested := strings.Cut(key, ".")
	if !nested {
		section, name = "", key
	}
	target, indent := root.Value.(*hujson.Object), 1
	pointer := ""
	if nested {
		pointer, indent = "/"+section, 2
		switch n := index(target, section); n {
		case -1:
			if text == nil {
				return content, nil
			}
			if err := add(&root, "", section, []byte("{}"), 1); err != nil {
				return nil, err
			}
		case twice:
			return nil, fmt.Errorf("%q is there twice", section)
		}
		inner, ok := target.Members[index(target, section)].Value.Value.(*hujson.Object)
		if !ok {
			return nil, fmt.Errorf("%q is not an object", section)
		}
		target = inner
	}
	switch n := index(target, name); {
	case n == twice:
		return nil, fmt.Errorf("%q is there twice", key)
	case n < 0 && text == nil:
		return content, nil
	case n < 0:
		err = add(&root, pointer, name, text, indent)
	case text == nil:
		err = patch(&root, "remove", pointer+"/"+escape(name), nil)
	default:
		err = patch(&root, "replace", pointer+"/"+escape(name), text)
	}
	if err != nil {
		return nil, err
	}
	return root.Pack(), nil
}

// twice is the index of a name that an object has more than once.
const twice = -2

func index(o *hujson.Object, name string) int {
	found := -1
	for i, m := range o.Members {
		switch {
		case m.Name.Value.(hujson.Literal).String() != name:
		case found >= 0:
			return twice
		default:
			found = i
		}
	}
	return found
}

func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func patch(root *hujson.Value, op, pointer string, text []byte) error {
	step := map[string]any{"op": op, "path": pointer}
	if text != nil {
		step["value"] = json.RawMessage(text)
	}
	doc, err := json.Marshal([]any{step})
	if err != nil {
		return err
	}
	return root.Patch(doc)
}

// add appends a member on a line of its own, unless the object is on one line.
func add(root *hujson.Value, pointer, name string, text []byte, depth int) error {
	object := root.Value.(*hujson.Object)
	if pointer != "" {
		object = root.Find(pointer).Value.(*hujson.Object)
	}
	oneLine := len(object.Members) > 0 && !bytes.ContainsRune(object.Members[0].Name.BeforeExtra, '\n')
	unit := "\t"
	if first := root.Value.(*hujson.Object).Members; len(first) > 0 {
		before := first[0].Name.BeforeExtra
		if at := bytes.LastIndexByte(before, '\n'); at >= 0 && len(bytes.TrimLeft(before[at+1:], " \t")) == 0 && len(before[at+1:]) > 0 {
			unit = string(before[at+1:])
		}
	}
	if err := patch(root, "add", pointer+"/"+escape(name), text); err != nil {
		return err
	}
	member := &object.Members[len(object.Members)-1]
	if !bytes.HasPrefix(member.Value.BeforeExtra, []byte(" ")) {
		member.Value.BeforeExtra = append(hujson.Extra(" "), member.Value.BeforeExtra...)
	}
	if oneLine {
		member.Name.BeforeExtra = append(bytes.TrimRight(member.Name.BeforeExtra, " \t"), ' ')
		return nil
	}
	member.Name.BeforeExtra = lineEnd(member.Name.BeforeExtra, strings.Repeat(unit, depth))
	object.AfterExtra = lineEnd(object.AfterExtra, strings.Repeat(unit, depth-1))
	return nil
}

// lineEnd makes white space and comments end in a new line with an indent.
func lineEnd(e hujson.Extra, indent string) hujson.Extra {
	kept := bytes.TrimRight(e, " \t\r\n")
	return append(append(append(hujson.Extra{}, kept...), '\n'), indent...)
}

// write replaces the file in one step, or what it is a link to.
func write(path string, content []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return reason(err)
	}
	f, err := os.CreateTemp(dir, ".settings-*") // 0600
	if err != nil {
		return reason(err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // gone after the rename
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return reason(err)
	}
	return os.Rename(f.Name(), path)
}
