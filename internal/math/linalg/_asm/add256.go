package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// strip256 bounds the chunks of a strip for c columns, so that c x q sums, the
// c factors and a vector of V fit in 16 registers.
var strip256 = [...]int{1: 8, 2: 6, 3: 4}

// add256 emits Y += Z'V for tiles of c x q vectors of Y that stay in registers
// over all rows.
func add256(v element) {
	name := "add" + v.suffix + "AVX2"
	TEXT(name, NOSPLIT, fmt.Sprintf(addArgs, v.goType))
	Pragma("noescape")
	doc(addDoc, name, 3, 4, "8, 6, 4 for c = 1, 2, 3")
	a := adder256{v: v, asking: newAsking(), yBase: AllocLocal(8), vBase: AllocLocal(8), strips: AllocLocal(8), factors: AllocLocal(8), jump: AllocLocal(8),
		wide: AllocLocal(8), narrow: AllocLocal(8)}

	Load(Param("zp"), RAX)
	Load(Param("zl"), R13)
	panelJump(RAX, R13, a.jump)
	Load(Param("y"), RAX)
	MOVQ(RAX, a.yBase)
	Load(Param("v"), RAX)
	MOVQ(RAX, a.vBase)
	Load(Param("strips"), RAX)
	MOVQ(RAX, a.strips)
	Load(Param("ys"), RSI)
	triple(RSI, RBX)
	Load(Param("vs"), R9)
	Load(Param("zj"), R11)
	triple(R11, R12)
	Load(Param("next"), R14)
	Load(Param("step"), R15)
	Load(Param("q"), RDX)
	Load(Param("c"), RCX)
	for c := 3; c > 1; c-- {
		CMPQ(RCX, Imm(uint64(c)))
		JEQ(LabelRef(fmt.Sprintf("c%d", c)))
	}
	for c := 1; c <= 3; c++ {
		Label(fmt.Sprintf("c%d", c))
		for q := strip256[c]; q > 1; q-- {
			CMPQ(RDX, Imm(uint64(q)))
			JEQ(LabelRef(fmt.Sprintf("strip%d_%d", c, q)))
		}
		for q := 1; q <= strip256[c]; q++ {
			a.emit(c, q)
		}
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// adder256 holds the state of add256; registers as in adder, but R13 is the
// address of the mask for V.
type adder256 struct {
	v                                   element
	asking                              asking
	yBase, vBase, strips, factors, jump Mem
	wide, narrow                        Mem // addresses of the masks
}

func (a *adder256) emit(c, q int) {
	label := fmt.Sprintf("%d_%d", c, q)
	acc := func(j, i int) VecPhysical { return ymm(j*q + i) }
	factor := func(j int) VecPhysical { return ymm(c*q + j) }
	y := func(j, i int) Mem { return strided(RDI, RSI, RBX, j, 32*i) }

	Label("strip" + label)
	Comment("All of the last chunk belongs to this strip unless it is the last one.")
	MOVL(U32(4), ECX)
	CMPQ(a.strips, Imm(1))
	JNE(LabelRef("full" + label))
	Load(Param("last"), RCX)
	Label("full" + label)
	maskAddresses(RCX, a.wide, a.narrow)
	if a.v.size == 8 {
		MOVQ(a.wide, R13)
	} else {
		MOVQ(a.narrow, R13)
	}
	Load(Param("tiles"), RAX)
	MOVQ(a.yBase, RDI)
	Load(Param("z"), R10)

	Label("tile" + label)
	MOVQ(a.vBase, R8)
	MOVQ(R10, a.factors)
	MOVQ(a.wide, RDX)
	VMOVUPD(Mem{Base: RDX}, Y15)
	for j := range c {
		for i := range q - 1 {
			VMOVUPD(y(j, i), acc(j, i))
		}
		VMASKMOVPD(y(j, q-1), Y15, acc(j, q-1))
	}
	Load(Param("rows"), RDX)

	Label("panel" + label)
	MOVL(U32(8), ECX)
	CMPQ(RDX, RCX)
	CMOVQLT(RDX, RCX)
	SUBQ(RCX, RDX)
	Label("row" + label)
	for j := range c {
		VBROADCASTSD(strided(R10, R11, R12, j, 0), factor(j))
	}
	for i := range q {
		at := Mem{Base: R8, Disp: i * a.v.bytes(32)}
		switch {
		case i == q-1:
			maskedRow(a.v, at, Mem{Base: R13}, Y15)
		case a.v.size == 8:
			VMOVUPD(at, Y15)
		default:
			VCVTPS2PD(at, Y15)
		}
		for j := range c {
			VFMADD231PD(factor(j), Y15, acc(j, i))
		}
	}
	ADDQ(R9, R8)
	ADDQ(NewParamAddr("zl", addZl), R10)
	a.asking.inline("row" + label)
	DECQ(RCX)
	JNZ(LabelRef("row" + label))
	ADDQ(a.jump, R10)
	TESTQ(RDX, RDX)
	JNZ(LabelRef("panel" + label))

	for j := range c {
		for i := range q - 1 {
			VMOVUPD(acc(j, i), y(j, i))
		}
	}
	Comment("Masked stores are slow on some processors: only where they are needed.")
	CMPQ(a.strips, Imm(1))
	JE(LabelRef("masked" + label))
	for j := range c {
		VMOVUPD(acc(j, q-1), y(j, q-1))
	}
	JMP(LabelRef("stored" + label))
	Label("masked" + label)
	MOVQ(a.wide, RCX)
	VMOVUPD(Mem{Base: RCX}, Y15)
	for j := range c {
		VMASKMOVPD(acc(j, q-1), Y15, y(j, q-1))
	}
	Label("stored" + label)
	advance(RDI, RSI, RBX, c)
	MOVQ(a.factors, R10)
	advance(R10, R11, R12, c)
	DECQ(RAX)
	JNZ(LabelRef("tile" + label))

	ADDQ(U32(32*q), a.yBase)
	ADDQ(U32(q*a.v.bytes(32)), a.vBase)
	DECQ(a.strips)
	JNZ(LabelRef("strip" + label))
	JMP(LabelRef("done"))
}
