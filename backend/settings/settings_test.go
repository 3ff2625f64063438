package settings_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"drover/backend/settings"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "settings.json")
	put(t, path, content)
	return path
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestWithoutAFileTheDefaultsApply(t *testing.T) {
	l := settings.Load(filepath.Join(t.TempDir(), "none", "settings.json"))
	if len(l.Problems) > 0 || !reflect.DeepEqual(l.Settings, settings.Defaults()) {
		t.Fatalf("loaded %+v", l)
	}
	text, err := json.Marshal(l)
	if err != nil || strings.Contains(string(text), "null") {
		t.Fatalf("%s: %v", text, err)
	}
	for _, want := range []string{`"theme":"system"`, `"fontSize":12.5`, `"scrollback":5000`, `"bell":"visual"`, `"perTerminalMiB":64`, `"totalGiB":4`, `"treeWidth":300`, `"dockRows":4`, `"closeOnExit":"auto"`, `"confirmMultilinePaste":true`, `"keys":{}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
}

func TestProblemsSayWhereAndTheRestApplies(t *testing.T) {
	rows := []struct {
		name, line string // stands in line 3
		column     int
		key, says  string
	}{
		{"too big", `"fontSize": 900,`, 17, "terminal.fontSize", "a number from 6 to 48; the default holds"},
		{"a text for a number", `"fontSize": "12",`, 17, "terminal.fontSize", "a number from 6 to 48"},
		{"null", `"fontSize": null,`, 17, "terminal.fontSize", "a number from 6 to 48"},
		{"no whole number", `"scrollback": 1.5,`, 19, "terminal.scrollback", "a whole number from 0 to 100000"},
		{"an unknown name", `"bell": "loud",`, 13, "terminal.bell", `must be "visual", "none" or "sound"`},
		{"no truth", `"cursorBlink": 1,`, 20, "terminal.cursorBlink", "true or false"},
		{"a number for a text", `"fontFamily": 5,`, 19, "terminal.fontFamily", "a text in double quotes"},
		{"an escape", `"shell": "a\u001b",`, 14, "terminal.shell", "control characters"},
		{"an unknown setting", `"fontsize": 12,`, 5, "terminal.fontsize", "not a setting that this version knows"},
		{"an object for a value", `"fontSize": {"a": 1},`, 17, "terminal.fontSize", "a number"},
		{"after more than ASCII", `/* üü */ "bell": 1,`, 22, "terminal.bell", "must be"},
		{"there twice", `"renderer": "webgl",`, 0, "", ""},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			l := settings.Load(file(t, "{\n  \"terminal\": { // a comment\n    "+r.line+"\n    \"renderer\": \"dom\",\n  },\n  \"theme\": \"dark\",\n}\n"))
			if l.Settings.Theme != "dark" || l.Settings.Terminal.Renderer != "dom" || l.Settings.Terminal.FontSize != 12.5 {
				t.Errorf("the rest does not apply: %+v", l.Settings)
			}
			if len(l.Problems) != 1 {
				t.Fatalf("problems are %+v", l.Problems)
			}
			p := l.Problems[0]
			if r.key == "" {
				if p.Line != 4 || p.Column != 5 || p.Key != "terminal.renderer" || !strings.Contains(p.Text, "twice") {
					t.Errorf("problem is %+v", p)
				}
				return
			}
			if p.Line != 3 || p.Column != r.column || p.Key != r.key || !strings.Contains(p.Text, r.says) {
				t.Errorf("problem is %+v", p)
			}
		})
	}
}

func TestProblemsOfTheWholeFile(t *testing.T) {
	rows := []struct {
		name, content string
		line          int
		key, says     string
	}{
		{"a missing comma", "{\n  \"theme\": \"dark\"\n  \"log\": {}\n}", 3, "", "cannot be parsed"},
		{"cut off", "{\n  \"theme\": \"dark\",\n", 3, "", "cannot be parsed"},
		{"two documents", "{}\n{}", 2, "", "cannot be parsed"},
		{"a list", "[]", 1, "", "one object in braces"},
		{"a section that is none", "{\n\"terminal\": 5}", 2, "terminal", "must be an object"},
		{"an unknown section", "{\n\"fonts\": {}}", 2, "fonts", "is not a setting"},
		{"a dotted path", "{\n\"terminal.fontSize\": 9}", 2, "terminal.fontSize", "is not a setting"},
		{"a key that is no text", "{\"keys\": {\n\"tab.new\": 1}}", 2, "keys.tab.new", "a text"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			path := file(t, r.content)
			l := settings.Load(path)
			if len(l.Problems) != 1 || l.Problems[0].Line != r.line || l.Problems[0].Key != r.key || !strings.Contains(l.Problems[0].Text, r.says) {
				t.Errorf("problems are %+v", l.Problems)
			}
			if !reflect.DeepEqual(l.Settings, settings.Defaults()) {
				t.Errorf("settings are %+v", l.Settings)
			}
			if content(t, path) != r.content {
				t.Error("the file was changed")
			}
		})
	}
}

func TestFilesThatAreNone(t *testing.T) {
	dir := t.TempDir()
	big := filepath.Join(dir, "big")
	put(t, big, strings.Repeat(" ", 1<<20))
	for path, says := range map[string]string{dir: "not a file", big: "at most", filepath.Join(big, "below"): ""} {
		l := settings.Load(path)
		if !reflect.DeepEqual(l.Settings, settings.Defaults()) || says != "" && (len(l.Problems) != 1 || !strings.Contains(l.Problems[0].Text, says)) {
			t.Errorf("%s: %+v", path, l.Problems)
		}
		if _, err := settings.Set(path, "theme", "dark"); err == nil {
			t.Errorf("%s was written", path)
		}
	}
	for _, empty := range []string{"", " \n", "\xef\xbb\xbf{}"} {
		if l := settings.Load(file(t, empty)); len(l.Problems) > 0 {
			t.Errorf("%q: %+v", empty, l.Problems)
		}
	}
}

func TestSetKeepsWhatAPersonWrote(t *testing.T) {
	rows := []struct {
		name, old, key string
		value          any
		want           string
	}{
		{"a value", "{\n  // mine\n  \"theme\": \"dark\", // why\n}\n", "theme", "light", "{\n  // mine\n  \"theme\": \"light\", // why\n}\n"},
		{"a new value", "{\n  \"theme\": \"dark\" // why\n}\n", "terminal.fontSize", 14, "{\n  \"theme\": \"dark\", // why\n  \"terminal\": {\n    \"fontSize\": 14\n  }\n}\n"},
		{"in a section", "{\n    \"terminal\": {\n        // big\n        \"fontSize\": 20, // yes\n        // end\n    },\n}\n", "terminal.bell", "none", "{\n    \"terminal\": {\n        // big\n        \"fontSize\": 20, // yes\n        \"bell\": \"none\"\n        // end\n    },\n}\n"},
		{"on one line", "{\"terminal\": {\"fontSize\": 20}}", "terminal.bell", "none", "{\"terminal\": {\"fontSize\": 20, \"bell\": \"none\"}}"},
		{"unknown keys", "{\n\t\"later\": [1, 2], /* x */\n\t\"theme\": \"dark\"\n}", "theme", "light", "{\n\t\"later\": [1, 2], /* x */\n\t\"theme\": \"light\"\n}"},
		{"a key", "{\n\t\"keys\": {}\n}", "keys.tab.new", "Ctrl+T", "{\n\t\"keys\": {\n\t\t\"tab.new\": \"Ctrl+T\"\n\t}\n}"},
		{"a strange key", "{\n\t\"keys\": {\n\t\t\"a/b~c\": \"x\"\n\t}\n}", "keys.a/b~c", "y", "{\n\t\"keys\": {\n\t\t\"a/b~c\": \"y\"\n\t}\n}"},
		{"a wrong value", "{\n\t\"theme\": 5, // oops\n}", "theme", "light", "{\n\t\"theme\": \"light\", // oops\n}"},
		{"away", "{\n\t\"theme\": \"dark\",\n\t\"keys\": {},\n}", "theme", nil, "{\n\t\"keys\": {},\n}"},
		{"away with what is not there", "{\n}", "terminal.bell", nil, "{\n}"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			path := file(t, r.old)
			l, err := settings.Set(path, r.key, r.value)
			if err != nil {
				t.Fatal(err)
			}
			if got := content(t, path); got != r.want {
				t.Errorf("the file is\n%s\nwant\n%s", got, r.want)
			}
			if again := settings.Load(path); !reflect.DeepEqual(again, l) {
				t.Errorf("Set returned %+v, the file says %+v", l, again)
			}
		})
	}
}

func TestTheFirstSetMakesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "settings.json")
	l, err := settings.Set(path, "terminal.fontSize", 14.5)
	if err != nil || l.Settings.Terminal.FontSize != 14.5 || len(l.Problems) > 0 {
		t.Fatalf("set %+v: %v", l, err)
	}
	if _, err = settings.Set(path, "keys.tab.new", ""); err != nil {
		t.Fatal(err)
	}
	got := content(t, path)
	if !strings.HasPrefix(got, "// Drover's settings") || !strings.HasSuffix(got, "{\n\t\"terminal\": {\n\t\t\"fontSize\": 14.5\n\t},\n\t\"keys\": {\n\t\t\"tab.new\": \"\"\n\t}\n}\n") {
		t.Errorf("the file is\n%s", got)
	}
	entries, _ := os.ReadDir(filepath.Dir(path))
	if len(entries) != 1 {
		t.Errorf("there are %v", entries)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
}

func TestSetRefuses(t *testing.T) {
	rows := []struct {
		name, old, key string
		value          any
		says           string
	}{
		{"a value out of bounds", "{}", "terminal.fontSize", 5, "it must be a number from 6 to 48"},
		{"a value of another type", "{}", "theme", 5, "it must be"},
		{"what is no JSON", "{}", "theme", func() {}, "no JSON"},
		{"an unknown setting", "{}", "terminal.fontsize", 12, "no such setting"},
		{"a section", "{}", "terminal", map[string]any{}, "no such setting"},
		{"a key without a command", "{}", "keys.", "x", "no such setting"},
		{"a file that cannot be parsed", "{\n\"theme\": \n}", "theme", "dark", "line 3: the file cannot be parsed"},
		{"a list", "[]", "theme", "dark", "one object"},
		{"a section that is none", "{\"terminal\": 5}", "terminal.bell", "none", `"terminal" is not an object: mend`},
		{"a section twice", "{\"terminal\": {}, \"terminal\": {}}", "terminal.bell", "none", "twice"},
		{"a value twice", "{\"theme\": \"dark\", \"theme\": \"dark\"}", "theme", "light", "twice"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			path := file(t, r.old)
			_, err := settings.Set(path, r.key, r.value)
			if err == nil || !strings.HasPrefix(err.Error(), "cannot set "+r.key+": ") || !strings.Contains(err.Error(), r.says) {
				t.Errorf("got %v", err)
			}
			if content(t, path) != r.old {
				t.Error("the file was changed")
			}
			if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
				t.Errorf("there are %v", entries)
			}
		})
	}
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	path := file(t, "{}")
	dir := filepath.Dir(path)
	if err := errors.Join(os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(path, 0o644), os.Chmod(dir, 0o555)); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(dir, 0o755) }()
	asNobody(t, func() {
		_, err := settings.Set(path, "theme", "dark")
		if err == nil || !errors.Is(err, os.ErrPermission) || !strings.Contains(err.Error(), "make its folder writable") {
			t.Errorf("got %v", err)
		}
	})
}

func TestALinkStaysALink(t *testing.T) {
	target := file(t, "{}")
	link := filepath.Join(t.TempDir(), "settings.json")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if _, err := settings.Set(link, "theme", "dark"); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 || !strings.Contains(content(t, target), "dark") {
		t.Errorf("the link is %v, its target %s: %v", info.Mode(), content(t, target), err)
	}
}

func FuzzLoadAndSet(f *testing.F) {
	for _, s := range []string{"", "{}", "{\"terminal\":{\"fontSize\":1e400}}", "{//\n\"theme\":/**/\"dark\"/**/,/**/}", "{\"keys\":{\"a\":\"b\",},}", "[", "{\"theme\":\"dark\"\"}", "{\n\t\"view\": {\"treeWidth\": 5} // x\n}"} {
		f.Add(s)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "settings.json")
		put(t, path, text)
		before := settings.Load(path)
		lines := strings.Count(text, "\n") + 1
		for _, p := range before.Problems {
			if p.Line < 0 || p.Line > lines || p.Column < 0 || p.Text == "" {
				t.Fatalf("problem %+v in %d lines", p, lines)
			}
		}
		l, err := settings.Set(path, "view.treeWidth", 444)
		if err != nil {
			if content(t, path) != text {
				t.Fatal("it failed and changed the file")
			}
			return
		}
		after := settings.Load(path)
		want := before.Settings
		want.View.TreeWidth = 444
		if !reflect.DeepEqual(after.Settings, want) || !reflect.DeepEqual(after, l) || len(after.Problems) > len(before.Problems) {
			t.Fatalf("after Set: %+v, want %+v\n%s", after, want, content(t, path))
		}
	})
}
