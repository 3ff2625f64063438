package store_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"drover/backend/store"
	"drover/backend/workspace"
)

// The test binary is also the other process of tests that need one.
func TestMain(m *testing.M) {
	if role := os.Getenv("STORE_TEST_ROLE"); role != "" {
		if err := play(role, os.Getenv("STORE_TEST_DIR")); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// play does what a role says; it ends when its standard input does.
func play(role, dir string) error {
	switch role {
	case "write":
		return writeMuch(dir, os.Getenv("STORE_TEST_NAME"))
	case "lock", "lock-by-pid":
		lock := store.Lock
		if role == "lock-by-pid" {
			lock = func(dir string) (*store.DirLock, []store.Notice, error) { return store.LockWith(dir, noLocks) }
		}
		l, _, err := lock(dir)
		if err != nil {
			return err
		}
		if err := l.SetAddress("http://127.0.0.1:4711"); err != nil {
			return err
		}
		fmt.Println("locked")
		_, _ = io.Copy(io.Discard, os.Stdin)
		if role == "lock-by-pid" {
			return nil // as if killed: the file stays
		}
		return l.Close()
	}
	return fmt.Errorf("unknown role %s", role)
}

func noLocks(*os.File) error { return errors.New("no locks available") }

type other struct {
	cmd   *exec.Cmd
	stdin io.Closer
	out   *bufio.Reader
}

func start(t *testing.T, role, dir, name string) *other {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STORE_TEST_ROLE="+role, "STORE_TEST_DIR="+dir, "STORE_TEST_NAME="+name)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &other{cmd, stdin, bufio.NewReader(stdout)}
}

func (o *other) says(t *testing.T, want string) {
	t.Helper()
	if line, err := o.out.ReadString('\n'); strings.TrimSpace(line) != want {
		t.Fatalf("the other process said %q, want %q (%v)", line, want, err)
	}
}

func (o *other) end(t *testing.T) {
	t.Helper()
	_ = o.stdin.Close()
	rest, _ := io.ReadAll(o.out)
	if err := o.cmd.Wait(); err != nil {
		t.Fatalf("the other process failed: %v\n%s", err, rest)
	}
}

func open(t *testing.T, dir string, o store.Options) (*store.Store, []store.Notice) {
	t.Helper()
	s, notices, err := store.Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, notices
}

// raw opens the database beside the store, as another program would.
func raw(t *testing.T, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, store.Name))
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func exe(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), query); err != nil {
		t.Fatal(err)
	}
}

func scan[T any](t *testing.T, db *sql.DB, query string) T {
	t.Helper()
	var v T
	if err := db.QueryRowContext(t.Context(), query).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// model has n blocks in one workspace.
func model(t *testing.T, prefix string, n int) workspace.Model {
	t.Helper()
	m, err := makeModel(prefix, n)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func makeModel(prefix string, n int) (workspace.Model, error) {
	m := workspace.New()
	if _, err := m.Create(workspace.Workspace{ID: prefix + "w", Name: "api", Dir: "/srv"}); err != nil {
		return m, err
	}
	for i := range n {
		b := workspace.Block{
			ID: prefix + strconv.Itoa(i), Kind: workspace.Shell, Name: "ü", Dir: "/", Command: []string{"a", "b c"},
			Env: map[string]string{"A": "1"}, Created: time.Unix(1, 2345).UTC(),
		}
		if err := m.AddBlock(b, workspace.Place{Side: workspace.Right}); err != nil {
			return m, err
		}
	}
	return m, nil
}

const rounds = 40

// writeMuch writes whole models, and statuses and rows of its own.
func writeMuch(dir, name string) error {
	ctx := context.Background()
	s, _, err := store.Open(ctx, dir, store.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	m, err := makeModel(name, 3)
	if err != nil {
		return err
	}
	for i := range rounds {
		if err := m.RenameBlock(name+"0", strconv.Itoa(i)); err != nil {
			return err
		}
		id := fmt.Sprintf("%s-%d", name, i)
		err := errors.Join(
			s.Save(ctx, m),
			s.PutStatus(ctx, store.Status{Block: id, PID: i}),
			s.AddEnded(ctx, store.Ended{ID: id}),
			s.SetValue(ctx, name, strconv.Itoa(i)),
		)
		if err != nil {
			return err
		}
		if got, _, err := s.Model(ctx); err != nil || len(got.Blocks) != 3 {
			return fmt.Errorf("read %d blocks, want the 3 of one process: %w", len(got.Blocks), err)
		}
	}
	return nil
}
