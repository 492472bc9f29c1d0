package main

import "fmt"

// pow emits the powers of the products, four vectors at a time.
func pow(p *printer) {
	const name = "powNEON"
	p.function(name, `raises r vectors of 8 elements in each panel of z to the power k >= 0 and
multiplies them with the 8 weights nu of the panel, unless nu is nil.`,
		"z *float64, r, panels, k int, nu *float64", "")
	const z, r, panels, k, nu, vectors, power = register(0), register(1), register(2), register(3), register(4), register(5), register(6)
	const x, result, weight = vector(0), vector(4), vector(8)
	p.arg("z", z)
	p.arg("r", r)
	p.arg("panels", panels)
	p.arg("k", k)
	p.arg("nu", nu)
	p.op("FMOVD $1.0, F%d", int(weight))
	for i := range vector(4) {
		p.op("VDUP V%d.D[0], %v", int(weight), weight+i)
	}
	p.label("panel")
	p.op("CBZ %v, unweighted", nu)
	p.nextPair(nu, weight, weight+1)
	p.nextPair(nu, weight+2, weight+3)
	p.label("unweighted")
	p.op("MOVD %v, %v", r, vectors)

	p.label("vector")
	for i := vector(0); i < 4; i += 2 {
		p.pair(fmt.Sprintf("%d(%v)", 16*int(i), z), x+i, x+i+1)
	}
	for i := range vector(4) {
		p.op("VMOV V%d.B16, V%d.B16", int(weight+i), int(result+i))
	}
	p.op("MOVD %v, %v", k, power)
	p.op("CBZ %v, store", power)
	p.label("bit")
	p.op("TBZ $0, %v, square", power)
	for i := range vector(4) {
		p.product(result+i, result+i, x+i)
	}
	p.label("square")
	p.op("LSR $1, %v", power)
	p.op("CBZ %v, store", power)
	for i := range vector(4) {
		p.product(x+i, x+i, x+i)
	}
	p.op("B bit")

	p.label("store")
	for i := vector(0); i < 4; i += 2 {
		p.op("FSTPQ.P (F%d, F%d), 32(%v)", int(result+i), int(result+i+1), z)
	}
	p.loop(vectors, "vector")
	p.loop(panels, "panel")
	p.op("RET")
}
