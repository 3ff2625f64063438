package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/sirupsen/logrus"
	"github.com/spf13/cobra"
	"gopkg.in/natefinch/lumberjack.v2"

	"drover/backend/store"
	"drover/backend/terminal"
)

// dataDir is where everything is kept: the one that was asked for, else the
// platform's.
func dataDir(asked string) (string, error) {
	if asked != "" {
		return filepath.Abs(asked)
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "drover"), nil
	}
	return platformData()
}

// The log file: 5 MiB, three old ones.
const (
	logMegabytes = 5
	logBackups   = 3
)

// newLog writes JSON to a file that is rotated, and text to the terminal.
func newLog(dir string) (io.Closer, *logrus.Logger) {
	file := &lumberjack.Logger{Filename: filepath.Join(dir, "drover.log"), MaxSize: logMegabytes, MaxBackups: logBackups}
	log := logrus.New()
	log.SetOutput(file)
	log.SetFormatter(&logrus.JSONFormatter{})
	log.AddHook(toTerminal{&logrus.TextFormatter{}})
	return file, log
}

// toTerminal shows warnings and errors to whoever started the app by hand.
type toTerminal struct{ format logrus.Formatter }

func (toTerminal) Levels() []logrus.Level {
	return []logrus.Level{logrus.PanicLevel, logrus.FatalLevel, logrus.ErrorLevel, logrus.WarnLevel}
}

func (t toTerminal) Fire(e *logrus.Entry) error {
	b, err := t.format.Format(e)
	if err != nil {
		return err
	}
	_, err = os.Stderr.Write(b)
	return err
}

func dataCommand(data *string) *cobra.Command {
	var clear bool
	c := &cobra.Command{
		Use:   "data",
		Short: "Show what Drover keeps on the disk, or clear the output of terminals",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := dataDir(*data)
			if err != nil {
				return err
			}
			return showData(c.OutOrStdout(), dir, clear)
		},
	}
	c.Flags().BoolVar(&clear, "clear", false, "delete the kept output of all terminals (Drover must not be running)")
	return c
}

func showData(out io.Writer, dir string, clear bool) error {
	logs := terminal.NewSet(filepath.Join(dir, "logs"), nil)
	stored, err := logs.Stored()
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", dir, err)
	}
	var total int64
	blocks := make([]string, 0, len(stored))
	for block, size := range stored {
		blocks = append(blocks, block)
		total += size
	}
	slices.Sort(blocks)
	fmt.Fprintf(out, "%s\n", dir)
	for _, block := range blocks {
		fmt.Fprintf(out, "  %-28s %8.1f MiB\n", block, float64(stored[block])/(1<<20))
	}
	fmt.Fprintf(out, "  %-28s %8.1f MiB\n", fmt.Sprintf("output of %d terminals", len(blocks)), float64(total)/(1<<20))
	if !clear {
		return nil
	}
	lock, _, err := store.Lock(dir)
	if held := (*store.HeldError)(nil); errors.As(err, &held) {
		return fmt.Errorf("cannot clear it while Drover runs: %w", err)
	}
	if err != nil {
		return err
	}
	defer lock.Close()
	for _, block := range blocks {
		if err := logs.Remove(block); err != nil {
			return err
		}
	}
	fmt.Fprintln(out, "cleared")
	return nil
}
