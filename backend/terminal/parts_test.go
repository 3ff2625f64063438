package terminal

import (
	"slices"
	"testing"
)

func TestPartsGoDownAndUpAgain(t *testing.T) {
	for _, c := range []struct {
		rows int
		want []int
	}{
		{5, []int{0, 0, 0, 0}},
		{partRows, []int{0, 0, 0, 0}},
		{partRows + 1, []int{0, 8, 0, 8, 0}},
		{30, []int{0, 8, 16, 24, 16, 8, 0, 8}},
	} {
		p := parts0
		var got []int
		for range c.want {
			got = append(got, p.row)
			turned := len(got) == 1 || len(got) > 2 && got[len(got)-1] == got[len(got)-3] || c.rows <= partRows
			if p.turn != turned {
				t.Errorf("%d rows, after %v: turn is %t", c.rows, got, p.turn)
			}
			p = p.next(c.rows)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d rows: parts at %v, not %v", c.rows, got, c.want)
		}
	}
}
