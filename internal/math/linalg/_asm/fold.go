package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// folder emits the step between the two products with a slab, for panels of 8
// in registers of one or two vectors.
type folder struct {
	name        string
	vector      func(int) VecPhysical
	bytes       int // of a vector
	zero, total func()
}

func fold512() {
	folder{"foldAVX512", zmm, 64,
		func() { VPXORQ(Z4, Z4, Z4) },
		func() {
			VEXTRACTF64X4(Imm(1), Z4, Y5)
			VADDPD(Y5, Y4, Y4)
		}}.emit()
}

func fold256() {
	folder{"foldAVX2", ymm, 32,
		func() {
			VXORPD(Y4, Y4, Y4)
			VXORPD(Y5, Y5, Y5)
		},
		func() { VADDPD(Y5, Y4, Y4) }}.emit()
}

func (f folder) emit() {
	TEXT(f.name, NOSPLIT, foldArgs)
	Pragma("noescape")
	doc(foldDoc, f.name)
	Load(Param("z"), RDI)
	Load(Param("p"), RSI)
	Load(Param("d"), RBX)
	Load(Param("a"), R8)
	Load(Param("y"), R9)
	Load(Param("n"), R10)
	Load(Param("ps"), R11)
	Load(Param("r"), RDX)
	MOVQ(RDX, R12)
	SHLQ(Imm(6), R12) // from panel to panel in z

	Label("column")
	VBROADCASTSD(Mem{Base: R8}, f.vector(0))
	f.zero()
	Load(Param("panels"), RCX)
	MOVQ(RDI, R13)
	XORQ(RAX, RAX)
	Label("panel")
	for i := range 64 / f.bytes {
		u, p, g := f.vector(1), f.vector(2), f.vector(3)
		d := i * f.bytes
		VMOVUPD(Mem{Base: R13, Disp: d}, u)
		VMOVUPD(Mem{Base: RSI, Index: RAX, Scale: 1, Disp: d}, p)
		VFMADD231PD(p, u, f.vector(4+i))
		VFMADD213PD(Mem{Base: RBX, Index: RAX, Scale: 1, Disp: d}, f.vector(0), u)
		VMULPD(f.vector(0), p, g)
		VMOVUPD(u, Mem{Base: RBX, Index: RAX, Scale: 1, Disp: d})
		VMOVUPD(g, Mem{Base: R13, Disp: d})
	}
	ADDQ(R12, R13)
	ADDQ(Imm(64), RAX)
	DECQ(RCX)
	JNZ(LabelRef("panel"))
	f.total()
	VEXTRACTF128(Imm(1), Y4, X5)
	VADDPD(X5, X4, X4)
	VPERMILPD(Imm(1), X4, X5)
	VADDSD(X5, X4, X4)
	VADDSD(Mem{Base: R9}, X4, X4)
	VMOVSD(X4, Mem{Base: R9})
	ADDQ(Imm(64), RDI)
	ADDQ(R11, RSI)
	ADDQ(R11, RBX)
	ADDQ(R10, R8)
	ADDQ(R10, R9)
	DECQ(RDX)
	JNZ(LabelRef("column"))
	VZEROUPPER()
	RET()
}
