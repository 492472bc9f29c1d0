package load

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestFromRows(t *testing.T) {
	rows := [][]float64{{1, 2}, {3, 4}, {5, 6}}
	s, err := FromRows(rows, Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows[0][0] = 9
	if s.P != 3 || s.N != 2 || !slices.Equal(s.Values, []float64{1, 2, 3, 4, 5, 6}) || s.Weights != nil || s.Names != nil || s.Source != "rows" {
		t.Errorf("got %+v", s)
	}
	s, err = FromRows([][]float64{{1, 2, 3}, {4, 5, 6}}, Options{Columns: []string{"3", "1"}})
	if err != nil || !slices.Equal(s.Values, []float64{3, 1, 6, 4}) {
		t.Errorf("got %+v, %v", s, err)
	}
	for _, test := range []struct {
		rows [][]float64
		o    Options
		want string
	}{
		{nil, Options{}, "rows: there are no observations; want at least one row"},
		{[][]float64{{}}, Options{}, "rows: has no columns; want at least one variable"},
		{[][]float64{{1, 2}, {3}}, Options{},
			"rows: row 2 is of length 1, row 1 of length 2; want the same number of values in each row"},
		{[][]float64{{1, math.Inf(1)}}, Options{},
			`rows: row 1, column 2: got "+Inf", want a finite number; correct the value, or make it a missing one (NaN)`},
		{[][]float64{{1, 2}}, Options{Weights: "w"},
			`rows: weights column "w": the source has no column names; use a number from 1 to 2 or a range such as 2-5`},
	} {
		_, err := FromRows(test.rows, test.o)
		checkError(t, err, test.want)
	}
}

func TestFromMatrix(t *testing.T) {
	d := mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6})
	sym := mat.NewSymDense(2, []float64{1, 2, 2, 3})
	for _, test := range []struct {
		m    mat.Matrix
		p, n int
		want []float64
	}{
		{d, 2, 3, []float64{1, 2, 3, 4, 5, 6}},
		{d.T(), 3, 2, []float64{1, 4, 2, 5, 3, 6}},
		{d.Slice(0, 2, 1, 3), 2, 2, []float64{2, 3, 5, 6}},
		{mat.NewVecDense(2, []float64{7, 8}), 2, 1, []float64{7, 8}},
		{sym, 2, 2, []float64{1, 2, 2, 3}},
	} {
		s, err := FromMatrix(test.m, Options{})
		if err != nil || s.P != test.p || s.N != test.n || !slices.Equal(s.Values, test.want) || s.Source != "matrix" {
			t.Errorf("%T: got %+v, %v", test.m, s, err)
		}
	}
	s, err := FromMatrix(d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	d.Set(0, 0, 99)
	if s.Values[0] != 1 {
		t.Error("the matrix was not copied")
	}
	var none *mat.Dense
	for _, m := range []mat.Matrix{nil, none} {
		_, err := FromMatrix(m, Options{})
		checkError(t, err, "matrix: is nil; want one row for each observation")
	}
	_, err = FromMatrix(&mat.Dense{}, Options{})
	checkError(t, err, "matrix: has no observations; want at least one row")
	d.Set(1, 1, nan)
	_, err = FromMatrix(d, Options{})
	checkErrorHas(t, err, "matrix: 1 missing value: column 2 (1)")
}
