package proc

import (
	"context"
	"syscall"
)

const resume = syscall.SIGHUP // not supported, so never sent: there is nothing to resume

// HangUp is End here: Windows has neither sessions of processes nor HUP.
func (s *Scanner) HangUp(ctx context.Context, root ID, o TreeOptions) (Result, error) {
	return s.End(ctx, root, o)
}
