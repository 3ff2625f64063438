package proc

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrGone is returned when there is no process with the given identity, which includes one
// that has exited and was not waited for yet.
var ErrGone = errors.New("the process is gone")

// ID is a process's identity. It compares with ==, may be a map's key and be saved.
type ID struct {
	PID int `json:"pid"`
	// Boot names the boot of the machine that Start counts from; "" where Start is absolute.
	Boot string `json:"boot,omitempty"`
	// Start is only good for comparing: ticks since the boot on Linux, else
	// milliseconds. 0: not known, and then nothing matches.
	Start uint64 `json:"start"`
}

// String returns "pid@start" or "pid@start@boot", which ParseID reads.
func (id ID) String() string {
	s := fmt.Sprintf("%d@%d", id.PID, id.Start)
	if id.Boot != "" {
		s += "@" + id.Boot
	}
	return s
}

// ParseID reads what String wrote.
func ParseID(s string) (ID, error) {
	parts := strings.SplitN(s, "@", 3)
	if len(parts) < 2 {
		return ID{}, fmt.Errorf("cannot read process identity %q: want pid@start", s)
	}
	pid, err := strconv.Atoi(parts[0])
	if err != nil || pid <= 0 {
		return ID{}, fmt.Errorf("cannot read process identity %q: bad pid", s)
	}
	start, err := strconv.ParseUint(parts[1], 10, 64)
	if err != nil {
		return ID{}, fmt.Errorf("cannot read process identity %q: bad start", s)
	}
	id := ID{PID: pid, Start: start}
	if len(parts) == 3 {
		id.Boot = parts[2]
	}
	return id, nil
}

// Identify returns the identity of the process that has the pid now, ErrGone if none has. Call
// it for a child before waiting for it: until then its pid is not given to another.
func Identify(pid int) (ID, error) {
	r, err := readOne(pid)
	if err != nil {
		return ID{}, err
	}
	return ID{PID: pid, Boot: bootID(), Start: r.start}, nil
}

// Alive reports whether the process runs (a zombie does not), and whether that is known. When
// known is false nothing may be concluded.
func Alive(id ID) (alive, known bool) { return aliveIn(bootID(), id) }

// aliveIn is Alive for the boot that is known to be the present one.
func aliveIn(boot string, id ID) (alive, known bool) {
	if id.PID <= 0 || id.Start == 0 {
		return false, false
	}
	if boot == "" && id.Boot != "" {
		return false, false
	}
	if boot != id.Boot {
		return false, true
	}
	r, err := readOne(id.PID)
	switch {
	case errors.Is(err, ErrGone):
		return false, true
	case err != nil:
		return false, false
	}
	return r.start == id.Start && !r.zombie, true
}
