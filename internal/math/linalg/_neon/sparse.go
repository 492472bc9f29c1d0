package main

import "fmt"

// sparsePairs is the number of pairs of columns side by side, at most.
const sparsePairs = 16

const (
	sparseRows   = register(0)
	sparsePair   = register(1)
	sparseStart  = register(2)
	sparseIndex  = register(3)
	sparseV      = register(4)
	sparseA      = register(5)
	sparseZ      = register(6)
	sparseCount  = register(7)
	sparseFrom   = register(8)
	sparseWide   = register(9) // bytes of the columns of a variable
	sparseAt     = register(10)
	sparseFactor = vector(31)
)

// sparse emits the two products with sparse rows.
func sparse(p *printer, v element) {
	args := fmt.Sprintf("rows, pairs int, start *int, index *int32, v *%s, a, z *float64", v.goType)
	p.function("sparseDot"+v.suffix+"NEON", fmt.Sprintf(`multiplies sparse rows with a, 2 pairs columns for each variable, side by
side, 1 <= pairs <= %d, into z, as many for each row. The values of row l are those
from start[l] to start[l+1]-1 of v, of the variables index. rows >= 1.`, sparsePairs), args, "")
	sparseBody(p, v, false)
	p.function("sparseAdd"+v.suffix+"NEON", "adds to a the products of sparse rows with z; shapes as above.", args, "")
	sparseBody(p, v, true)
}

func sparseBody(p *printer, v element, add bool) {
	for reg, arg := range []string{"rows", "pairs", "start", "index", "v", "a", "z"} {
		p.arg(arg, register(reg))
	}
	p.op("LSL $4, %v, %v", sparsePair, sparseWide)
	p.op("MOVD.P 8(%v), %v", sparseStart, sparseFrom)
	p.op("ADD %v<<2, %v", sparseFrom, sparseIndex)
	p.op("ADD %v<<%d, %v", sparseFrom, v.size/4+1, sparseV)
	p.choose(sparsePair, sparsePairs, "pairs")
	for pairs := 1; pairs <= sparsePairs; pairs++ {
		p.label("pairs%d", pairs)
		p.op("MOVD.P 8(%v), %v", sparseStart, sparseAt)
		p.op("SUB %v, %v, %v", sparseFrom, sparseAt, sparseCount)
		p.op("MOVD %v, %v", sparseAt, sparseFrom)
		if add {
			eachPair(pairs, func(i, width int) { p.side("LD", i, width, vector(i), sparseZ) })
		} else {
			for i := range pairs {
				p.zero(vector(i))
			}
		}
		p.op("CBZ %v, end%d", sparseCount, pairs)

		p.label("value%d", pairs)
		p.op("MOVW.P 4(%v), %v", sparseIndex, sparseAt)
		p.op("MADD %v, %v, %v, %v", sparseWide, sparseA, sparseAt, sparseAt)
		if v.size == 8 {
			p.op("FMOVD.P 8(%v), F%d", sparseV, int(sparseFactor))
		} else {
			p.op("FMOVS.P 4(%v), F%d", sparseV, int(sparseFactor))
			p.op("FCVTSD F%d, F%d", int(sparseFactor), int(sparseFactor))
		}
		eachPair(pairs, func(i, width int) {
			spare := vector(16 + i%12)
			p.side("LD", i, width, spare, sparseAt)
			for k := range vector(width) {
				if add {
					p.multiplyAddLane(vector(i)+k, sparseFactor, 0, spare+k)
				} else {
					p.multiplyAddLane(spare+k, sparseFactor, 0, vector(i)+k)
				}
			}
			if add {
				p.side("ST", i, width, spare, sparseAt)
			}
		})
		p.loop(sparseCount, "value%d", pairs)

		p.label("end%d", pairs)
		if !add {
			eachPair(pairs, func(i, width int) { p.side("ST", i, width, vector(i), sparseZ) })
		}
		p.op("ADD %v, %v", sparseWide, sparseZ)
		p.loop(sparseRows, "pairs%d", pairs)
		p.op("RET")
	}
}

// eachPair visits vectors two by two, and the last one if it is left over.
func eachPair(n int, visit func(i, width int)) {
	for i := 0; i < n; i += 2 {
		visit(i, min(2, n-i))
	}
}

// side loads or stores vector i, or two from there on, of those side by side at a base.
func (p *printer) side(what string, i, width int, v vector, base register) {
	at := fmt.Sprintf("%d(%v)", 16*i, base)
	switch {
	case width == 2 && what == "LD":
		p.pair(at, v, v+1)
	case width == 2:
		p.storePair(v, v+1, at)
	case what == "LD":
		p.op("FMOVQ %s, F%d", at, int(v))
	default:
		p.op("FMOVQ F%d, %s", int(v), at)
	}
}
