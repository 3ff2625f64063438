// Package settings reads, checks, changes and watches the one settings file: JSON
// with comments, which a person may edit by hand at any time.
//
// Promises: a wrong value is kept out and reported with its line, and all the
// others apply; nothing that a person wrote (comments, order, unknown keys) is
// lost by a change from the app; a file that cannot be parsed is never written.
package settings

import "maps"

// Settings are all settings, valid as they are. The names are those of the file
// and of the page.
type Settings struct {
	Theme    string            `json:"theme"` // system, light, dark
	Terminal Terminal          `json:"terminal"`
	Log      Log               `json:"log"`
	Keys     map[string]string `json:"keys"` // command id -> "Ctrl+K"; "" takes its key away
	View     View              `json:"view"`
}

// Terminal is how terminals look and behave.
type Terminal struct {
	FontFamily            string  `json:"fontFamily"`  // "" is the theme's
	FontSize              float64 `json:"fontSize"`    // CSS pixels, 6 to 48
	LineHeight            float64 `json:"lineHeight"`  // row height over font size, 1 to 2
	Scrollback            int     `json:"scrollback"`  // lines, 0 to 100,000
	CursorStyle           string  `json:"cursorStyle"` // block, bar, underline
	CursorBlink           bool    `json:"cursorBlink"`
	CopyOnSelect          bool    `json:"copyOnSelect"`
	ConfirmMultilinePaste bool    `json:"confirmMultilinePaste"`
	Bell                  string  `json:"bell"`             // visual, none, sound
	Renderer              string  `json:"renderer"`         // auto, dom, webgl
	Shell                 string  `json:"shell"`            // "" is the login shell
	CloseOnExit           string  `json:"closeOnExit"`      // auto, always, never
	ShellIntegration      bool    `json:"shellIntegration"` // shells tell their folder, prompts and exit codes
	CommandHistory        bool    `json:"commandHistory"`   // commands are kept to be found again
	ScreenReader          bool    `json:"screenReader"`
	Images                bool    `json:"images"` // sixel and iTerm pictures are drawn, in terminals that open from then on
}

// Log bounds what is kept of the output of terminals.
type Log struct {
	PerTerminalMiB int `json:"perTerminalMiB"` // 1 to 4,096
	TotalGiB       int `json:"totalGiB"`       // 1 to 1,024
}

// View is how the window is divided.
type View struct {
	TreeWidth int  `json:"treeWidth"` // CSS pixels, 120 to 2,000
	DockRows  int  `json:"dockRows"`  // 1 to 50
	TreeShown bool `json:"treeShown"`
	DockShown bool `json:"dockShown"`
}

// Defaults are the settings without a file.
func Defaults() Settings {
	return Settings{
		Theme: "system",
		Terminal: Terminal{
			FontSize: 12.5,
			// A font of 12.5 px is 15 px high: a row of 18 px.
			LineHeight: 1.44, Scrollback: 5000, CursorStyle: "block", CursorBlink: true,
			ConfirmMultilinePaste: true, ShellIntegration: true, CommandHistory: true, Bell: "visual", Renderer: "auto", CloseOnExit: "auto",
			Images: true,
		},
		Log:  Log{PerTerminalMiB: 64, TotalGiB: 4},
		Keys: map[string]string{},
		View: View{TreeWidth: 300, DockRows: 4, TreeShown: true, DockShown: true},
	}
}

// Problem is one thing in the file that does not apply.
type Problem struct {
	Line   int    `json:"line"`   // from 1; 0 is the file as a whole
	Column int    `json:"column"` // in characters, from 1
	Key    string `json:"key"`    // "terminal.fontSize", "" for the file as a whole
	Text   string `json:"text"`   // what is wrong and what holds instead
}

// Loaded is what a file says. Its JSON is what the page gets.
type Loaded struct {
	Settings Settings  `json:"settings"`
	Problems []Problem `json:"problems"`
	Path     string    `json:"path"`
	Defaults Settings  `json:"defaults"`
}

func (l Loaded) clone() Loaded {
	l.Settings.Keys = maps.Clone(l.Settings.Keys)
	l.Defaults.Keys = maps.Clone(l.Defaults.Keys)
	l.Problems = append([]Problem{}, l.Problems...)
	return l
}
