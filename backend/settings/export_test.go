package settings

import "fmt"

// Set changes one setting ("terminal.fontSize", "keys.tab.new") in the file and
// returns what the file says then. A nil value removes it: the default holds.
// Comments, order and unknown keys stay. The file is replaced in one step (0600)
// and made if it is not there; nothing is written if the value is wrong or if the
// file cannot be parsed.
func Set(path, key string, value any) (Loaded, error) {
	content, err := set(path, key, value)
	if err != nil {
		return Load(path), fmt.Errorf("cannot set %s: %w", key, err)
	}
	return parse(path, content), nil
}
