package terminal_test

import (
	"crypto/md5" //nolint:gosec // md5sum is what every system has
	"fmt"
)

func md5sum(b []byte) string { return fmt.Sprintf("%x", md5.Sum(b)) }
