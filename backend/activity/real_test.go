//go:build unix

package activity_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"drover/backend/activity"
	"drover/backend/controller"
	"drover/backend/proc"
	"drover/backend/workspace"
)

// program is a shell that leads a session, as one in a terminal does.
type program struct {
	cmd  *exec.Cmd
	out  *bufio.Reader
	done chan struct{}
}

// start runs a script as a block's program and returns when it has said "ready".
// Its tree is ended with the test.
func (a *app) start(t testing.TB, block, script string) *program {
	t.Helper()
	variable := fmt.Sprintf("%s-%s-%d", t.Name(), block, time.Now().UnixNano())
	p := &program{cmd: exec.Command("/bin/sh", "-c", script), done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), key+"="+block, "TEST_RUN="+variable)
	p.cmd.Dir = t.TempDir()
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdout = w
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	id, err := proc.Identify(p.cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(r)
	go func() { _ = p.cmd.Wait(); close(p.done) }()
	t.Cleanup(func() {
		// Its own variable: other tests may have a block of that name.
		if _, err := proc.NewScanner("TEST_RUN").End(context.Background(), id, proc.TreeOptions{Block: variable}); err != nil {
			t.Error(err)
		}
		<-p.done
		_ = r.Close()
	})
	a.set(controller.Status{
		Block: block, Instance: 1, State: controller.Running, PID: p.pid(), Process: "sh", Started: time.Now(),
	})
	p.ready(t)
	return p
}

func (p *program) pid() int { return p.cmd.Process.Pid }

func (p *program) ready(t testing.TB) {
	t.Helper()
	if line, err := p.out.ReadString('\n'); err != nil || line != "ready\n" {
		t.Fatalf("the script said %q, %v", line, err)
	}
}

// end kills the program alone and waits for it.
func (p *program) end() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

// processes are a block's, by command.
func processes(s activity.Snapshot, block string) map[string]activity.Process {
	out := map[string]activity.Process{}
	for _, w := range s.Hosts[0].Workspaces {
		for _, b := range w.Blocks {
			if b.Block != block {
				continue
			}
			for _, p := range b.Processes {
				out[p.Command] = p
			}
		}
	}
	return out
}

func newService(t testing.TB, a *app) *activity.Service {
	t.Helper()
	s := activity.New(withScanner(a.options()))
	t.Cleanup(s.Close)
	t.Cleanup(s.Watch())
	return s
}

func commands(s activity.Snapshot, block string) string {
	var out []string
	for c := range processes(s, block) {
		if !strings.HasPrefix(c, "/bin/sh -c") {
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func shows(t testing.TB, s *activity.Service, block, want string) {
	t.Helper()
	eventually(t, want+" in block "+block, func() bool { return commands(s.Snapshot(), block) == want })
}

// A build starts hundreds that are gone before anybody could read their names.
func TestWhatIsGoneAtOnceIsNotShown(t *testing.T) {
	a := newApp(t, workspace.Block{ID: "a"})
	s := newService(t, a)
	a.start(t, "a", `sleep 1004 & echo ready; while :; do sleep 0.1; done`)
	s.Refresh()
	shows(t, s, "a", "sleep 1004")
	for range 10 {
		s.Refresh()
		time.Sleep(60 * time.Millisecond)
		if got := commands(s.Snapshot(), "a"); got != "sleep 1004" {
			t.Fatalf("it shows %s", got)
		}
	}
}

func TestTheTreeOfABlock(t *testing.T) {
	a := newApp(t, workspace.Block{ID: "a"}, workspace.Block{ID: "b"})
	s := newService(t, a)
	p := a.start(t, "a", `sleep 1001 & setsid sleep 1002 & echo ready; wait`)
	q := a.start(t, "b", `sleep 1003 & echo ready; wait`)
	s.Refresh()
	shows(t, s, "a", "sleep 1001, sleep 1002")
	shows(t, s, "b", "sleep 1003")

	for _, x := range processes(s.Snapshot(), "a") {
		id, err := proc.ParseID(x.ID)
		if err != nil || id.PID != x.PID {
			t.Errorf("the identity of %d is %q: %v", x.PID, x.ID, err)
		}
		if x.Memory <= 0 || time.Since(x.Started) > time.Hour || x.Ports == nil {
			t.Errorf("%+v", x)
		}
		if root := x.PID == p.pid(); root != (x.Depth == 0) || (!root && x.Parent != p.pid()) {
			t.Errorf("%s: depth %d, parent %d", x.Command, x.Depth, x.Parent)
		}
	}
	snap := s.Snapshot()
	if snap.TotalMemory < 64*mib {
		t.Errorf("the machine has %d bytes", snap.TotalMemory)
	}
	eventually(t, "its directory", func() bool {
		dir, _ := filepath.EvalSymlinks(p.cmd.Dir)
		return s.Snapshot().Hosts[0].Workspaces[0].Blocks[0].Dir == dir
	})
	tree, err := s.Tree(t.Context(), "b")
	if err != nil || len(tree) != 2 || tree[0].PID != q.pid() || tree[1].Command != "sleep 1003" {
		t.Errorf("the tree of b: %+v, %v", tree, err)
	}
	if tree, err := s.Tree(t.Context(), "never"); err != nil || len(tree) != 0 {
		t.Errorf("the tree of a block that does not exist: %+v, %v", tree, err)
	}

	// A process that appears and goes, goes here too.
	if err := s.End(t.Context(), processes(s.Snapshot(), "a")["sleep 1001"].ID, false); err != nil {
		t.Fatal(err)
	}
	shows(t, s, "a", "sleep 1002")
	a.mu.Lock()
	told := len(a.folders)
	a.mu.Unlock()
	if told == 0 {
		t.Error("nobody was told of the folders")
	}
}

func TestFoldersAreToldOnce(t *testing.T) {
	a := newApp(t, workspace.Block{ID: "a"}, command("c"))
	s := newService(t, a)
	dir := t.TempDir()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range []string{"a", "c"} {
		a.start(t, block, fmt.Sprintf(`cd %s; echo ready; exec sleep 1000`, dir))
	}
	s.Refresh()
	shows(t, s, "a", "sleep 1000")
	shows(t, s, "c", "sleep 1000")
	for instance := range uint64(3) {
		end := ended("c", controller.ReasonUser, controller.Exit{})
		end.Instance += instance
		a.set(end)
		seq := s.Snapshot().Seq
		s.Refresh()
		eventually(t, "another look", func() bool { return s.Snapshot().Seq > seq })
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	var last string
	for _, m := range a.folders {
		if _, ok := m["c"]; ok {
			t.Error("the folder of a command was told")
		}
		if m["a"] == last {
			t.Errorf("told twice of %s", last)
		}
		last = m["a"]
	}
	if last != dir {
		t.Errorf("told of %q, want %q", last, dir)
	}
}

func TestEndEndsOnlyOurs(t *testing.T) {
	a, other := newApp(t, workspace.Block{ID: "a"}), newApp(t)
	s := newService(t, a)
	p := a.start(t, "a", `(trap '' TERM; echo ready; while :; do sleep 1004; done) & wait`)
	foreign := other.start(t, "another-app", `echo ready; exec sleep 1005`)
	s.Refresh()
	shows(t, s, "a", "sleep 1004")

	theirs, err := proc.Identify(foreign.pid())
	if err != nil {
		t.Fatal(err)
	}
	self, err := proc.Identify(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []proc.ID{theirs, self, {PID: 1, Boot: theirs.Boot, Start: 1}} {
		if alive, known := proc.Alive(id); !alive && known {
			continue
		}
		if err := s.End(t.Context(), id.String(), true); err == nil || !strings.Contains(err.Error(), "belongs to none") {
			t.Errorf("%s: %v", id, err)
		}
	}
	if alive, _ := proc.Alive(theirs); !alive {
		t.Error("it ended what is not ours")
	}
	wrong := theirs
	wrong.Start++
	wrong.PID = p.pid()
	if err := s.End(t.Context(), wrong.String(), true); err != nil {
		t.Errorf("a process that is gone: %v", err)
	}
	if err := s.End(t.Context(), "nonsense", true); err == nil {
		t.Error("nonsense is taken")
	}

	var stubborn activity.Process
	for c, x := range processes(s.Snapshot(), "a") {
		if strings.HasPrefix(c, "/bin/sh") && x.PID != p.pid() {
			stubborn = x
		}
	}
	if err := s.End(t.Context(), stubborn.ID, false); err != nil {
		t.Fatal(err)
	}
	id, err := proc.ParseID(stubborn.ID)
	if err != nil {
		t.Fatal(err)
	}
	if alive, _ := proc.Alive(id); !alive {
		t.Fatal("TERM ended what ignores it")
	}
	if err := s.End(t.Context(), stubborn.ID, true); err != nil {
		t.Fatal(err)
	}
	if alive, known := proc.Alive(id); alive || !known {
		t.Error("it lives after it was forced to end")
	}
	if err := s.End(t.Context(), stubborn.ID, true); err != nil {
		t.Errorf("the second time: %v", err)
	}
}

// When a program ends, what went with its terminal and what goes on are told
// apart; what goes on is listed until it ends, in the next run of the app too.
func TestAftermath(t *testing.T) {
	a := newApp(t, command("a"))
	s := newService(t, a)
	p := a.start(t, "a", `for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 20$i & done; nohup setsid sleep 3000 >/dev/null 2>&1 & echo ready; wait`)
	s.Refresh()
	eventually(t, "all of it", func() bool {
		have := processes(s.Snapshot(), "a")
		_, last := have["sleep 3000"]
		return last && len(have) == 14
	})
	var gone []int
	for c, x := range processes(s.Snapshot(), "a") {
		if strings.HasPrefix(c, "sleep 20") {
			gone = append(gone, x.PID)
		}
	}
	// What the hang-up of a terminal does to them.
	p.end()
	for _, pid := range gone {
		_ = syscall.Kill(pid, syscall.SIGHUP)
		eventually(t, "its end", func() bool { return !running(pid) })
	}
	// A look in between must not make it forget.
	seq := s.Snapshot().Seq
	s.Refresh()
	eventually(t, "a look in between", func() bool { return s.Snapshot().Seq > seq })

	hungUp, left := s.Aftermath("a", p.pid())
	if len(hungUp) != 11 || !strings.HasPrefix(hungUp[0], "sleep (") || hungUp[10] != "and 2 more" {
		t.Errorf("hung up: %q", hungUp)
	}
	if len(left) != 1 || left[0].Name != "sleep" || left[0].Started.IsZero() {
		t.Fatalf("left: %+v", left)
	}
	if hungUp, _ := s.Aftermath("a", p.pid()+1); len(hungUp) > 0 {
		t.Errorf("another instance's: %q", hungUp)
	}
	a.set(ended("a", controller.ReasonSelf, controller.Exit{Known: true, Code: -1, Signal: "SIGKILL"}))
	leftRow := func(s *activity.Service) (activity.Ended, bool) {
		for _, e := range s.Snapshot().Ended {
			if e.State == activity.LeftRunning {
				return e, true
			}
		}
		return activity.Ended{}, false
	}
	eventually(t, "the row of what goes on", func() bool { _, ok := leftRow(s); return ok })
	row, _ := leftRow(s)
	if row.PID != left[0].PID || row.Detail != "sleep 3000" || row.Owner != "Work" || row.Block != "a" {
		t.Errorf("%+v", row)
	}
	if err := s.Dismiss(row.ID); err == nil {
		t.Error("what runs can be cleared")
	}
	a.remove(t, "a")
	s.Forget("a")
	s.DismissAll()
	s.Close()

	next := newService(t, a)
	eventually(t, "the row in the next run", func() bool { _, ok := leftRow(next); return ok })
	row, _ = leftRow(next)
	if err := next.End(t.Context(), row.Process, true); err != nil {
		t.Fatal(err)
	}
	eventually(t, "its row to go", func() bool { return len(next.Snapshot().Ended) == 0 && len(a.stored()) == 0 })
}

func running(pid int) bool {
	id, err := proc.Identify(pid)
	if err != nil {
		return false
	}
	alive, known := proc.Alive(id)
	return alive || !known
}

func TestLeftRunningGoesWithItsProcess(t *testing.T) {
	b := command("a")
	a := newApp(t, b)
	s := newService(t, a)
	p := a.start(t, "a", `echo ready; exec sleep 3001`)
	s.Refresh()
	shows(t, s, "a", "sleep 3001")
	id, err := proc.Identify(p.pid())
	if err != nil {
		t.Fatal(err)
	}
	a.set(ended("a", controller.ReasonClose, controller.Exit{}))
	a.remove(t, "a")
	past := id
	past.Start--
	s.AddLeftRunning(b, []proc.ID{id, past})
	s.AddLeftRunning(b, []proc.ID{id})
	eventually(t, "one row", func() bool {
		e := s.Snapshot().Ended
		return len(e) == 1 && e[0].Process == id.String() && e[0].Name == "sleep"
	})
	p.end()
	eventually(t, "no row", func() bool { return len(s.Snapshot().Ended) == 0 })
}

func TestPorts(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	file, err := listener.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	// The shell's child inherits the listening socket.
	a := newApp(t, workspace.Block{ID: "a"})
	s := newService(t, a)
	cmd := exec.Command("sleep", "3002")
	cmd.ExtraFiles = []*os.File{file}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	a.set(controller.Status{Block: "a", Instance: 1, State: controller.Running, PID: cmd.Process.Pid})
	s.Refresh()
	want := listener.Addr().(*net.TCPAddr).Port
	eventually(t, "its port", func() bool {
		return slices.Equal(processes(s.Snapshot(), "a")["sleep 3002"].Ports, []int{want})
	})
}

func BenchmarkLook(b *testing.B) {
	var blocks []workspace.Block
	for i := range 50 {
		blocks = append(blocks, workspace.Block{ID: fmt.Sprint("b", i)})
	}
	a := newApp(b, blocks...)
	for _, block := range blocks {
		a.start(b, block.ID, `sleep 1000 & echo ready; wait`)
	}
	// One look a second: 10 ms are 1 % of a core. Every fifth asks for ports.
	for _, tt := range []struct {
		name  string
		ports bool
	}{{"50 blocks", false}, {"50 blocks, ports", true}} {
		b.Run(tt.name, func(b *testing.B) {
			l := activity.NewLook(withScanner(a.options()))
			defer l.Close()
			l.Look(b.Context())
			b.ReportAllocs()
			for b.Loop() {
				l.Ports(tt.ports)
				l.Look(b.Context())
			}
		})
	}
}
