package main

// class is what the rules know of a code point. Fewer than 16.
type class uint8

const (
	narrow     class = iota // one cell of its own
	wide                    // two cells of its own
	control                 // C0, C1, DEL: none, and nothing joins across it
	zero                    // marks and invisible ones: join, add nothing
	spacing                 // spacing marks: join a narrow cluster, add a cell
	joiner                  // ZWJ
	emojiStyle              // VS16
	regional                // half a flag
	keyBase                 // 0-9 # *: narrow, an emoji with VS16
	picNarrow               // an emoji that is text unless VS16 follows
	picWide                 // an emoji
	modifier                // a skin tone: joins an emoji, else two cells of its own
	numClasses
)

// What is a format character but seen, one cell: programs count it so.
const softHyphen = 0xad

// classify says of every code point which class it is. Later rules win.
func classify(u unicode) []class {
	all := make([]class, points)
	set := func(k class, in []bool) {
		for c, yes := range in {
			if yes {
				all[c] = k
			}
		}
	}
	and := func(a, b []bool) []bool {
		both := make([]bool, points)
		for c := range both {
			both[c] = a[c] && b[c]
		}
		return both
	}
	isWide := u.has("Wide")
	set(wide, isWide)

	// A mark that Unicode calls spacing (Mc) and the few others that extend a
	// cluster but have a cell of their own: Thai and Lao AM, half-width voicing.
	set(spacing, u.has("SpacingMark", "Extend"))
	set(zero, u.has("Mn", "Me"))
	// Format characters and what Unicode reserves for more of them.
	set(zero, u.has("Cf", "Control"))
	set(narrow, u.has("Prepend"))
	all[softHyphen] = narrow
	// Wide spacing marks are the Hangul tone marks and their like: drawn over.
	set(zero, and(isWide, u.has("Mc")))
	// Vowels and tails of conjoining Hangul: the syllable has its lead's two
	// cells. (Kirat Rai's vowels, V too, have a cell each.)
	for _, r := range [][2]int{{0x1160, 0x11ff}, {0xd7b0, 0xd7fb}} {
		for c := r[0]; c <= r[1]; c++ {
			all[c] = zero
		}
	}

	emoji := and(u.has("Emoji"), u.has("Pictographic"))
	set(picNarrow, emoji)
	set(picWide, and(emoji, isWide))
	set(modifier, u.has("EmojiModifier"))
	set(regional, u.has("RI"))
	for _, c := range "0123456789#*" {
		all[c] = keyBase
	}
	all[0x200d] = joiner
	all[0xfe0f] = emojiStyle
	set(control, u.has("Cc"))
	return all
}

// state is what of a cluster decides how it goes on, and its width. At most 16,
// so that a step fits a byte: state<<3 | cells<<1 | join, as xterm.js packs it.
type state uint8

const (
	none      state = iota // no cluster, or none whose width is known
	plain1                 // one cell, nothing special may follow
	plain2                 // two cells
	key                    // 0-9 # *, alone
	pic1                   // a narrow emoji, alone
	picMarked              // a narrow emoji and marks: too late for VS16
	pic2                   // an emoji of two cells
	joined                 // an emoji and ZWJ: an emoji joins
	joined1                // the same, still one cell
	flag1                  // half a flag, alone
	numStates
)

func (s state) cells() int {
	switch s {
	case none:
		return 0
	case plain1, key, pic1, picMarked, joined1, flag1:
		return 1
	default:
		return 2
	}
}

// next is the rule: the state after k, and whether k belongs to the cluster.
func next(s state, k class) (state, bool) {
	switch k {
	case control:
		return none, false
	case zero:
		switch s {
		case key, flag1:
			return plain1, true
		case pic1, joined1:
			return picMarked, true
		case joined:
			return pic2, true
		default:
			return s, true
		}
	case joiner:
		switch s {
		case pic1, picMarked, joined1:
			return joined1, true
		case pic2, joined:
			return joined, true
		default:
			return next(s, zero)
		}
	case emojiStyle:
		switch s {
		case key:
			return plain2, true
		case pic1:
			return pic2, true
		default:
			return next(s, zero)
		}
	case spacing:
		if s.cells() == 1 {
			return plain2, true
		}
		return plain1, false
	case regional:
		if s == flag1 {
			return plain2, true
		}
	case modifier:
		switch s {
		case pic1, picMarked, pic2:
			return pic2, true
		}
	case picNarrow, picWide:
		if s == joined || s == joined1 {
			return pic2, true
		}
	}
	return start(k), false
}

// start is the state after k that begins a cluster.
func start(k class) state {
	switch k {
	case wide, modifier:
		return plain2
	case regional:
		return flag1
	case keyBase:
		return key
	case picNarrow:
		return pic1
	case picWide:
		return pic2
	default:
		return plain1
	}
}

// machine is next for every state and class, at state<<4 | class.
func machine() [256]byte {
	var steps [256]byte
	for s := range numStates {
		for k := range numClasses {
			to, join := next(s, k)
			b := byte(to)<<3 | byte(to.cells())<<1
			if join {
				b |= 1
			}
			steps[int(s)<<4|int(k)] = b
		}
	}
	return steps
}
