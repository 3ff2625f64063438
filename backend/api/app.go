package api

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
)

// App is the area of the app itself.
type App struct{ d *Deps }

// Hello is what a page needs before anything else.
type Hello struct {
	Version  string `json:"version"`
	Platform string `json:"platform"` // linux, darwin, windows
	Home     string `json:"home"`
	DataDir  string `json:"dataDir"`
	Shell    string `json:"shell"`    // the login shell's path
	Browser  bool   `json:"browser"`  // the page is in a browser, not in our window
	Binary   string `json:"binary"`   // this program's own file, for commands that run it; "" if it is not known
	Hostname string `json:"hostname"` // this machine's, which a file link may name
	// Run names this run of the app: a page that meets another one after a lost
	// link loads itself anew.
	Run         string   `json:"run"`
	StreamURL   string   `json:"streamUrl"`
	StreamToken string   `json:"streamToken"`
	Notices     []Notice `json:"notices"`
}

// Notice is something that a person should know.
type Notice struct {
	ID    string `json:"id"`
	Level string `json:"level"` // info, warn, error
	Title string `json:"title"`
	Text  string `json:"text"`
	Block string `json:"block"` // "" if it concerns none
	Fix   string `json:"fix"`   // what to do, "" if nothing
}

// Hello introduces the backend. A page calls it first: it waits for the start of
// the app, and fails with what a person has to do if there was none.
func (a *App) Hello() (Hello, error) { return a.d.Hello() }

// OpenLink opens a link outside. Only links that are looked at, not run, open.
func (a *App) OpenLink(link string) error {
	u, err := url.Parse(link)
	if err != nil || !slices.Contains([]string{"http", "https", "mailto", "file"}, u.Scheme) {
		return refuse("open the link", "only http, https, mailto and file links are opened")
	}
	if u.Scheme == "file" && !ofThisMachine(u.Host) {
		return refuse("open the link", fmt.Sprintf("the file is on another machine, %.80q", u.Host))
	}
	return a.d.Host.OpenURL(u)
}

// ofThisMachine says whether a file link's host is this machine: asking another
// one for a file would tell it who asks.
func ofThisMachine(host string) bool {
	if host == "" || strings.EqualFold(host, "localhost") {
		return true
	}
	own, err := os.Hostname()
	return err == nil && strings.EqualFold(host, own)
}

// ClipboardText reads the system's clipboard.
func (a *App) ClipboardText() (string, error) { return a.d.Host.ClipboardText() }

// SetClipboardText writes the system's clipboard.
func (a *App) SetClipboardText(text string) error { return a.d.Host.SetClipboardText(text) }

// Quit ends the app as closing its window does.
func (a *App) Quit() { a.d.Host.Quit() }

// SaveText is a text to be saved.
type SaveText struct {
	Name string `json:"name"` // of the file, without its ending
	Text string `json:"text"`
}

// SaveText writes a text to a new file where downloads go, and answers with its
// path. The page of a browser saves it itself.
func (a *App) SaveText(req SaveText) (string, error) {
	return a.d.save(req.Name, ".txt", func(w io.Writer) error {
		_, err := io.WriteString(w, req.Text)
		return err
	})
}
