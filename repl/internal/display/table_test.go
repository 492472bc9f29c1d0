package display

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestTables(t *testing.T) {
	type row struct {
		Name   string
		Value  float64
		hidden int
	}
	long := make([][]int, 100)
	for i := range long {
		long[i] = make([]int, 50)
	}
	for _, c := range []struct {
		value any
		want  []string
	}{
		{[]row{{"<a>", 1.5, 0}, {"b", 2, 0}},
			[]string{"<th>Name</th><th>Value</th></tr>", "<td>&lt;a&gt;</td><td>1.5</td>", "2 rows"}},
		{[]*row{{"x", 1, 0}, nil}, []string{"<td>x</td>", "<td>nil</td>"}},
		{[][]float64{{1}, {2, 3}}, []string{"<td>1</td><td></td>", "<td>2</td><td>3</td>"}},
		{mat.NewDense(1, 2, []float64{1, 2.5}), []string{"<td>1</td><td>2.5</td>", "1 x 2 matrix"}},
		{long, []string{"<th>99</th>", "<th>49</th>", "<th>…</th>", "100 rows"}},
	} {
		page := table(c.value)
		for _, w := range c.want {
			if !strings.Contains(page, w) || strings.Contains(page, "hidden") {
				t.Errorf("no %q in\n%s", w, page)
			}
		}
	}
	for _, v := range []any{3, "text", []int{1}, []byte("x"), [][]byte{nil}, []row{}, nil, (*mat.Dense)(nil), []error{errors.New("x")}} {
		if page := table(v); page != "" {
			t.Errorf("%v: %s", v, page)
		}
	}
	if got := edges(math.MaxInt, 4); !slices.Equal(got, []int{0, 1, -1, math.MaxInt - 2, math.MaxInt - 1}) {
		t.Error(got)
	}
}
