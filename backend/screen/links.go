package screen

import "strings"

const (
	maxLinks  = 1 << 14 // a long listing with links fills thousands
	maxURI    = 2083    // bytes; what is longer is no link
	maxLinkID = 250
	maxExtras = 1<<16 - 1
)

// link is a hyperlink of OSC 8. Links without an id are the same if they lead to
// the same place.
type link struct{ id, uri string }

type links struct{ table[link] }

// extra is what few cells have, and what therefore is not in the cell.
type extra struct {
	underline uint32 // the underline's colour
	link      uint16 // index into links
}

type extras struct{ table[extra] }

func (s *Screen) extra(e extra) uint32 {
	return s.extras.number(e, maxExtras, func(live []bool) {
		s.eachCell(func(c *cell) { live[c.attr>>attrExtraShift] = true })
	})
}

// setLink is OSC 8: "params;uri", where an empty uri ends the link. Semicolons in
// the uri are its own.
func (s *Screen) setLink(arg string) {
	head, uri, ok := strings.Cut(arg, ";")
	if !ok {
		return
	}
	head = strings.TrimSpace(head)
	switch {
	case uri != "":
		s.pen.link = s.link(link{linkID(head), uri})
	case head != "":
		return // xterm.js leaves the link open
	default:
		s.pen.link = 0
	}
	s.pen.updateExtended()
	s.inkPen()
}

func linkID(params string) string {
	for p := range strings.SplitSeq(params, ":") {
		if id, ok := strings.CutPrefix(p, "id="); ok {
			return id
		}
	}
	return ""
}

func (s *Screen) link(l link) uint16 {
	if len(l.uri) > maxURI || len(l.id) > maxLinkID {
		return 0
	}
	return uint16(s.links.number(l, maxLinks, func(live []bool) {
		live[s.pen.link] = true
		s.eachCell(func(c *cell) { live[s.extras.at(c.attr>>attrExtraShift).link] = true })
		s.history.markLinks(live)
	}))
}
