// Package api is what the page can call: one small struct for each area, with
// plain requests and answers. app.go lists them once; that list is what Wails
// binds, and what serve dispatches to.
//
// Promises: every method validates what it is given and answers with a sentence
// for a person; no method waits for a network or an agent; all of them may be
// called at once.
package api

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/sirupsen/logrus"

	"drover/backend/activity"
	"drover/backend/history"
	"drover/backend/pty"
	"drover/backend/screen"
	"drover/backend/settings"
	"drover/backend/supervisor"
	"drover/backend/termlog"
)

// Deps are what the areas are made of. All fields must be set.
type Deps struct {
	Supervisor *supervisor.Supervisor
	Records    *supervisor.Records
	Activity   *activity.Service
	Settings   *settings.File
	News       *News
	History    *history.Keeper
	Log        logrus.FieldLogger
	Host       Host
	Home       string
	// Hello is what a page is told first; it waits for the app's start, and fails
	// with what stopped that.
	Hello func() (Hello, error)
	// Modes is what a block's program has made of its terminal.
	Modes func(block string) (pty.Modes, error)
	// TermLog is the log of a block's terminal, opened if need be; it fails for a
	// block that is not known.
	TermLog func(block string) (*termlog.Log, error)
	// SetTheme changes what programs are told that ask for colours.
	SetTheme func(screen.Theme)
	// Shells are the shells of this machine.
	Shells func() []string
}

// Host is what surrounds the page: the window, or whoever serves a browser.
type Host interface {
	// OpenURL opens a link outside: http, https, mailto, or a file of this machine.
	OpenURL(link *url.URL) error
	ClipboardText() (string, error)
	SetClipboardText(text string) error
	// Quit begins the end of the app and returns at once.
	Quit()
}

// Areas are all bound structs.
type Areas struct {
	App         *App
	Workspaces  *Workspaces
	Controllers *Controllers
	Activity    *Activity
	Settings    *Settings
	Terminals   *Terminals
	History     *History
}

// New makes the areas. Nothing is called before the deps are complete: the
// pointer may be filled in later, when the app has opened its parts.
func New(d *Deps) Areas {
	return Areas{
		App:         &App{d},
		Workspaces:  &Workspaces{d},
		Controllers: &Controllers{d},
		Activity:    &Activity{d},
		Settings:    &Settings{d},
		Terminals:   &Terminals{d},
		History:     &History{d},
	}
}

// List is what is bound.
func (a Areas) List() []any {
	return []any{a.App, a.Workspaces, a.Controllers, a.Activity, a.Settings, a.Terminals, a.History}
}

// callTimeout bounds what a page's call may take before it is given up.
const callTimeout = 30 * time.Second

func callContext() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), callTimeout)
}

// Block names a block.
type Block struct {
	Block string `json:"block"`
}

// ID names a workspace, a closing or a row.
type ID struct {
	ID string `json:"id"`
}

func refuse(what string, why any) error { return fmt.Errorf("cannot %s: %v", what, why) }
