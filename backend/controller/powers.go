package controller

import "context"

// Every power is asserted here and nowhere else.

func capabilities(s Session) Capabilities {
	var c Capabilities
	_, c.Input = s.(Inputter)
	_, c.Resize = s.(Resizer)
	_, c.Signal = s.(Signaler)
	_, c.Interrupt = s.(Interrupter)
	return c
}

func sendBytes(s Session, p []byte, taken func()) error {
	if power, ok := s.(Inputter); ok {
		return power.Input(p, taken)
	}
	return ErrUnsupported
}

func resize(s Session, size Size) error {
	if power, ok := s.(Resizer); ok {
		return power.Resize(size)
	}
	return ErrUnsupported
}

func signal(s Session, name string) error {
	if power, ok := s.(Signaler); ok {
		return power.Signal(name)
	}
	return ErrUnsupported
}

func interrupt(ctx context.Context, s Session) error {
	if power, ok := s.(Interrupter); ok {
		return power.Interrupt(ctx)
	}
	return ErrUnsupported
}
