package screen

import "strings"

// charsets are G0 to G3, by the final byte that designates them; 0 is ASCII.
// current is the one that prints: a restored cursor may bring one that is in no
// place, as in xterm.js.
type charsets struct {
	g       [4]byte
	level   uint8
	current byte
}

func (c *charsets) shift(level uint8) {
	c.level, c.current = level, c.g[level]
}

func (c *charsets) designate(level uint8, set byte) {
	c.g[level] = set
	if c.level == level {
		c.current = set
	}
}

// designate is SCS: an intermediate that names G0 to G3, and the set.
func (s *Screen) designate(where, set byte) {
	level := strings.IndexByte("()*+", where)
	switch where {
	case '-':
		level = 1
	case '.':
		level = 2
	}
	if level < 0 {
		return
	}
	if set == 'B' {
		s.sets.designate(uint8(level), 0)
	} else if from, _ := replacements(set); from != "" {
		s.sets.designate(uint8(level), set)
	}
}

// translate gives what an ASCII character is in a set.
func translate(set byte, r rune) rune {
	from, to := replacements(set)
	if i := strings.IndexByte(from, byte(r)); i >= 0 {
		for _, c := range to { // no longer than thirty
			if i == 0 {
				return c
			}
			i--
		}
	}
	return r
}

// replacements are the characters in which a set differs from ASCII, and what
// they are in it. The sets are those of the VT220 that xterm.js knows.
func replacements(set byte) (from, to string) {
	switch set {
	case '0': // DEC special graphics
		return "`abcdefghijklmnopqrstuvwxyz{|}~", "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"
	case 'A': // British
		return "#", "£"
	case '4': // Dutch; xterm.js writes the i of ij
		return `#@[\]{|}~`, "£¾i½|¨f¼´"
	case 'C', '5': // Finnish
		return "[\\]^`{|}~", "ÄÖÅÜéäöåü"
	case 'R': // French
		return `#@[\]{|}~`, "£à°ç§éùè¨"
	case 'Q': // French Canadian
		return "@[\\]^`{|}~", "àâçêîôéùèû"
	case 'K': // German
		return `@[\]{|}~`, "§ÄÖÜäöüß"
	case 'Y': // Italian
		return "#@[\\]`{|}~", "£§°çéùàòèì"
	case 'E', '6': // Norwegian and Danish
		return "@[\\]^`{|}~", "ÄÆØÅÜäæøåü"
	case 'Z': // Spanish
		return `#@[\]{|}`, "£§¡Ñ¿°ñç"
	case 'H', '7': // Swedish
		return "@[\\]^`{|}~", "ÉÄÖÅÜéäöåü"
	case '=': // Swiss
		return "#@[\\]^_`{|}~", "ùàéçêîèôäöüû"
	}
	return "", ""
}
