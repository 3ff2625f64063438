package screen

// step moves the parser by one code point that no faster way has taken.
func (s *Screen) step(r rune) {
	p := &s.parser
	switch {
	case r >= 0x80 && r < 0xa0:
		s.c1(byte(r))
		return
	case r == 0x18 || r == 0x1a:
		s.endString(false)
		s.tail.clear()
		p.state = ground
		return
	case r == 0x1b:
		s.endString(true)
		p.clear()
		p.state = escape
		return
	}
	b := byte(0xa0) // what is beyond is all the same
	if r < 0x80 {
		b = byte(r)
	}
	switch p.state {
	case ground:
		if b < 0x20 {
			s.control(b)
		}
	case escape, escapeIntermediate:
		s.stepEscape(b)
	case csiEntry, csiParam, csiIntermediate, csiIgnore:
		s.stepCSI(b)
	case oscString:
		if b == 0x07 {
			s.endString(true)
			p.clear()
			p.state = ground
		} else if b >= 0x20 {
			p.put([]byte(string(r)))
		}
	case dcsEntry, dcsParam, dcsIntermediate, dcsIgnore:
		s.stepDCS(b)
	case dcsPassthrough:
		p.put([]byte(string(r)))
	case ignoredString:
		if b == 0xa0 {
			p.state = ground // an oddity of xterm.js: text beyond ASCII ends it
		}
	}
}

// c1 is a control from 0x80 on, which acts in every state.
func (s *Screen) c1(b byte) {
	p := &s.parser
	if p.state == oscString || p.state == dcsPassthrough {
		if b == 0x9c {
			s.endString(true)
			p.clear()
			p.state = ground
			return
		}
		p.dropString()
	}
	switch b {
	case 0x90:
		p.clear()
		p.state = dcsEntry
	case 0x98, 0x9e, 0x9f:
		p.state = ignoredString
	case 0x9b:
		p.clear()
		p.state = csiEntry
	case 0x9c:
		p.state = ground
	case 0x9d:
		p.dropString()
		p.state = oscString
	default:
		switch b {
		case 0x84:
			s.index()
		case 0x85:
			s.cur.x = 0
			s.index()
		case 0x88:
			s.setTab()
		}
		s.tail.clear()
		p.state = ground
	}
}

func (s *Screen) stepEscape(b byte) {
	p := &s.parser
	switch {
	case b < 0x20:
		s.control(b)
	case b < 0x30:
		p.collect = p.collect<<8 | uint32(b)
		p.state = escapeIntermediate
	case b == 0x7f:
	case b == 0xa0:
		p.state = ground
	case p.state == escapeIntermediate:
		p.state = ground
		s.escape(p.collect<<8 | uint32(b))
	default:
		switch b {
		case '[':
			p.clear()
			p.state = csiEntry
		case ']':
			p.dropString()
			p.state = oscString
		case 'P':
			p.clear()
			p.state = dcsEntry
		case 'X', '^', '_':
			p.state = ignoredString
		default:
			p.state = ground
			s.escape(p.collect<<8 | uint32(b))
		}
	}
}

func (s *Screen) stepCSI(b byte) {
	p := &s.parser
	switch {
	case b < 0x20:
		s.control(b)
	case b == 0x7f:
	case b == 0xa0:
		if p.state != csiIgnore {
			p.state = ground
		}
	case b >= 0x40:
		ignored := p.state == csiIgnore
		p.state = ground
		if !ignored {
			s.csi(p.collect<<8 | uint32(b))
			s.tail.clear()
		}
	case p.state == csiIgnore:
	case b < 0x30:
		p.collect = p.collect<<8 | uint32(b)
		p.state = csiIntermediate
	case p.state == csiIntermediate:
		p.state = csiIgnore
	case b < 0x3c:
		p.params.add(b)
		p.state = csiParam
	case p.state == csiEntry:
		p.collect = p.collect<<8 | uint32(b)
		p.state = csiParam
	default:
		p.state = csiIgnore
	}
}

func (s *Screen) stepDCS(b byte) {
	p := &s.parser
	switch {
	case b < 0x20, b == 0x7f:
	case b == 0xa0:
		if p.state != dcsIgnore {
			p.state = ground
		}
	case p.state == dcsIgnore:
	case b >= 0x40:
		p.hooked = p.collect<<8 | uint32(b)
		p.dropString()
		p.state = dcsPassthrough
	case b < 0x30:
		p.collect = p.collect<<8 | uint32(b)
		p.state = dcsIntermediate
	case p.state == dcsIntermediate:
		p.state = dcsIgnore
	case b < 0x3c:
		p.params.add(b)
		p.state = dcsParam
	case p.state == dcsEntry:
		p.collect = p.collect<<8 | uint32(b)
		p.state = dcsParam
	default:
		p.state = dcsIgnore
	}
}

// endString acts on the OSC or DCS that ends here, if one does and it is whole.
func (s *Screen) endString(whole bool) {
	p := &s.parser
	if p.state != oscString && p.state != dcsPassthrough {
		return
	}
	if whole && !p.long {
		if p.state == oscString {
			s.osc(p.str)
		} else {
			s.dcs(p.hooked, p.str)
		}
	}
	p.dropString()
	s.tail.clear()
}
