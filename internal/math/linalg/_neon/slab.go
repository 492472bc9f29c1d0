package main

import "fmt"

// slabVectors is the number of vectors at once, at most. Up to slabFew there are
// registers for twice as many sums: those of slabDot are of every other column,
// those of slabAdd of 8 variables instead of 4.
const slabVectors, slabFew = 5, 3

func fold(p *printer) {
	p.function("foldNEON", `is the step between the two products with a slab of a symmetric
tensor. For each of r columns, whose factor b is at a: d += b u, y += p'u, and u,
the 8 products in z of each panel, becomes b p. Columns are ps bytes apart in p
and d, n bytes in a and y. panels >= 1, r >= 1.`,
		"panels, r int, z, p, d *float64, ps int, a, y *float64, n int", "")
	const r, z, pp, d, ps, a, y, n, panels, row, products, sums, zp = register(1), register(2), register(3), register(4),
		register(5), register(6), register(7), register(8), register(9), register(10), register(11), register(12), register(13)
	p.arg("r", r)
	p.arg("z", z)
	p.arg("p", pp)
	p.arg("d", d)
	p.arg("ps", ps)
	p.arg("a", a)
	p.arg("y", y)
	p.arg("n", n)
	p.op("LSL $6, %v, %v", r, zp)
	const b, total, u, q, g = vector(0), vector(1), vector(4), vector(8), vector(12)
	p.label("column")
	p.op("FMOVD (%v), F%d", a, int(b))
	for i := range vector(2) {
		p.zero(total + i)
	}
	p.arg("panels", panels)
	p.op("MOVD %v, %v", z, row)
	p.op("MOVD %v, %v", pp, products)
	p.op("MOVD %v, %v", d, sums)
	p.label("panel")
	for i := vector(0); i < 4; i += 2 {
		at := func(base register) string { return fmt.Sprintf("%d(%v)", 16*int(i), base) }
		p.pair(at(row), u+i, u+i+1)
		p.pair(at(products), q+i, q+i+1)
		p.pair(at(sums), g+i, g+i+1)
		for k := i; k < i+2; k++ {
			p.multiplyAdd(q+k, u+k, total+k-i)
			p.multiplyAddLane(u+k, b, 0, g+k)
			p.productLane(q+k, q+k, b, 0)
		}
		p.storePair(g+i, g+i+1, at(sums))
		p.storePair(q+i, q+i+1, at(row))
	}
	p.op("ADD %v, %v", zp, row)
	p.op("ADD $64, %v", products)
	p.op("ADD $64, %v", sums)
	p.loop(panels, "panel")
	p.sum(total, total, total+1)
	p.fold(total, total, total)
	p.op("FMOVD (%v), F%d", y, int(b))
	p.op("FADDD F%d, F%d", int(total), int(b))
	p.op("FMOVD F%d, (%v)", int(b), y)
	p.op("ADD $64, %v", z)
	for _, reg := range []register{pp, d} {
		p.op("ADD %v, %v", ps, reg)
	}
	for _, reg := range []register{a, y} {
		p.op("ADD %v, %v", n, reg)
	}
	p.loop(r, "column")
	p.op("RET")
}

func slabDot(p *printer) {
	p.function("slabDotNEON", fmt.Sprintf(`multiplies a panel of a slab with tiles of c vectors, 1 <= c <= %d.
Its 8 products with vector j are stored at z + 64 j. x is the panel, width times
8 numbers, vector j is at a + j as. width is even and positive; as is in bytes.`, slabVectors),
		"c, tiles, width int, z, x, a *float64, as int", "")
	const c, tiles, width, z, x, as = register(8), register(9), register(10), register(11), register(12), register(13)
	p.arg("c", c)
	p.arg("tiles", tiles)
	p.arg("z", z)
	p.arg("a", register(0))
	p.arg("as", as)
	p.choose(c, slabVectors, "c")
	for c := 1; c <= slabVectors; c++ {
		sets := 1
		if c <= slabFew {
			sets = 2
		}
		acc := func(set, i, j int) vector { return vector((set*c+j)*4 + i) }
		factor := func(j int) vector { return vector(4*c*sets + j) }
		p.label("c%d", c)
		p.arg("x", x)
		p.arg("width", width)
		p.op("LSR $1, %v", width)
		for j := 1; j < c; j++ {
			p.op("ADD %v, %v, %v", as, register(j-1), register(j))
		}
		p.op("ADD %v, %v, %v", as, register(c-1), register(c)) // the next tile
		for i := range 4 * c * sets {
			p.zero(vector(i))
		}
		p.label("column%d", c)
		for j := range c {
			p.op("FMOVQ.P 16(%v), F%d", register(j), int(factor(j)))
		}
		for lane := range 2 {
			for i := 0; i < 4; i += 2 {
				p.nextPair(x, lastVector-1, lastVector)
				for k := range 2 {
					for j := range c {
						p.multiplyAddLane(lastVector-1+vector(k), factor(j), lane, acc(lane*(sets-1), i+k, j))
					}
				}
			}
		}
		p.loop(width, "column%d", c)
		if sets == 2 {
			for i := range 4 * c {
				p.sum(vector(i), vector(i), vector(i+4*c))
			}
		}
		for i := 0; i < 4*c; i += 2 {
			p.op("FSTPQ.P (F%d, F%d), 32(%v)", i, i+1, z)
		}
		p.op("MOVD %v, %v", register(c), register(0))
		p.loop(tiles, "c%d", c)
		p.op("RET")
	}
}

func slabAdd(p *printer) {
	p.function("slabAddNEON", fmt.Sprintf(`adds to tiles of c vectors of y, 1 <= c <= %d, the inner
products of all rows of a slab with z, for groups of variables: of 8 for c <= %d,
else of 4. z is as slabDot leaves it; vector j is at y + j ys. panels and groups
are at least 1; strides are in bytes.`, slabVectors, slabFew),
		"c, tiles, groups, panels int, y *float64, ys int, x *float64, xp int, z *float64, zp int", "")
	const group, ys, groupX, xp, zp, tiles, groups, panels, y, x, row, z, tileZ = register(0), register(1), register(2), register(3), register(4),
		register(5), register(6), register(7), register(8), register(9), register(10), register(11), register(12)
	p.arg("groups", groups)
	p.arg("y", group)
	p.arg("ys", ys)
	p.arg("x", groupX)
	p.arg("xp", xp)
	p.arg("zp", zp)
	p.arg("c", row)
	p.choose(row, slabVectors, "c")
	for c := 1; c <= slabVectors; c++ {
		m := 4
		if c <= slabFew {
			m = 8
		}
		acc := func(l, j int) vector { return vector(j*m + l) }
		factor := func(j, i int) vector { return vector(m*c + 2*j + i) }
		p.label("c%d", c)
		p.arg("tiles", tiles)
		p.arg("z", tileZ)
		p.op("MOVD %v, %v", group, y)
		p.label("tile%d", c)
		p.arg("panels", panels)
		p.op("MOVD %v, %v", groupX, x)
		p.op("MOVD %v, %v", tileZ, z)
		for i := range m * c {
			p.zero(vector(i))
		}
		p.label("panel%d", c)
		for half := 0; half < 64; half += 32 {
			for j := range c {
				p.pair(fmt.Sprintf("%d(%v)", 64*j+half, z), factor(j, 0), factor(j, 1))
			}
			for l := range m {
				p.pair(fmt.Sprintf("%d(%v)", 64*l+half, x), lastVector-1, lastVector)
				for i := range 2 {
					for j := range c {
						p.multiplyAdd(factor(j, i), lastVector-1+vector(i), acc(l, j))
					}
				}
			}
		}
		p.op("ADD %v, %v", xp, x)
		p.op("ADD %v, %v", zp, z)
		p.loop(panels, "panel%d", c)
		for j := range c {
			for l := 0; l < m; l += 4 {
				at := fmt.Sprintf("%d(%v)", 8*l, y)
				p.pair(at, factor(0, 0), factor(0, 1))
				for i := range 2 {
					p.fold(acc(l+2*i, j), acc(l+2*i, j), acc(l+2*i+1, j))
					p.sum(factor(0, i), factor(0, i), acc(l+2*i, j))
				}
				p.storePair(factor(0, 0), factor(0, 1), at)
			}
			p.op("ADD %v, %v", ys, y)
		}
		p.op("ADD $%d, %v", 64*c, tileZ)
		p.loop(tiles, "tile%d", c)
		p.op("ADD $%d, %v", 64*m, groupX)
		p.op("ADD $%d, %v", 8*m, group)
		p.loop(groups, "c%d", c)
		p.op("RET")
	}
}
