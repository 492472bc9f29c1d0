package repl

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestDescribe(t *testing.T) {
	var none *big.Int
	for _, c := range []struct {
		values []any
		want   string
	}{
		{nil, ""},
		{[]any{nil}, "<nil>"},
		{[]any{3, nil}, "3"},
		{[]any{3, errors.New("bad")}, "3\nerror: bad"},
		{[]any{none}, "<nil>"},
		{[]any{panicky{}}, "%!v(PANIC=String method: no)"},
		{[]any{fmt.Sprint}, "func(...interface {}) string"},
		{[]any{*mat.NewDense(1, 1, []float64{3})}, "1 x 1 matrix\n[3]"},
		{[]any{mat.NewVecDense(2, []float64{1, 2})}, "2 x 1 matrix\n⎡1⎤\n⎣2⎦"},
		{[]any{*big.NewInt(2)}, "2"},
	} {
		if got := (Result{Values: c.values}).String(); got != c.want {
			t.Errorf("%v shows %q, want %q", c.values, got, c.want)
		}
	}
}

type panicky struct{}

func (panicky) String() string { panic("no") }
