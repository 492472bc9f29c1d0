package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// sparseGroups is the largest number of groups of 4 columns that are done at once.
const sparseGroups = 8

const sparseArgs = "func(rows, groups int, start *int, index *int32, v *%s, a *float64, z *float64)"

var sparseDotDoc = fmt.Sprintf(`%%s multiplies sparse rows with a, 4 groups columns for each variable, side by
side, 1 <= groups <= %d, into z, as many for each row. The values of row l are those
from start[l] to start[l+1]-1 of v, of the variables index. rows >= 1.`, sparseGroups)

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
	const lanes = 4 // a vector to each group
	register := ymm
	body := func(name, text string, row func(label string, groups int)) {
		TEXT(name, NOSPLIT, fmt.Sprintf(sparseArgs, v.goType))
		Pragma("noescape")
		doc(text, name)
		Load(Param("start"), sparseStart)
		Load(Param("index"), sparseIndex)
		Load(Param("v"), sparseV)
		Load(Param("a"), sparseA)
		Load(Param("z"), sparseZ)
		Load(Param("rows"), sparseRows)
		Load(Param("groups"), RAX)
		for groups := 1; groups < sparseGroups; groups++ {
			CMPQ(RAX, Imm(uint64(groups)))
			JEQ(LabelRef(fmt.Sprintf("groups%d", groups)))
		}
		for groups := sparseGroups; groups > 0; groups-- {
			label := fmt.Sprintf("groups%d", groups)
			Label(label)
			MOVQ(Mem{Base: sparseStart}, sparseNow)
			MOVQ(Mem{Base: sparseStart, Disp: 8}, sparseEnd)
			row(label, groups)
			ADDQ(Imm(8), sparseStart)
			ADDQ(U32(8*lanes*groups), sparseZ)
			DECQ(sparseRows)
			JNZ(LabelRef(label))
			VZEROUPPER()
			RET()
		}
	}
	// value broadcasts the value number sparseNow+ahead and leaves where its
	// variable is in a.
	value := func(ahead, groups int, x VecPhysical, at GPPhysical) {
		MOVLQSX(Mem{Base: sparseIndex, Index: sparseNow, Scale: 4, Disp: 4 * ahead}, at)
		if groups&(groups-1) == 0 {
			shift := map[int]uint64{1: 5, 2: 6, 4: 7, 8: 8}[groups]
			SHLQ(Imm(shift), at)
		} else {
			IMUL3Q(U32(8*lanes*groups), at, at)
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
	body("sparseDot"+v.suffix+"AVX2", sparseDotDoc, func(label string, groups int) {
		count := groups
		ways := 2 // sums side by side, for the latency of an addition
		if count > 6 {
			ways = 1
		}
		sum := func(way, i int) VecPhysical { return register(way*count + i) }
		x := func(way int) VecPhysical { return register(ways*count + way) }
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
			for way := range 2 {
				value(way, groups, x(way), at[way])
			}
			for i := range count {
				for way := range 2 {
					VFMADD231PD(Mem{Base: at[way], Disp: 8 * lanes * i}, x(way), sum(way, i))
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
		value(0, groups, x(0), at[0])
		for i := range count {
			VFMADD231PD(Mem{Base: at[0], Disp: 8 * lanes * i}, x(0), sum(0, i))
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
	body("sparseAdd"+v.suffix+"AVX2", sparseAddDoc, func(label string, groups int) {
		count := groups
		for i := range count {
			VMOVUPD(Mem{Base: sparseZ, Disp: 8 * lanes * i}, register(i))
		}
		ways := 2 // values side by side: those of a row belong to different variables
		if count > 6 {
			ways = 1
		}
		x := func(way int) VecPhysical { return register(count + way) }
		spare := 16 - count - ways
		at := [2]GPPhysical{sparseAt, sparseB}
		add := func(ways int) {
			for way := range ways {
				value(way, groups, x(way), at[way])
			}
			for i := range count * ways {
				y := register(16 - 1 - i%spare)
				m := Mem{Base: at[i/count], Disp: 8 * lanes * (i % count)}
				VMOVUPD(m, y)
				VFMADD231PD(register(i%count), x(i/count), y)
				VMOVUPD(y, m)
			}
			ADDQ(Imm(uint64(ways)), sparseNow)
		}
		if ways == 2 {
			SUBQ(Imm(1), sparseEnd)
			Label(label + "_two")
			CMPQ(sparseNow, sparseEnd)
			JGE(LabelRef(label + "_last"))
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
