package main

import (
	"fmt"
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sparsePairs is the largest number of pairs of columns that are done at once.
const sparsePairs = 16

const sparseArgs = "func(rows, pairs int, start *int, index *int32, v *%s, a *float64, z *float64)"

var sparseDotDoc = fmt.Sprintf(`%%s multiplies sparse rows with a, 2 pairs columns for each variable, side by
side, 1 <= pairs <= %d, into z, as many for each row. The values of row l are those
from start[l] to start[l+1]-1 of v, of the variables index. rows >= 1.`, sparsePairs)

const sparseAddDoc = `%s adds to a the products of sparse rows with z; shapes as above.`

// registers of both kernels.
var (
	sparseNow, sparseEnd          = R8, R9
	sparseStart, sparseIndex      = RSI, RDI
	sparseV, sparseA, sparseZ     = RBX, RDX, RCX
	sparseRows, sparseAt, sparseB = R10, R11, R12
)

// sparse256 emits both products with sparse rows. They are bound by the caches that
// the columns come from: with registers of AVX-512 they took 8 to 14% longer.
func sparse256(v element) {
	const lanes = 4 // of a vector; half a one holds an odd pair
	count := func(pairs int) int { return (pairs + 1) / 2 }
	// part is vector i of some pairs, in register number at.
	part := func(pairs, i, at int) VecPhysical {
		if 2*i+1 == pairs {
			return ymm(at).AsX().(VecPhysical)
		}
		return ymm(at)
	}
	body := func(name, text string, row func(label string, pairs int)) {
		TEXT(name, NOSPLIT, fmt.Sprintf(sparseArgs, v.goType))
		Pragma("noescape")
		doc(text, name)
		Load(Param("start"), sparseStart)
		Load(Param("index"), sparseIndex)
		Load(Param("v"), sparseV)
		Load(Param("a"), sparseA)
		Load(Param("z"), sparseZ)
		Load(Param("rows"), sparseRows)
		Load(Param("pairs"), RAX)
		for pairs := 1; pairs < sparsePairs; pairs++ {
			CMPQ(RAX, Imm(uint64(pairs)))
			JEQ(LabelRef(fmt.Sprintf("pairs%d", pairs)))
		}
		for pairs := sparsePairs; pairs > 0; pairs-- {
			label := fmt.Sprintf("pairs%d", pairs)
			Label(label)
			MOVQ(Mem{Base: sparseStart}, sparseNow)
			MOVQ(Mem{Base: sparseStart, Disp: 8}, sparseEnd)
			row(label, pairs)
			ADDQ(Imm(8), sparseStart)
			ADDQ(U32(16*pairs), sparseZ)
			DECQ(sparseRows)
			JNZ(LabelRef(label))
			VZEROUPPER()
			RET()
		}
	}
	// value broadcasts the value number sparseNow+ahead and leaves where its
	// variable is in a.
	value := func(ahead, pairs int, x VecPhysical, at GPPhysical) {
		MOVLQSX(Mem{Base: sparseIndex, Index: sparseNow, Scale: 4, Disp: 4 * ahead}, at)
		if pairs&(pairs-1) == 0 {
			SHLQ(Imm(uint64(4+bits.TrailingZeros(uint(pairs)))), at)
		} else {
			IMUL3Q(U32(16*pairs), at, at)
		}
		ADDQ(sparseA, at)
		m := Mem{Base: sparseV, Index: sparseNow, Scale: uint8(v.size), Disp: v.size * ahead}
		if v.size == 8 {
			VBROADCASTSD(m, x)
			return
		}
		VBROADCASTSS(m, x.AsX())
		VCVTPS2PD(x.AsX(), x)
	}
	// ahead asks for the values and variables to come: each line at some of its numbers.
	ahead := func() {
		const distance = 128
		PREFETCHT0(Mem{Base: sparseIndex, Index: sparseNow, Scale: 4, Disp: 4 * distance})
		PREFETCHT0(Mem{Base: sparseV, Index: sparseNow, Scale: uint8(v.size), Disp: v.size * distance})
	}
	body("sparseDot"+v.suffix+"AVX2", sparseDotDoc, func(label string, pairs int) {
		count := count(pairs)
		ways := 2 // sums side by side, for the latency of an addition
		if count > 6 {
			ways = 1
		}
		sum := func(way, i int) VecPhysical { return part(pairs, i, way*count+i) }
		spot := func(way int) int { return ways*count + way }
		x := func(way, i int) VecPhysical { return part(pairs, i, spot(way)) }
		for way := range ways {
			for i := range count {
				VXORPD(sum(way, i).AsX(), sum(way, i).AsX(), sum(way, i).AsX())
			}
		}
		at := [2]GPPhysical{sparseAt, sparseB}
		if ways == 2 {
			SUBQ(Imm(1), sparseEnd)
			Label(label + "_two")
			CMPQ(sparseNow, sparseEnd)
			JGE(LabelRef(label + "_last"))
			ahead()
			for way := range 2 {
				value(way, pairs, ymm(spot(way)), at[way])
			}
			for i := range count {
				for way := range 2 {
					VFMADD231PD(Mem{Base: at[way], Disp: 8 * lanes * i}, x(way, i), sum(way, i))
				}
			}
			ADDQ(Imm(2), sparseNow)
			JMP(LabelRef(label + "_two"))
			Label(label + "_last")
			ADDQ(Imm(1), sparseEnd)
		}
		Label(label + "_one")
		CMPQ(sparseNow, sparseEnd)
		JGE(LabelRef(label + "_store"))
		value(0, pairs, ymm(spot(0)), at[0])
		for i := range count {
			VFMADD231PD(Mem{Base: at[0], Disp: 8 * lanes * i}, x(0, i), sum(0, i))
		}
		INCQ(sparseNow)
		JMP(LabelRef(label + "_one"))
		Label(label + "_store")
		for i := range count {
			if ways == 2 {
				VADDPD(sum(1, i), sum(0, i), sum(0, i))
			}
			VMOVUPD(sum(0, i), Mem{Base: sparseZ, Disp: 8 * lanes * i})
		}
	})
	body("sparseAdd"+v.suffix+"AVX2", sparseAddDoc, func(label string, pairs int) {
		count := count(pairs)
		for i := range count {
			VMOVUPD(Mem{Base: sparseZ, Disp: 8 * lanes * i}, part(pairs, i, i))
		}
		ways := 2 // values side by side: those of a row belong to different variables
		if count > 6 {
			ways = 1
		}
		spot := func(way int) int { return count + way }
		spare := 16 - count - ways
		at := [2]GPPhysical{sparseAt, sparseB}
		add := func(ways int) {
			for way := range ways {
				value(way, pairs, ymm(spot(way)), at[way])
			}
			for i := range count * ways {
				way, i, free := i/count, i%count, 16-1-i%spare
				y := part(pairs, i, free)
				m := Mem{Base: at[way], Disp: 8 * lanes * i}
				VMOVUPD(m, y)
				VFMADD231PD(part(pairs, i, i), part(pairs, i, spot(way)), y)
				VMOVUPD(y, m)
			}
			ADDQ(Imm(uint64(ways)), sparseNow)
		}
		if ways == 2 {
			SUBQ(Imm(1), sparseEnd)
			Label(label + "_two")
			CMPQ(sparseNow, sparseEnd)
			JGE(LabelRef(label + "_last"))
			ahead()
			add(2)
			JMP(LabelRef(label + "_two"))
			Label(label + "_last")
			ADDQ(Imm(1), sparseEnd)
		}
		Label(label + "_one")
		CMPQ(sparseNow, sparseEnd)
		JGE(LabelRef(label + "_done"))
		add(1)
		JMP(LabelRef(label + "_one"))
		Label(label + "_done")
	})
}
