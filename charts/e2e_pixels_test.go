//go:build e2e

package charts

import (
	"bytes"
	"image/png"
	"testing"
)

// countColor counts the pixels of a screenshot that have a colour, to within three
// levels per channel.
func countColor(t *testing.T, shot []byte, want [3]uint8) int {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(shot))
	must(t, err)
	near := func(a uint32, b uint8) bool { d := int(a>>8) - int(b); return d >= -3 && d <= 3 }
	n := 0
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			if r, g, b, _ := m.At(x, y).RGBA(); near(r, want[0]) && near(g, want[1]) && near(b, want[2]) {
				n++
			}
		}
	}
	return n
}
