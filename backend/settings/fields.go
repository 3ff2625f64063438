package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText bounds every text value, in characters.
const maxText = 500

// field checks a JSON value and, if it is fine, takes it over.
type field func(s *Settings, value []byte) error

// fields has every setting but the keys, by its path in the file.
func fields() map[string]field {
	return map[string]field{
		"theme":                          oneOf(func(s *Settings) *string { return &s.Theme }, "system", "light", "dark"),
		"terminal.fontFamily":            text(func(s *Settings) *string { return &s.Terminal.FontFamily }),
		"terminal.fontSize":              number(func(s *Settings) *float64 { return &s.Terminal.FontSize }, 6, 48),
		"terminal.lineHeight":            number(func(s *Settings) *float64 { return &s.Terminal.LineHeight }, 1, 2),
		"terminal.scrollback":            integer(func(s *Settings) *int { return &s.Terminal.Scrollback }, 0, 100_000),
		"terminal.cursorStyle":           oneOf(func(s *Settings) *string { return &s.Terminal.CursorStyle }, "block", "bar", "underline"),
		"terminal.cursorBlink":           boolean(func(s *Settings) *bool { return &s.Terminal.CursorBlink }),
		"terminal.copyOnSelect":          boolean(func(s *Settings) *bool { return &s.Terminal.CopyOnSelect }),
		"terminal.shellIntegration":      boolean(func(s *Settings) *bool { return &s.Terminal.ShellIntegration }),
		"terminal.commandHistory":        boolean(func(s *Settings) *bool { return &s.Terminal.CommandHistory }),
		"terminal.confirmMultilinePaste": boolean(func(s *Settings) *bool { return &s.Terminal.ConfirmMultilinePaste }),
		"terminal.bell":                  oneOf(func(s *Settings) *string { return &s.Terminal.Bell }, "visual", "none", "sound"),
		"terminal.renderer":              oneOf(func(s *Settings) *string { return &s.Terminal.Renderer }, "auto", "dom", "webgl"),
		"terminal.shell":                 text(func(s *Settings) *string { return &s.Terminal.Shell }),
		"terminal.closeOnExit":           oneOf(func(s *Settings) *string { return &s.Terminal.CloseOnExit }, "auto", "always", "never"),
		"terminal.screenReader":          boolean(func(s *Settings) *bool { return &s.Terminal.ScreenReader }),
		"terminal.images":                boolean(func(s *Settings) *bool { return &s.Terminal.Images }),
		"log.perTerminalMiB":             integer(func(s *Settings) *int { return &s.Log.PerTerminalMiB }, 1, 4096),
		"log.totalGiB":                   integer(func(s *Settings) *int { return &s.Log.TotalGiB }, 1, 1024),
		"view.treeWidth":                 integer(func(s *Settings) *int { return &s.View.TreeWidth }, 120, 2000),
		"view.dockRows":                  integer(func(s *Settings) *int { return &s.View.DockRows }, 1, 50),
		"view.treeShown":                 boolean(func(s *Settings) *bool { return &s.View.TreeShown }),
		"view.dockShown":                 boolean(func(s *Settings) *bool { return &s.View.DockShown }),
	}
}

// keysSection is the one object whose names are free: the ids of commands.
const keysSection = "keys"

// lookup returns the field of a path, nil if there is none.
func lookup(path string) field {
	if command, ok := strings.CutPrefix(path, keysSection+"."); ok {
		if command == "" {
			return nil
		}
		return func(s *Settings, value []byte) error {
			var key string
			if err := text(func(*Settings) *string { return &key })(s, value); err != nil {
				return err
			}
			s.Keys[command] = key
			return nil
		}
	}
	return fields()[path]
}

// sections are the objects at the top.
func sections() []string { return []string{keysSection, "log", "terminal", "view"} }

func number(at func(*Settings) *float64, low, high float64) field {
	return func(s *Settings, value []byte) error {
		var v *float64
		if json.Unmarshal(value, &v) != nil || v == nil || !(*v >= low && *v <= high) {
			return fmt.Errorf("must be a number from %v to %v", low, high)
		}
		*at(s) = *v
		return nil
	}
}

func integer(at func(*Settings) *int, low, high int) field {
	return func(s *Settings, value []byte) error {
		var v *float64 // 5e3 is an integer too
		if json.Unmarshal(value, &v) != nil || v == nil || *v != math.Trunc(*v) || *v < float64(low) || *v > float64(high) {
			return fmt.Errorf("must be a whole number from %d to %d", low, high)
		}
		*at(s) = int(*v)
		return nil
	}
}

func boolean(at func(*Settings) *bool) field {
	return func(s *Settings, value []byte) error {
		var v *bool
		if json.Unmarshal(value, &v) != nil || v == nil {
			return errors.New("must be true or false")
		}
		*at(s) = *v
		return nil
	}
}

func oneOf(at func(*Settings) *string, names ...string) field {
	return func(s *Settings, value []byte) error {
		var v *string
		if json.Unmarshal(value, &v) != nil || v == nil || !slices.Contains(names, *v) {
			return fmt.Errorf("must be %s", listed(names))
		}
		*at(s) = *v
		return nil
	}
}

// listed writes "a", "b" or "c".
func listed(names []string) string {
	last := len(names) - 1
	return `"` + strings.Join(names[:last], `", "`) + `" or "` + names[last] + `"`
}

func text(at func(*Settings) *string) field {
	return func(s *Settings, value []byte) error {
		var v *string
		switch {
		case json.Unmarshal(value, &v) != nil || v == nil:
			return errors.New("must be a text in double quotes")
		case utf8.RuneCountInString(*v) > maxText:
			return fmt.Errorf("must have at most %d characters", maxText)
		case strings.ContainsFunc(*v, unicode.IsControl):
			return errors.New("must not hold control characters")
		}
		*at(s) = *v
		return nil
	}
}
