package termlog

import "sync"

const chunkLen = headerLen + maxPayload

// Pool lends buffers of 64 KiB to the logs that share it, and gives back to the
// system what stays unused. It may be used by several goroutines.
type Pool struct{ chunks sync.Pool }

// NewPool returns an empty pool.
func NewPool() *Pool { return &Pool{} }

func (p *Pool) chunk() []byte {
	if c, ok := p.chunks.Get().(*[chunkLen]byte); ok {
		return c[:]
	}
	return make([]byte, chunkLen)
}

// put takes a buffer back; smaller ones are left to the collector.
func (p *Pool) put(b []byte) {
	if cap(b) == chunkLen {
		p.chunks.Put((*[chunkLen]byte)(b[:chunkLen]))
	}
}
