package stream

import (
	"bytes"
	"testing"
)

// Whatever a page sends, parsing ends with a frame or an error, and a frame's
// bytes are those that were sent.
func FuzzParse(f *testing.F) {
	f.Add([]byte{frameAttach, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 80, 0, 24, 1, 0, 0, 0, 0, 0, 0, 0, 7, 'b'})
	f.Add([]byte{frameInput, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 'x'})
	f.Add([]byte{frameAck, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5})
	f.Add([]byte{frameResize, 0, 0, 0, 1, 0, 80, 0, 24, 0, 0, 0, 0})
	f.Add([]byte{frameLoad, 0, 0, 0, 0, 1})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parse(b)
		if err != nil {
			return
		}
		if got.kind != b[0] || got.kind > frameLoad {
			t.Errorf("type %d was read as %d", b[0], got.kind)
		}
		if got.kind == frameInput && !bytes.HasSuffix(b, got.bytes) {
			t.Errorf("input %q of %q", got.bytes, b)
		}
		if len(got.bytes) > maxInput || len(got.block) > maxName {
			t.Error("over the bounds")
		}
	})
}
