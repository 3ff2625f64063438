package main

import (
	"io"
	"os"
	"path/filepath"

	"github.com/sirupsen/logrus"
	"gopkg.in/natefinch/lumberjack.v2"
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
