package main

import "fmt"

const (
	vectorX = register(0)
	vectorY = register(1)
	vectorN = register(2)
	blocks  = register(3)
	vectorZ = register(4)
)

func vectors(p *printer) {
	p.function("dotvNEON", "returns the inner product of two vectors of n >= 0 elements.", "x, y *float64, n int", "float64")
	p.arg("x", vectorX)
	p.arg("y", vectorY)
	p.arg("n", vectorN)
	for i := range vector(8) {
		p.zero(i)
	}
	// Eight sums: each waits four cycles for the one before, and two start in a cycle.
	sixteens(p, func() {
		for i := vector(0); i < 8; i += 2 {
			p.nextPair(vectorX, 16+i, 17+i)
			p.nextPair(vectorY, 24+i, 25+i)
			for k := i; k < i+2; k++ {
				p.multiplyAdd(16+k, 24+k, k)
			}
		}
	}, func() {
		p.op("FMOVD.P 8(%v), F16", vectorX)
		p.op("FMOVD.P 8(%v), F24", vectorY)
		p.multiplyAdd(16, 24, 0)
	})
	for step := vector(4); step > 0; step /= 2 {
		for i := range step {
			p.sum(i, i, i+step)
		}
	}
	p.fold(0, 0, 0)
	p.op("FMOVD F0, %s", p.offsets["ret"])
	p.op("RET")

	p.function("axpyNEON", "adds alpha x to y, vectors of n >= 0 elements.", "alpha float64, x, y *float64, n int", "")
	p.arg("x", vectorX)
	p.arg("y", vectorY)
	p.arg("n", vectorN)
	p.op("FMOVD %s, F31", p.offsets["alpha"])
	sixteens(p, func() {
		for i := vector(0); i < 8; i += 2 {
			p.nextPair(vectorX, 16+i, 17+i)
			p.pair(fmt.Sprintf("%d(%v)", 16*int(i), vectorY), i, i+1)
			for k := i; k < i+2; k++ {
				p.multiplyAddLane(16+k, 31, 0, k)
			}
		}
		for i := vector(0); i < 8; i += 2 {
			p.storePair(i, i+1, fmt.Sprintf("%d(%v)", 16*int(i), vectorY))
		}
		p.op("ADD $128, %v", vectorY)
	}, func() {
		p.op("FMOVD.P 8(%v), F16", vectorX)
		p.op("FMOVD (%v), F0", vectorY)
		p.multiplyAddLane(16, 31, 0, 0)
		p.op("FMOVD.P F0, 8(%v)", vectorY)
	})
	p.op("RET")

	p.function("scaleNEON", "multiplies x, a vector of n >= 0 elements, by alpha.", "alpha float64, x *float64, n int", "")
	p.arg("x", vectorX)
	p.arg("n", vectorN)
	p.op("FMOVD %s, F31", p.offsets["alpha"])
	sixteens(p, func() {
		for i := vector(0); i < 8; i += 2 {
			p.pair(fmt.Sprintf("%d(%v)", 16*int(i), vectorX), i, i+1)
			for k := i; k < i+2; k++ {
				p.productLane(k, k, 31, 0)
			}
		}
		for i := vector(0); i < 8; i += 2 {
			p.storePair(i, i+1, fmt.Sprintf("%d(%v)", 16*int(i), vectorX))
		}
		p.op("ADD $128, %v", vectorX)
	}, func() {
		p.op("FMOVD (%v), F0", vectorX)
		p.op("FMULD F31, F0")
		p.op("FMOVD.P F0, 8(%v)", vectorX)
	})
	p.op("RET")

	p.function("multiplyNEON", "writes the products of the elements of x and y to z, vectors of n >= 0 elements.", "z, x, y *float64, n int", "")
	p.arg("z", vectorZ)
	p.arg("x", vectorX)
	p.arg("y", vectorY)
	p.arg("n", vectorN)
	sixteens(p, func() {
		for i := vector(0); i < 8; i += 2 {
			p.nextPair(vectorX, 16+i, 17+i)
			p.nextPair(vectorY, 24+i, 25+i)
			for k := i; k < i+2; k++ {
				p.product(k, 16+k, 24+k)
			}
		}
		for i := vector(0); i < 8; i += 2 {
			p.storePair(i, i+1, fmt.Sprintf("%d(%v)", 16*int(i), vectorZ))
		}
		p.op("ADD $128, %v", vectorZ)
	}, func() {
		p.op("FMOVD.P 8(%v), F16", vectorX)
		p.op("FMOVD.P 8(%v), F24", vectorY)
		p.op("FMULD F24, F16, F0")
		p.op("FMOVD.P F0, 8(%v)", vectorZ)
	})
	p.op("RET")

	p.function("widenNEON", "converts n >= 0 elements.", "dst *float64, src *float32, n int", "")
	p.arg("dst", vectorX)
	p.arg("src", vectorY)
	p.arg("n", vectorN)
	sixteens(p, func() {
		for i := vector(0); i < 8; i += 2 {
			p.four(float32s, ".P", 16, vectorY, i, i+1)
			p.op("FSTPQ.P (F%d, F%d), 32(%v)", int(i), int(i+1), vectorX)
		}
	}, func() {
		p.op("FMOVS.P 4(%v), F0", vectorY)
		p.op("FCVTSD F0, F0")
		p.op("FMOVD.P F0, 8(%v)", vectorX)
	})
	p.op("RET")
}

// sixteens does 16 elements at a time, and what is left one by one.
func sixteens(p *printer, many, one func()) {
	p.op("LSR $4, %v, %v", vectorN, blocks)
	p.op("AND $15, %v", vectorN)
	p.op("CBZ %v, rest", blocks)
	p.label("sixteen")
	many()
	p.loop(blocks, "sixteen")
	p.label("rest")
	p.op("CBZ %v, done", vectorN)
	p.label("single")
	one()
	p.loop(vectorN, "single")
	p.label("done")
}
