//go:build amd64 && !purego

package linalg

// lanes is A as the kernel wants it that has columns of A side by side in a
// vector. It sums nothing across the lanes, which costs the tiles a quarter of
// their time where rows are short, and has no part of a vector at their end.
// The way back has the same columns side by side where a part of a vector would
// be left of the variables: 3% faster (measured), 10% with 20 variables; but not
// with one vector, whose loads then take longer than the products, nor where V
// is to be fetched ahead, which the tiles do on the way back.
// The zero value says that there are only tiles.
type lanes struct {
	t       []float64 // n x 8 vectors: the columns transposed, 0 beyond the last
	sums    []float64 // n x 8 vectors: the sums of Y, transposed; nil if tiles add
	more    []float64 // left x n, rounded up to a vector: the sums of the columns left
	vectors int       // of 8 columns
	left    int       // columns left over by the vectors
}

// newLanes makes them in scratch where they are faster than tiles (measured):
// not where many columns are left, with n > lanesVariables, or for few rows.
func newLanes[T float](o Operands[T], scratch []float64) (l lanes) {
	if active != avx512 || o.N > lanesVariables || o.R < panel || o.Rows < lanesRows {
		return l
	}
	vectors, left := o.R/panel, o.R%panel
	if left == panel-1 {
		vectors, left = vectors+1, 0
	}
	if left > vectors/2 || left > calls(vectors) {
		return l
	}
	width := panel * vectors
	l = lanes{t: scratch[:o.N*width], vectors: vectors, left: left}
	for j := 0; j < width; j += panel {
		transpose8(l.t[j:], width, o.A[j*o.N:], o.N, min(panel, o.R-j))
	}
	if vectors > 1 && o.N%panel > 0 && o.Reach <= Beside {
		scratch = scratch[o.N*width:]
		l.sums, l.more = scratch[:o.N*width], scratch[o.N*width:][:left*vectorsOf(o.N)*panel]
		clear(l.sums)
		clear(l.more)
	}
	return l
}

// vectorsOf returns how many vectors n numbers take.
func vectorsOf(n int) int { return (n + panel - 1) / panel }

// lanesVectors is the number of vectors that the kernel does at once, with a
// column more at most.
const lanesVectors = 3

// calls returns how many times the kernel runs over the rows.
func calls(vectors int) int { return (vectors + lanesVectors - 1) / lanesVectors }

// transpose8 writes c <= 8 rows of n numbers of a as columns of t, whose rows
// have stride numbers, and zeros into the columns up to 8.
func transpose8(t []float64, stride int, a []float64, n, c int) {
	i := 0
	if c == panel && n >= panel {
		i = n &^ (panel - 1)
		_, _ = t[(i-1)*stride+panel-1], a[panel*n-1]
		transposeAVX512(i/panel, &t[0], 8*stride, &a[0], 8*n)
	}
	for ; i < n; i++ {
		out := (*[panel]float64)(t[i*stride:])
		clear(out[c:])
		for j := range c {
			out[j] = a[j*n+i]
		}
	}
}

func (l *lanes) columns() int { return panel*l.vectors + l.left }

// dotLanes writes the products of panels of 8 rows of V, vs apart, with A to z.
func dotLanes[T float](l *lanes, z []float64, v []T, vs, panels, n int, a []float64) {
	row, width := l.columns(), panel*l.vectors
	c, many, fewer := split(l.vectors, lanesVectors)
	for j, k := 0, 0; k < many+fewer; k++ {
		if k == many {
			c--
		}
		out, t := &z[panel*j], &l.t[panel*j]
		var left, last *float64 // the output of a column that is left, and the column
		if k < l.left {
			left, last = &z[width+k], &a[(width+k)*n]
		}
		switch v := any(&v[0]).(type) {
		case *float64:
			lanesAVX512(panels, c, n, out, 8*row, v, 8*vs, t, 8*width, left, last)
		case *float32:
			lanes32AVX512(panels, c, n, out, 8*row, v, 4*vs, t, 8*width, left, last)
		}
		j += c
	}
}

// addLanes adds Z'V, for rows rows of both, to the sums.
func addLanes[T float](l *lanes, v []T, vs, rows, n int, z []float64) {
	row, width, whole := l.columns(), panel*l.vectors, n&^(panel-1)
	add := func(i, groups, variables, j, c int, left, more *float64) {
		switch v := any(&v[i]).(type) {
		case *float64:
			addLanesAVX512(groups, variables, c, rows, &l.sums[i*width+j], 8*width, v, 8*vs, &z[j], 8*row, left, more)
		case *float32:
			addLanes32AVX512(groups, variables, c, rows, &l.sums[i*width+j], 8*width, v, 4*vs, &z[j], 8*row, left, more)
		}
	}
	c, many, fewer := split(l.vectors, lanesVectors)
	for j, k := 0, 0; k < many+fewer; k++ {
		if k == many {
			c--
		}
		var left, more, last *float64
		if k < l.left {
			left, more = &z[width+k], &l.more[k*vectorsOf(n)*panel]
			last = &l.more[k*vectorsOf(n)*panel+whole]
		}
		if whole > 0 {
			add(0, whole/panel, panel, j, c, left, more)
		}
		add(whole, 1, n-whole, j, c, left, last)
		j += panel * c
	}
}

// finish adds the sums to y. The transposed columns are not needed any more.
func (l *lanes) finish(y []float64, n, r int) {
	if l.sums == nil {
		return
	}
	width, whole := panel*l.vectors, n&^(panel-1)
	for i := 0; i < whole; i += panel {
		transposeAVX512(l.vectors, &l.t[i], 8*n, &l.sums[i*width], 8*width)
	}
	for i := whole; i < n; i++ {
		for j := range width {
			l.t[j*n+i] = l.sums[i*width+j]
		}
	}
	Axpy(1, l.t[:min(width, r)*n], y)
	for k := range l.left {
		Axpy(1, l.more[k*vectorsOf(n)*panel:][:n], y[(width+k)*n:])
	}
}
