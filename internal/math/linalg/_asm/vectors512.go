package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// pow512 emits the step between the two products.
func pow512() {
	TEXT("powAVX512", NOSPLIT, powArgs)
	Pragma("noescape")
	doc(powDoc, "powAVX512")
	Load(Param("z"), RDI)
	Load(Param("panels"), RDX)
	Load(Param("k"), RAX)
	Load(Param("nu"), RSI)
	MOVQ(U64(0x3ff0000000000000), RBX)
	VPBROADCASTQ(RBX, Z31)
	VMOVUPD(Z31, Z30)

	Label("panel")
	Load(Param("r"), RCX)
	TESTQ(RSI, RSI)
	JZ(LabelRef("power"))
	VMOVUPD(Mem{Base: RSI}, Z30)
	ADDQ(Imm(64), RSI)
	Label("power")
	CMPQ(RAX, Imm(2))
	JEQ(LabelRef("square"))
	CMPQ(RAX, Imm(3))
	JEQ(LabelRef("cube"))

	for _, step := range []struct {
		name, then string
		columns    int
	}{{"four", "column", 4}, {"column", "next", 1}} {
		Label(step.name)
		CMPQ(RCX, Imm(uint64(step.columns)))
		JLT(LabelRef(step.then))
		x, y := zmm, func(i int) VecPhysical { return zmm(4 + i) }
		for i := range step.columns {
			VMOVUPD(Mem{Base: RDI, Disp: 64 * i}, x(i))
			VMOVAPD(Z31, y(i))
		}
		MOVQ(RAX, R8)
		Label(step.name + "_bit")
		TESTQ(R8, R8)
		JZ(LabelRef(step.name + "_weight"))
		TESTQ(U32(1), R8)
		JZ(LabelRef(step.name + "_double"))
		for i := range step.columns {
			VMULPD(x(i), y(i), y(i))
		}
		Label(step.name + "_double")
		for i := range step.columns {
			VMULPD(x(i), x(i), x(i))
		}
		SHRQ(Imm(1), R8)
		JMP(LabelRef(step.name + "_bit"))
		Label(step.name + "_weight")
		for i := range step.columns {
			VMULPD(Z30, y(i), y(i))
			VMOVUPD(y(i), Mem{Base: RDI, Disp: 64 * i})
		}
		ADDQ(U32(uint32(64*step.columns)), RDI)
		SUBQ(Imm(uint64(step.columns)), RCX)
		JMP(LabelRef(step.name))
	}

	Comment("The usual powers, of the moments of order 3 and 4.")
	Label("square")
	VMOVUPD(Mem{Base: RDI}, Z0)
	VMULPD(Z0, Z0, Z0)
	VMULPD(Z0, Z30, Z1)
	VMOVUPD(Z1, Mem{Base: RDI})
	ADDQ(Imm(64), RDI)
	DECQ(RCX)
	JNZ(LabelRef("square"))
	JMP(LabelRef("next"))
	Label("cube")
	VMOVUPD(Mem{Base: RDI}, Z0)
	VMULPD(Z0, Z30, Z1)
	VMULPD(Z0, Z0, Z0)
	VMULPD(Z0, Z1, Z1)
	VMOVUPD(Z1, Mem{Base: RDI})
	ADDQ(Imm(64), RDI)
	DECQ(RCX)
	JNZ(LabelRef("cube"))
	Label("next")
	DECQ(RDX)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}

// vectors512 emits the inner product and the sum of two vectors.
func vectors512() {
	TEXT("dotvAVX512", NOSPLIT, "func(x, y *float64, n int) float64")
	Pragma("noescape")
	Doc("dotvAVX512 returns the inner product of two vectors of n >= 0 elements.")
	Load(Param("x"), RSI)
	Load(Param("y"), RDI)
	Load(Param("n"), RCX)
	for i := range 4 {
		VPXORQ(zmm(i), zmm(i), zmm(i))
	}
	Label("four")
	CMPQ(RCX, Imm(32))
	JLT(LabelRef("one"))
	for i := range 4 {
		VMOVUPD(Mem{Base: RSI, Disp: 64 * i}, zmm(4+i))
		VFMADD231PD(Mem{Base: RDI, Disp: 64 * i}, zmm(4+i), zmm(i))
	}
	ADDQ(U32(256), RSI)
	ADDQ(U32(256), RDI)
	SUBQ(Imm(32), RCX)
	JMP(LabelRef("four"))
	Label("one")
	CMPQ(RCX, Imm(8))
	JLT(LabelRef("tail"))
	VMOVUPD(Mem{Base: RSI}, Z4)
	VFMADD231PD(Mem{Base: RDI}, Z4, Z0)
	ADDQ(Imm(64), RSI)
	ADDQ(Imm(64), RDI)
	SUBQ(Imm(8), RCX)
	JMP(LabelRef("one"))
	Label("tail")
	tailMask512()
	VMOVUPD_Z(Mem{Base: RSI}, K1, Z4)
	VMOVUPD_Z(Mem{Base: RDI}, K1, Z5)
	VFMADD231PD(Z5, Z4, Z1)
	VADDPD(Z1, Z0, Z0)
	VADDPD(Z3, Z2, Z2)
	VADDPD(Z2, Z0, Z0)
	VEXTRACTF64X4(Imm(1), Z0, Y1)
	VADDPD(Y1, Y0, Y0)
	sum256()
	VZEROUPPER()
	RET()

	TEXT("axpyAVX512", NOSPLIT, "func(alpha float64, x, y *float64, n int)")
	Pragma("noescape")
	Doc("axpyAVX512 adds alpha x to y, vectors of n >= 0 elements.")
	VBROADCASTSD(NewParamAddr("alpha", 0), Z31)
	Load(Param("x"), RSI)
	Load(Param("y"), RDI)
	Load(Param("n"), RCX)
	Label("four")
	CMPQ(RCX, Imm(32))
	JLT(LabelRef("one"))
	for i := range 4 {
		VMOVUPD(Mem{Base: RDI, Disp: 64 * i}, zmm(i))
		VFMADD231PD(Mem{Base: RSI, Disp: 64 * i}, Z31, zmm(i))
		VMOVUPD(zmm(i), Mem{Base: RDI, Disp: 64 * i})
	}
	ADDQ(U32(256), RSI)
	ADDQ(U32(256), RDI)
	SUBQ(Imm(32), RCX)
	JMP(LabelRef("four"))
	Label("one")
	CMPQ(RCX, Imm(8))
	JLT(LabelRef("tail"))
	VMOVUPD(Mem{Base: RDI}, Z0)
	VFMADD231PD(Mem{Base: RSI}, Z31, Z0)
	VMOVUPD(Z0, Mem{Base: RDI})
	ADDQ(Imm(64), RSI)
	ADDQ(Imm(64), RDI)
	SUBQ(Imm(8), RCX)
	JMP(LabelRef("one"))
	Label("tail")
	tailMask512()
	VMOVUPD_Z(Mem{Base: RDI}, K1, Z0)
	VMOVUPD_Z(Mem{Base: RSI}, K1, Z1)
	VFMADD231PD(Z1, Z31, Z0)
	VMOVUPD(Z0, K1, Mem{Base: RDI})
	VZEROUPPER()
	RET()
}

// scale512 emits the multiplication of a vector.
func scale512() {
	TEXT("scaleAVX512", NOSPLIT, "func(alpha float64, x *float64, n int)")
	Pragma("noescape")
	doc("scaleAVX512 multiplies x, a vector of n >= 0 elements, by alpha.")
	VBROADCASTSD(NewParamAddr("alpha", 0), Z31)
	Load(Param("x"), RSI)
	Load(Param("n"), RCX)
	Label("one")
	CMPQ(RCX, Imm(8))
	JLT(LabelRef("tail"))
	VMULPD(Mem{Base: RSI}, Z31, Z0)
	VMOVUPD(Z0, Mem{Base: RSI})
	ADDQ(Imm(64), RSI)
	SUBQ(Imm(8), RCX)
	JMP(LabelRef("one"))
	Label("tail")
	tailMask512()
	VMOVUPD_Z(Mem{Base: RSI}, K1, Z0)
	VMULPD(Z0, Z31, Z0)
	VMOVUPD(Z0, K1, Mem{Base: RSI})
	VZEROUPPER()
	RET()
}

// multiply512 emits the product of two vectors, element by element.
func multiply512() {
	TEXT("multiplyAVX512", NOSPLIT, "func(z, x, y *float64, n int)")
	Pragma("noescape")
	doc("multiplyAVX512 writes the products of the elements of x and y to z, vectors of n >= 0 elements.")
	Load(Param("z"), RDI)
	Load(Param("x"), RSI)
	Load(Param("y"), RDX)
	Load(Param("n"), RCX)
	Label("one")
	CMPQ(RCX, Imm(8))
	JLT(LabelRef("tail"))
	VMOVUPD(Mem{Base: RSI}, Z0)
	VMULPD(Mem{Base: RDX}, Z0, Z0)
	VMOVUPD(Z0, Mem{Base: RDI})
	ADDQ(Imm(64), RSI)
	ADDQ(Imm(64), RDX)
	ADDQ(Imm(64), RDI)
	SUBQ(Imm(8), RCX)
	JMP(LabelRef("one"))
	Label("tail")
	MOVQ(RDX, RBX)
	tailMask512()
	VMOVUPD_Z(Mem{Base: RSI}, K1, Z0)
	VMOVUPD_Z(Mem{Base: RBX}, K1, Z1)
	VMULPD(Z1, Z0, Z0)
	VMOVUPD(Z0, K1, Mem{Base: RDI})
	VZEROUPPER()
	RET()
}

// tailMask512 sets K1 to the lowest CX bits, 0 to 7.
func tailMask512() {
	MOVL(U32(1), EDX)
	SHLQ(CL, RDX)
	DECQ(RDX)
	KMOVW(EDX, K1)
}

// sum256 stores the sum of Y0 as the result.
func sum256() {
	VEXTRACTF128(Imm(1), Y0, X1)
	VADDPD(X1, X0, X0)
	VPERMILPD(Imm(1), X0, X1)
	VADDSD(X1, X0, X0)
	Store(X0, ReturnIndex(0))
}
