package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"drover/backend/store"
	"drover/backend/terminal"
	"drover/backend/workspace"
)

func dataCommand(data *string) *cobra.Command {
	var clear, yes bool
	c := &cobra.Command{
		Use:   "data",
		Short: "Show what Drover keeps on the disk, or clear the output of terminals and the command history",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := dataDir(*data)
			if err != nil {
				return err
			}
			kept, err := showData(c.Context(), c.OutOrStdout(), dir)
			if err != nil || !clear {
				return err
			}
			if len(kept.logs) == 0 && kept.commands == 0 {
				fmt.Fprintln(c.OutOrStdout(), "there is nothing to clear")
				return nil
			}
			if !yes {
				if yes, err = agreed(c.InOrStdin(), c.OutOrStdout(), kept); err != nil || !yes {
					return err
				}
			}
			return clearData(c.Context(), c.OutOrStdout(), dir, kept)
		},
	}
	c.Flags().BoolVar(&clear, "clear", false, "delete the kept output of all terminals and the command history (Drover must not be running)")
	c.Flags().BoolVar(&yes, "yes", false, "clear without a question")
	return c
}

// keptLog is the output of one terminal on the disk.
type keptLog struct {
	block     string
	size      int64 // bytes
	written   time.Time
	name      string
	workspace string // "" for a terminal that was closed
}

// keptData is what can be cleared.
type keptData struct {
	logs     []keptLog
	commands int   // of the history
	size     int64 // of their texts, in bytes
}

// what is it, in words.
func (k keptData) what() string {
	var all []string
	if len(k.logs) > 0 {
		all = append(all, fmt.Sprintf("the output of %s, %s", terminals(len(k.logs)), sizeText(total(k.logs))))
	}
	if k.commands > 0 {
		all = append(all, fmt.Sprintf("the history of %s, %s", commandCount(k.commands), sizeText(k.size)))
	}
	return strings.Join(all, ", and ")
}

// showData lists what is kept in dir, the largest first, and returns it.
func showData(ctx context.Context, out io.Writer, dir string) (all keptData, err error) {
	if info, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return all, fmt.Errorf("cannot show %s: there is no such directory, so nothing is kept in it", dir)
	} else if err != nil {
		return all, fmt.Errorf("cannot show %s: %w", dir, err)
	} else if !info.IsDir() {
		return all, fmt.Errorf("cannot show %s: it is not a directory", dir)
	}
	stored, err := logSet(dir).Stored()
	if err != nil {
		return all, fmt.Errorf("cannot read %s: %w", dir, err)
	}
	fmt.Fprintf(out, "%s\n", dir)
	model := namesIn(ctx, out, dir)
	kept := make([]keptLog, 0, len(stored))
	for block, size := range stored {
		k := keptLog{block: block, size: size, written: lastWrite(filepath.Join(logDir(dir), block))}
		if b, ok := model.Blocks[block]; ok {
			k.name = nameOf(b)
			if i := slices.IndexFunc(model.Workspaces, func(w workspace.Workspace) bool { return w.ID == b.Workspace }); i >= 0 {
				k.workspace = model.Workspaces[i].Name
			}
		}
		kept = append(kept, k)
	}
	slices.SortFunc(kept, func(a, b keptLog) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.block, b.block))
	})
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, k := range kept {
		when := "-"
		if !k.written.IsZero() {
			when = k.written.Local().Format("2006-01-02 15:04")
		}
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\n", sizeText(k.size), when, cmp.Or(k.name, "(closed)"), k.workspace, k.block)
	}
	if err := table.Flush(); err != nil {
		return all, err
	}
	fmt.Fprintf(out, "  %s in all: the output of %s\n", sizeText(total(kept)), terminals(len(kept)))
	all.logs = kept
	all.commands, all.size, err = store.PeekCommands(ctx, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		fmt.Fprintf(out, "  (the command history is not known: %v)\n", err)
	default:
		fmt.Fprintf(out, "  %s: the history of %s\n", sizeText(all.size), commandCount(all.commands))
	}
	return all, nil
}

func commandCount(n int) string {
	return fmt.Sprintf("%d command%s", n, map[bool]string{true: "", false: "s"}[n == 1])
}

func logDir(dir string) string        { return filepath.Join(dir, "logs") }
func logSet(dir string) *terminal.Set { return terminal.NewSet(logDir(dir), nil) }
func terminals(n int) string {
	return fmt.Sprintf("%d terminal%s", n, map[bool]string{true: "", false: "s"}[n == 1])
}

func total(kept []keptLog) (sum int64) {
	for _, k := range kept {
		sum += k.size
	}
	return sum
}

// namesIn reads what terminals and workspaces are called. Without a database, or
// with one that cannot be read, which is said, nothing has a name.
func namesIn(ctx context.Context, out io.Writer, dir string) workspace.Model {
	model, said, err := store.Peek(ctx, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return workspace.New()
	case err != nil:
		fmt.Fprintf(out, "  (names are not known: %v)\n", err)
	case len(said) > 0:
		fmt.Fprintf(out, "  (some names are not known: %s)\n", strings.Join(said, "; "))
	}
	return model
}

// nameOf is what a person would call a terminal: its name, its command, its shell.
func nameOf(b workspace.Block) string {
	shell := "shell"
	if b.Shell != "" {
		shell = filepath.Base(b.Shell)
	}
	return cmp.Or(b.Name, b.CommandLine, strings.Join(b.Command, " "), shell)
}

// lastWrite is when a file in dir was last written to; zero if that is not known.
func lastWrite(dir string) (last time.Time) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return last
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

// sizeText writes bytes as "712 B", "87 KiB", "1.2 MiB".
func sizeText(bytes int64) string {
	const step = 1024
	if bytes < step {
		return fmt.Sprintf("%d B", bytes)
	}
	value, units := float64(bytes)/step, []string{"KiB", "MiB", "GiB", "TiB"}
	for value >= step && len(units) > 1 {
		value, units = value/step, units[1:]
	}
	digits := 0
	if value < 10 {
		digits = 1
	}
	return fmt.Sprintf("%.*f %s", digits, value, units[0])
}

// agreed asks whoever started it. Where nobody can be asked it says what to do.
func agreed(in io.Reader, out io.Writer, kept keptData) (bool, error) {
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
			return false, errors.New("cannot ask here whether to delete it: say --yes to clear without a question")
		}
	}
	fmt.Fprintf(out, "Delete %s? It cannot be brought back. [y/N] ", kept.what())
	answer, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("cannot read the answer: %w", err)
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	fmt.Fprintln(out, "nothing was deleted")
	return false, nil
}

func clearData(ctx context.Context, out io.Writer, dir string, kept keptData) error {
	lock, _, err := store.Lock(dir)
	if held := (*store.HeldError)(nil); errors.As(err, &held) {
		return fmt.Errorf("cannot clear it while Drover runs: %w", err)
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	logs := logSet(dir)
	for _, k := range kept.logs {
		if err := logs.Remove(k.block); err != nil {
			return err
		}
	}
	if kept.commands > 0 {
		db, _, err := store.Open(ctx, dir, store.Options{})
		if err != nil {
			return err
		}
		if err := errors.Join(db.ClearCommands(ctx), db.Close()); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "cleared")
	return nil
}
