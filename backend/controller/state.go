package controller

// canFollow is the whole life cycle: which state may follow which.
func canFollow(from, to State) bool {
	switch from {
	case Idle, Exited, Failed:
		return to == Starting
	case Starting:
		// Exited: stopped before it had begun. Failed: it could not start.
		return to == Running || to == Stopping || to == Exited || to == Failed
	case Running:
		return to == Reconnecting || to == Stopping || to == Exited || to == Failed
	case Reconnecting:
		return to == Running || to == Stopping || to == Exited || to == Failed
	case Stopping:
		return to == Killing || to == Exited || to == Failed
	case Killing:
		return to == Exited || to == Failed
	}
	panic("controller: unknown state " + string(from))
}

// finalState is where a session ends whose end was brought about for a reason.
func finalState(r Reason) State {
	switch r {
	case ReasonFailure:
		return Failed
	case ReasonNone, ReasonUser, ReasonReplace, ReasonClose, ReasonQuit, ReasonLimit, ReasonSelf:
		return Exited
	}
	panic("controller: unknown reason " + string(r))
}
