package frame

import "testing"

// A title names the data where they are not as they were loaded.
func TestTitle(t *testing.T) {
	for want, k := range map[string]*Kind{
		"3rd moment":                       nil,
		"3rd moment ":                      {},
		"3rd cumulant":                     {Cumulant: true, Coordinates: Centered},
		"3rd moment of standardized data":  {Coordinates: Standardized},
		"3rd moment over distinct indices": {Distinct: true},
		"3rd moment over distinct indices of centered data": {Distinct: true, Coordinates: Centered},
		"3rd moment of centered data":                       {Coordinates: Centered},
		"3rd cumulant of standardized data":                 {Coordinates: Standardized, Cumulant: true},
		"3rd moment of data whitened to 2 coordinates":      {Coordinates: Whitened, Whitening: make([][]float64, 2)},
	} {
		if got := k.Title(3); got != want && got+" " != want {
			t.Errorf("%+v: %q, want %q", k, got, want)
		}
	}
}
