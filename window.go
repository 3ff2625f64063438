package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/menu"
	wailsoptions "github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	wails2 "github.com/wailsapp/wails/v2/pkg/runtime"

	"drover/backend/api"
	"drover/backend/serve"
)

// The window's first size, and the least in which the page is whole.
const (
	firstWidth, firstHeight = 1440, 900
	leastWidth, leastHeight = 640, 400
)

// win is the app's window: the Wails life cycle around an app. Nothing is opened
// before started: generating the bindings runs main as well.
type win struct {
	data     string
	environ  []string
	deps     *api.Deps
	ready    chan struct{} // closed when app or failure is set
	app      *app
	failure  error
	signaled atomic.Bool
	agreed   atomic.Bool // a person has agreed to what quitting ends
	leaving  atomic.Bool // the window was let go, which must happen only once
	ctx      context.Context
	forward  sync.WaitGroup
}

func window(data string) error {
	if err := display(); err != nil {
		return err
	}
	environ := os.Environ()
	quietRenderer()
	w := &win{data: data, environ: environ, deps: &api.Deps{}, ready: make(chan struct{})}
	w.deps.Hello = w.hello
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		w.signaled.Store(true)
		// Wails hears it too, but may have asked before this was known.
		<-w.ready
		wails2.Quit(w.ctx)
	}()
	return wails.Run(&wailsoptions.App{
		Title: "Drover",
		Width: firstWidth, Height: firstHeight, MinWidth: leastWidth, MinHeight: leastHeight,
		BackgroundColour: wailsoptions.NewRGB(0x11, 0x10, 0x0e),
		AssetServer:      &assetserver.Options{Assets: page(), Middleware: policy},
		Menu:             appMenu(),
		OnStartup:        w.started,
		OnBeforeClose:    w.closing,
		OnShutdown:       func(context.Context) { w.ended() },
		Bind:             api.New(w.deps).List(),
		EnumBind:         enums(),
		// Linux stays nil: an empty struct there means that the GPU is always used,
		// which is slower where there is none.
	})
}

// display refuses a start that could only fail, with what to do instead.
func display() error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" && !bindings {
		return errors.New("there is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are not set): run \"drover serve\" and open its address in a browser")
	}
	return nil
}

// quietRenderer keeps WebKitGTK's DMABUF renderer off, which shows a blank window
// with some drivers and without a GPU, unless the user has decided.
func quietRenderer() {
	const name = "WEBKIT_DISABLE_DMABUF_RENDERER"
	if _, set := os.LookupEnv(name); !set && runtime.GOOS == "linux" {
		_ = os.Setenv(name, "1")
	}
}

// policy gives the window's page the same content policy as a browser's.
func policy(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", serve.Policy)
		next.ServeHTTP(w, r)
	})
}

// appMenu: without an Edit menu, copy and paste do nothing on macOS.
func appMenu() *menu.Menu {
	if runtime.GOOS != "darwin" {
		return nil
	}
	return menu.NewMenuFromItems(menu.AppMenu(), menu.EditMenu())
}

func (w *win) started(ctx context.Context) {
	w.ctx = ctx
	defer close(w.ready)
	dir, err := dataDir(w.data)
	if err == nil {
		w.app, err = open(options{data: dir, environ: w.environ, listen: "127.0.0.1:0", host: w, deps: w.deps})
	}
	if err != nil {
		w.failure = err
		fmt.Fprintln(os.Stderr, "drover:", err)
		return
	}
	release := w.app.activity.Watch() // the window is looked at
	w.app.onClose(release)
	news := w.app.events.Topic.Subscribe()
	w.forward.Go(func() {
		for {
			e, err := news.Next(context.Background())
			if err != nil {
				return
			}
			wails2.EventsEmit(ctx, e.Name, e.Data)
		}
	})
}

// hello waits for the start: the page loads at the same time.
func (w *win) hello() (api.Hello, error) {
	<-w.ready
	if w.failure != nil {
		return api.Hello{}, w.failure
	}
	return w.app.hello(), nil
}

// closing decides whether the window may go. A signal is not asked about.
func (w *win) closing(context.Context) (prevent bool) {
	<-w.ready
	if w.app != nil && !w.signaled.Load() && !w.agreed.Load() {
		if preview := w.app.quitPreview(); preview.Ask {
			w.app.events.Quit(preview)
			return true
		}
	}
	return w.leaving.Swap(true)
}

func (w *win) ended() {
	<-w.ready
	if w.app == nil {
		return
	}
	if line := w.app.close(); line != "" {
		fmt.Println(line)
	}
	w.forward.Wait()
}

// OpenURL, ClipboardText, SetClipboardText and Quit make it the page's Host.
func (w *win) OpenURL(link *url.URL) error {
	if link.Scheme == "file" {
		return openFile(link)
	}
	wails2.BrowserOpenURL(w.ctx, link.String())
	return nil
}

func (w *win) ClipboardText() (string, error) { return wails2.ClipboardGetText(w.ctx) }

func (w *win) SetClipboardText(text string) error { return wails2.ClipboardSetText(w.ctx, text) }

// Quit is asked for by the page, which has asked a person.
func (w *win) Quit() {
	w.agreed.Store(true)
	wails2.Quit(w.ctx)
}
