// Package width says how many cells a terminal gives to characters. It owns the
// rules of clusters: what belongs to the character before it, and how wide the
// two are together. The page's emulator looks up the same tables
// (frontend/src/features/terminal/widths.ts), so both move the cursor alike.
//
// A cluster is Unicode's (UAX 29) as far as programs bear it: emoji sequences,
// flags, skin tones, keycaps and VS16 are two cells, marks add nothing, and
// where scripts join letters the cells are those that wcwidth gives to the
// letters, because line editors count them so. docs/decisions/0009-widths.md has
// the measurements.
//
// Everything here is a look-up: it allocates nothing and may be called from
// anywhere at once.
package width

// State is what has to be known of the cluster before the next rune. Zero: there
// is none, as at the start and after a control or an escape sequence.
type State uint8

// Next takes the rune r after a cluster in state s. join: r belongs to that
// cluster, whose width is now cells (0, 1 or 2); else r begins a new one with
// that width. The width of a cluster never shrinks.
//
// A rune that joins after state zero (a mark, an invisible character) belongs to
// whatever is left of the cursor: then cells is 0 and that cell keeps its width.
//
// No ASCII rune joins, and after one it does not matter what came before: after a
// run of ASCII the state is Next(0, last).
//
// C0, C1 and DEL are 0 cells, join nothing, and the state after them is zero.
// What is not a code point counts as one cell.
func Next(s State, r rune) (next State, cells int, join bool) {
	e := steps[uint8(s)<<4|class(r)]
	return State(e >> 3), int(e >> 1 & 3), e&1 != 0
}

func class(r rune) uint8 {
	if uint32(r) > 0x10ffff {
		return 0
	}
	return pages[int(index[r>>8])<<8|int(r&0xff)]
}
