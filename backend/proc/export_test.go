package proc

import "os"

// Self returns the identity of this process; its Start is 0 if it cannot be found out.
func Self() ID {
	id, err := Identify(os.Getpid())
	if err != nil {
		return ID{PID: os.Getpid()}
	}
	return id
}
