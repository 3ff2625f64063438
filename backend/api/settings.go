package api

import "drover/backend/settings"

// Settings is the area of the settings file.
type Settings struct{ d *Deps }

// Setting is one change: null takes the setting out of the file.
type Setting struct {
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// Load is what the file says, with what is wrong in it.
func (s *Settings) Load() settings.Loaded { return s.d.Settings.Loaded() }

// Set changes one setting.
func (s *Settings) Set(req Setting) (settings.Loaded, error) {
	return s.d.Settings.Set(req.Path, req.Value)
}
