package activity

import "syscall"

// resume is refused there, where no process is stopped by a signal.
const resume = syscall.Signal(0x12)
