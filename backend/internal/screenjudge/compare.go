package main

import (
	"fmt"
	"strings"
)

// compare says how two dumps differ first, in text and in anything; "" if they do
// not. Without history the lines above the screen are left out.
func compare(got, want *dump, history bool) (text, all string) {
	main := func(d *dump) []line {
		if history {
			return d.Main
		}
		return d.Main[len(d.Main)-d.Rows:]
	}
	for _, b := range []struct {
		name      string
		got, want []line
	}{{"main", main(got), main(want)}, {"alt", got.Alt, want.Alt}} {
		if len(b.got) != len(b.want) {
			text = fmt.Sprintf("%s has %d lines, not %d", b.name, len(b.got), len(b.want))
			return text, text
		}
		for i := range b.got {
			g, w := b.got[i], b.want[i]
			if text == "" && g.Text != w.Text {
				text = fmt.Sprintf("%s %d: %q, not %q", b.name, i, g.Text, w.Text)
			}
			if all == "" && g != w {
				all = fmt.Sprintf("%s %d: wrapped %t, not %t; %s", b.name, i, g.Wrapped, w.Wrapped, firstCell(g.Cells, w.Cells))
			}
		}
	}
	if text != "" {
		return text, text
	}
	if all != "" {
		return "", all
	}
	g, w := *got, *want
	switch {
	case g.X != w.X || g.Y != w.Y:
		all = fmt.Sprintf("cursor at %d,%d, not %d,%d", g.X, g.Y, w.X, w.Y)
	case g.Alternate != w.Alternate:
		all = fmt.Sprintf("alternate %t", g.Alternate)
	case g.Modes != w.Modes:
		all = fmt.Sprintf("modes %+v, not %+v", g.Modes, w.Modes)
	case g.Cols != w.Cols || g.Rows != w.Rows || (history && g.Base != w.Base):
		all = fmt.Sprintf("size %dx%d above %d, not %dx%d above %d", g.Cols, g.Rows, g.Base, w.Cols, w.Rows, w.Base)
	}
	return "", all
}

func firstCell(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return fmt.Sprintf("cell %d: %q, not %q", i, a, b)
		}
	}
	return ""
}
