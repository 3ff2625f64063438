package api

import (
	"fmt"
	"path/filepath"
	"strings"

	"drover/backend/activity"
	"drover/backend/controller"
	"drover/backend/pty"
	"drover/backend/supervisor"
	"drover/backend/workspace"
)

// Controllers is the area of what runs in blocks.
type Controllers struct{ d *Deps }

// Ensure asks for a block to run: Force replaces what runs, Revive starts what
// has ended.
type Ensure struct {
	Block  string `json:"block"`
	Force  bool   `json:"force"`
	Revive bool   `json:"revive"`
	Cols   int    `json:"cols"`
	Rows   int    `json:"rows"`
}

// Signal sends a signal by name.
type Signal struct {
	Block  string `json:"block"`
	Signal string `json:"signal"`
}

// Text is text to type into a block.
type Text struct {
	Block string `json:"block"`
	Text  string `json:"text"`
}

// Close closes blocks, and a workspace with all of its blocks.
type Close struct {
	Blocks    []string `json:"blocks"`
	Workspace string   `json:"workspace"`
	Now       bool     `json:"now"` // without the time for an undo
}

// ClosePreview is what one confirmation must name.
type ClosePreview struct {
	Ask   bool        `json:"ask"` // false: nothing is lost, close without asking
	Items []CloseItem `json:"items"`
}

// CloseItem is one thing that a close ends or leaves.
type CloseItem struct {
	Block  string `json:"block"`
	Name   string `json:"name"`
	Kind   string `json:"kind"`
	Detail string `json:"detail"`
	Effect string `json:"effect"` // "ends", "goes on"
}

// Modes is what a block's program has made of its terminal.
type Modes struct {
	Known     bool `json:"known"`
	Canonical bool `json:"canonical"`
	Echo      bool `json:"echo"`
	LineLimit int  `json:"lineLimit"` // bytes of one line that a canonical terminal takes
}

// List is the status of every block.
func (c *Controllers) List() []controller.Status { return c.d.Supervisor.List() }

// Ensure makes a block run.
func (c *Controllers) Ensure(req Ensure) (controller.Status, error) {
	ctx, cancel := callContext()
	defer cancel()
	return c.d.Supervisor.Ensure(ctx, req.Block, supervisor.EnsureOptions{
		Force: req.Force, Revive: req.Revive, Size: controller.Size{Cols: req.Cols, Rows: req.Rows},
	})
}

// Signal sends a signal to what runs in the foreground of a block.
func (c *Controllers) Signal(req Signal) error {
	return c.send(req.Block, controller.Input{Signal: req.Signal})
}

// Type types text into a block.
func (c *Controllers) Type(req Text) error {
	return c.send(req.Block, controller.Input{Bytes: []byte(req.Text)})
}

func (c *Controllers) send(block string, in controller.Input) error {
	ctl := c.d.Supervisor.Controller(block)
	if ctl == nil {
		return supervisor.ErrUnknown
	}
	ctx, cancel := callContext()
	defer cancel()
	return ctl.Send(ctx, in, controller.Order{})
}

// Modes tells how a block's terminal takes input.
func (c *Controllers) Modes(req Block) (Modes, error) {
	m, err := c.d.Modes(req.Block)
	return modes(m), err
}

func modes(m pty.Modes) Modes {
	return Modes{Known: m.Known, Canonical: m.Canonical, Echo: m.Echo, LineLimit: m.LineLimit}
}

// Preview tells what closing blocks would end: whatever runs in them besides
// the shells themselves.
func (c *Controllers) Preview(req Close) ClosePreview {
	out := ClosePreview{Items: []CloseItem{}}
	model := c.d.Records.Model()
	ctx, cancel := callContext()
	defer cancel()
	for _, id := range req.Blocks {
		ctl := c.d.Supervisor.Controller(id)
		if ctl == nil || !ctl.Status().State.Live() {
			continue
		}
		b := model.Blocks[id]
		interactive := b.Interactive()
		tree, err := c.d.Activity.Tree(ctx, id)
		if err != nil {
			c.d.Log.WithError(err).Warn("the processes of a block are not known")
			out.Items = append(out.Items, CloseItem{
				Block: id, Name: "What runs in it is not known", Kind: "process", Detail: err.Error(), Effect: "ends",
			})
		}
		for _, p := range tree {
			if p.Depth == 0 && interactive {
				continue // the shell itself waits for a command
			}
			if p.Depth > 1 && interactive || p.Depth > 0 && !interactive {
				continue // what a named process started goes with it
			}
			out.Items = append(out.Items, item(b, p, c.d.Home))
		}
	}
	out.Ask = len(out.Items) > 0
	if more := len(out.Items) - maxItems; more > 0 {
		out.Items = append(out.Items[:maxItems], CloseItem{Name: fmt.Sprintf("%d more", more), Kind: "process", Effect: "ends"})
	}
	return out
}

// A preview is pushed in an event, which must stay small.
const (
	maxItems   = 30
	maxCommand = 200 // bytes
)

func item(b workspace.Block, p activity.Process, home string) CloseItem {
	name := p.Command
	if name == "" {
		name = p.Name
	}
	if len(name) > maxCommand {
		name = strings.ToValidUTF8(name[:maxCommand], "") + "…"
	}
	of := b.Name
	switch {
	case of != "":
	case b.Dir == "" || b.Dir == home:
		of = "~"
	default:
		of = filepath.Base(b.Dir)
	}
	return CloseItem{
		Block: b.ID, Name: strings.TrimSpace(name), Kind: "process",
		Detail: fmt.Sprintf("pid %d of %s", p.PID, of), Effect: "ends",
	}
}

// Close hides blocks at once, and ends them after the time for an undo.
func (c *Controllers) Close(req Close) (supervisor.Closing, error) {
	ctx, cancel := callContext()
	defer cancel()
	return c.d.Supervisor.Close(ctx, req.Blocks, req.Workspace, req.Now)
}

// Closings lists the closings under way: what can still be undone, too.
func (c *Controllers) Closings() []supervisor.Closing { return c.d.Supervisor.Closing() }

// Undo takes a close back.
func (c *Controllers) Undo(req ID) (supervisor.Closing, error) { return c.d.Supervisor.Undo(req.ID) }

// CloseNow ends what a close left running for its undo.
func (c *Controllers) CloseNow(req ID) (supervisor.Closing, error) {
	return c.d.Supervisor.CloseNow(req.ID)
}
