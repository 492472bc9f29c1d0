package main

import "fmt"

// addStrip bounds the chunks of a strip for c columns, so that the sums, the
// factors and two vectors of V fit the 32 registers.
var addStrip = [...]int{1: 8, 2: 8, 3: 8, 4: 6, 5: 5}

const addDoc = `adds Z'V to tiles of c rows of y, 1 <= c <= 5, strip by strip.
A strip is q chunks of 2 variables, 1 <= q <= 8, 8, 8, 6, 5 for c = 1, ..., 5; the very
last chunk has last of them. If that is 1, it begins with the last variable of the
chunk before, which has the same sums in both: then q > 1, or there is one chunk.
Row j of y is at y + j ys, row i of V at v + i vs; the factor that takes the one
to the other is at z + (i/8) zp + (i%8) zl + j zj. rows >= 1; all strides are in
bytes.`

const (
	addY      = register(0) // the tile
	addYs     = register(1)
	addV      = register(2) // the strip
	addVs     = register(3)
	addZ      = register(4) // the tile's factors
	addZl     = register(5)
	addRow    = register(10)
	addFactor = register(11)
	addLastV  = register(12) // from the beginning of a strip to its last chunk
	addLastY  = register(13)
	addTiles  = register(14)
	addLeft   = register(15) // rows
	addCount  = register(19)
	addJump   = register(20) // from the end of a panel of Z to the next one
	addStrips = register(21)
	addStripY = register(22)
	addSpare  = register(23)
	addAt     = register(24)
)

// addZj holds multiples of zj.
var addZj = [...]register{1: 6, 2: 7, 3: 8, 4: 9}

// adder emits Y += Z'V for tiles of c x q vectors of Y that stay in registers
// over all rows.
type adder struct {
	*printer
	v    element
	c, q int
	lone bool // the chunk has one variable
}

func add(p *printer, v element) {
	p.function("add"+v.suffix+"NEON", addDoc,
		fmt.Sprintf("c, tiles, q, strips, rows, last int, y *float64, ys int, v *%s, vs int, z *float64, zj, zl, zp int", v.goType), "")
	p.arg("strips", addStrips)
	p.arg("y", addStripY)
	p.arg("ys", addYs)
	p.arg("v", addV)
	p.arg("vs", addVs)
	p.arg("zl", addZl)
	p.arg("zp", addJump)
	p.op("SUB %v<<3, %v", addZl, addJump)
	p.arg("zj", addZj[1])
	for k := 2; k < len(addZj); k++ {
		p.op("ADD %v, %v, %v", addZj[1], addZj[k-1], addZj[k])
	}
	p.arg("q", addSpare)
	p.arg("c", addCount)
	p.choose(addCount, len(addStrip)-1, "c")
	for c := 1; c < len(addStrip); c++ {
		p.label("c%d", c)
		p.choose(addSpare, addStrip[c], fmt.Sprintf("strip%d_", c))
		for q := 1; q <= addStrip[c]; q++ {
			a := adder{printer: p, v: v, c: c, q: q}
			a.emit()
			if q == 1 {
				a.lone = true
				a.emit()
			}
		}
	}
}

func (a *adder) acc(j, i int) vector { return vector(j*a.q + i) }
func (a *adder) factor(j int) vector { return vector(a.c*a.q + j) }

func (a *adder) emit() {
	label := fmt.Sprintf("%d_%d", a.c, a.q)
	if a.lone {
		label += "_lone"
	}
	a.label("strip%s", label)
	a.lastChunk(label)
	a.arg("tiles", addTiles)
	a.arg("z", addZ)
	a.op("MOVD %v, %v", addStripY, addY)

	a.label("tile%s", label)
	a.eachY(false)
	a.op("MOVD %v, %v", addV, addRow)
	a.op("MOVD %v, %v", addZ, addFactor)
	a.arg("rows", addLeft)

	a.label("panel%s", label)
	a.op("MOVD $8, %v", addCount)
	a.op("CMP %v, %v", addCount, addLeft)
	a.op("CSEL LT, %v, %v, %v", addLeft, addCount, addCount)
	a.op("SUB %v, %v", addCount, addLeft)
	a.label("row%s", label)
	a.row()
	a.loop(addCount, "row%s", label)
	a.op("ADD %v, %v", addJump, addFactor)
	a.op("CBNZ %v, panel%s", addLeft, label)

	a.eachY(true)
	a.op("MOVD %v, %v", addAt, addY) // where eachY ended
	for range a.c {
		a.op("ADD %v, %v", addZj[1], addZ)
	}
	a.loop(addTiles, "tile%s", label)

	a.op("ADD $%d, %v", 16*a.q, addStripY)
	a.op("ADD $%d, %v", 2*a.v.size*a.q, addV)
	a.loop(addStrips, "strip%s", label)
	a.op("RET")
}

// lastChunk finds where the last chunk of a strip is, or jumps to the code for a
// chunk of one variable.
func (a *adder) lastChunk(label string) {
	if a.lone {
		return
	}
	a.op("MOVD $%d, %v", 2*a.v.size*(a.q-1), addLastV)
	a.op("MOVD $%d, %v", 16*(a.q-1), addLastY)
	a.op("CMP $1, %v", addStrips)
	a.op("BNE full%s", label)
	a.arg("last", addSpare)
	a.op("CMP $1, %v", addSpare)
	if a.q == 1 {
		a.op("BEQ strip%s_lone", label)
	} else {
		a.op("BNE full%s", label)
		a.op("SUB $%d, %v", a.v.size, addLastV)
		a.op("SUB $8, %v", addLastY)
	}
	a.label("full%s", label)
}

// eachY loads or stores the sums of a tile. It ends with addAt at the next one.
func (a *adder) eachY(store bool) {
	pair, single := "FLDPQ", "FMOVQ"
	if store {
		pair = "FSTPQ"
	}
	if a.lone {
		single = "FMOVD"
	}
	transfer := func(op, v string, offset int, base register) {
		if store {
			a.op("%s %s, %d(%v)", op, v, offset, base)
			return
		}
		a.op("%s %d(%v), %s", op, offset, base, v)
	}
	a.op("MOVD %v, %v", addY, addAt)
	for j := range a.c {
		i := 0
		for ; i+2 < a.q; i += 2 {
			transfer(pair, fmt.Sprintf("(F%d, F%d)", int(a.acc(j, i)), int(a.acc(j, i+1))), 16*i, addAt)
		}
		if i+1 < a.q {
			transfer(single, fmt.Sprintf("F%d", int(a.acc(j, i))), 16*i, addAt)
		}
		last := addAt
		if a.q > 1 {
			last = addSpare
			a.op("ADD %v, %v, %v", addLastY, addAt, last)
		}
		transfer(single, fmt.Sprintf("F%d", int(a.acc(j, a.q-1))), 0, last)
		a.op("ADD %v, %v", addYs, addAt)
	}
}

// row adds one row of V.
func (a *adder) row() {
	for j := range a.c {
		if j == 0 {
			a.op("FMOVD (%v), F%d", addFactor, int(a.factor(j)))
		} else {
			a.op("FMOVD (%v)(%v), F%d", addFactor, addZj[j], int(a.factor(j)))
		}
	}
	a.op("ADD %v, %v", addZl, addFactor)
	multiply := func(i int, x vector) {
		for j := range a.c {
			a.multiplyAddLane(x, a.factor(j), 0, a.acc(j, i))
		}
	}
	i := 0
	for ; i+2 < a.q; i += 2 {
		a.four(a.v, "", 2*a.v.size*i, addRow, lastVector-1, lastVector)
		multiply(i, lastVector-1)
		multiply(i+1, lastVector)
	}
	if i+1 < a.q {
		a.two(a.v, "", 2*a.v.size*i, addRow, lastVector-1)
		multiply(i, lastVector-1)
	}
	switch {
	case a.lone:
		a.one(a.v, addRow, lastVector)
	case a.v.size == 8:
		a.loadIndexed(addRow, addLastV, lastVector)
	default:
		a.op("FMOVD (%v)(%v), F%d", addRow, addLastV, int(lastVector))
		a.widen(lastVector, lastVector)
	}
	multiply(a.q-1, lastVector)
	a.op("ADD %v, %v", addVs, addRow)
}
