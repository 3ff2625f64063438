package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// step is one thing that happens to a terminal: bytes, or a resize to columns and rows.
type step struct {
	Write  []byte `json:"write,omitempty"`
	Resize []int  `json:"resize,omitempty"`
}

type request struct {
	Cols       int    `json:"cols"`
	Rows       int    `json:"rows"`
	Scrollback int    `json:"scrollback"`
	Steps      []step `json:"steps"`
	Probe      []byte `json:"probe,omitzero"`
}

type answer struct {
	Before *dump    `json:"before"`
	After  *dump    `json:"after"` // once the probe was written too
	Error  string   `json:"error"` // what xterm.js threw
	Notes  []string `json:"notes"` // known behaviours of xterm.js that the case has touched
}

// node is a process of judge.mjs. It serves one request after the other.
type node struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// startNode starts the judge; provider is the page's module of widths.
func startNode(script, provider string) (*node, error) {
	cmd := exec.Command("node", script)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start node, which the judge needs: %w", err)
	}
	n := &node{cmd, in, bufio.NewReaderSize(out, 1<<20)}
	if err := n.ask(map[string]string{"provider": provider}, &answer{}); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	return n, nil
}

// show asks what xterm.js shows after the steps, and once after was written too.
func (n *node) show(cols, rows, scrollback int, steps []step, after []byte) (a answer, err error) {
	whole, held := forXterm(steps)
	if whole == nil {
		whole = []step{} // none, not null
	}
	err = n.ask(request{cols, rows, scrollback, whole, append(held, after...)}, &a)
	return a, err
}

func (n *node) ask(request, answer any) error {
	b, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if _, err := n.in.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("cannot ask the judge: %w", err)
	}
	line, err := n.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("the judge ended without an answer; see what it wrote above: %w", err)
	}
	return json.Unmarshal(line, answer)
}

func (n *node) Close() error {
	return errors.Join(n.in.Close(), n.cmd.Wait())
}
