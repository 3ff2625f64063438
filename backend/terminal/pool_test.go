package terminal

import (
	"bytes"
	"testing"
)

func TestPooledBuffersKeepTheirBytes(t *testing.T) {
	var b, want []byte
	piece := bytes.Repeat([]byte("0123456789"), 5000)
	for i := range piece {
		piece[i] += byte(i / 10 % 7)
	}
	for len(want) < mostPending+2*readSize { // beyond the largest, too
		b, want = appendPooled(b, piece), append(want, piece...)
	}
	if !bytes.Equal(b, want) {
		t.Error("it holds other bytes")
	}
	small := appendPooled(nil, piece[:100])
	release(small)
	release(make([]byte, 0, 100)) // of nobody's size: nothing happens
	again := appendPooled(nil, piece[100:200])
	if !bytes.Equal(again, piece[100:200]) {
		t.Error("what was given back is still in it")
	}
}
