package screen

// A table gives values small numbers, from 1 on. When it is full it asks what is
// still in use and gives the numbers of the rest anew; numbers in use never change.
type table[K comparable] struct {
	items []K // items[0] is none
	index map[K]uint32
	free  []uint32
	sweep int // how many items may be there before the next sweep
	wait  int // how many are refused before a full table is swept again
}

// minSweep keeps small tables from sweeping all the time.
const minSweep = 1024

func (t *table[K]) at(n uint32) K {
	var none K
	if int(n) >= len(t.items) {
		return none
	}
	return t.items[n]
}

// number gives k's number, 0 if limit values are in use already. mark sets what is
// in use; it is asked only when the table has grown to twice of what was last.
func (t *table[K]) number(k K, limit int, mark func(live []bool)) uint32 {
	if n, ok := t.index[k]; ok {
		return n
	}
	if t.index == nil {
		t.index, t.items, t.sweep = map[K]uint32{}, make([]K, 1), min(minSweep, limit)
	}
	if len(t.free) == 0 && len(t.items) > t.sweep {
		if t.wait > 0 {
			t.wait--
			return 0
		}
		t.release(limit, mark)
		if len(t.items) > limit && len(t.free) < minSweep {
			t.wait = minSweep // or a full table would be swept for each new item
		}
	}
	var n uint32
	switch {
	case len(t.free) > 0:
		n = t.free[len(t.free)-1]
		t.free = t.free[:len(t.free)-1]
		t.items[n] = k
	case len(t.items) <= limit:
		n = uint32(len(t.items))
		t.items = append(t.items, k)
	default:
		return 0
	}
	t.index[k] = n
	return n
}

func (t *table[K]) release(limit int, mark func(live []bool)) {
	live := make([]bool, len(t.items))
	mark(live)
	var none K
	for n := 1; n < len(t.items); n++ {
		if !live[n] {
			delete(t.index, t.items[n])
			t.items[n] = none
			t.free = append(t.free, uint32(n))
		}
	}
	t.sweep = min(max(2*len(t.index), minSweep), limit)
}

// eachCell visits every cell that may hold a number of a table.
func (s *Screen) eachCell(visit func(*cell)) {
	rows := func(rows []*row) {
		for _, r := range rows {
			for i := range r.cells[:r.used] {
				visit(&r.cells[i])
			}
		}
	}
	rows(s.main.rows)
	rows(s.alt.rows)
	rows(s.scratch)
	visit(&s.ink)
}
