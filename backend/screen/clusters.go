package screen

import "unicode/utf8"

const (
	// maxCluster bounds a cluster, in bytes; further marks are dropped. The longest
	// emoji in use have 35.
	maxCluster = 64
	// maxClusters bounds how many different ones the two screens show.
	maxClusters = 1 << 20
)

// clusters are the texts of cells with more than one code point.
type clusters struct {
	table[string]
	joins [64]joined // what was joined lately, at a place that text and rune give
}

// joined: a cell's text becomes another when r joins it. As emoji come again and
// again, this spares building and hashing their texts.
type joined struct {
	text, becomes uint32
	r             rune
}

// cluster is what a cell's text becomes when r joins it.
func (s *Screen) cluster(text uint32, r rune) uint32 {
	at := &s.clusters.joins[(text*0x9e3779b1^uint32(r)*0x85ebca6b)>>26]
	if at.text == text && at.r == r {
		return at.becomes
	}
	b := s.appendText(s.cellBuffer[:0], cell{text: text})
	b = utf8.AppendRune(b, r)
	s.cellBuffer = b
	becomes := s.clusterText(b, text)
	if becomes != text {
		*at = joined{text, becomes, r}
	}
	return becomes
}

// clusterText is the text of a cell that holds b; otherwise if there is no room.
func (s *Screen) clusterText(b []byte, otherwise uint32) uint32 {
	if len(b) > maxCluster {
		return otherwise
	}
	n, ok := s.clusters.index[string(b)] // without making a string
	if !ok {
		n = s.clusters.number(string(b), maxClusters, func(live []bool) {
			s.clusters.joins = [64]joined{} // their numbers may be given anew
			s.eachCell(func(c *cell) {
				if c.text&textCluster != 0 {
					live[c.text&textMask] = true
				}
			})
		})
	}
	if n == 0 {
		return otherwise
	}
	return n | textCluster
}

// appendText appends what the cell shows; nothing for a blank.
func (s *Screen) appendText(dst []byte, c cell) []byte {
	switch {
	case c.text&textCluster != 0:
		return append(dst, s.clusters.at(c.text&textMask)...)
	case c.text&textMask != 0:
		return utf8.AppendRune(dst, rune(c.text&textMask))
	}
	return dst
}
