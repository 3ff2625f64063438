// Drover runs terminals and coding agents side by side. This file has the
// command line, the window and the built page; app.go has the parts.
package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

//go:embed all:frontend/dist
var dist embed.FS

// version is set by the linker.
var version = "0.1.0-dev"

// page is the built page.
func page() fs.FS {
	sub, err := fs.Sub(dist, "frontend/dist")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}

func main() {
	if err := command().Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "drover:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	var data string
	root := &cobra.Command{
		Use:           "drover",
		Short:         "Terminals and coding agents side by side",
		Args:          cobra.NoArgs,
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(*cobra.Command, []string) error { return window(data) },
	}
	root.PersistentFlags().StringVar(&data, "data", "", "the data directory (default: the platform's own)")
	root.AddCommand(serveCommand(&data), dataCommand(&data), playCommand())
	return root
}

func serveCommand(data *string) *cobra.Command {
	var listen string
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve the app to a browser instead of opening a window",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return serveBrowser(*data, listen) },
	}
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:7070", "the loopback address to listen on; port 0 takes a free one")
	return c
}

// serveBrowser runs until a signal.
func serveBrowser(data, listen string) error {
	if err := loopback(listen); err != nil {
		return err
	}
	dir, err := dataDir(data)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a, err := open(options{data: dir, environ: os.Environ(), listen: listen, browser: true, host: browserHost{stop}})
	if err != nil {
		return err
	}
	fmt.Printf("Drover serves your browser at http://%s\nAccess key: %s\nCtrl+C ends it, and what runs in it.\n", a.address(), a.token)
	select {
	case <-ctx.Done():
	case err = <-a.failed:
	}
	if line := a.close(); line != "" {
		fmt.Println(line)
	}
	return err
}

// loopback refuses addresses that others can reach: there is no TLS yet.
func loopback(listen string) error {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %q: write it as host:port", listen)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("cannot listen on %s: only this machine's own addresses (127.0.0.1, [::1], localhost) are served; use an SSH tunnel from elsewhere", host)
	}
	return nil
}

// browserHost is the surroundings of a page in a browser, which opens links and
// has a clipboard itself; but no browser opens a file for a page.
type browserHost struct{ quit func() }

var errBrowser = errors.New("the browser does that itself")

func (browserHost) OpenURL(link *url.URL) error {
	if link.Scheme == "file" {
		return openFile(link)
	}
	return errBrowser
}
func (browserHost) ClipboardText() (string, error) { return "", errBrowser }
func (browserHost) SetClipboardText(string) error  { return errBrowser }
func (h browserHost) Quit()                        { h.quit() }
