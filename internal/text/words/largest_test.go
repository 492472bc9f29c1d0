package words

import "testing"

func TestLargest(t *testing.T) {
	for _, c := range []struct {
		values []float64
		names  []string
		want   string
	}{
		{[]float64{.1, -2, .5, 1}, []string{"a", "b", "c", "d"}, "b -2, d 1, c 0.5"},
		{[]float64{.123456, -.123456}, []string{"", "b"}, "column 1 0.123, b -0.123"}, // of equal ones the first first
		{[]float64{7}, nil, "column 1 7"},
		{[]float64{-3}, []string{"שם"}, "\u2068שם\u2069 -3"},
	} {
		if got := Largest(c.values, c.names); got != c.want {
			t.Errorf("Largest(%v, %q) = %q, want %q", c.values, c.names, got, c.want)
		}
	}
}
