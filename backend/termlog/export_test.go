package termlog

// SegmentHeader returns a new header of a segment, as a writer that was killed leaves it.
func SegmentHeader(first uint64) []byte {
	b, _ := newHeader(segmentMagic, first)
	return b
}
