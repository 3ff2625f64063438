//go:build unix

package proc_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
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

	"go.uber.org/goleak"

	"drover/backend/proc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "DROVER_TEST_BLOCK"

// started is a shell that leads a session of its own, as one in a PTY does.
type started struct {
	id      proc.ID
	block   string
	scanner *proc.Scanner
}

// start runs a shell script and returns when it has printed "ready".
func start(t testing.TB, script string) started {
	t.Helper()
	s := started{block: fmt.Sprintf("%s-%d", t.Name(), time.Now().UnixNano()), scanner: proc.NewScanner(key)}
	c := exec.Command("/bin/sh", "-c", script)
	c.Env = append(os.Environ(), key+"="+s.block)
	c.Dir = t.TempDir()
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	// Our own pipe, so that Wait does not wait for grandchildren that hold it.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stdout = w
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	if s.id, err = proc.Identify(c.Process.Pid); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil || line != "ready\n" {
		t.Fatalf("the script said %q, %v", line, err)
	}
	_ = r.Close()
	done := make(chan struct{})
	go func() { _ = c.Wait(); close(done) }()
	t.Cleanup(func() {
		if _, err := s.scanner.End(context.Background(), s.id, proc.TreeOptions{Block: s.block}); err != nil {
			t.Error(err)
		}
		<-done
	})
	return s
}

func (s started) options() proc.TreeOptions { return proc.TreeOptions{Block: s.block} }

// tree waits until the tree's commands, sorted, are these.
func (s started) tree(t testing.TB, want ...string) []proc.Member {
	t.Helper()
	slices.Sort(want)
	var got []string
	var members []proc.Member
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(30 * time.Second)
	for {
		table, err := s.scanner.Scan(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got, members = nil, table.Tree(s.id, s.options())
		for _, m := range members {
			if m.Zombie {
				continue
			}
			got = append(got, strings.Join(s.scanner.Command(m.ID), " "))
			if m.ID == s.id {
				got[len(got)-1] = "root"
			}
		}
		slices.Sort(got)
		if slices.Equal(got, want) {
			return members
		}
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("the tree is %q, want %q", got, want)
		}
	}
}

func find(t testing.TB, s started, members []proc.Member, command string) proc.Member {
	t.Helper()
	for _, m := range members {
		if strings.Join(s.scanner.Command(m.ID), " ") == command {
			return m
		}
	}
	t.Fatalf("no %q", command)
	return proc.Member{}
}

func alive(t testing.TB, id proc.ID) bool {
	t.Helper()
	is, known := proc.Alive(id)
	if !known {
		t.Fatalf("not known whether %v lives", id)
	}
	return is
}

func TestIdentitySurvivesSavingAndNoReboot(t *testing.T) {
	self := proc.Self()
	b, err := json.Marshal(self)
	if err != nil {
		t.Fatal(err)
	}
	var saved proc.ID
	if err := json.Unmarshal(b, &saved); err != nil || saved != self {
		t.Fatalf("%s gives %v", b, saved)
	}
	if parsed, err := proc.ParseID(self.String()); err != nil || parsed != self {
		t.Fatalf("%v gives %v, %v", self, parsed, err)
	}
	if !alive(t, saved) {
		t.Error("we are not alive")
	}
	reused, rebooted := self, self
	reused.Start++
	rebooted.Boot = "another"
	for _, id := range []proc.ID{reused, rebooted} {
		if alive(t, id) {
			t.Errorf("%v is taken for us", id)
		}
	}
	if _, known := proc.Alive(proc.ID{PID: self.PID}); known {
		t.Error("known without a start")
	}
	for _, bad := range []string{"", "1", "x@1", "1@x", "-1@5", "0@5"} {
		if _, err := proc.ParseID(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestAProcessWithAnotherStartIsNeverSignalled(t *testing.T) {
	s := start(t, "echo ready; exec sleep 1000")
	other := s.id
	other.Start--
	if err := proc.Signal(other, syscall.SIGKILL); !errors.Is(err, proc.ErrGone) {
		t.Errorf("error %v", err)
	}
	if r, err := s.scanner.EndIDs(context.Background(), []proc.ID{other}); err != nil || len(r.Forced)+len(r.Stopped)+len(r.Survived) > 0 {
		t.Errorf("%+v %v", r, err)
	}
	if err := proc.Signal(proc.ID{PID: s.id.PID}, syscall.SIGKILL); err == nil {
		t.Error("signalled without a start")
	}
	if !alive(t, s.id) {
		t.Fatal("it was ended")
	}
}

func TestTreeFindsWhatHides(t *testing.T) {
	// A plain child, one in a session of its own, a double fork, one that also cleans its
	// environment while its parent lives.
	s := start(t, `sleep 1001 & setsid sleep 1002 & (setsid nohup sleep 1003 >/dev/null 2>&1 &)
		env -i setsid /bin/sleep 1004 & echo ready; wait`)
	want := []string{"root", "sleep 1001", "sleep 1002", "sleep 1003", "/bin/sleep 1004"}
	s.tree(t, want...)
	// The commands are newer than the scan; this one has seen them run.
	members := s.tree(t, want...)
	if members[0].ID != s.id || members[0].Depth != 0 {
		t.Errorf("first is %+v", members[0])
	}
	for command, want := range map[string]struct {
		depth int
		by    proc.Reason
	}{
		"sleep 1001": {1, proc.ByAncestry}, "sleep 1002": {1, proc.ByAncestry},
		"sleep 1003": {0, proc.ByBlock}, "/bin/sleep 1004": {1, proc.ByAncestry},
	} {
		if m := find(t, s, members, command); m.Depth != want.depth || m.By != want.by {
			t.Errorf("%s: depth %d, reason %d", command, m.Depth, m.By)
		}
	}
}

func TestEndEndsAllAndNothingElse(t *testing.T) {
	other := start(t, "setsid sleep 1100 & echo ready; wait")
	left := other.tree(t, "root", "sleep 1100")
	s := start(t, `sleep 1001 & setsid sleep 1002 & (setsid nohup sleep 1003 >/dev/null 2>&1 &)
		echo ready; wait`)
	s.tree(t, "root", "sleep 1001", "sleep 1002", "sleep 1003")
	r, err := s.scanner.End(context.Background(), s.id, s.options())
	if err != nil || len(r.Stopped) != 4 || len(r.Forced)+len(r.Survived)+len(r.LeftRunning) > 0 {
		t.Fatalf("%+v %v", r, err)
	}
	s.tree(t)
	for _, m := range left {
		if !alive(t, m.ID) {
			t.Errorf("%s of another block was ended", m.Name)
		}
	}
	if r, err := s.scanner.End(context.Background(), s.id, s.options()); err != nil || len(r.Stopped)+len(r.Forced)+len(r.Survived) > 0 {
		t.Errorf("a second time: %+v %v", r, err)
	}
}

func TestWithoutItsRootABlockIsFoundBySessionAndVariable(t *testing.T) {
	s := start(t, `sleep 1001 & env -i /bin/sleep 1002 & setsid sleep 1003 & echo ready; wait`)
	s.tree(t, "root", "sleep 1001", "/bin/sleep 1002", "sleep 1003")
	if err := proc.Signal(s.id, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.tree(t, "sleep 1001", "/bin/sleep 1002", "sleep 1003")
	// A block of which not even the root's identity was ever known.
	r, err := s.scanner.End(context.Background(), proc.ID{}, s.options())
	if err != nil || len(r.Stopped) != 2 {
		t.Fatalf("%+v %v", r, err)
	}
	s.tree(t, "/bin/sleep 1002")
	r, err = s.scanner.End(context.Background(), s.id, s.options())
	if err != nil || len(r.Stopped) != 1 {
		t.Fatalf("%+v %v", r, err)
	}
}

func TestWhatIgnoresTermIsKilled(t *testing.T) {
	s := start(t, `trap "" TERM; setsid sleep 1001 & sleep 1002 & echo ready; wait; wait`)
	s.tree(t, "root", "sleep 1001", "sleep 1002")
	r, err := s.scanner.End(context.Background(), s.id, s.options())
	if err != nil || len(r.Forced) != 3 || len(r.Survived) > 0 {
		t.Fatalf("%+v %v", r, err)
	}
	s.tree(t)
}

func TestAStoppedProcessHearsTerm(t *testing.T) {
	s := start(t, `trap "exit 0" TERM; echo ready; kill -STOP $$; wait`)
	r, err := s.scanner.End(context.Background(), s.id, s.options())
	if err != nil || len(r.Stopped) != 1 {
		t.Fatalf("%+v %v", r, err)
	}
}

func TestChildrenForkedMeanwhileAreEnded(t *testing.T) {
	// On TERM it starts a daemon that has cleaned its environment: only a look while
	// the parent still lives, or the session, gives it away.
	s := start(t, `trap 'trap "" TERM; setsid sleep 1001 & sleep 1002 & env -i /bin/sleep 1003 & exit' TERM
		echo ready; while :; do sleep 0.01; done`)
	r, err := s.scanner.End(context.Background(), s.id, s.options())
	if err != nil || len(r.Survived) > 0 {
		t.Fatalf("%+v %v", r, err)
	}
	if len(r.Stopped)+len(r.Forced) < 4 {
		t.Errorf("%+v", r)
	}
	s.tree(t)
}

func TestAnEndedContextKillsAtOnce(t *testing.T) {
	s := start(t, `trap "" TERM; sleep 1001 & echo ready; wait`)
	s.tree(t, "root", "sleep 1001")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := s.scanner.End(ctx, s.id, s.options())
	if err != nil || len(r.Forced) != 2 {
		t.Fatalf("%+v %v", r, err)
	}
}

func TestHangUpLeavesWhatTheUserSentAway(t *testing.T) {
	s := start(t, `sleep 1001 & setsid sleep 1002 & nohup sleep 1003 >/dev/null 2>&1 &
		(trap : HUP; trap "" TERM; echo; while :; do sleep 1004; done) >/dev/null &
		echo ready; wait`)
	want := []string{"root", "sleep 1001", "sleep 1002", "sleep 1003", "sleep 1004", strings.Join(s.scanner.Command(s.id), " ")}
	s.tree(t, want...)
	members := s.tree(t, want...) // seen when all had been started
	away := find(t, s, members, "sleep 1002")
	nohup := find(t, s, members, "sleep 1003")
	stubborn := find(t, s, members, "sleep 1004")
	r, err := s.scanner.HangUp(context.Background(), s.id, s.options())
	if err != nil || len(r.Survived) > 0 {
		t.Fatalf("%+v %v", r, err)
	}
	if l := r.LeftRunning; len(l) != 2 || !slices.Contains(l, away.ID) || !slices.Contains(l, nohup.ID) {
		t.Errorf("left running %v, want %v and %v", l, away.ID, nohup.ID)
	}
	if !slices.ContainsFunc(r.Forced, func(id proc.ID) bool { return id.PID == stubborn.Parent }) {
		t.Errorf("forced %v, want %d among them", r.Forced, stubborn.Parent)
	}
	s.tree(t, "sleep 1002", "sleep 1003")
	// They can still be ended, root gone or not.
	r, err = s.scanner.EndIDs(context.Background(), r.LeftRunning)
	if err != nil || len(r.Stopped) != 2 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestWeAreInNoTree(t *testing.T) {
	t.Setenv(key, "ours")
	self := proc.Self()
	scanner := proc.NewScanner(key)
	table, err := scanner.Scan(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	me, ok := table.Find(self)
	if !ok || me.Memory <= 0 {
		t.Fatalf("we are not there: %+v", me)
	}
	parent, _ := table.Lookup(me.Parent)
	for _, root := range []proc.ID{self, parent.ID} {
		for _, m := range table.Tree(root, proc.TreeOptions{Block: "ours"}) {
			if m.ID == self || m.ID == parent.ID {
				t.Errorf("%v is in a tree", m.ID)
			}
		}
	}
	r, err := scanner.EndIDs(context.Background(), []proc.ID{self})
	if err != nil || len(r.LeftRunning) != 1 {
		t.Errorf("%+v %v", r, err)
	}
}

func TestNamesMayHoldAnything(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(t.TempDir(), "a) R 1 (b\n")
	if err := os.Symlink(sleep, odd); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(odd, "1000")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	table, err := proc.NewScanner("").Scan(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := table.Lookup(c.Process.Pid); !ok || p.Parent != os.Getpid() || p.Name != filepath.Base(odd) {
		t.Errorf("%+v", p)
	}
}

func TestProcessorTimeIsSeen(t *testing.T) {
	s := start(t, "echo ready; while :; do :; done")
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	first := true
	for {
		table, err := s.scanner.Scan(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		p, ok := table.Find(s.id)
		if !ok {
			t.Fatal("not there")
		}
		if first && p.CPU != -1 {
			t.Errorf("%v %% without a scan before", p.CPU)
		}
		if first = false; p.CPU > 0 && p.CPUTime > 0 {
			return
		}
		<-tick.C
	}
}

func TestCommandDirectoryAndPorts(t *testing.T) {
	s := start(t, "cd /; echo ready; exec sleep 1000")
	s.tree(t, "root")
	eventually := func() bool { return slices.Equal(s.scanner.Command(s.id), []string{"sleep", "1000"}) }
	for !eventually() {
		if _, err := s.scanner.Scan(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if dir, err := proc.Cwd(s.id); err != nil || dir != "/" {
		t.Errorf("%q %v", dir, err)
	}
	gone := s.id
	gone.Start--
	if _, err := proc.Cwd(gone); !errors.Is(err, proc.ErrGone) {
		t.Error(err)
	}
	var want []int
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			continue // no IPv6 here
		}
		defer l.Close()
		want = append(want, l.Addr().(*net.TCPAddr).Port)
	}
	slices.Sort(want)
	ports, err := proc.Ports(context.Background(), []proc.ID{proc.Self(), s.id})
	if err != nil || !slices.Equal(ports[proc.Self()], want) || len(ports) != 1 {
		t.Errorf("%v %v, want %v", ports, err, want)
	}
}
