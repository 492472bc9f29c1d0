package profile

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Class codes are recognized by their name, or as the only whole numbers, whose groups explain another variable.
// Answers, counts, and columns that explain little are not codes.
func TestClassCodes(t *testing.T) {
	const p = 300
	rng := rand.New(rand.NewPCG(52, 6))
	class, decimal, far, answers, other, count, years, gap := make([]float64, p), make([]float64, p), make([]float64, p), make([]float64, p), make([]float64, p), make([]float64, p), make([]float64, p), make([]float64, p)
	for l := range p {
		class[l] = float64(l % 3)
		decimal[l] = rng.NormFloat64()
		far[l] = 4*class[l] + rng.NormFloat64()
		answers[l], other[l] = float64(1+rng.IntN(5)), float64(1+rng.IntN(5))
		count[l] = math.Floor(rng.ExpFloat64() * 1.2)
		years[l] = float64(2000 + l%3)
		gap[l] = 2 * class[l]
	}
	for name, c := range map[string]struct {
		names   []string
		columns [][]float64
		want    string
	}{
		"named":                {[]string{"a", "Target"}, [][]float64{decimal, class}, "Target holds the whole numbers 0 to 2"},
		"named among answers":  {[]string{"a", "b", "class"}, [][]float64{answers, other, class}, "class holds"},
		"nameless":             {nil, [][]float64{far, class, decimal}, "column 2 holds"},
		"of another name":      {[]string{"x", "kind of wine"}, [][]float64{far, class}, "kind of wine holds"},
		"explains nothing":     {[]string{"x", "children"}, [][]float64{decimal, class}, ""},
		"counts":               {[]string{"x", "n"}, [][]float64{far, count}, ""},
		"answers":              {[]string{"q1", "q2"}, [][]float64{answers, other}, ""},
		"two of whole numbers": {nil, [][]float64{far, class, answers}, ""},
		"named decimals":       {[]string{"a", "target"}, [][]float64{answers, decimal}, ""},
		"named with a gap":     {[]string{"a", "y"}, [][]float64{far, gap}, ""},
		"years":                {[]string{"a", "year"}, [][]float64{far, years}, ""},
	} {
		got := ClassCodes(c.names, len(c.columns), func(i int) []float64 { return c.columns[i] })
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.HasPrefix(got[0].Text, c.want)) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
