package main

import (
	"strings"

	"drover/backend/activity"
	"drover/backend/controller"
	"drover/backend/supervisor"
	"drover/backend/turn"
	"drover/backend/workspace"
)

// enums are the enums that cross to the page; Wails makes TypeScript of them.
func enums() []any {
	return []any{
		named(workspace.Shell, workspace.Subprocess, workspace.Persistent, workspace.ACP, workspace.AppServer, workspace.DurableSSH),
		named(workspace.Leaf, workspace.Row, workspace.Column),
		named(workspace.Center, workspace.Left, workspace.Right, workspace.Above, workspace.Below),
		named(workspace.CloseAuto, workspace.CloseAlways, workspace.CloseNever),
		named(controller.States[:]...),
		named(controller.ReasonNone, controller.ReasonUser, controller.ReasonReplace, controller.ReasonClose, controller.ReasonQuit,
			controller.ReasonLimit, controller.ReasonFailure, controller.ReasonSelf),
		named(turn.None, turn.Resting, turn.Thinking, turn.Tool, turn.Waiting, turn.Stalled),
		named(supervisor.Undoable, supervisor.Ending, supervisor.Closed, supervisor.Undone),
		named(activity.Exited, activity.Failed, activity.Unknown, activity.LeftRunning, activity.Stopped),
	}
}

// name is a value of an enum and what TypeScript calls it.
type name[T ~string] struct {
	Value  T
	TSName string
}

// named calls each value by its own text: "waiting-for-you" is WaitingForYou.
func named[T ~string](values ...T) []name[T] {
	var out []name[T]
	for _, v := range values {
		ts := ""
		for word := range strings.SplitSeq(string(v), "-") {
			if word != "" {
				ts += strings.ToUpper(word[:1]) + word[1:]
			}
		}
		if ts == "" {
			ts = "None"
		}
		out = append(out, name[T]{v, ts})
	}
	return out
}
