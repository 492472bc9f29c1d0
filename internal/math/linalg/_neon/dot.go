package main

import "fmt"

// dotColumns is the number of columns of A in a tile, at most: of 8 rows up to
// dotWhole columns, of 4 beyond. 5 x 4 sums, 5 x 2 vectors of A and 2 of V fill the
// 32 registers, so do 3 x 8, 3 x 2 and 2.
const dotColumns, dotWhole = 5, 3

const dotDoc = `multiplies panels of 8 rows of V with tiles of c columns of A,
1 <= c <= %d. The 8 products of a panel and a column are stored side by side:
those of panel p and column j at z + p zp + j zj. Row i of V is at v + i vs,
column j of A at a + j as. n >= 1; all strides are in bytes.`

// dotter emits V A' for tiles of rows x c inner products.
type dotter struct {
	*printer
	v       element
	c, rows int
}

const (
	dotCount  = register(9)
	dotZj     = register(10)
	dotOut    = register(11)
	dotTiles  = register(12)
	dotVs     = register(13)
	dotAs     = register(14)
	dotTile   = register(15) // the columns of the tile
	dotPanel  = register(19) // the rows of the panel
	dotPanels = register(20)
	dotN      = register(21)
	dotZ      = register(22)
	dotZp     = register(23)
	dotTileAs = register(26) // from tile to tile
)

// dotPointers are the others, for the rows and columns.
var dotPointers = [...]register{0, 1, 2, 3, 4, 5, 6, 7, 8, 24, 25}

func dot(p *printer, v element) {
	p.function("dot"+v.suffix+"NEON", fmt.Sprintf(dotDoc, dotColumns),
		fmt.Sprintf("c, tiles, panels, n int, z *float64, zj, zp int, v *%s, vs int, a *float64, as int", v.goType), "")
	p.arg("c", dotCount)
	p.arg("panels", dotPanels)
	p.arg("n", dotN)
	p.arg("z", dotZ)
	p.arg("zj", dotZj)
	p.arg("zp", dotZp)
	p.arg("v", dotPanel)
	p.arg("vs", dotVs)
	p.arg("as", dotAs)
	p.op("MUL %v, %v, %v", dotAs, dotCount, dotTileAs)
	p.choose(dotCount, dotColumns, "c")
	for c := 1; c <= dotColumns; c++ {
		d := dotter{printer: p, v: v, c: c, rows: 8}
		if c > dotWhole {
			d.rows = 4
		}
		d.emit()
	}
}

func (d *dotter) emit() {
	d.label("c%d", d.c)
	d.arg("tiles", dotTiles)
	d.arg("a", dotTile)
	d.op("MOVD %v, %v", dotZ, dotOut)

	d.label("tile%d", d.c)
	for first := 0; first < 8; first += d.rows {
		d.products(first)
		d.reduce(first)
	}
	d.op("MOVD %v, %v", dotCount, dotOut) // where reduce ended
	d.op("ADD %v, %v", dotTileAs, dotTile)
	d.loop(dotTiles, "tile%d", d.c)

	d.op("ADD %v<<3, %v", dotVs, dotPanel)
	d.op("ADD %v, %v", dotZp, dotZ)
	d.loop(dotPanels, "c%d", d.c)
	d.op("RET")
}

func (d *dotter) row(i int) register         { return dotPointers[i] }
func (d *dotter) column(j int) register      { return dotPointers[d.rows+j] }
func (d *dotter) acc(i, j int) vector        { return vector(i*d.c + j) }
func (d *dotter) factor(j, chunk int) vector { return vector(d.rows*d.c + 2*j + chunk) }

// products sums the products of the rows of a panel from the first one on.
func (d *dotter) products(first int) {
	if first == 0 {
		d.op("MOVD %v, %v", dotPanel, d.row(0))
	} else {
		d.op("ADD %v<<2, %v, %v", dotVs, dotPanel, d.row(0))
	}
	for i := 1; i < d.rows; i++ {
		d.op("ADD %v, %v, %v", dotVs, d.row(i-1), d.row(i))
	}
	d.op("MOVD %v, %v", dotTile, d.column(0))
	for j := 1; j < d.c; j++ {
		d.op("ADD %v, %v, %v", dotAs, d.column(j-1), d.column(j))
	}
	for i := range d.rows * d.c {
		d.zero(vector(i))
	}
	label := fmt.Sprintf("c%d_%d", d.c, first)
	d.op("LSR $2, %v, %v", dotN, dotCount)
	d.op("CBZ %v, two_%s", dotCount, label)

	d.label("four_%s", label)
	for j := range d.c {
		d.nextPair(d.column(j), d.factor(j, 0), d.factor(j, 1))
	}
	for i := range d.rows {
		d.four(d.v, ".P", 4*d.v.size, d.row(i), lastVector-1, lastVector)
		for chunk := range vector(2) {
			for j := range d.c {
				d.multiplyAdd(d.factor(j, int(chunk)), lastVector-1+chunk, d.acc(i, j))
			}
		}
	}
	d.loop(dotCount, "four_%s", label)

	d.label("two_%s", label)
	d.op("TBZ $1, %v, one_%s", dotN, label)
	d.rest(func(j int) { d.two(float64s, ".P", 16, d.column(j), d.factor(j, 0)) },
		func(i int) { d.two(d.v, ".P", 2*d.v.size, d.row(i), lastVector) })

	d.label("one_%s", label)
	d.op("TBZ $0, %v, sum_%s", dotN, label)
	d.rest(func(j int) { d.one(float64s, d.column(j), d.factor(j, 0)) },
		func(i int) { d.one(d.v, d.row(i), lastVector) })

	d.label("sum_%s", label)
}

// rest multiplies one vector of each row and column.
func (d *dotter) rest(loadColumn, loadRow func(int)) {
	for j := range d.c {
		loadColumn(j)
	}
	for i := range d.rows {
		loadRow(i)
		for j := range d.c {
			d.multiplyAdd(d.factor(j, 0), lastVector, d.acc(i, j))
		}
	}
}

// reduce sums the lanes and stores the products with rows from the first one on.
func (d *dotter) reduce(first int) {
	d.op("MOVD %v, %v", dotOut, dotCount)
	for j := range d.c {
		for i := 0; i < d.rows; i += 4 {
			for k := i; k < i+4; k += 2 {
				d.fold(d.acc(k, j), d.acc(k, j), d.acc(k+1, j))
			}
			d.storePair(d.acc(i, j), d.acc(i+2, j), fmt.Sprintf("%d(%v)", 8*(first+i), dotCount))
		}
		d.op("ADD %v, %v", dotZj, dotCount)
	}
}
