package screen

// sgr is CSI m.
func (s *Screen) sgr() {
	s.attributes()
	s.inkPen()
}

// attributes applies all parameters to the pen.
func (s *Screen) attributes() {
	for i := 0; i < s.parser.params.n; i++ {
		i += s.attribute(i)
	}
}

// attribute applies parameter i and returns how many more it has used. The cases
// are listed so that the compiler jumps by a table.
func (s *Screen) attribute(i int) int {
	p, pen := &s.parser.params, &s.pen
	switch v := p.v[i&(maxParams-1)]; v {
	case 30, 31, 32, 33, 34, 35, 36, 37:
		pen.fg = colour16 | uint32(v-30)
	case 40, 41, 42, 43, 44, 45, 46, 47:
		pen.bg = colour16 | uint32(v-40)
	case 90, 91, 92, 93, 94, 95, 96, 97:
		pen.fg = colour16 | uint32(v-90+8)
	case 100, 101, 102, 103, 104, 105, 106, 107:
		pen.bg = colour16 | uint32(v-100+8)
	case 38, 48, 58:
		return s.extendedColour(i)
	case 4:
		style := int32(underlineSingle)
		if sub := p.subs(i); len(sub) > 0 {
			style = sub[0]
		}
		pen.setUnderline(int(style))
	default:
		pen.simple(v)
	}
	return 0
}

// simple applies the attributes without arguments.
func (p *pen) simple(v int32) {
	switch v {
	case 0:
		p.clear()
	case 1:
		p.flags |= attrBold
	case 2:
		p.flags |= attrDim
	case 3:
		p.flags |= attrItalic
	case 5:
		p.flags |= attrBlink
	case 7:
		p.flags |= attrInverse
	case 8:
		p.flags |= attrInvisible
	case 9:
		p.flags |= attrStrike
	case 21:
		p.setUnderline(underlineDouble)
	case 22:
		p.flags &^= attrBold | attrDim
	case 23:
		p.flags &^= attrItalic
	case 24:
		p.setUnderline(underlineOff)
	case 25:
		p.flags &^= attrBlink
	case 27:
		p.flags &^= attrInverse
	case 28:
		p.flags &^= attrInvisible
	case 29:
		p.flags &^= attrStrike
	case 39:
		p.fg = 0
	case 49:
		p.bg = 0
	case 53:
		p.flags |= attrOverline
	case 55:
		p.flags &^= attrOverline
	case 59:
		// xterm.js 6.0.0 takes this for white, and so must whoever shows the same.
		p.underline = underlineNone
		p.updateExtended()
	}
}

// extendedColour is SGR 38, 48 and 58 in all their forms: 38;5;n, 38:5:n,
// 38;2;r;g;b, 38:2:space:r:g:b, and mixtures such as 38;2:space:r:g:b. It returns
// how many parameters after i it has used.
func (s *Screen) extendedColour(i int) int {
	p := &s.parser.params
	if c, used := p.plainColour(i); used > 0 {
		s.pen.setColour(p.v[i], c)
		return used
	}
	// In slots: the target, 2 or 5, the colour space, and three values.
	slots := [6]int32{2: -1}
	shift, used := 0, 0
	for {
		slots[used+shift] = p.v[i+used]
		if sub := p.subs(i + used); len(sub) > 0 {
			for k, v := range sub {
				if slots[1] == 5 {
					shift = 1 // an index has no colour space before it
				}
				if used+k+1+shift >= len(slots) {
					break
				}
				slots[used+k+1+shift] = v
			}
			break
		}
		if (slots[1] == 5 && used+shift >= 2) || (slots[1] == 2 && used+shift >= 5) {
			break
		}
		if slots[1] != 0 {
			shift = 1 // nor is there one between semicolons
		}
		used++
		if i+used >= p.n || used+shift >= len(slots) {
			break
		}
	}
	part := func(k int) uint32 { return uint32(max(slots[k], 0)) & 0xff }
	switch slots[1] {
	case 2:
		s.pen.setColour(slots[0], colourRGB|part(3)<<16|part(4)<<8|part(5))
	case 5:
		s.pen.setColour(slots[0], colour256|part(3))
	}
	return used
}

// plainColour reads the two forms that nearly all programs use, 38;5;n and
// 38;2;r;g;b, from parameter i on, if there are no sub-parameters at all. used is
// how many parameters after i that took, 0 if it is another form.
func (p *params) plainColour(i int) (c uint32, used int) {
	if p.nsub > 0 {
		return 0, 0
	}
	switch v := p.v[i:p.n]; {
	case len(v) > 2 && v[1] == 5:
		return colour256 | uint32(v[2])&0xff, 2
	case len(v) > 4 && v[1] == 2:
		return colourRGB | uint32(v[2])&0xff<<16 | uint32(v[3])&0xff<<8 | uint32(v[4])&0xff, 4
	}
	return 0, 0
}

// setColour is for the colour that 38, 48 or 58 names.
func (p *pen) setColour(which int32, c uint32) {
	switch which {
	case 38:
		p.fg = c
	case 48:
		p.bg = c
	case 58:
		p.underline = c
	}
}
