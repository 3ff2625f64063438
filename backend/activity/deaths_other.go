//go:build !linux

package activity

import (
	"errors"
	"os"
	"syscall"

	"drover/backend/proc"
)

func watchEnd(proc.ID) (*os.File, func() error, error) { return nil, nil, errors.ErrUnsupported }

func endSignal(*os.File) (syscall.Signal, bool) { return 0, false }
