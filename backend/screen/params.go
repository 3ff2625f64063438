package screen

import "math"

// maxParams is how many parameters, and how many sub-parameters in all, a sequence
// may have; further ones are dropped, as in xterm.js.
const maxParams = 32

// params are the numbers of a control sequence: "1;4:3" is 1, and 4 with the
// sub-parameter 3. There is always one; what is left out is 0, as a sub-parameter
// -1. While there is no sub-parameter, from and to are zero everywhere, so that
// most sequences need not touch them.
type params struct {
	v    [maxParams]int32
	from [maxParams]uint8 // where the sub-parameters of each begin in sub
	to   [maxParams]uint8
	sub  [maxParams]int32
	n    int
	nsub int

	inSub, full, subFull bool
}

func (p *params) clear() {
	if p.nsub > 0 {
		p.from, p.to = [maxParams]uint8{}, [maxParams]uint8{}
	}
	p.n, p.nsub, p.v[0] = 1, 0, 0
	p.inSub, p.full, p.subFull = false, false, false
}

// add takes a digit, ';' or ':'.
func (p *params) add(b byte) {
	switch b {
	case ';':
		p.inSub = false
		if p.n == maxParams {
			p.full = true
			return
		}
		p.v[p.n], p.from[p.n], p.to[p.n] = 0, uint8(p.nsub), uint8(p.nsub)
		p.n++
	case ':':
		p.inSub = true
		if p.full || p.nsub == maxParams {
			p.subFull = true
			return
		}
		p.sub[p.nsub] = -1
		p.nsub++
		p.to[p.n-1]++
	default:
		p.digit(int32(b - '0'))
	}
}

func (p *params) digit(d int32) {
	switch {
	case p.full:
	case !p.inSub:
		p.v[p.n-1] = append10(p.v[p.n-1], d)
	case p.subFull || p.nsub == 0:
	default:
		p.sub[p.nsub-1] = append10(p.sub[p.nsub-1], d)
	}
}

func append10(v, d int32) int32 {
	if v < 0 {
		return d
	}
	return int32(min(int64(v)*10+int64(d), math.MaxInt32))
}

// subs are the sub-parameters of parameter i.
func (p *params) subs(i int) []int32 { return p.sub[p.from[i]:p.to[i]] }

// count is parameter i as a number of times: at least 1.
func (p *params) count(i int) int {
	if i >= p.n || p.v[i] == 0 {
		return 1
	}
	return int(p.v[i])
}
