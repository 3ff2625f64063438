package api

import "time"

// mostCommands bounds an answer.
const mostCommands = 300

// History is the area of the commands that shells have run.
type History struct{ d *Deps }

// FindCommands asks for the commands that have every word of a text.
type FindCommands struct {
	Text string `json:"text"`
}

// HistoryCommand is a command that was run.
type HistoryCommand struct {
	ID    int64     `json:"id"`
	Text  string    `json:"text"`
	Dir   string    `json:"dir"`
	Block string    `json:"block"`
	Exit  int       `json:"exit"` // -1 if it is not known
	Began time.Time `json:"began"`
	Took  int64     `json:"took"` // milliseconds
}

// HistoryCommands are the newest of those found, and how many there are.
type HistoryCommands struct {
	Commands []HistoryCommand `json:"commands"`
	Total    int              `json:"total"`
}

// Find looks in text and directory. It reads from disk.
func (h *History) Find(req FindCommands) (HistoryCommands, error) {
	ctx, cancel := callContext()
	defer cancel()
	found, total, err := h.d.History.Find(ctx, req.Text, mostCommands)
	out := HistoryCommands{Commands: make([]HistoryCommand, len(found)), Total: total}
	for i, c := range found {
		exit := c.Exit
		if !c.Exited {
			exit = -1
		}
		out.Commands[i] = HistoryCommand{ID: c.ID, Text: c.Text, Dir: c.Dir, Block: c.Block, Exit: exit, Began: c.Began, Took: c.Took.Milliseconds()}
	}
	return out, err
}

// Row names a row by its number.
type Row struct {
	ID int64 `json:"id"`
}

// Forget removes one command.
func (h *History) Forget(req Row) error {
	ctx, cancel := callContext()
	defer cancel()
	return h.d.History.Forget(ctx, req.ID)
}

// Clear removes all of them.
func (h *History) Clear() error {
	ctx, cancel := callContext()
	defer cancel()
	return h.d.History.Clear(ctx)
}
