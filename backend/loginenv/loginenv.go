// Package loginenv finds the environment that the user has in a login shell, which
// an app started from a desktop does not have: its PATH, its agents and proxies.
//
// Promises: the shell runs once, without a terminal, and is gone with everything
// that it started in its process group when the environment is there or its time
// is over. Whatever the user's rc files do, Wait returns an environment that
// programs can be started with. The app's own variables, and those of an editor,
// agent or terminal that started the app, are not in it.
package loginenv

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Env is an environment and where it is from.
type Env struct {
	Vars map[string]string
	// Shell is the shell that was asked.
	Shell string
	// Problem says why the environment is not that of an interactive login shell,
	// "" if it is.
	Problem string
}

// Options may be empty.
type Options struct {
	// Environ is the app's environment as it was when the app was started, before
	// the app set anything of its own; nil is the current one.
	Environ []string
	// Shell is the shell to ask; "" is DefaultShell.
	Shell string
	// Patience bounds the first attempt; 0 is 3 s. A simpler second one, if the
	// first fails, has two thirds of it.
	Patience time.Duration
}

// Finder finds the environment once and keeps it.
type Finder struct {
	cancel context.CancelFunc
	done   chan struct{}
	env    Env // readable once done is closed
	close  sync.Once
}

// Start begins to look, and returns at once.
func Start(o Options) *Finder {
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	if o.Patience == 0 {
		o.Patience = 3 * time.Second
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &Finder{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(f.done)
		f.env = find(ctx, o)
	}()
	return f
}

// Wait returns the environment, a copy each time, when it is found; that takes up
// to 5 s after Start. The error is ctx's, if that ends first.
func (f *Finder) Wait(ctx context.Context) (Env, error) {
	select {
	case <-f.done:
	default:
		select {
		case <-f.done:
		case <-ctx.Done():
			return Env{}, fmt.Errorf("cannot wait for the login environment: %w", ctx.Err())
		}
	}
	env := f.env
	env.Vars = maps.Clone(env.Vars)
	return env, nil
}

// Close ends the search, if it goes on, and returns when its shell is gone; later
// calls do nothing. Wait then returns what there is: the app's own environment.
func (f *Finder) Close() error {
	f.close.Do(f.cancel)
	<-f.done
	return nil
}

func find(ctx context.Context, o Options) Env {
	own := inherited(parsePairs(o.Environ))
	env := Env{Shell: o.Shell}
	if env.Shell == "" {
		env.Shell = defaultShell(own)
	}
	vars, problem := ask(ctx, env.Shell, own, o.Patience)
	if vars == nil {
		vars = own
	}
	env.Vars, env.Problem = complete(vars, runtime.GOOS), problem
	return env
}

// complete makes an environment one to start programs with.
func complete(vars map[string]string, goos string) map[string]string {
	out := map[string]string{}
	for name, value := range vars {
		if !shellMade(name) && !ours(name) {
			out[name] = value
		}
	}
	if goos == "windows" {
		return out
	}
	if out["PATH"] == "" {
		out["PATH"] = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
	}
	// A program that finds no UTF-8 draws question marks. LC_ALL would win anyway.
	if out["LANG"] == "" && out["LC_ALL"] == "" {
		out["LANG"] = "C.UTF-8"
		if goos == "darwin" {
			out["LANG"] = "en_US.UTF-8"
		}
	}
	return out
}

// Merge returns the variables of base with those of each layer over it, as
// os/exec takes them, sorted by name. On Windows names differ only by more than
// case.
func Merge(base map[string]string, layers ...map[string]string) []string {
	return merge(runtime.GOOS == "windows", base, layers...)
}

func merge(foldCase bool, base map[string]string, layers ...map[string]string) []string {
	values, names := map[string]string{}, map[string]string{}
	for _, layer := range append([]map[string]string{base}, layers...) {
		// Sorted, so that of two names that are the same the same one always wins.
		for _, name := range slices.Sorted(maps.Keys(layer)) {
			key := name
			if foldCase {
				key = strings.ToUpper(name)
			}
			names[key], values[key] = name, layer[name]
		}
	}
	out := make([]string, 0, len(names))
	for _, key := range slices.Sorted(maps.Keys(names)) {
		out = append(out, names[key]+"="+values[key])
	}
	return out
}

func parsePairs(environ []string) map[string]string {
	out := map[string]string{}
	for _, pair := range environ {
		// Windows has names that begin with "=": the current directory of a drive.
		if name, value, ok := strings.Cut(pair, "="); ok && name != "" {
			out[name] = value
		}
	}
	return out
}
