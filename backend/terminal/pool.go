package terminal

import "sync"

// What is pending is so for moments, and a flood would make buffers of megabytes anew
// each time: the terminals share theirs, of these sizes.
var pools = [...]struct {
	size int
	sync.Pool
}{{size: readSize}, {size: 8 * readSize}, {size: mostPending + readSize}}

// appendPooled is append for a buffer that release gives back: nil, or one that it made.
func appendPooled(b, more []byte) []byte {
	n := len(b) + len(more)
	if n <= cap(b) {
		return append(b, more...)
	}
	for i := range pools {
		p := &pools[i]
		if n > p.size {
			continue
		}
		var next []byte
		if free, ok := p.Get().(*[]byte); ok {
			next = *free
		} else {
			next = make([]byte, 0, p.size)
		}
		next = append(append(next, b...), more...)
		release(b)
		return next
	}
	return append(b, more...)
}

// release gives a buffer back that nobody uses any more.
func release(b []byte) {
	for i := range pools {
		if cap(b) == pools[i].size {
			free := b[:0]
			pools[i].Put(&free)
			return
		}
	}
}
