//go:build !linux

package termlog_test

import "errors"

func limitFiles(uint64) (func() error, error) { return nil, errors.ErrUnsupported }
