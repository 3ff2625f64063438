package loginenv_test

import (
	"runtime"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"drover/backend/loginenv"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMergeIsDeterministicAndTheLastLayerWins(t *testing.T) {
	base := map[string]string{"B": "1", "A": "1", "Path": "x"}
	for range 20 {
		got := loginenv.Merge(base, map[string]string{"B": "2", "C": ""}, map[string]string{"C": "3"})
		if want := []string{"A=1", "B=2", "C=3", "Path=x"}; runtime.GOOS != "windows" && !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
		got = loginenv.MergeFoldingCase(base, map[string]string{"PATH": "y", "a": "2"})
		if want := []string{"a=2", "B=1", "PATH=y"}; !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	}
	if base["B"] != "1" {
		t.Error("the base was changed")
	}
}

func TestLanguageAndPathAreThere(t *testing.T) {
	rows := []struct {
		goos       string
		in         map[string]string
		lang, path string
	}{
		{"linux", map[string]string{}, "C.UTF-8", "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"},
		{"darwin", map[string]string{"PATH": "/x"}, "en_US.UTF-8", "/x"},
		{"linux", map[string]string{"LANG": "de_DE.UTF-8", "PATH": "/x"}, "de_DE.UTF-8", "/x"},
		{"linux", map[string]string{"LC_ALL": "C", "PATH": "/x"}, "", "/x"},
		{"linux", map[string]string{"LC_CTYPE": "de_DE.UTF-8", "PATH": "/x"}, "C.UTF-8", "/x"},
		{"windows", map[string]string{"Path": "x"}, "", ""},
	}
	for _, r := range rows {
		got := loginenv.Complete(r.in, r.goos)
		if got["LANG"] != r.lang || got["PATH"] != r.path {
			t.Errorf("%s with %v: LANG %q, PATH %q", r.goos, r.in, got["LANG"], got["PATH"])
		}
	}
}

func TestEnvironmentsInLines(t *testing.T) {
	got := loginenv.ParseLines("A=1\nEMPTY=\nTEXT=first\n  second line\n\nthird=\"x\" y\nBASH_FUNC_f%%=() {  echo x\n}\nB=a=b\n")
	want := map[string]string{
		"A": "1", "EMPTY": "", "TEXT": "first\n  second line\n", "third": "\"x\" y", "BASH_FUNC_f%%": "() {  echo x\n}", "B": "a=b",
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %q, want %q", name, got[name], value)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %q", got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("noise", "A=1\x00B=x\ny\x00", "A=1\nB=x\ny\n", "bye")
	f.Add("", "", "A=1\n", "")
	f.Add("\n", "=x\x00", "=", "\n")
	f.Fuzz(func(t *testing.T, before, zeros, lines, after string) {
		m := loginenv.NewMarker()
		mark := m.Text()
		loginenv.Parse(m, []byte(before+after)) // no marker: it must only not fail
		vars := loginenv.Parse(m, []byte(before+mark+zeros+mark+lines+mark+after))
		for name := range vars {
			if name == "" {
				t.Fatal("a variable without a name")
			}
		}
	})
}
