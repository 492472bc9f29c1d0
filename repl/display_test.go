package repl

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

func TestDescribe(t *testing.T) {
	var noFit *symmom.Fit
	for _, c := range []struct {
		values []any
		want   string
	}{
		{nil, ""},
		{[]any{nil}, "<nil>"},
		{[]any{3, nil}, "3"},
		{[]any{3, errors.New("bad")}, "3\nerror: bad"},
		{[]any{noFit}, "<nil>"},
		{[]any{panicky{}}, "repl.panicky that cannot be shown: no"},
		{[]any{fmt.Sprint}, "func(...interface {}) string"},
		{[]any{*mat.NewDense(1, 1, []float64{3})}, "1 x 1 matrix\n[3]"},
		{[]any{mat.NewVecDense(2, []float64{1, 2})}, "2 x 1 matrix\n⎡1⎤\n⎣2⎦"},
		{[]any{symmom.Norm{Value: 2}}, "2"},
	} {
		if got := (Result{Values: c.values}).String(); got != c.want {
			t.Errorf("%v shows %q, want %q", c.values, got, c.want)
		}
	}
}

type panicky struct{}

func (panicky) String() string { panic("no") }

// Whatever the numbers are, every size of a matrix can be shown.
func TestMatrix(t *testing.T) {
	for rows := 1; rows < 20; rows++ {
		for cols := 1; cols < 20; cols++ {
			m := mat.NewDense(rows, cols, nil)
			for i := range rows {
				for j := range cols {
					m.Set(i, j, math.Pow(-10, float64((i*7+j*3)%13-9))/3)
				}
			}
			text := matrix(m)
			lines := strings.Split(text, "\n")
			want := 1 + rows
			if rows > 8 {
				want = 1 + 8 + 3
			}
			if strings.Contains(text, "PANIC") || len(lines) != want || !strings.Contains(text, fmt.Sprintf("%.5g", m.At(rows-1, cols-1))) {
				t.Fatalf("%d x %d:\n%s", rows, cols, text)
			}
		}
	}
}
