//go:build (amd64 || arm64) && !purego

package linalg

import "unsafe"

// blocking is the shape of the tiles of a kernel.
type blocking struct {
	chunk   int   // numbers in a register
	dots    int   // columns of A in a tile, at most
	columns int   // of Y in a tile, at most
	narrow  int   // the same for V in 4 bytes
	strip   []int // chunks in a strip for each number of columns, at most
	pairs   int   // from this many columns on, a panel is done in two halves
}

var blockings = [...]blocking{
	avx2:   {chunk: 4, dots: 3, columns: 3, narrow: 3, strip: []int{1: 8, 2: 6, 3: 4}, pairs: 2},
	avx512: {chunk: 8, dots: 6, columns: 5, narrow: 10, strip: []int{1: 8, 2: 8, 3: 8, 4: 6, 5: 5, 6: 4, 7: 3, 8: 2, 9: 2, 10: 2}, pairs: 4},
	neon:   {chunk: 2, dots: 5, columns: 5, narrow: 5, strip: []int{1: 8, 2: 8, 3: 8, 4: 6, 5: 5}},
}

// added returns how many columns of Y are in a tile, at most, for numbers of a size.
func (b *blocking) added(size uintptr) int {
	if size == 4 {
		return b.narrow
	}
	return b.columns
}

// split cuts x into as few parts as the limit allows: many of the given size
// and fewer that are smaller by one.
func split(x, limit int) (size, many, fewer int) {
	parts := (x + limit - 1) / limit
	size = (x + parts - 1) / parts
	fewer = parts*size - x
	return size, parts - fewer, fewer
}

// zStrides says where the factor of row i and column j of Z is: the rows go in
// panels of 8.
type zStrides struct{ column, row, panel int }

// levelOne is the size of the first-level data cache that is counted on.
const levelOne = 44 << 10

// dotTiles multiplies panels of 8 rows of v (n numbers each, vs apart) with all
// r rows of a (as apart). The 8 products of panel p with row j of a are stored
// at z + p zp + j zj.
func dotTiles[T float](z []float64, zj, zp int, v []T, vs, panels, n int, a []float64, as, r int, p *prefetcher) {
	c, many, fewer := split(r, blockings[active].dots)
	j := 0
	if 8*r*n > levelOne/2 && 8*(c+4)*n < levelOne {
		// A is too large for the first-level cache, but one tile of it and
		// four rows of V are not: tile by tile is faster then.
		for ; many > 1; many-- {
			dotTile(c, 1, panels, n, &z[zj*j], zj, zp, &v[0], vs, &a[j*as], as, p)
			j += c
		}
	}
	dotTile(c, many, panels, n, &z[zj*j], zj, zp, &v[0], vs, &a[j*as], as, p)
	if fewer > 0 {
		j += c * many
		dotTile(c-1, fewer, panels, n, &z[zj*j], zj, zp, &v[0], vs, &a[j*as], as, p)
	}
}

// addTiles adds Z'V to y: v has rows of n numbers, vs apart, y has r, ys apart.
func addTiles[T float](y []float64, ys int, v []T, vs, rows, n int, z []float64, r int, s zStrides, p *prefetcher) {
	c, many, fewer := split(r, blockings[active].added(unsafe.Sizeof(v[0])))
	addStrips(y, ys, v, vs, rows, n, z, c, many, s, p)
	if fewer > 0 {
		j := c * many
		addStrips(y[j*ys:], ys, v, vs, rows, n, z[j*s.column:], c-1, fewer, s, p)
	}
}

func addStrips[T float](y []float64, ys int, v []T, vs, rows, n int, z []float64, c, tiles int, s zStrides, p *prefetcher) {
	b := &blockings[active]
	q, many, fewer := split((n+b.chunk-1)/b.chunk, b.strip[c])
	last := (n-1)%b.chunk + 1
	if fewer == 0 {
		addTile(c, tiles, q, many, rows, last, &y[0], ys, &v[0], vs, &z[0], s, p)
		return
	}
	addTile(c, tiles, q, many, rows, b.chunk, &y[0], ys, &v[0], vs, &z[0], s, p)
	i := b.chunk * q * many
	addTile(c, tiles, q-1, fewer, rows, last, &y[i], ys, &v[i], vs, &z[0], s, p)
}

// fewTerms is the length from which on it pays to start a kernel for a single product.
const fewTerms = 12

// mulABtTiles is MulABt. Where B has 8 rows the products with 8 of them are 8
// neighbours in a row of C, the last 8 overlapping those before them.
func mulABtTiles(c, a, b []float64, m, n, k int) {
	if m == 0 || n == 0 {
		return
	}
	c, a, b = c[:m*n], a[:m*k], b[:n*k]
	switch {
	case k == 0:
		clear(c)
	case n >= panel:
		mulABtPanels(c, n, a, k, b, m, n, k, Ahead{})
	case m >= panel:
		for i := 0; i < m; i += panel {
			i = min(i, m-panel)
			var z [panel * panel]float64
			dotTiles(z[:], panel, 0, a[i*k:], k, 1, k, b, k, n, new(prefetcher))
			for l := range panel {
				for j := range n {
					c[(i+l)*n+j] = z[j*panel+l]
				}
			}
		}
	case k < fewTerms:
		mulABtGeneric(c, a, b, m, n, k, k)
	default:
		for i := range m {
			for j := range n {
				c[i*n+j] = dotVectors(a[i*k:(i+1)*k], b[j*k:(j+1)*k])
			}
		}
	}
}

// mulABtPanels is mulABtTiles for rows of c that are stride numbers apart, and of a that
// are as apart, and n >= 8.
func mulABtPanels(c []float64, stride int, a []float64, as int, b []float64, m, n, k int, next Ahead) {
	c, a, b = c[:(m-1)*stride+n], a[:(m-1)*as+k], b[:n*k]
	p := blockings[active].aheadOfDots(next, vectorsOf(n), k, m)
	dotTiles(c, stride, panel, b, k, n/panel, k, a, as, m, &p)
	if n%panel > 0 {
		dotTiles(c[n-panel:], stride, panel, b[(n-panel)*k:], k, 1, k, a, as, m, &p)
	}
}

// addAtBTiles is AddAtB.
func addAtBTiles(c, a, b []float64, m, n, k int) {
	if m > 0 && n > 0 && k > 0 {
		addTiles(c[:m*n], n, b[:k*n], n, k, n, a[:k*m], m, zStrides{1, m, panel * m}, new(prefetcher))
	}
}

// ttsvTiles is TTSV.
func ttsvTiles[T float](y []float64, o Operands[T], z []float64) {
	if o.Rows < panel {
		ttsvGeneric(y, o, z)
		return
	}
	b := &blockings[active]
	at := lanesScratch(o.N, o.R)
	l := newLanes(o, z[:at])
	if o.Reach == Beside {
		o.Reach = besideReach(o.N, o.R, l.vectors > 0)
	}
	block := tileRows[T](o.N, o.R, o.Reach)
	aligned, z := z[at:][:alignedScratch(o.N, o.R)], z[at+alignedScratch(o.N, o.R):]
	if done := addOverlapped(y, &o, aligned, z, &l); done > 0 {
		if done < o.Rows {
			ttsvRest(y, o, o.Rows-done, z, &l)
		}
		return
	}
	if l.vectors == 0 {
		o.align(aligned)
	}
	l.clearRest(z, block+panel)
	for lo := 0; lo < o.Rows; {
		// Equal parts: a short last one would not ask for all that the next one needs.
		rows := o.Rows - lo
		if parts := (rows + block - panel) / block; parts > 1 {
			rows = rows / parts &^ (panel - 1)
		}
		var p prefetcher
		next := o.Next
		if lo+rows < o.Rows {
			next = o.V[(lo+rows)*o.Stride:]
		}
		if o.Reach > Near && len(next) > 0 {
			next = next[:min(len(next), block*o.Stride)]
			p = b.ahead(unsafe.Pointer(&next[0]), len(next), unsafe.Sizeof(next[0]), rows, o.N, o.R, &l, o.Reach)
		}
		ttsvBlock(y, o.block(lo, rows), z, &l, &p)
		lo += rows
	}
	l.finish(y, o.N, o.R)
}

// lanesRows is the number of rows from which on copying or transposing A pays.
const lanesRows = 128

// align copies A to scratch with each row at the beginning of a line of the
// cache, where that pays: a vector across two lines is loaded as two, and the
// loads of A and V, and the requests for the next block, take as long as the
// products (measured: up to 15%). Rows 4 KB apart would share sets of the cache.
func (o *Operands[T]) align(scratch []float64) {
	if o.Rows < lanesRows {
		return
	}
	o.A, o.as = alignRows(scratch, o.A, o.R, o.N)
}

// dotParts writes the products of panels of 8 rows of V with A to z. Where even
// one tile of A and four rows of V are too large for the first-level cache, it
// does so in equal parts of the variables, those after the first by way of more.
func dotParts[T float](z, more []float64, s zStrides, o Operands[T], panels int, p *prefetcher) {
	c, _, _ := split(o.R, blockings[active].dots)
	part, _, _ := split(o.N, levelOne/(8*(c+4))-panel)
	part = min((part+panel-1)&^(panel-1), o.N) // whole chunks, and the rest last
	dotTiles(z, s.column, s.panel, o.V, o.Stride, panels, part, o.A, o.as, o.R, p)
	for lo := part; lo < o.N; lo += part {
		dotTiles(more, s.column, s.panel, o.V[lo:], o.Stride, panels, min(part, o.N-lo), o.A[lo:], o.as, o.R, p)
		Axpy(1, more[:panels*s.panel], z)
	}
}

// strides returns the strides of Z for r columns.
func (l *lanes) strides(r int) zStrides {
	if l.vectors == 0 {
		return zStrides{panel, 1, panel * r}
	}
	return zStrides{1, l.columns(), panel * l.columns()}
}

// powers writes nu [V A']^k for panels of 8 rows to z, or nu He_(d-1), in whose
// sums rows before from are not counted; more is as long.
func powers[T float](z, more []float64, l *lanes, o Operands[T], panels, from int, p *prefetcher) {
	s := l.strides(o.R)
	if l.vectors == 0 {
		dotParts(z, more, s, o, panels, p)
	} else {
		dotLanes(l, z, o.V, o.Stride, panels, o.N, o.A, p)
	}
	switch {
	case o.Hermite.D > 0:
		o.Hermite.apply(z, s.column, s.row, s.panel, o.R, panels*panel, from, o.Nu)
		return
	case l.vectors == 0:
		powTiles(z, o.R, panels, o.K, o.Nu)
		return
	}
	row := l.columns()
	powTiles(z, row, panels, o.K, nil)
	if o.Nu != nil {
		for i, w := range o.Nu[:panels*panel] {
			Scale(w, z[i*row:(i+1)*row])
		}
	}
}

// ttsvBlock is TTSV for one block of at least 8 rows.
func ttsvBlock[T float](y []float64, o Operands[T], z []float64, l *lanes, p *prefetcher) {
	panels, rest := o.Rows/panel, o.Rows%panel
	powers(z[:len(z)/2], z[len(z)/2:], l, o, panels, 0, p)
	multiplyBack(y, &o, o.V, panels*panel, z, l, p)
	if rest > 0 {
		ttsvRest(y, o, rest, z, l)
	}
}

// ttsvRest is TTSV for fewer than 8 rows, the last of o: they are multiplied as its last 8
// rows, of which then the last ones alone are multiplied back.
func ttsvRest[T float](y []float64, o Operands[T], rest int, z []float64, l *lanes) {
	powers(z[:len(z)/2], z[len(z)/2:], l, o.block(o.Rows-panel, panel), 1, panel-rest, new(prefetcher))
	multiplyBack(y, &o, o.V[(o.Rows-rest)*o.Stride:], rest, z[(panel-rest)*l.strides(o.R).row:], l, new(prefetcher))
}

// multiplyBack adds the products of rows of v with factors z.
func multiplyBack[T float](y []float64, o *Operands[T], v []T, rows int, z []float64, l *lanes, p *prefetcher) {
	if l.sums != nil {
		addLanes(l, v, o.Stride, rows, o.N, z)
		return
	}
	addTiles(y, o.N, v, o.Stride, rows, o.N, z, o.R, l.strides(o.R), p)
}
