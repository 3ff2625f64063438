package screen

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"
)

// Pictures (sixel and iTerm's) are drawn by whoever shows the terminal. The screen
// knows how much room one takes, as @xterm/addon-image 0.9.0 does, and says in its
// place that there was one.

// maxPixels is what a picture may have; a larger one is as if it had not come. The
// page has the same bound.
const maxPixels = 8 << 20

// placeholder stands where a picture was.
const placeholder = "[image]"

// The cell in pixels where the window's size is not known.
const (
	usualCellWidth = 7
	usualCellHigh  = 14
)

// cellSize is in pixels; it need not be whole.
func (s *Screen) cellSize() (w, h float64) {
	if s.pixelWidth <= 0 || s.pixelHigh <= 0 {
		return usualCellWidth, usualCellHigh
	}
	return float64(s.pixelWidth) / float64(s.cols), float64(s.pixelHigh) / float64(s.rows)
}

// picture makes room for one of so many pixels at the cursor, which ends up in
// the picture's first column and last row.
func (s *Screen) picture(width, height int) {
	if width <= 0 || height <= 0 || width > maxPixels || height > maxPixels/width {
		return
	}
	cw, ch := s.cellSize()
	b := s.cur
	x := b.x
	room := min(int(math.Ceil(float64(width)/cw)), s.cols-x)
	for i := range min(room, len(placeholder)) {
		c := s.ink
		c.text = sized(uint32(placeholder[i]), 1)
		b.rows[b.y].set(x+i, c)
	}
	rows := int(math.Ceil(float64(height) / ch))
	// More than this scrolls everything away, however much more it is.
	for range min(rows-1, s.history.max+2*s.rows) {
		s.lineFeed()
		b.x = x
	}
	s.tail.clear()
}

// sixel makes room for a sixel picture: as large as its raster attributes say, or
// as what is painted.
func (s *Screen) sixel(payload []byte) {
	if rest, ok := bytes.CutPrefix(payload, []byte(`"`)); ok {
		n := 0
		for n < len(rest) && (rest[n] == ';' || rest[n]-'0' < 10) {
			n++
		}
		var v [4]int
		for i, text := range strings.SplitN(string(rest[:n]), ";", len(v)) {
			v[i], _ = strconv.Atoi(text)
		}
		if v[2] > 0 && v[3] > 0 {
			s.picture(v[2], v[3])
			return
		}
	}
	s.picture(painted(payload))
}

// painted is the size of what a sixel picture without raster attributes paints.
func painted(p []byte) (width, height int) {
	bands, x, repeat := 0, 0, 1
	var last byte // the pixels that are painted in this band
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c >= '?' && c <= '~':
			x += repeat
			last |= c - '?'
			if c != '?' {
				width = max(width, x)
			}
			repeat = 1
		case c == '$':
			x = 0
		case c == '-':
			bands, x, last = bands+1, 0, 0
		case c == '!', c == '#', c == '"':
			n := 0
			for i+1 < len(p) && (p[i+1] == ';' || p[i+1]-'0' < 10) {
				i++
				if d := int(p[i] - '0'); p[i] != ';' && n < maxPixels {
					n = 10*n + d
				}
			}
			if c == '!' {
				repeat = max(n, 1)
			}
		}
	}
	height = bands * 6
	for ; last != 0; last >>= 1 {
		height++
	}
	return width, height
}

// inlineImage makes room for a picture of iTerm's protocol: OSC 1337 ; File = ... :
// base64.
func (s *Screen) inlineImage(arg string) {
	header, data, ok := strings.Cut(arg, ":")
	header, file := strings.CutPrefix(header, "File=")
	if !ok || !file {
		return
	}
	args := map[string]string{"width": "auto", "height": "auto", "preserveAspectRatio": "1"}
	for _, pair := range strings.Split(header, ";") {
		key, value, _ := strings.Cut(pair, "=")
		args[key] = value
	}
	if size, err := strconv.Atoi(args["size"]); err != nil || size <= 0 || args["inline"] != "1" {
		return
	}
	c, ok := imageSize(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
	if !ok || c.Width <= 0 || c.Height <= 0 || c.Width > maxPixels || c.Height > maxPixels/c.Width {
		return
	}
	w, h := s.fitted(float64(c.Width), float64(c.Height), args)
	if w*h < maxPixels {
		s.picture(int(w), int(h))
	}
}

// fitted is the size in which a picture of w by h is to be shown.
func (s *Screen) fitted(w, h float64, args map[string]string) (float64, float64) {
	cw, ch := s.cellSize()
	width, height := cw*float64(s.cols), ch*float64(s.rows)
	rw, rh := wish(args["width"], width, cw), wish(args["height"], height, ch)
	switch {
	case rw == 0 && rh == 0:
		f := min(width/w, (height-ch)/h, 1)
		return w * f, h * f
	case rw == 0:
		return w * rh / h, rh
	case rh == 0 || args["preserveAspectRatio"] != "0":
		return rw, h * rw / w
	}
	return rw, rh
}

// wish reads "auto", "5" (cells), "50%" or "80px", in pixels; 0 is auto.
func wish(text string, total, cell float64) float64 {
	unit := cell
	if n, ok := strings.CutSuffix(text, "%"); ok {
		text, unit = n, total/100
	} else if n, ok := strings.CutSuffix(text, "px"); ok {
		text, unit = n, 1
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return float64(max(n, 0)) * unit
}

// imageSize reads the head of a PNG, a JPEG or a GIF.
func imageSize(r io.Reader) (image.Config, bool) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(r, head); err != nil {
		return image.Config{}, false
	}
	r = io.MultiReader(bytes.NewReader(head), r)
	read := map[string]func(io.Reader) (image.Config, error){
		"\x89PNG": png.DecodeConfig, "GIF8": gif.DecodeConfig, "\xff\xd8\xff\xe0": jpeg.DecodeConfig,
	}[string(head)]
	if read == nil && head[0] == 0xff && head[1] == 0xd8 {
		read = jpeg.DecodeConfig
	}
	if read == nil {
		return image.Config{}, false
	}
	c, err := read(r)
	return c, err == nil
}

// graphics answers XTSMGRAPHICS, which asks what a picture may be like: item 1, how
// many colours, and 2, how large. Neither is changed.
func (s *Screen) graphics(item, action int32) {
	const (
		read    = 1
		readMax = 4
	)
	cw, ch := s.cellSize()
	switch {
	case item != 1 && item != 2:
		s.answer(fmt.Sprintf("\x1b[?%d;1S", item))
	case action != read && action != readMax:
		s.answer(fmt.Sprintf("\x1b[?%d;2S", item))
	case item == 1:
		s.answer("\x1b[?1;0;256S")
	case action == readMax:
		side := int(math.Sqrt(maxPixels))
		s.answer(fmt.Sprintf("\x1b[?2;0;%d;%dS", side, side))
	default:
		s.answer(fmt.Sprintf("\x1b[?2;0;%.0f;%.0fS", cw*float64(s.cols), ch*float64(s.rows)))
	}
}
