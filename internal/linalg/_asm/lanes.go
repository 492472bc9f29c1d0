package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	lanesArgs = "func(panels, vectors, n int, z *float64, zs int, v *%s, vs int, t *float64, ts int)"
	lanesDoc  = `%s multiplies panels of 8 rows of V with 8 to 24 columns at once (1 <=
vectors <= 3), a column a lane: no product has to be summed across the lanes.
Row i of V is at v + i vs, and its products at z + i zs; row l of the transposed
columns is at t + l ts. n >= 1; all strides are in bytes.`
)

// lanes512 emits V T for T with few rows. Registers: R8 rows of V, BX four rows
// on, R9 their stride, R10 three times it, DI output, SI transposed columns, R11
// their stride, CX variables to go, DX panels to go, R12 to R14 what the panel
// began with, R15 the stride of the output, AX three times it.
func lanes512(v element) {
	name := "lanes" + v.suffix + "AVX512"
	TEXT(name, NOSPLIT, fmt.Sprintf(lanesArgs, v.goType))
	Pragma("noescape")
	doc(lanesDoc, name)
	Load(Param("panels"), RDX)
	Load(Param("z"), RDI)
	Load(Param("zs"), R15)
	triple(R15, RAX)
	Load(Param("v"), R12)
	Load(Param("vs"), R9)
	triple(R9, R10)
	Load(Param("t"), R13)
	Load(Param("ts"), R11)
	Load(Param("vectors"), RCX)
	choose(RCX, 3, "vectors")
	for c := 1; c <= 3; c++ {
		lanes(c, v)
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// lanes emits the code for c vectors of columns.
func lanes(c int, v element) {
	const rows = 8
	acc := func(i, j int) VecPhysical { return zmm(i*c + j) }
	column := func(j int) VecPhysical { return zmm(rows*c + j) }
	x := zmm(rows*c + c)
	half := func(low, high Register, i int) (Register, int) {
		if i < 4 {
			return low, i
		}
		return high, i - 4
	}

	Label(fmt.Sprintf("vectors%d", c))
	MOVQ(R12, R8)
	LEAQ(Mem{Base: R8, Index: R9, Scale: 4}, RBX)
	MOVQ(R13, RSI)
	Load(Param("n"), RCX)
	for i := range rows * c {
		VPXORQ(zmm(i), zmm(i), zmm(i))
	}

	Label(fmt.Sprintf("variable%d", c))
	for j := range c {
		VMOVUPD(Mem{Base: RSI, Disp: 64 * j}, column(j))
	}
	for i := range rows {
		base, l := half(R8, RBX, i)
		if v.size == 8 {
			VBROADCASTSD(strided(base, R9, R10, l, 0), x)
		} else {
			VCVTPS2PD_BCST(strided(base, R9, R10, l, 0), x)
		}
		for j := range c {
			VFMADD231PD(column(j), x, acc(i, j))
		}
	}
	ADDQ(Imm(uint64(v.size)), R8)
	ADDQ(Imm(uint64(v.size)), RBX)
	ADDQ(R11, RSI)
	DECQ(RCX)
	JNZ(LabelRef(fmt.Sprintf("variable%d", c)))

	LEAQ(Mem{Base: RDI, Index: R15, Scale: 4}, RBX)
	for i := range rows {
		base, l := half(RDI, RBX, i)
		for j := range c {
			VMOVUPD(acc(i, j), strided(base, R15, RAX, l, 64*j))
		}
	}
	LEAQ(Mem{Base: RDI, Index: R15, Scale: 8}, RDI)
	LEAQ(Mem{Base: R12, Index: R9, Scale: 8}, R12)
	DECQ(RDX)
	JNZ(LabelRef(fmt.Sprintf("vectors%d", c)))
	JMP(LabelRef("done"))
}
