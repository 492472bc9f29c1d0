package datasets

import (
	"maps"
	"math"
	"testing"
)

// The counts of each group and the means are those of the data sets' own descriptions
// (iris.names of the repository; wine.names).
func TestTables(t *testing.T) {
	for _, c := range []struct {
		name   string
		mean   []float64 // of the first variables
		groups map[string]int
	}{
		// iris.names has 5.84, 3.05 (3.06 with the two rows as Fisher printed them), 3.76, 1.20.
		{"iris", []float64{5.8433, 3.0573, 3.758, 1.1993}, map[string]int{"setosa": 50, "versicolor": 50, "virginica": 50}},
		{"wine", []float64{13.0006, 2.3363, 2.3665}, map[string]int{"barolo": 59, "grignolino": 71, "barbera": 48}},
	} {
		s := Iris()
		if c.name == "wine" {
			s = Wine()
		}
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		// The units of wine differ, of which every command warns.
		if warnings := s.Warnings(); s.Source() != c.name || len(warnings) != 0 && c.name == "iris" || len(warnings) > 1 {
			t.Errorf("%s is called %q, with warnings %v", c.name, s.Source(), warnings)
		}
		l := s.Labels()
		groups := map[string]int{}
		for i, g := range l.Groups {
			groups[g] = l.Counts[i]
		}
		if !maps.Equal(groups, c.groups) {
			t.Errorf("%s has groups %v, want %v", c.name, groups, c.groups)
		}
		x := s.Matrix()
		p, _ := x.Dims()
		for j, want := range c.mean {
			sum := 0.
			for k := range p {
				sum += x.At(k, j)
			}
			if mean := sum / float64(p); math.Abs(mean-want) > 5e-5 {
				t.Errorf("%s: mean of variable %d is %.5f, want %.4f", c.name, j+1, mean, want)
			}
		}
	}
	if _, err := CSV("roses"); err == nil {
		t.Error("there are no roses")
	}
}
