package loginenv

// MergeFoldingCase is Merge as on Windows.
func MergeFoldingCase(base map[string]string, layers ...map[string]string) []string {
	return merge(true, base, layers...)
}

// Complete is what is done to an environment on a platform.
func Complete(vars map[string]string, goos string) map[string]string { return complete(vars, goos) }

// ParseLines reads env's lines.
func ParseLines(text string) map[string]string { return parseLines(text) }

// Marker is what separates the environment from noise.
type Marker struct{ marker }

// NewMarker makes one.
func NewMarker() Marker { return Marker{newMarker()} }

// Text is what the shell prints for it.
func (m Marker) Text() string { return "\n" + m.a + m.b + "\n" }

// Parse reads the output of a shell.
func Parse(m Marker, output []byte) map[string]string { return m.parse(output) }
