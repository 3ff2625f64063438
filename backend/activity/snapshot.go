package activity

import "time"

// Snapshot is what is known at one moment. It is shared: nobody changes it.
type Snapshot struct {
	// Seq rises with every snapshot that shows something else; 0 before the first.
	Seq uint64    `json:"seq"`
	At  time.Time `json:"at"`
	// CPU is in whole percent of one core here and below, over all that belongs to
	// it; -1 while nothing of it has been measured.
	CPU float64 `json:"cpu"`
	// Memory is resident bytes here and below, to 0.1 MiB; pages that processes
	// share count for each.
	Memory      int64   `json:"memory"`
	TotalMemory int64   `json:"totalMemory"` // of the machine, in bytes; 0 if not known
	Hosts       []Host  `json:"hosts"`
	Ended       []Ended `json:"ended"` // the newest first
}

// Local is the ID of the machine that the app runs on.
const Local = "local"

// Host is a machine and what runs on it.
type Host struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	CPU        float64        `json:"cpu"`
	Memory     int64          `json:"memory"`
	Workspaces []WorkspaceRow `json:"workspaces"`
}

// WorkspaceRow is a workspace of the model, in its order.
type WorkspaceRow struct {
	ID     string     `json:"id"`
	CPU    float64    `json:"cpu"`
	Memory int64      `json:"memory"`
	Blocks []BlockRow `json:"blocks"`
}

// BlockRow is a block of the model: the panes' in reading order, then the
// unplaced.
type BlockRow struct {
	Block  string  `json:"block"`
	CPU    float64 `json:"cpu"`
	Memory int64   `json:"memory"`
	// Dir is the current directory of its program, "" if that is not known.
	Dir string `json:"dir"`
	// Processes are parents before their children, siblings by pid. One is there once
	// two looks half a second apart have seen it, the block's own at once.
	Processes []Process `json:"processes"`
}

// Process is one process of a block.
type Process struct {
	PID     int       `json:"pid"`
	Parent  int       `json:"parent"`
	Started time.Time `json:"started"` // for showing only
	// ID is its identity, for End.
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Command    string  `json:"command"` // with its arguments, cut at 2,000 bytes; "" if not known
	CPU        float64 `json:"cpu"`
	Memory     int64   `json:"memory"`
	Ports      []int   `json:"ports"` // TCP, on which it listens, rising
	Foreground bool    `json:"foreground"`
	Depth      int     `json:"depth"` // 0: the block's own program, or one without a parent in the tree
}

// EndedState says what became of something in the list of what has ended.
type EndedState string

// The states.
const (
	Exited      EndedState = "exited"       // by itself
	Failed      EndedState = "failed"       // could not start, broke, or a command with an exit code other than 0
	Unknown     EndedState = "unknown"      // nobody knows whether and how it ended
	LeftRunning EndedState = "left-running" // it runs, and its block is gone or has ended
	Stopped     EndedState = "stopped"      // because somebody asked

	// dismissed rows are kept on the disk and never shown: an end that is told
	// again at the next start must not bring back what a person has cleared.
	dismissed EndedState = "dismissed"
)

// EndedStates lists every EndedState that is shown.
var EndedStates = [...]EndedState{Exited, Failed, Unknown, LeftRunning, Stopped}

// Ended is a row of what has ended, or was left running.
type Ended struct {
	ID      string     `json:"id"`
	Block   string     `json:"block"`
	Name    string     `json:"name"`
	Owner   string     `json:"owner"`  // the workspace's name then
	Detail  string     `json:"detail"` // how it ended, or the command that runs
	State   EndedState `json:"state"`
	At      time.Time  `json:"at"`
	Code    int        `json:"code"` // -1 when a signal ended it
	PID     int        `json:"pid"`  // 0 without a process
	Started time.Time  `json:"started"`
	// Process is the identity of a process that runs or may run, for End, else "".
	Process string `json:"process"`
}
