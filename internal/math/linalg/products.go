package linalg

import (
	"slices"
	"unsafe"
)

// MulABt writes A B' to c: A is m x k, B is n x k, c is m x n, all row major.
func MulABt(c, a, b []float64, m, n, k int) {
	if active == generic {
		mulABtGeneric(c, a, b, m, n, k, k)
		return
	}
	mulABtTiles(c, a, b, m, n, k)
}

// Ahead is the data to be read after the rows of a product, which are prefetched to the cache
// meanwhile if its reach needs that.
type Ahead struct {
	V []float64
	Reach
}

// Aligned are the rows of a matrix that is multiplied many times, and a copy with each row
// at the beginning of a line of the cache.
type Aligned struct {
	Rows         []float64 // m x k
	m, k, stride int
	copied       []float64
}

// Unaligned is Align without a copy, for rows that are multiplied a few times only.
func Unaligned(rows []float64, m, k int) Aligned {
	return Aligned{Rows: rows[:m*k], m: m, k: k, stride: k, copied: rows}
}

// Align copies m rows of k numbers, times scale.
func Align(rows []float64, m, k int, scale float64) Aligned {
	a := Aligned{Rows: slices.Clone(rows[:m*k]), m: m, k: k}
	Scale(scale, a.Rows)
	a.copied, a.stride = alignRows(make([]float64, alignedScratch(k, m)), a.Rows, m, k)
	return a
}

// alignRows copies r rows of n numbers to alignedScratch numbers. It returns the copy, and the
// numbers from one of its rows to the next.
func alignRows(scratch, rows []float64, r, n int) (to []float64, stride int) {
	stride = (n + panel - 1) &^ (panel - 1)
	if stride%(1<<9) == 0 { // rows 4 KB apart would share sets of the cache
		stride += panel
	}
	const line = 64
	to = scratch[-uintptr(unsafe.Pointer(&scratch[0]))%line/8:]
	for j := range r {
		copy(to[j*stride:], rows[j*n:(j+1)*n])
	}
	return to, stride
}

// MulABtColumns writes A B', for n rows B, to n columns of a matrix with rows of stride
// numbers, of which c begins at the first of those columns.
func MulABtColumns(c []float64, stride int, of Aligned, b []float64, n int, next Ahead) {
	a, m, k := of.Rows, of.m, of.k
	if n >= panel && m > 0 && k > 0 && active != generic {
		mulABtPanels(c, stride, of.copied, of.stride, b, m, n, k, next)
		return
	}
	const rows, columns = 8, 64
	var z [rows * columns]float64
	for i := 0; i < m; i += rows {
		height := min(rows, m-i)
		for j := 0; j < n; j += columns {
			width := min(columns, n-j)
			MulABt(z[:], a[i*k:(i+height)*k], b[j*k:(j+width)*k], height, width, k)
			for l := range height {
				copy(c[(i+l)*stride+j:], z[l*width:(l+1)*width])
			}
		}
	}
}

// AddAtB adds A' B to c: A is k x m, B is k x n, c is m x n, all row major.
func AddAtB(c, a, b []float64, m, n, k int) {
	if active == generic {
		addAtBGeneric(c, a, b, m, n, k, n)
		return
	}
	addAtBTiles(c, a, b, m, n, k)
}

// mulABtGeneric is MulABt in Go. A tile of 4 x 2 inner products runs at once,
// so that each loaded element is used more than once.
func mulABtGeneric[T float](c []float64, a []T, b []float64, m, n, k, stride int) {
	i := 0
	for ; i+4 <= m; i += 4 {
		a0 := a[i*stride : i*stride+k]
		a1 := a[(i+1)*stride : (i+1)*stride+k][:len(a0)]
		a2 := a[(i+2)*stride : (i+2)*stride+k][:len(a0)]
		a3 := a[(i+3)*stride : (i+3)*stride+k][:len(a0)]
		c0, c1, c2, c3 := c[i*n:(i+1)*n], c[(i+1)*n:(i+2)*n], c[(i+2)*n:(i+3)*n], c[(i+3)*n:(i+4)*n]
		j := 0
		for ; j+2 <= n; j += 2 {
			b0 := b[j*k : (j+1)*k][:len(a0)]
			b1 := b[(j+1)*k : (j+2)*k][:len(a0)]
			var s00, s01, s10, s11, s20, s21, s30, s31 float64
			for t, x := range a0 {
				y0, y1 := b0[t], b1[t]
				x0, x1, x2, x3 := float64(x), float64(a1[t]), float64(a2[t]), float64(a3[t])
				s00 += x0 * y0
				s01 += x0 * y1
				s10 += x1 * y0
				s11 += x1 * y1
				s20 += x2 * y0
				s21 += x2 * y1
				s30 += x3 * y0
				s31 += x3 * y1
			}
			c0[j], c0[j+1] = s00, s01
			c1[j], c1[j+1] = s10, s11
			c2[j], c2[j+1] = s20, s21
			c3[j], c3[j+1] = s30, s31
		}
		if j < n {
			b0 := b[j*k : (j+1)*k]
			c0[j], c1[j], c2[j], c3[j] = dotGeneric(a0, b0), dotGeneric(a1, b0), dotGeneric(a2, b0), dotGeneric(a3, b0)
		}
	}
	for ; i < m; i++ {
		ai := a[i*stride : i*stride+k]
		for j := range n {
			c[i*n+j] = dotGeneric(ai, b[j*k:(j+1)*k])
		}
	}
}

// addAtBGeneric is AddAtB in Go. Four rows of B are combined in one pass over a
// row of c.
func addAtBGeneric[T float](c, a []float64, b []T, m, n, k, stride int) {
	l := 0
	for ; l+4 <= k; l += 4 {
		b0 := b[l*stride : l*stride+n]
		b1 := b[(l+1)*stride : (l+1)*stride+n][:len(b0)]
		b2 := b[(l+2)*stride : (l+2)*stride+n][:len(b0)]
		b3 := b[(l+3)*stride : (l+3)*stride+n][:len(b0)]
		i := 0
		for ; i+2 <= m; i += 2 {
			p0, p1, p2, p3 := a[l*m+i], a[(l+1)*m+i], a[(l+2)*m+i], a[(l+3)*m+i]
			q0, q1, q2, q3 := a[l*m+i+1], a[(l+1)*m+i+1], a[(l+2)*m+i+1], a[(l+3)*m+i+1]
			c0 := c[i*n : (i+1)*n][:len(b0)]
			c1 := c[(i+1)*n : (i+2)*n][:len(b0)]
			for t, x := range b0 {
				x0, x1, x2, x3 := float64(x), float64(b1[t]), float64(b2[t]), float64(b3[t])
				c0[t] += (p0*x0 + p1*x1) + (p2*x2 + p3*x3)
				c1[t] += (q0*x0 + q1*x1) + (q2*x2 + q3*x3)
			}
		}
		if i < m {
			p0, p1, p2, p3 := a[l*m+i], a[(l+1)*m+i], a[(l+2)*m+i], a[(l+3)*m+i]
			c0 := c[i*n : (i+1)*n][:len(b0)]
			for t, x0 := range b0 {
				c0[t] += (p0*float64(x0) + p1*float64(b1[t])) + (p2*float64(b2[t]) + p3*float64(b3[t]))
			}
		}
	}
	for ; l < k; l++ {
		bl := b[l*stride : l*stride+n]
		for i := range m {
			axpyGeneric(a[l*m+i], bl, c[i*n:(i+1)*n])
		}
	}
}
