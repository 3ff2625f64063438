// Package workspace is the model of what the window shows: workspaces, the
// panes in them, and the blocks in the panes. It is pure: values and functions
// on values, no clock, no disk, no goroutine. Whoever holds a Model serialises
// access to it.
//
// Promise: a block that is in Model.Blocks is always either in exactly one pane
// of one workspace or listed in Workspace.Unplaced; no operation loses one.
package workspace

import "time"

// Kind is what runs a block. The names cross to the page and to the disk.
type Kind string

// The six kinds of block. Only shells run so far.
const (
	Shell      Kind = "shell"
	Subprocess Kind = "subprocess"
	Persistent Kind = "persistent"
	ACP        Kind = "acp"
	AppServer  Kind = "appserver"
	DurableSSH Kind = "durablessh"
)

// Model is everything: what is saved, restored and sent to the page.
type Model struct {
	// Version rises with every change; a page that sees a gap pulls a new one.
	Version    uint64           `json:"version"`
	Active     string           `json:"active"` // workspace ID, or "" if there is none
	Workspaces []Workspace      `json:"workspaces"`
	Blocks     map[string]Block `json:"blocks"`
}

// Workspace is one tab of the window.
type Workspace struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Dir is where new terminals start; "" is the home directory.
	Dir    string `json:"dir"`
	Layout Layout `json:"layout"`
	// LayoutVersion is the Model.Version that last changed Layout.
	LayoutVersion uint64 `json:"layoutVersion"`
	// Unplaced lists blocks of this workspace that no pane holds: what the repair
	// of a damaged layout found. The page lists them and can place them again.
	Unplaced []string `json:"unplaced"`
}

// Layout is how the panes of a workspace lie.
type Layout struct {
	// Root is nil when no pane is docked.
	Root     *Node      `json:"root"`
	Floating []Floating `json:"floating"`
	// Focus is the pane that has the focus; Zoomed the one that fills the
	// workspace, "" if none does.
	Focus  string `json:"focus"`
	Zoomed string `json:"zoomed"`
}

// Split is the direction in which the children of a Node lie.
type Split string

// A Node with a Pane is a leaf; its Split is "".
const (
	Leaf   Split = ""
	Row    Split = "row"    // side by side
	Column Split = "column" // one above the other
)

// Node is a pane, or a row or column of nodes.
type Node struct {
	Split Split `json:"split"`
	// Weight is this node's share among its siblings: over 0, any scale.
	Weight   float64 `json:"weight"`
	Children []Node  `json:"children"`
	Pane     *Pane   `json:"pane"`
}

// Pane holds one or more blocks as tabs.
type Pane struct {
	ID     string   `json:"id"`
	Blocks []string `json:"blocks"`
	Active string   `json:"active"` // one of Blocks
}

// Floating is a pane that floats inside the window; the box is in fractions
// (0..1) of the layout's area.
type Floating struct {
	Pane   Pane    `json:"pane"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// Block is the record of one terminal or agent: what to run, never how it is
// doing (that is controller.Status).
type Block struct {
	ID        string `json:"id"`
	Workspace string `json:"workspace"`
	Kind      Kind   `json:"kind"`
	// Name is the display name; "" lets the page show the process and directory.
	Name string `json:"name"`
	// Dir is where it starts; the last directory known once it has run.
	Dir string `json:"dir"`
	// Command is a program and its arguments; CommandLine goes to "sh -c".
	// With neither it is an interactive login shell, Shell naming which.
	Command     []string          `json:"command"`
	CommandLine string            `json:"commandLine"`
	Shell       string            `json:"shell"`
	Env         map[string]string `json:"env"`
	CloseOnExit CloseOnExit       `json:"closeOnExit"`
	// Unrecorded keeps its output in memory only.
	Unrecorded bool      `json:"unrecorded"`
	Created    time.Time `json:"created"`
}

// Interactive reports whether a person types into it: it is a shell and no
// command.
func (b Block) Interactive() bool { return len(b.Command) == 0 && b.CommandLine == "" }

// CloseOnExit says whether a pane goes when its program ends.
type CloseOnExit string

// Auto closes an interactive shell that ended with 0 and nothing else.
const (
	CloseAuto   CloseOnExit = ""
	CloseAlways CloseOnExit = "always"
	CloseNever  CloseOnExit = "never"
)

// Side says where a new or moved block goes relative to a pane.
type Side string

// Center makes it a tab of the pane; the others split the pane.
const (
	Center Side = "center"
	Left   Side = "left"
	Right  Side = "right"
	Above  Side = "above"
	Below  Side = "below"
)

// Place is a spot in a workspace's layout. With no Pane it is the focused pane,
// or the only thing in an empty layout.
type Place struct {
	Workspace string `json:"workspace"`
	Pane      string `json:"pane"`
	Side      Side   `json:"side"`
	// Index is the tab position for Center; -1 is after the last.
	Index int `json:"index"`
}
