package svg

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// A long path that occurs again is a reference, and another one is not.
func TestOnce(t *testing.T) {
	long := "M0 0" + strings.Repeat("L1 1", 30)
	longer := long + "L2 2"
	text := `<svg><g><path d="` + long + `"/><path d="` + longer + `"/></g><g><path d="` + longer + `"/></g><g transform="translate(9 0)"><path d="` + long + `"/><path d="` + long + `" fill="red"/></g><path d="M0 0L1 1"/><path d="M0 0L1 1"/></svg>`
	n, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	Once(n)
	got := n.String()
	if strings.Count(got, `<use href="#p1"/>`) != 1 || strings.Count(got, `<path d="`+longer+`" id="p1"/>`) != 1 ||
		strings.Count(got, `<use href="#p2"/>`) != 1 || strings.Count(got, `<path d="`+long+`" id="p2"/>`) != 1 || strings.Count(got, "<path") != 5 {
		t.Error(got)
	}
}

// A line without the points that no pixel shows keeps its peaks and its gaps.
func TestThinLines(t *testing.T) {
	var d strings.Builder
	for i := range 400 {
		y := 50.
		if i == 200 {
			y = 10
		}
		fmt.Fprintf(&d, "%s%.1f %.2f", "ML"[min(i%300, 1):][:1], float64(i)/2, y+.05*math.Sin(float64(i)))
	}
	n := New("path", "d", d.String(), "fill", "none", "stroke", "red")
	thin(n)
	if got := n.Get("d"); len(got) > 300 || strings.Count(got, "M") != 2 || !strings.Contains(got, "L100 10L100.5 50") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	for _, other := range []string{d.String() + "Z", d.String() + "C0 0 1 1 2 2"} {
		if n := New("path", "d", other, "fill", "none"); true {
			if thin(n); n.Get("d") != other {
				t.Error("what is no line is changed")
			}
		}
	}
}

func TestCircles(t *testing.T) {
	n, _ := Parse(`<svg><path d="M1 0A1 1 0 1 1 1 -0.1A1 1 0 0 1 1 0" transform="matrix(2.5,0,0,2.5,82.123,9)" fill="#fff" stroke="#000" stroke-width="0.4"/><path d="M1 0A1 1 0 1 1 1 -0.1A1 1 0 0 1 1 0" transform="matrix(2,0,0,3,0,0)" fill="#fff"/></svg>`)
	Clean(n)
	if got := n.String(); strings.Count(got, "<circle") != 1 || !strings.Contains(got, `<circle cx="82.12" cy="9" r="2.5" fill="#fff" stroke="#000" stroke-width="1"/>`) {
		t.Error(got)
	}
}
