package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// strip512 bounds the chunks of a strip for c columns, so that c x q sums,
// the c factors and a vector of V fit in 32 registers. More than 5 columns are for V
// in 4 bytes, whose vectors are converted once for each tile: with 10 columns half as
// often as with 5.
var strip512 = [...]int{1: 8, 2: 8, 3: 8, 4: 6, 5: 5, 6: 4, 7: 3, 8: 2, 9: 2, 10: 2}

// columns512 returns how many columns a tile has, at most.
func (v element) columns512() int {
	if v.size == 4 {
		return 10
	}
	return 5
}

// add512 emits Y += Z'V for tiles of c x q vectors of Y that stay in registers
// over all rows.
func add512(v element) {
	name := "add" + v.suffix + "AVX512"
	TEXT(name, NOSPLIT, fmt.Sprintf(addArgs, v.goType))
	Pragma("noescape")
	most := v.columns512()
	strips := strings.Trim(strings.ReplaceAll(fmt.Sprint(strip512[1:most+1]), " ", ", "), "[]")
	doc(addDoc, name, most, 8, fmt.Sprintf("%s for c = 1 to %d", strips, most))
	a := adder{v: v, asking: newAsking(), yBase: AllocLocal(8), vBase: AllocLocal(8), strips: AllocLocal(8), factors: AllocLocal(8), jump: AllocLocal(8)}

	MOVL(U32(0xff), EAX)
	KMOVW(EAX, K1)
	Load(Param("last"), RCX)
	MOVL(U32(1), EDX)
	SHLQ(CL, RDX)
	DECQ(RDX)
	KMOVW(EDX, K2)

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
	Load(Param("zl"), R13)
	Load(Param("zp"), RAX)
	panelJump(RAX, R13, a.jump)
	Load(Param("next"), R14)
	Load(Param("step"), R15)
	Load(Param("q"), RAX)
	Load(Param("c"), RCX)
	for c := most; c > 1; c-- {
		CMPQ(RCX, Imm(uint64(c)))
		JEQ(LabelRef(fmt.Sprintf("c%d", c)))
	}
	for c := 1; c <= most; c++ {
		Label(fmt.Sprintf("c%d", c))
		for q := strip512[c]; q > 1; q-- {
			CMPQ(RAX, Imm(uint64(q)))
			JEQ(LabelRef(fmt.Sprintf("strip%d_%d", c, q)))
		}
		for q := 1; q <= strip512[c]; q++ {
			a.emit(c, q)
		}
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// adder holds the state of add512. Registers: DI tile of Y, SI stride of Y,
// BX three times it, R8 row of V, R9 its stride, R10 factors, R11 and R12
// their stride from column to column, R13 from row to row, CX rows of the
// panel to go, DX rows to go, AX tiles to go, R14 and R15 prefetching. What is
// out of reach with more than 5 columns: of Y, DX; of the factors, BX.
type adder struct {
	v                             element
	yBase, vBase, strips, factors Mem
	asking                        asking
	jump                          Mem // from the end of a panel of factors to the next
}

func (a *adder) emit(c, q int) {
	label := fmt.Sprintf("%d_%d", c, q)
	acc := func(j, i int) VecPhysical { return zmm(j*q + i) }
	factor := func(j int) VecPhysical { return zmm(c*q + j) }
	x := zmm(c*q + c)
	const reach = 5
	y := func(j, i int) Mem {
		if j >= reach {
			return strided(RDX, RSI, RBX, j-reach, 64*i)
		}
		return strided(RDI, RSI, RBX, j, 64*i)
	}
	broadcast := func(j int) Mem {
		if j >= reach {
			return strided(RBX, R11, R12, j-reach, 0)
		}
		return strided(R10, R11, R12, j, 0)
	}
	// beyond sets a register to what is out of reach from base.
	beyond := func(base, stride, to Register) {
		if c > reach {
			LEAQ(Mem{Base: base, Index: stride, Scale: 4}, to)
			ADDQ(stride, to)
		}
	}

	Label("strip" + label)
	CMPQ(a.strips, Imm(1))
	JNE(LabelRef("full" + label))
	KMOVW(K2, K1)
	Label("full" + label)
	Load(Param("tiles"), RAX)
	MOVQ(a.yBase, RDI)
	Load(Param("z"), R10)

	Label("tile" + label)
	MOVQ(a.vBase, R8)
	MOVQ(R10, a.factors)
	beyond(RDI, RSI, RDX)
	for j := range c {
		for i := range q - 1 {
			VMOVUPD(y(j, i), acc(j, i))
		}
		VMOVUPD_Z(y(j, q-1), K1, acc(j, q-1))
	}
	beyond(R10, R11, RBX)
	Load(Param("rows"), RDX)

	Label("panel" + label)
	MOVL(U32(8), ECX)
	CMPQ(RDX, RCX)
	CMOVQLT(RDX, RCX)
	SUBQ(RCX, RDX)
	Label("row" + label)
	for j := range c {
		VBROADCASTSD(broadcast(j), factor(j))
	}
	for i := range q {
		at := Mem{Base: R8, Disp: i * a.v.bytes(64)}
		last := i == q-1 // whose mask is of all but in the last strip
		switch {
		case !last && a.v.size == 8:
			VMOVUPD(at, x)
		case !last:
			VCVTPS2PD(at, x)
		case a.v.size == 8:
			VMOVUPD_Z(at, K1, x)
		default:
			VCVTPS2PD_Z(at, K1, x)
		}
		for j := range c {
			VFMADD231PD(factor(j), x, acc(j, i))
		}
	}
	ADDQ(R9, R8)
	ADDQ(R13, R10)
	if c > reach {
		ADDQ(R13, RBX)
	}
	a.asking.in512("row"+label, c)
	DECQ(RCX)
	JNZ(LabelRef("row" + label))
	ADDQ(a.jump, R10)
	if c > reach {
		ADDQ(a.jump, RBX)
	}
	TESTQ(RDX, RDX)
	JNZ(LabelRef("panel" + label))

	if c > reach {
		triple(RSI, RBX)
	}
	beyond(RDI, RSI, RDX)
	for j := range c {
		for i := range q - 1 {
			VMOVUPD(acc(j, i), y(j, i))
		}
		VMOVUPD(acc(j, q-1), K1, y(j, q-1))
	}
	advance(RDI, RSI, RBX, c)
	MOVQ(a.factors, R10)
	advance(R10, R11, R12, c)
	DECQ(RAX)
	JNZ(LabelRef("tile" + label))

	ADDQ(U32(64*q), a.yBase)
	ADDQ(U32(q*a.v.bytes(64)), a.vBase)
	DECQ(a.strips)
	JNZ(LabelRef("strip" + label))
	JMP(LabelRef("done"))
}

// panelJump stores the way from the end of a panel of 8 rows of factors to the
// next panel, zp - 8 zl; it destroys zp.
func panelJump(zp, zl Register, jump Mem) {
	for range 8 {
		SUBQ(zl, zp)
	}
	MOVQ(zp, jump)
}
