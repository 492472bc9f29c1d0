//go:build amd64 && !purego

package linalg

import "unsafe"

// lanes is A as the kernel wants it that has columns of A side by side in a
// vector. It sums nothing across the lanes, which costs the tiles a quarter of
// their time where rows are short, and has no part of a vector at their end.
// The way back has the same columns side by side where a part of a vector would
// be left of the variables: 3% faster (measured), 10% with 20 variables; but not
// with one vector, whose loads then take longer than the products.
// The zero value says that there are only tiles.
type lanes struct {
	t       []float64 // n x 8 vectors: the columns transposed, 0 beyond the last
	sums    []float64 // n x 8 vectors: the sums of Y, transposed; nil if tiles add
	more    []float64 // left x n, rounded up to a vector: the sums of the columns left
	vectors int       // of 8 columns
	left    int       // columns left over by the vectors
	gathers bool      // lanesLeftAVX512 multiplies some of these
}

// lanesVariables32 is lanesVariables where V is stored in 4 bytes: the kernel converts a
// number for each 8 products, a tile 8 numbers at once.
const lanesVariables32 = 32

// lanesLeft bounds the columns that are left over by the vectors, whose products take
// tiles of their own: left n <= lanesLeft (2 vectors - 1), measured.
const lanesLeft = 70

// newLanes makes them in scratch where they are faster than tiles (measured):
// not where many columns are left, with more variables, or for few rows.
func newLanes[T float](o Operands[T], scratch []float64) (l lanes) {
	most := lanesVariables
	if unsafe.Sizeof(T(0)) == 4 {
		most = lanesVariables32
	}
	if active != avx512 || o.N > most || o.R < panel || o.Rows < lanesRows {
		return l
	}
	vectors, left := o.R/panel, o.R%panel
	if left == panel-1 {
		vectors, left = vectors+1, 0
	}
	if left*o.N > lanesLeft*(2*vectors-1) {
		return l
	}
	width := panel * vectors
	l = lanes{t: scratch[:o.N*width], vectors: vectors, left: left, gathers: policy.gathers && policy.hints[o.Reach] == hintNone}
	for j := 0; j < width; j += panel {
		transpose8(l.t[j:], width, o.A[j*o.N:], o.N, min(panel, o.R-j))
	}
	if vectors > 1 && left <= calls(vectors) && o.N%panel > 0 {
		scratch = scratch[o.N*width:]
		l.sums, l.more = scratch[:o.N*width], scratch[o.N*width:][:left*vectorsOf(o.N)*panel]
		clear(l.sums)
		clear(l.more)
	}
	return l
}

// lanesVectors is the number of vectors that the kernels do at once, on the way back
// with a column more at most.
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

// columns returns the numbers from one row of Z to the next: whole vectors.
func (l *lanes) columns() int { return panel * (l.vectors + vectorsOf(l.left)) }

// clearRest clears the numbers in rows of Z beyond the columns: their powers are computed
// with the others, and of some numbers that takes long.
func (l *lanes) clearRest(z []float64, rows int) {
	row, used := l.columns(), panel*l.vectors+l.left
	for i := 0; used < row && i < rows; i++ {
		clear(z[i*row+used : (i+1)*row])
	}
}

// dotLanes writes the products of panels of 8 rows of V, vs apart, with A to z. Those of
// the columns that are left come from tiles, 8 rows side by side, and are put in place; or,
// if the processor gathers fast, from the kernel, one with each run of it over the rows.
func dotLanes[T float](l *lanes, z []float64, v []T, vs, panels, n int, a []float64, p *prefetcher) {
	row, width := l.columns(), panel*l.vectors
	c, many, fewer := split(l.vectors, lanesVectors)
	done := width // the columns before it
	for j, k := 0, 0; k < many+fewer; k++ {
		if k == many {
			c--
		}
		out, t := &z[panel*j], &l.t[panel*j]
		beside := l.gathers && c > 1 && done < width+l.left
		switch v := any(&v[0]).(type) {
		case *float64:
			if beside {
				lanesLeftAVX512(panels, c, n, out, 8*row, v, 8*vs, t, 8*width, &z[done], &a[done*n])
			} else {
				lanesAVX512(panels, c, n, out, 8*row, v, 8*vs, t, 8*width, p.next, p.step, int(p.hint), p.end, p.back)
			}
		case *float32:
			if beside {
				lanesLeft32AVX512(panels, c, n, out, 8*row, v, 4*vs, t, 8*width, &z[done], &a[done*n])
			} else {
				lanes32AVX512(panels, c, n, out, 8*row, v, 4*vs, t, 8*width, p.next, p.step, int(p.hint), p.end, p.back)
			}
		}
		if beside {
			done++
		}
		p.advance(panels * n)
		j += c
	}
	var products [tileMaxRows + panel]float64
	for k := done; k < width+l.left; k++ {
		dotTile(1, 1, panels, n, &products[0], 0, panel, &v[0], vs, &a[k*n], n, new(prefetcher))
		for i, x := range products[:panel*panels] {
			z[i*row+k] = x
		}
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
