//go:build chaos && linux

// Package chaos holds the long fault loops: the app is killed at random moments
// under load, and started again.
package chaos_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"drover/backend/internal/client"
	"drover/backend/rpc"
	"drover/backend/termlog"
	"drover/backend/workspace"
)

var (
	rounds = flag.Int("rounds", 5, "how often the app is killed")
	binary = flag.String("bin", "build/bin/drover", "the app, from the repository's top")
	seed   = flag.Uint64("seed", 0, "of the random moments; 0 takes a new one")
)

const roundTime = 60 * time.Second

func top(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal(err)
	return ""
}

// TestChaosKill kills the app at random moments while shells flood, blocks are
// opened, moved and closed, and folders change. After each, the next start must
// show the workspaces and the layout that were last confirmed, every log must be
// readable up to its last whole frame, and no process of the killed run be left.
func TestChaosKill(t *testing.T) {
	bin := *binary
	if !filepath.IsAbs(bin) {
		bin = filepath.Join(top(t), bin)
	}
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	t.Logf("seed %d", *seed)
	rnd := rand.New(rand.NewPCG(*seed, 1))
	home := t.TempDir()
	data := filepath.Join(home, "data")
	w := &world{t: t, bin: bin, data: data, env: client.Environment(home), rnd: rnd}
	for round := range *rounds {
		w.round(round)
	}
	ctx, cancel := context.WithTimeout(context.Background(), roundTime)
	defer cancel()
	s, _ := w.start(ctx)
	if _, err := s.Stop(); err != nil {
		t.Error(err)
	}
	w.nothingLeft("after the last stop")
	t.Logf("%d kills, %d changes, %d terminals", *rounds, w.steps, len(w.blocks))
}

type world struct {
	t    *testing.T
	bin  string
	data string
	env  []string
	rnd  *rand.Rand

	// What the app last confirmed, and what it was asked for since: either may be
	// what the next start finds, nothing else.
	confirmed workspace.Model
	blocks    map[string]bool // of every run
	steps     int
}

func (w *world) start(ctx context.Context) (*client.Server, *client.API) {
	w.t.Helper()
	s, err := client.Start(w.bin, w.data, w.env)
	if err != nil {
		w.t.Fatal(err)
	}
	api, err := s.API(ctx)
	if err != nil {
		w.t.Fatal(err)
	}
	return s, api
}

func (w *world) round(round int) {
	ctx, cancel := context.WithTimeout(context.Background(), roundTime)
	defer cancel()
	s, api := w.start(ctx)
	var m workspace.Model
	if err := api.Call(ctx, "Workspaces.Snapshot", nil, &m); err != nil {
		w.t.Fatal(err)
	}
	if w.blocks == nil {
		w.blocks = map[string]bool{}
	}
	for id := range m.Blocks { // one may have been made without our hearing of it
		w.blocks[id] = true
	}
	if round > 0 {
		w.same(round, m)
	}
	// The killer strikes while the load below goes on.
	timer := time.AfterFunc(time.Duration(w.rnd.IntN(1500))*time.Millisecond, s.Kill)
	defer timer.Stop()
	w.confirmed = m
	for w.step(ctx, api) {
		w.steps++
	}
	api.Close()
	w.dead(ctx, s)
	w.logsAreReadable(round)
}

// dead returns when the killed process is gone.
func (w *world) dead(ctx context.Context, s *client.Server) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.PID()))
		if err != nil || bytes.Contains(stat, []byte(") Z ")) {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			w.t.Fatal("the app was not killed")
		}
	}
}

// step asks for one random change and notes the model that it led to; false
// once the app is dead.
func (w *world) step(ctx context.Context, api *client.API) bool {
	var ids []string
	for id := range w.confirmed.Blocks {
		ids = append(ids, id)
	}
	ws := w.confirmed.Workspaces[w.rnd.IntN(len(w.confirmed.Workspaces))].ID
	sides := []workspace.Side{workspace.Center, workspace.Left, workspace.Right, workspace.Above, workspace.Below}
	place := workspace.Place{Workspace: ws, Side: sides[w.rnd.IntN(len(sides))], Index: -1}
	var err error
	switch n := w.rnd.IntN(10); {
	case n < 4 && len(ids) < 12 || len(ids) == 0:
		lines := []string{"", "yes some output of a program that floods", "while :; do date; sleep 0.01; done", "setsid sleep 300 & sleep 300"}
		var b workspace.Block
		err = api.Call(ctx, "Workspaces.OpenTerminal", map[string]any{"place": place, "commandLine": lines[w.rnd.IntN(len(lines))]}, &b)
		if b.ID != "" {
			w.blocks[b.ID] = true
		}
	case n < 6:
		err = api.Call(ctx, "Workspaces.MoveBlock", map[string]any{"block": ids[w.rnd.IntN(len(ids))], "place": place}, nil)
	case n < 7:
		err = api.Call(ctx, "Controllers.Close", map[string]any{"blocks": []string{ids[w.rnd.IntN(len(ids))]}, "now": w.rnd.IntN(2) == 0}, nil)
	case n < 8 && len(w.confirmed.Workspaces) < 4:
		err = api.Call(ctx, "Workspaces.Create", map[string]any{"name": fmt.Sprintf("w%d", w.rnd.IntN(1000))}, nil)
	case n < 9:
		err = api.Call(ctx, "Controllers.Ensure", map[string]any{"block": ids[w.rnd.IntN(len(ids))], "force": true}, nil)
	default:
		err = api.Call(ctx, "Controllers.Type", map[string]any{"block": ids[w.rnd.IntN(len(ids))], "text": "cd /tmp; yes\r"}, nil)
	}
	if refused(err) {
		return true
	}
	if err != nil {
		return false
	}
	var m workspace.Model
	if err := api.Call(ctx, "Workspaces.Snapshot", nil, &m); err != nil {
		// The change was confirmed, what it led to was not seen: asking again is not
		// possible, so the model before it cannot be insisted on either.
		w.confirmed.Version = 0
		return false
	}
	w.confirmed = m
	return true
}

// refused tells an answer of the app from its death.
func refused(err error) bool {
	var answer *rpc.Error
	return errors.As(err, &answer)
}

// same checks the model of the next start against what was confirmed. A change
// that was under way when the app died may have been made or not.
func (w *world) same(round int, m workspace.Model) {
	w.t.Helper()
	if err := m.Check(); err != nil {
		w.t.Errorf("round %d: the model is not sound: %v", round, err)
	}
	if w.confirmed.Version == 0 || m.Version > w.confirmed.Version {
		return // one more change had been made than was confirmed
	}
	if m.Version < w.confirmed.Version {
		w.t.Errorf("round %d: version %d was confirmed, the next start has %d", round, w.confirmed.Version, m.Version)
		return
	}
	if !reflect.DeepEqual(m.Workspaces, w.confirmed.Workspaces) {
		w.t.Errorf("round %d: the workspaces are\n%+v\nnot\n%+v", round, m.Workspaces, w.confirmed.Workspaces)
	}
	w.nothingDoubled(round, m)
}

// nothingDoubled: the processes of earlier runs are gone. The one that a block
// has now was started after this start of the app.
func (w *world) nothingDoubled(round int, m workspace.Model) {
	seen := map[string]int{}
	for _, p := range w.processes() {
		if p.leader {
			seen[p.block]++
		}
		if !w.blocks[p.block] {
			continue
		}
		if _, there := m.Blocks[p.block]; !there && p.leader {
			w.t.Errorf("round %d: process %d (%s) of block %s, which is closed, is left", round, p.pid, p.name, p.block)
		}
	}
	for block, n := range seen {
		if n > 1 {
			w.t.Errorf("round %d: block %s runs %d times", round, block, n)
		}
	}
}

type process struct {
	pid    int
	name   string
	block  string
	leader bool // it leads a session, as a terminal's own program does
}

// processes are those that inherited a block's id from a run on our data.
func (w *world) processes() []process {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		w.t.Fatal(err)
	}
	var out []process
	for _, dir := range dirs {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil {
			continue
		}
		p := process{}
		for _, kv := range bytes.Split(env, []byte{0}) {
			if v, ok := bytes.CutPrefix(kv, []byte("DROVER_BLOCK_ID=")); ok {
				p.block = string(v)
			}
		}
		if !w.blocks[p.block] {
			continue
		}
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue
		}
		_, _ = fmt.Sscan(string(stat), &p.pid)
		name, rest, ok := strings.Cut(string(stat[bytes.IndexByte(stat, '(')+1:]), ") ")
		fields := strings.Fields(rest)
		if !ok || len(fields) < 4 || fields[0] == "Z" {
			continue
		}
		p.name, p.leader = name, fields[3] == fmt.Sprint(p.pid) && name != "setsid" && name != "sleep"
		out = append(out, p)
	}
	return out
}

// nothingLeft: no process of any run lives, but for what took itself out of its
// terminal on purpose (setsid), which is the user's own.
func (w *world) nothingLeft(when string) {
	w.t.Helper()
	for _, p := range w.processes() {
		if p.name == "sleep" {
			continue
		}
		w.t.Errorf("%s: process %d (%s) of block %s is left", when, p.pid, p.name, p.block)
	}
}

// logsAreReadable opens each log as the next start would, and reads it whole.
func (w *world) logsAreReadable(round int) {
	w.t.Helper()
	dirs, err := os.ReadDir(filepath.Join(w.data, "logs"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		w.t.Fatal(err)
	}
	for _, d := range dirs {
		// A copy: opening mends it, which is the app's own to do.
		dir := filepath.Join(w.t.TempDir(), d.Name())
		if err := os.CopyFS(dir, os.DirFS(filepath.Join(w.data, "logs", d.Name()))); err != nil {
			w.t.Fatal(err)
		}
		log, err := termlog.Open(dir, termlog.Options{})
		if err != nil {
			w.t.Errorf("round %d: log of %s: %v", round, d.Name(), err)
			continue
		}
		buf := make([]byte, 64<<10)
		for off := log.First(); off < log.End(); {
			n, err := log.ReadAt(off, buf)
			var lost *termlog.LostError
			switch {
			case errors.As(err, &lost) && lost.To > off:
				off = lost.To
			case err != nil || n == 0:
				w.t.Errorf("round %d: log of %s at %d of %d: %v", round, d.Name(), off, log.End(), err)
				off = log.End()
			default:
				off += uint64(n)
			}
		}
		_ = log.Close()
		_ = os.RemoveAll(dir)
	}
}
