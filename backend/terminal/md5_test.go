package terminal_test

import (
	"crypto/md5"
	"fmt"
)

func md5sum(b []byte) string { return fmt.Sprintf("%x", md5.Sum(b)) }
