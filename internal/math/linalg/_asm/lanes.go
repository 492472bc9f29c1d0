package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	lanesArgs = "func(panels, vectors, n int, z *float64, zs int, v *%s, vs int, t *float64, ts int, next uintptr, step, hint int, end uintptr, back int)"
	lanesHint = 88
	lanesDoc  = `%s multiplies panels of 8 rows of V with 8 to 24 columns at once (1 <=
vectors <= 3), a column a lane: no product has to be summed across the lanes.
Row i of V is at v + i vs, and its products at z + i zs; row l of the transposed
columns is at t + l ts. For each variable it prefetches a line at next and adds step to
next; hint as for the tiles. n >= 1; all strides are in bytes.`
)

// lanes512 emits V T for T with few rows. Registers: R8 rows of V, BX four rows
// on, R9 their stride, R10 three times it, DI output, SI transposed columns, R11
// their stride, CX variables to go, DX panels to go, R12 and R13 what the panel
// began with, R14 the line to prefetch, AX the step to the next one, R15 the stride
// of the output, AX at last three times it.
func lanes512(v element) {
	name := "lanes" + v.suffix + "AVX512"
	TEXT(name, NOSPLIT, fmt.Sprintf(lanesArgs, v.goType))
	Pragma("noescape")
	doc(lanesDoc, name)
	lanesOperands()
	Load(Param("next"), R14)
	Load(Param("vectors"), RCX)
	choose(RCX, 3, "vectors")
	for c := 1; c <= 3; c++ {
		lanes(c, v, nil)
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// lanesOperands loads what both kernels have.
func lanesOperands() {
	Load(Param("panels"), RDX)
	Load(Param("z"), RDI)
	Load(Param("zs"), R15)
	Load(Param("v"), R12)
	Load(Param("vs"), R9)
	triple(R9, R10)
	Load(Param("t"), R13)
	Load(Param("ts"), R11)
}

const lanesLeftDoc = `%s is %s for 2 or 3 vectors, with one column more, at a,
which it multiplies with the 8 rows side by side; its products go to zl + i zs. It
prefetches nothing.`

// lanesLeft512 emits V T with a column left over. Registers are those of lanes512, but
// R14 is the column, then its output.
func lanesLeft512(v element) {
	name := "lanesLeft" + v.suffix + "AVX512"
	TEXT(name, NOSPLIT, fmt.Sprintf("func(panels, vectors, n int, z *float64, zs int, v *%s, vs int, t *float64, ts int, zl, a *float64)", v.goType))
	Pragma("noescape")
	doc(lanesLeftDoc, name, "lanes"+v.suffix+"AVX512")
	for i, k := range []Register{K1, K2, K3, K4, K5, K6, K7} {
		MOVL(U32(2<<i), EAX)
		KMOVW(EAX, k)
	}
	lanesOperands()
	out := AllocLocal(8) // where the products of the column go
	Load(Param("zl"), RCX)
	MOVQ(RCX, out)
	Load(Param("vectors"), RCX)
	CMPQ(RCX, Imm(2))
	JEQ(LabelRef("vectors2"))
	JMP(LabelRef("vectors3"))
	for c := 2; c <= 3; c++ {
		lanes(c, v, &out)
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// lanes emits the code for c vectors of columns, and for one column more where there is a
// place that holds the address of its output.
func lanes(c int, v element, out *Mem) {
	const rows = 8
	left := out != nil
	acc := func(i, j int) VecPhysical { return zmm(i*c + j) }
	column := func(j int) VecPhysical { return zmm(rows*c + j) }
	x, side, more := zmm(rows*c+c), zmm(rows*c+c+1), zmm(rows*c+c+2)
	masks := [...]Register{nil, K1, K2, K3, K4, K5, K6, K7}
	half := func(low, high Register, i int) (Register, int) {
		if i < 4 {
			return low, i
		}
		return high, i - 4
	}
	name := fmt.Sprintf("vectors%d", c)

	Label(name)
	MOVQ(R12, R8)
	LEAQ(Mem{Base: R8, Index: R9, Scale: 4}, RBX)
	MOVQ(R13, RSI)
	Load(Param("n"), RCX)
	for i := range rows * c {
		VPXORQ(zmm(i), zmm(i), zmm(i))
	}
	if left {
		Load(Param("a"), R14)
		VPXORQ(more, more, more)
	}

	variables := func(label string, ahead func()) {
		Label(label)
		for j := range c {
			VMOVUPD(Mem{Base: RSI, Disp: 64 * j}, column(j))
		}
		for i := range rows {
			base, l := half(R8, RBX, i)
			x := x
			if left && i == 0 {
				x = side // which gathers a number of each row
			}
			if v.size == 8 {
				VBROADCASTSD(strided(base, R9, R10, l, 0), x)
			} else {
				VCVTPS2PD_BCST(strided(base, R9, R10, l, 0), x)
			}
			for j := range c {
				VFMADD231PD(column(j), x, acc(i, j))
			}
			if left && i > 0 {
				VMOVAPD(x, masks[i], side)
			}
		}
		if left {
			VFMADD231PD_BCST(Mem{Base: R14}, side, more)
			ADDQ(Imm(8), R14)
		}
		ADDQ(Imm(uint64(v.size)), R8)
		ADDQ(Imm(uint64(v.size)), RBX)
		ADDQ(R11, RSI)
		ahead()
		DECQ(RCX)
		JNZ(LabelRef(label))
	}
	if left {
		variables(name+"_variable", func() {})
	} else {
		a := asking{NewParamAddr("hint", lanesHint), NewParamAddr("end", lanesHint+8), NewParamAddr("back", lanesHint+16)}
		CMPQ(a.hint, Imm(0))
		JNE(LabelRef(name + "_fetch"))
		variables(name+"_plain", func() {})
		JMP(LabelRef(name + "_products"))
		Label(name + "_fetch")
		Load(Param("step"), RAX)
		variables(name+"_ahead", func() { prefetch(a, R14, RAX, 1, name) })
		Label(name + "_products")
	}
	triple(R15, RAX)
	LEAQ(Mem{Base: RDI, Index: R15, Scale: 4}, RBX)
	for i := range rows {
		base, l := half(RDI, RBX, i)
		for j := range c {
			VMOVUPD(acc(i, j), strided(base, R15, RAX, l, 64*j))
		}
	}
	if left {
		MOVQ(*out, R14)
		LEAQ(Mem{Base: R14, Index: R15, Scale: 4}, RBX)
		VMOVAPD(more, Z0)
		for i := 0; i < rows; i += 2 {
			if i > 0 {
				VEXTRACTF64X2(Imm(uint64(i/2)), more, X0)
			}
			base, l := half(R14, RBX, i)
			VMOVLPD(X0, strided(base, R15, RAX, l, 0))
			VMOVHPD(X0, strided(base, R15, RAX, l+1, 0))
		}
		LEAQ(Mem{Base: R14, Index: R15, Scale: 8}, R14)
		MOVQ(R14, *out)
	}
	LEAQ(Mem{Base: RDI, Index: R15, Scale: 8}, RDI)
	LEAQ(Mem{Base: R12, Index: R9, Scale: 8}, R12)
	DECQ(RDX)
	JNZ(LabelRef(name))
	JMP(LabelRef("done"))
}

// transpose512 emits the transposition of 8 rows, which takes three exchanges:
// of single numbers, of pairs and of fours.
func transpose512() {
	const name = "transposeAVX512"
	TEXT(name, NOSPLIT, "func(chunks int, t *float64, ts int, a *float64, as int)")
	Pragma("noescape")
	doc("%s writes 8 rows of 8 chunks numbers at a, as apart, as columns at t, whose\nrows are ts apart. chunks >= 1; strides are in bytes.", name)
	Load(Param("chunks"), RCX)
	Load(Param("t"), RDI)
	Load(Param("ts"), R11)
	triple(R11, R12)
	Load(Param("a"), RSI)
	Load(Param("as"), R9)
	triple(R9, R10)
	LEAQ(Mem{Base: RSI, Index: R9, Scale: 4}, R8)

	Label("chunk")
	row := func(base, low Register, stride, stride3 Register, i int) Mem {
		if i < 4 {
			return strided(low, stride, stride3, i, 0)
		}
		return strided(base, stride, stride3, i-4, 0)
	}
	x, y := func(i int) VecPhysical { return zmm(i) }, func(i int) VecPhysical { return zmm(8 + i) }
	for i := range 8 {
		VMOVUPD(row(R8, RSI, R9, R10, i), x(i))
	}
	for i := 0; i < 8; i += 2 {
		VUNPCKLPD(x(i+1), x(i), y(i)) // numbers 0 2 4 6 of both rows
		VUNPCKHPD(x(i+1), x(i), y(i+1))
	}
	for i := range 4 { // four rows of two numbers: halves even and odd
		from := i/2*4 + i%2
		VSHUFF64X2(Imm(0x88), y(from+2), y(from), x(2*i))
		VSHUFF64X2(Imm(0xdd), y(from+2), y(from), x(2*i+1))
	}
	// x(0), x(1): rows 0 to 3, numbers 0 4 and 2 6; x(2), x(3): 1 5 and 3 7; x(4)...: rows 4 to 7.
	for i := range 4 {
		VSHUFF64X2(Imm(0x88), x(i+4), x(i), y(2*i))
		VSHUFF64X2(Imm(0xdd), x(i+4), x(i), y(2*i+1))
	}
	LEAQ(Mem{Base: RDI, Index: R11, Scale: 4}, R13)
	for i, number := range [...]int{0, 4, 2, 6, 1, 5, 3, 7} {
		VMOVUPD(y(i), row(R13, RDI, R11, R12, number))
	}
	ADDQ(Imm(64), RSI)
	ADDQ(Imm(64), R8)
	LEAQ(Mem{Base: RDI, Index: R11, Scale: 8}, RDI)
	DECQ(RCX)
	JNZ(LabelRef("chunk"))
	VZEROUPPER()
	RET()
}
