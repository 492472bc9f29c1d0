package solve

import "math"

// cholesky overwrites the lower triangle of the symmetric m x m matrix a (row
// major, row length stride) with its factor L, a = LL' (N&W algorithm A.2).
// false: a is not positive definite to working precision.
func cholesky(a []float64, m, stride int) bool {
	for j := range m {
		rowj := a[j*stride : j*stride+m]
		p := rowj[j]
		for k := range j {
			p -= rowj[k] * rowj[k]
		}
		if !(p > 0) || math.IsInf(p, 1) {
			return false
		}
		p = math.Sqrt(p)
		rowj[j] = p
		for i := j + 1; i < m; i++ {
			rowi := a[i*stride : i*stride+m]
			v := rowi[j]
			for k := range j {
				v -= rowi[k] * rowj[k]
			}
			rowi[j] = v / p
		}
	}
	return true
}

// choleskySolve overwrites b with (LL')^{-1} b.
func choleskySolve(l []float64, m, stride int, b []float64) {
	forward(l, m, stride, b)
	for i := m - 1; i >= 0; i-- {
		v := b[i]
		for k := i + 1; k < m; k++ {
			v -= l[k*stride+i] * b[k]
		}
		b[i] = v / l[i*stride+i]
	}
}

// forward overwrites b with L^{-1} b.
func forward(l []float64, m, stride int, b []float64) {
	for i := range m {
		v := b[i]
		for k := range i {
			v -= l[i*stride+k] * b[k]
		}
		b[i] = v / l[i*stride+i]
	}
}
