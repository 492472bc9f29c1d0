package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	addLanesArgs = "func(groups, variables, vectors, rows int, t *float64, ts int, v *%s, vs int, z *float64, zs int, zl, tl *float64)"
	addLanesDoc  = `%s adds V'Z to t for groups of variables (at most 8) and columns of Z
side by side, 8 vectors (at most 3) of them. Row i of V is at v + i vs, row i of Z
at z + i zs; row l of the sums is at t + l ts. One column more, at zl + i zs, is
multiplied with the 8 variables side by side; its sums are at tl. There is none
where tl is nil, and must be none beside a single vector. rows >= 1; all strides are in bytes.`
)

// addLanes512 emits T += V'Z for T with few rows. Registers: R8 row of V, R9 its
// stride, R10 row of Z, R11 its stride, R12 column left over, DI sums, SI their
// stride, BX three times it, R13 sums of the column left over, CX rows to go, DX
// groups to go, R14 what V begins with.
func addLanes512(v element) {
	name := "addLanes" + v.suffix + "AVX512"
	TEXT(name, NOSPLIT, fmt.Sprintf(addLanesArgs, v.goType))
	Pragma("noescape")
	doc(addLanesDoc, name)
	Load(Param("groups"), RDX)
	Load(Param("t"), RDI)
	Load(Param("ts"), RSI)
	triple(RSI, RBX)
	Load(Param("v"), R14)
	Load(Param("vs"), R9)
	Load(Param("zs"), R11)
	Load(Param("tl"), R13)
	Load(Param("variables"), RCX)
	Comment("Of the last variables, the mask K1.")
	MOVL(U32(1), EAX)
	SHLQ(CL, RAX)
	DECQ(RAX)
	KMOVW(EAX, K1)
	Load(Param("vectors"), RAX)
	for c := 3; c >= 1; c-- {
		if c > 1 {
			CMPQ(RAX, Imm(uint64(c)))
			JNE(LabelRef(fmt.Sprintf("not%d", c)))
		}
		if c > 1 {
			TESTQ(R13, R13)
			JNZ(LabelRef(fmt.Sprintf("more%d", c)))
		}
		choose(RCX, 8, fmt.Sprintf("vectors%d_", c))
		if c > 1 {
			Label(fmt.Sprintf("more%d", c))
			choose(RCX, 8, fmt.Sprintf("left%d_", c))
			Label(fmt.Sprintf("not%d", c))
		}
	}
	for c := 1; c <= 3; c++ {
		for m := 1; m <= 8; m++ {
			addLanes(c, m, v, false)
			if c > 1 {
				addLanes(c, m, v, true)
			}
		}
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// addLanes emits the code for c vectors of columns and m variables.
func addLanes(c, m int, v element, left bool) {
	acc := func(i, j int) VecPhysical { return zmm(i*c + j) }
	factor := func(j int) VecPhysical { return zmm(m*c + j) }
	x, more := zmm(m*c+c), zmm(m*c+c+1)
	name := fmt.Sprintf("vectors%d_%d", c, m)
	if left {
		name = fmt.Sprintf("left%d_%d", c, m)
	}
	sums := func(i, j int) Mem {
		if i < 4 {
			return strided(RDI, RSI, RBX, i, 64*j)
		}
		return strided(RAX, RSI, RBX, i-4, 64*j)
	}

	Label(name)
	LEAQ(Mem{Base: RDI, Index: RSI, Scale: 4}, RAX)
	for i := range m {
		for j := range c {
			VMOVUPD(sums(i, j), acc(i, j))
		}
	}
	if left {
		VMOVUPD(Mem{Base: R13}, more)
		Load(Param("zl"), R12)
	}
	MOVQ(R14, R8)
	Load(Param("z"), R10)
	Load(Param("rows"), RCX)

	Label(name + "_row")
	for j := range c {
		VMOVUPD(Mem{Base: R10, Disp: 64 * j}, factor(j))
	}
	for i := range m {
		at := Mem{Base: R8, Disp: i * v.size}
		if v.size == 8 {
			VBROADCASTSD(at, x)
		} else {
			VCVTPS2PD_BCST(at, x)
		}
		for j := range c {
			VFMADD231PD(factor(j), x, acc(i, j))
		}
	}
	if left {
		switch at := (Mem{Base: R8}); {
		case m == 8 && v.size == 8:
			VMOVUPD(at, x)
		case m == 8:
			VCVTPS2PD(at, x)
		case v.size == 8:
			VMOVUPD_Z(at, K1, x)
		default:
			VCVTPS2PD_Z(at, K1, x)
		}
		VFMADD231PD_BCST(Mem{Base: R12}, x, more)
		ADDQ(R11, R12)
	}
	ADDQ(R9, R8)
	ADDQ(R11, R10)
	DECQ(RCX)
	JNZ(LabelRef(name + "_row"))

	for i := range m {
		for j := range c {
			VMOVUPD(acc(i, j), sums(i, j))
		}
	}
	if left {
		VMOVUPD(more, Mem{Base: R13})
		ADDQ(Imm(64), R13)
	}
	LEAQ(Mem{Base: RDI, Index: RSI, Scale: 8}, RDI)
	ADDQ(U32(uint32(8*v.size)), R14)
	DECQ(RDX)
	JNZ(LabelRef(name))
	JMP(LabelRef("done"))
}
