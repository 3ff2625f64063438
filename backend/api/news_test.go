package api_test

import (
	"testing"

	"go.uber.org/goleak"

	"drover/backend/api"
	"drover/backend/terminal"
)

// A build that was ended by a signal does not take its progress back: the end of
// the command does it, and the start of the next program.
func TestProgressGoesWithItsCommand(t *testing.T) {
	defer goleak.VerifyNone(t)
	var events api.Events
	defer events.Close()
	n := api.NewNews(&events)
	defer n.Close()
	made := func(state, percent int) terminal.Event {
		return terminal.Event{Kind: terminal.ProgressMade, State: state, Percent: percent}
	}
	is := func(want ...api.TerminalState) {
		t.Helper()
		if got := n.States(); len(got) != len(want) || len(got) == 1 && got[0] != want[0] {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	n.Tell("a", terminal.Event{Kind: terminal.CommandDone})
	is()
	n.Tell("a", terminal.Event{Kind: terminal.TitleSet, Text: "make"})
	n.Tell("a", made(1, 43))
	is(api.TerminalState{Block: "a", Title: "make", Progress: 1, Percent: 43})
	n.Tell("a", terminal.Event{Kind: terminal.CommandDone})
	is(api.TerminalState{Block: "a", Title: "make"})
	n.Tell("a", made(2, 0))
	is(api.TerminalState{Block: "a", Title: "make", Progress: 2})
	n.Started("a")
	is()
}
