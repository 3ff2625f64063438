package activity

import (
	"os/exec"

	"drover/backend/proc"
)

// EndsAreTold reports whether this kernel tells how a process ended to others than
// its parent (6.15 and later).
func EndsAreTold() (bool, error) {
	c := exec.Command("cat")
	in, err := c.StdinPipe()
	if err != nil {
		return false, err
	}
	if err := c.Start(); err != nil {
		return false, err
	}
	id, err := proc.Identify(c.Process.Pid)
	if err != nil {
		return false, err
	}
	h, _, err := watchEnd(id)
	_ = in.Close()
	_ = c.Wait()
	if err != nil {
		return false, nil
	}
	defer h.Close()
	_, told := endSignal(h)
	return told, nil
}
