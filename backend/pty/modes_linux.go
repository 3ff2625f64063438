package pty

import "golang.org/x/sys/unix"

// lineLimit is N_TTY_BUF_SIZE-1 of Linux's line discipline.
const lineLimit = 4095

// Modes asks the line discipline.
func (p *PTY) Modes() Modes {
	var m Modes
	_ = p.control(func(fd int) error {
		t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
		if err != nil {
			return err
		}
		m = Modes{
			Known: true, LineLimit: lineLimit,
			Canonical: t.Lflag&unix.ICANON != 0, Echo: t.Lflag&unix.ECHO != 0,
		}
		return nil
	})
	return m
}
