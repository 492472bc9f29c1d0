// Package principal finds the plane of the largest variance of observations.
package principal

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/math/linalg"
)

// Plane returns the two leading principal components of the rows of a matrix, around
// their mean, and their shares of the variance. The weights of the rows are nil if all are
// equal.
func Plane(observations mat.Matrix, weights []float64, seed uint64) (x, y []float64, shares [2]float64, err error) {
	p, n := observations.Dims()
	centred := mat.DenseCopyOf(observations)
	if weights == nil {
		weights = slices.Repeat([]float64{1}, p)
	}
	most, total := slices.Max(weights), 0.
	weight := make([]float64, p)
	for l, w := range weights {
		weight[l] = w / most
		total += weight[l]
	}
	mean := make([]float64, n)
	for l := range p {
		for i, v := range centred.RawRowView(l) {
			mean[i] += weight[l] * v / total
		}
	}
	scale := 0.
	for l := range p {
		row := centred.RawRowView(l)
		for i := range row {
			row[i] = math.Sqrt(weight[l]) * (row[i] - mean[i])
			if scale = math.Max(scale, math.Abs(row[i])); math.IsNaN(scale) || math.IsInf(scale, 0) {
				return nil, nil, shares, errors.New("the observations are not all finite")
			}
		}
	}
	if scale == 0 {
		return nil, nil, shares, errors.New("all observations are the same, so they lie in no plane")
	}
	centred.Scale(1/scale, centred)
	x, y = pair(centred, seed)
	all := math.Pow(mat.Norm(centred, 2), 2)
	for k, v := range [][]float64{x, y} {
		var along mat.VecDense
		along.MulVec(centred, mat.NewVecDense(n, v))
		shares[k] = mat.Dot(&along, &along) / all
	}
	return x, y, shares, nil
}

// pair finds the two leading right singular vectors of v, p x n, by orthogonal
// iteration in a space with a few additional vectors, until both singular values
// settle to six digits, more than a picture needs, or for so many steps: where they are
// nearly equal, any plane will do.
func pair(v *mat.Dense, seed uint64) (x, y []float64) {
	const spare, steps, settled = 8, 30, 1e-6
	p, n := v.Dims()
	k := min(2+spare, n)
	rng := rand.New(rand.NewPCG(seed, 0))
	q := mat.NewDense(n, k, nil)
	q.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, q)
	rows, image, back := v.RawMatrix().Data, mat.NewDense(p, k, nil), mat.NewDense(k, n, nil)
	multiply := func() { // image = v q
		linalg.MulABt(image.RawMatrix().Data, rows, mat.DenseCopyOf(q.T()).RawMatrix().Data, p, k, n)
	}
	var svd mat.SVD
	last := [2]float64{}
	for range steps {
		multiply()
		back.Zero()
		linalg.AddAtB(back.RawMatrix().Data, image.RawMatrix().Data, rows, k, n, p) // (v'v q)'
		// the singular vectors of V'VQ are an orthonormal basis of its range, in the
		// order of their singular values
		if !svd.Factorize(back.T(), mat.SVDThin) {
			break
		}
		svd.UTo(q)
		s := svd.Values(nil)
		if math.Abs(s[0]-last[0]) <= settled*s[0] && math.Abs(s[1]-last[1]) <= settled*s[0] {
			break
		}
		last = [2]float64{s[0], s[1]}
	}
	// rotate to the singular vectors within the space
	multiply()
	if svd.Factorize(image, mat.SVDThin) {
		var right, turned mat.Dense
		svd.VTo(&right)
		turned.Mul(q, &right)
		q = &turned
	}
	return upright(mat.Col(nil, 0, q)), upright(mat.Col(nil, 1, q))
}

// upright turns v so that its entry of largest absolute value is positive.
func upright(v []float64) []float64 {
	at := 0
	for i, x := range v {
		if math.Abs(x) > math.Abs(v[at]) {
			at = i
		}
	}
	if v[at] < 0 {
		for i := range v {
			v[i] = -v[i]
		}
	}
	return v
}
