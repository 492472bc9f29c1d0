package display

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/gonum/mat"
)

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
			for _, l := range lines {
				if utf8.RuneCountInString(l) > 80 {
					t.Fatalf("%d x %d: %q is wider than a terminal", rows, cols, l)
				}
			}
		}
	}
}
