package termlog

// SegmentHeader returns a new header of a segment, as a writer that was killed leaves it.
func SegmentHeader(first uint64) []byte {
	b, _ := newHeader(segmentMagic, first)
	return b
}

// WaitWritten waits until the byte off is with the system.
func (l *Log) WaitWritten(off uint64) {
	for {
		l.mu.Lock()
		if l.flushed == len(l.items) || l.items[l.flushed].from > off {
			l.mu.Unlock()
			return
		}
		if l.progress == nil {
			l.progress = make(chan struct{})
		}
		ch := l.progress
		l.mu.Unlock()
		<-ch
	}
}
