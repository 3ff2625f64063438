package api

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"drover/backend/recording"
	"drover/backend/screen"
	"drover/backend/search"
	"drover/backend/terminal"
)

// Terminals is the area of what terminals have kept: search and recordings.
type Terminals struct{ d *Deps }

// States is what the programs of terminals say of themselves, for those that said
// something.
func (t *Terminals) States() []TerminalState { return t.d.News.States() }

// Colours are a page's theme, each as "#rrggbb"; palette has 16.
type Colours struct {
	Foreground string   `json:"foreground"`
	Background string   `json:"background"`
	Cursor     string   `json:"cursor"`
	Palette    []string `json:"palette"`
}

// SetColours says what programs in all terminals are told that ask for colours.
func (t *Terminals) SetColours(req Colours) error {
	theme, err := req.theme()
	if err != nil {
		return err
	}
	t.d.SetTheme(theme)
	return nil
}

func (c Colours) theme() (theme screen.Theme, err error) {
	if len(c.Palette) != len(theme.Palette) {
		return theme, refuse("set the colours", fmt.Sprintf("the palette has %d of them, not %d", len(c.Palette), len(theme.Palette)))
	}
	read := func(to *screen.RGB, text string) {
		v, e := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 24)
		if e != nil || len(text) != 7 || text[0] != '#' {
			err = refuse("set the colours", fmt.Sprintf("%.20q is none; write it as #rrggbb", text))
		}
		*to = screen.RGB(v)
	}
	read(&theme.Foreground, c.Foreground)
	read(&theme.Background, c.Background)
	read(&theme.Cursor, c.Cursor)
	for i, text := range c.Palette {
		read(&theme.Palette[i], text)
	}
	return theme, err
}

// searchBytes is about how much of a log one call looks through, so that the
// page shows what there is and can stop: a few tenths of a second for a regular
// expression, much less for plain text.
const searchBytes = 8 << 20

// mostHits and mostLines bound an answer.
const (
	mostHits  = 200
	mostLines = 500
)

// Search says what to look for in a block's log.
type Search struct {
	Block     string `json:"block"`
	Text      string `json:"text"`
	Regexp    bool   `json:"regexp"`
	MatchCase bool   `json:"matchCase"`
	Word      bool   `json:"word"`
	Before    uint64 `json:"before"` // only lines before this byte; 0: from the end
}

// SearchHit is one line that was found; line is the number of its first byte.
type SearchHit struct {
	Line   uint64 `json:"line"`
	Before string `json:"before"`
	Match  string `json:"match"`
	After  string `json:"after"`
}

// SearchHits are what one call found, the newest first. While it is not done,
// the next call goes on before the byte next.
type SearchHits struct {
	Hits []SearchHit `json:"hits"`
	Next uint64      `json:"next"`
	Done bool        `json:"done"`
}

// Search looks through a piece of a block's log. It reads from disk.
func (t *Terminals) Search(req Search) (SearchHits, error) {
	m, err := search.Compile(search.Query{Text: req.Text, Regexp: req.Regexp, MatchCase: req.MatchCase, Word: req.Word})
	if err != nil {
		return SearchHits{}, err
	}
	log, err := t.d.TermLog(req.Block)
	if err != nil {
		return SearchHits{}, err
	}
	before := req.Before
	if before == 0 {
		before = log.End()
	}
	ctx, cancel := callContext()
	defer cancel()
	found, err := m.Back(ctx, log, before, mostHits, searchBytes)
	out := SearchHits{Hits: make([]SearchHit, len(found.Lines)), Next: found.Next, Done: found.Done}
	for i, h := range found.Lines {
		out.Hits[i] = SearchHit(h)
	}
	return out, err
}

// Around asks for the lines around a byte of a block's log.
type Around struct {
	Block  string `json:"block"`
	Offset uint64 `json:"offset"`
	Above  int    `json:"above"`
	Below  int    `json:"below"`
}

// LogLine is a line of a log as plain text.
type LogLine struct {
	Offset uint64 `json:"offset"` // number of its first byte
	Text   string `json:"text"`
}

// LogLines are lines of a log; at is the place of the one that was asked for.
type LogLines struct {
	Lines []LogLine `json:"lines"`
	At    int       `json:"at"`
}

// Around is the text around a place of a block's log. It reads from disk.
func (t *Terminals) Around(req Around) (LogLines, error) {
	log, err := t.d.TermLog(req.Block)
	if err != nil {
		return LogLines{}, err
	}
	ctx, cancel := callContext()
	defer cancel()
	bounded := func(n int) int { return min(max(n, 0), mostLines) }
	lines, at, err := search.Around(ctx, log, req.Offset, bounded(req.Above), bounded(req.Below))
	out := LogLines{Lines: make([]LogLine, len(lines)), At: at}
	for i, l := range lines {
		out.Lines[i] = LogLine(l)
	}
	return out, err
}

// Locate asks on which line a byte of a block's log stands.
type Locate struct {
	Block  string `json:"block"`
	Offset uint64 `json:"offset"`
	Shown  uint64 `json:"shown"` // only bytes before this one are on the screen; 0: all
	Lines  int    `json:"lines"` // of scrollback
}

// Located is a line of a terminal: how many are below it, down to the bottom of
// the screen. It is not found once it is in the log alone.
type Located struct {
	Found bool `json:"found"`
	Below int  `json:"below"`
}

// mostScrollback bounds Locate.Lines.
const mostScrollback = 100_000

// Locate finds the line on which a place of a block's log is shown. It reads from
// disk.
func (t *Terminals) Locate(req Locate) (Located, error) {
	log, err := t.d.TermLog(req.Block)
	if err != nil {
		return Located{}, err
	}
	ctx, cancel := callContext()
	defer cancel()
	shown := req.Shown
	if shown == 0 {
		shown = log.End()
	}
	below, found, err := terminal.Where(ctx, log, req.Offset, shown, min(max(req.Lines, 0), mostScrollback), t.d.Settings.Loaded().Settings.Terminal.Images)
	return Located{Found: found, Below: below}, err
}

// Recording says what of a block's log becomes a recording.
type Recording struct {
	Block string `json:"block"`
	Name  string `json:"name"` // of the file, without its ending
	From  uint64 `json:"from"` // the first byte
	To    uint64 `json:"to"`   // the byte behind the last; 0: the end of the log
}

// Record writes a span of a block's log as an asciicast (version 2) and answers
// with the file's path. It reads from disk and writes to it.
func (t *Terminals) Record(req Recording) (string, error) {
	log, err := t.d.TermLog(req.Block)
	if err != nil {
		return "", err
	}
	span := recording.Span{From: max(req.From, log.First()), To: log.End(), Title: req.Name}
	if req.To != 0 {
		span.To = min(req.To, span.To)
	}
	if span.From >= span.To {
		return "", refuse("record the terminal", "nothing of that is kept any more")
	}
	return t.d.save(req.Name, ".cast", func(w io.Writer) error { return recording.Export(w, log, span) })
}
