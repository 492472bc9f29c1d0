// Package lengths measures the distance of the observations in a direction.
package lengths

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Side says on which side of the origin the observations of a column lie.
type Side int

const (
	Ahead  Side = iota // where it points
	Either             // where there are more of them: the column has no sign
	Both               // on both: the column is an axis
)

// Of returns, for each column, the weighted mean inner product of its unit vector
// with the observations that point its way: its own are those for which that product is
// the largest in absolute value of all columns, on the sides where they may lie. The
// length is negative if they lie on the other side. Those of a mean are nearer to it
// than to the origin, so that observations which no column describes do not shorten it.
// A column without observations gets the mean length of the others. The cosine is that
// of the column and the mean of these observations, 0 if there are none.
func Of(columns [][]float64, sides []Side, rows *mat.Dense, nu []float64) (length, cosine []float64) {
	mean := Mean(rows, nu)
	own := make([][2]products, len(columns)) // on the one side and the other
	norms := make([]float64, len(columns))
	for j, c := range columns {
		if norms[j] = math.Sqrt(floats.Dot(c, c)); norms[j] == 0 {
			norms[j] = 1
		}
	}
	count, _ := rows.Dims()
	for l := range count {
		v, best, at := rows.RawRowView(l), 0.0, -1
		for j, c := range columns {
			x := floats.Dot(c, v)
			if sides[j] == Both {
				x -= floats.Dot(c, mean)
			}
			if x /= norms[j]; math.Abs(x) > math.Abs(best) && (x > 0 || sides[j] != Ahead) {
				best, at = x, j
			}
		}
		w := 1.0
		if nu != nil {
			w = nu[l]
		}
		if at >= 0 && w > 0 {
			k := 0
			if best < 0 {
				k = 1
			}
			own[at][k] = append(own[at][k], product{math.Abs(best), w, l})
		}
	}
	length, cosine = make([]float64, len(columns)), make([]float64, len(columns))
	sum, with := 0.0, 0.0
	for j, q := range own {
		switch {
		case sides[j] == Both:
			length[j] = append(q[0], q[1]...).above(0)
		case sides[j] == Either && q[1].sum() > q[0].sum():
			length[j] = -q[1].centre()
			cosine[j] = q[1].cosine(-length[j], rows)
		default:
			length[j] = q[0].centre()
			cosine[j] = q[0].cosine(length[j], rows)
		}
		if length[j] != 0 {
			sum += math.Abs(length[j])
			with++
		}
	}
	for j := range length {
		if length[j] == 0 && with > 0 {
			length[j] = sum / with
		}
	}
	return length, cosine
}

// product is the inner product of an observation with a unit vector, where positive.
type product struct {
	x, weight float64
	row       int
}

type products []product

func (q products) sum() (s float64) {
	for _, o := range q {
		s += o.weight * o.x
	}
	return s
}

// above returns the weighted mean of the products above a limit, 0 if there are none.
func (q products) above(limit float64) float64 {
	s, n := 0.0, 0.0
	for _, o := range q {
		if o.x > limit {
			s, n = s+o.weight*o.x, n+o.weight
		}
	}
	if n == 0 {
		return 0
	}
	return s / n
}

// centre returns the mean of the products that are nearer to it than to 0.
func (q products) centre() float64 {
	at, total := 0.0, q.sum()
	for _, o := range q { // the small ones count little
		at += o.weight * o.x / total * o.x
	}
	const steps = 50 // it settles in a few
	for range steps {
		next := q.above(at / 2)
		if next == at {
			break
		}
		at = next
	}
	return at
}

// cosine returns the cosine of the unit vector and the mean of the observations that
// are nearer to the centre than to 0.
func (q products) cosine(centre float64, rows *mat.Dense) float64 {
	_, n := rows.Dims()
	mean, total := make([]float64, n), 0.0
	for _, o := range q {
		if o.x > centre/2 {
			floats.AddScaled(mean, o.weight, rows.RawRowView(o.row))
			total += o.weight
		}
	}
	if total == 0 {
		return 0
	}
	return centre * total / floats.Norm(mean, 2)
}

// Mean returns the weighted mean of rows.
func Mean(rows *mat.Dense, nu []float64) []float64 {
	count, n := rows.Dims()
	mean, total := make([]float64, n), 0.0
	for l := range count {
		w := 1.0
		if nu != nil {
			w = nu[l]
		}
		total += w
		for i, x := range rows.RawRowView(l) {
			mean[i] += w * x
		}
	}
	floats.Scale(1/total, mean)
	return mean
}
