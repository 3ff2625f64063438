package termlog_test

import "time"

func cpuTime() time.Duration { return 0 }
