package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// squares256 emits the sums of squares by column.
func squares256() {
	TEXT("squaresAVX2", NOSPLIT, "func(sums, v *float64, n, fours int)")
	Pragma("noescape")
	doc("squaresAVX2 adds the squares of four rows of n >= 0 elements each to sums, so many times.")
	Load(Param("v"), RSI)
	Load(Param("n"), RAX)
	Load(Param("fours"), RDX)
	MOVQ(RAX, RBX)
	SHLQ(Imm(3), RBX) // bytes of a row
	row := func(i int) GPPhysical { return []GPPhysical{RSI, R8, R9, R10}[i] }

	Label("fours")
	TESTQ(RDX, RDX)
	JZ(LabelRef("done"))
	Load(Param("sums"), RDI)
	MOVQ(RAX, RCX)
	for i := 1; i < 4; i++ {
		LEAQ(Mem{Base: row(i - 1), Index: RBX, Scale: 1}, row(i))
	}
	Label("vector")
	CMPQ(RCX, Imm(4))
	JLT(LabelRef("one"))
	for i := range 4 {
		VMOVUPD(Mem{Base: row(i)}, ymm(i))
		VMULPD(ymm(i), ymm(i), ymm(i))
		ADDQ(Imm(32), row(i))
	}
	VADDPD(Y1, Y0, Y0)
	VADDPD(Y3, Y2, Y2)
	VADDPD(Y2, Y0, Y0)
	VADDPD(Mem{Base: RDI}, Y0, Y0)
	VMOVUPD(Y0, Mem{Base: RDI})
	ADDQ(Imm(32), RDI)
	SUBQ(Imm(4), RCX)
	JMP(LabelRef("vector"))
	Label("one")
	TESTQ(RCX, RCX)
	JZ(LabelRef("next"))
	for i := range 4 {
		VMOVSD(Mem{Base: row(i)}, ymm(i).AsX())
		VMULSD(ymm(i).AsX(), ymm(i).AsX(), ymm(i).AsX())
		ADDQ(Imm(8), row(i))
	}
	VADDSD(X1, X0, X0)
	VADDSD(X3, X2, X2)
	VADDSD(X2, X0, X0)
	VADDSD(Mem{Base: RDI}, X0, X0)
	VMOVSD(X0, Mem{Base: RDI})
	ADDQ(Imm(8), RDI)
	DECQ(RCX)
	JMP(LabelRef("one"))
	Label("next")
	MOVQ(R10, RSI) // the end of the fourth row
	DECQ(RDX)
	JMP(LabelRef("fours"))
	Label("done")
	VZEROUPPER()
	RET()
}
