package datasets

import (
	"math"
	"symmom/symmom"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The counts of each digit are given in the data set's own description
// (optdigits.names, test set).
func TestDigits(t *testing.T) {
	s := Digits()
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	if s.Source() != "digits" {
		t.Errorf("the digits are called %q", s.Source())
	}
	if p, n := s.Matrix().Dims(); p != 1797 || n != DigitSide*DigitSide {
		t.Errorf("digits are %d x %d, want 1797 x 64", p, n)
	}
	var counts [10]int
	for _, digit := range DigitLabels() {
		counts[digit]++
	}
	if want := [10]int{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}; counts != want {
		t.Errorf("images of each digit %v, want %v", counts, want)
	}
	// A zero has no ink in its centre, a one does.
	means := DigitMeans()
	middle := 4*DigitSide + 4
	if zero, one := means.At(middle, 0), means.At(middle, 1); zero > one/2 {
		t.Errorf("the middle of the mean zero is %.3f, of the mean one %.3f", zero, one)
	}
	for j := range 10 {
		if norm := mat.Norm(means.ColView(j), 2); !(math.Abs(norm-1) <= 1e-14) {
			t.Errorf("the mean of digit %d has norm %v, want 1", j, norm)
		}
	}
	if fit := s.Moment(3).With(symmom.Options{Starts: 20}).Decompose(10); fit.Score(means).Value < .975 {
		t.Errorf("ten components of the 3rd moment score %v against the class means, want at least .975", fit.Score(means).Value)
	}
}
