package symmom

import "testing"

// Ten starts that agree may all be in the valley of a degenerate fit (three tight clusters in three
// variables; 28 observations of five), or at one of few optima that is not the best.
func TestValleys(t *testing.T) {
	for _, c := range []struct {
		file string
		d    int
		best float64 // relative error of the best of 200 starts
	}{
		{"s66", 3, 6.23508e-05}, {"degenerate43", 3, .00030077},
		{"s164", 5, .0162304}, {"s207", 5, .139477}, {"s212", 3, .080846},
	} {
		fit := Load("testdata/valleys/" + c.file + ".npy").Moment(c.d).Decompose(3)
		if fit.Err() != nil || !(fit.RelativeError < 1.001*c.best) {
			t.Errorf("%s: relative error %g, want %g (%d starts), %v", c.file, fit.RelativeError, c.best, len(fit.Starts), fit.Err())
		}
	}
}
