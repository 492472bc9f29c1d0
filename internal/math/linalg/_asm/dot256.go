package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// masks256 emits the masks of the last chunk: the first i of 4 lanes of 64 bits
// at masks + 32 - 8 i, of 32 bits at masks + 80 - 4 i.
func masks256() {
	GLOBL("masksAVX2", RODATA|NOPTR)
	for i := range 8 {
		DATA(8*i, U64(1<<64-1)*U64(1-i/4))
	}
	for i := range 8 {
		DATA(64+4*i, U32(1<<32-1)*U32(1-i/4))
	}
}

// maskAddresses stores where the masks of the first last lanes are. It
// destroys AX and DX.
func maskAddresses(last Register, wide, narrow Mem) {
	LEAQ(NewDataAddr(Symbol{Name: "masksAVX2", Static: true}, 0), RDX)
	LEAQ(Mem{Base: RDX, Disp: 80}, RAX)
	SHLQ(Imm(2), last)
	SUBQ(last, RAX)
	MOVQ(RAX, narrow)
	LEAQ(Mem{Base: RDX, Disp: 32}, RAX)
	SHLQ(Imm(1), last)
	SUBQ(last, RAX)
	MOVQ(RAX, wide)
}

// maskedRow loads the last chunk of a row of V to x, with the mask at mask.
func maskedRow(v element, row, mask Mem, x VecPhysical) {
	if v.size == 8 {
		VMOVUPD(mask, x)
		VMASKMOVPD(row, x, x)
		return
	}
	half := x.(Vec).AsX()
	VMOVUPS(mask, half)
	VMASKMOVPS(row, half, half)
	VCVTPS2PD(half, x)
}

// dot256 emits V A' for tiles of 8 x 1 and twice 4 x 2..3 inner products.
func dot256(v element) {
	name := "dot" + v.suffix + "AVX2"
	TEXT(name, NOSPLIT, fmt.Sprintf(dotArgs, v.goType))
	Pragma("noescape")
	doc(dotDoc, name, 3, 4, 2)
	d := dotter256{v: v, asking: newAsking(), rowBase: AllocLocal(8), tileBase: AllocLocal(8), panels: AllocLocal(8), chunks: AllocLocal(8),
		wide: AllocLocal(8), narrow: AllocLocal(8)}

	Comment("The last chunk has 1 to 4 columns.")
	Load(Param("n"), RBX)
	DECQ(RBX)
	MOVQ(RBX, RCX)
	ANDQ(Imm(3), RCX)
	INCQ(RCX)
	maskAddresses(RCX, d.wide, d.narrow)
	SHRQ(Imm(2), RBX)
	MOVQ(RBX, d.chunks)

	Load(Param("panels"), RAX)
	MOVQ(RAX, d.panels)
	Load(Param("v"), R8)
	MOVQ(R8, d.rowBase)
	Load(Param("vs"), R9)
	triple(R9, R10)
	Load(Param("as"), R11)
	triple(R11, R12)
	Load(Param("next"), R14)
	Load(Param("step"), R15)
	Load(Param("zj"), R13)
	Load(Param("z"), RDI)
	Load(Param("c"), RAX)
	for c := 3; c > 1; c-- {
		CMPQ(RAX, Imm(uint64(c)))
		JEQ(LabelRef(fmt.Sprintf("c%d", c)))
	}
	for c := 1; c <= 3; c++ {
		d.emit(c)
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// dotter256 holds the state of dot256; registers as in dotter.
type dotter256 struct {
	v                                 element
	asking                            asking
	rowBase, tileBase, panels, chunks Mem
	wide, narrow                      Mem // addresses of the masks
	c, rows                           int
	label                             string
}

func (d *dotter256) emit(c int) {
	d.c, d.rows = c, 8
	if c > 1 {
		d.rows = 4
	}
	Label(fmt.Sprintf("c%d", c))
	Load(Param("tiles"), RDX)
	MOVQ(RDI, RAX)
	Load(Param("a"), RSI)
	MOVQ(RSI, d.tileBase)

	Label(fmt.Sprintf("tile%d", c))
	for half := 0; half < 8/d.rows; half++ {
		d.label = fmt.Sprintf("chunk%d_%d", c, half)
		MOVQ(d.rowBase, R8)
		if half == 1 {
			LEAQ(Mem{Base: R8, Index: R9, Scale: 4}, R8)
			MOVQ(d.tileBase, RSI)
		}
		d.products()
		d.reduce(half)
	}
	advance(RAX, R13, nil, c&^1)
	if c&1 == 1 {
		ADDQ(R13, RAX)
	}
	MOVQ(d.tileBase, RSI)
	advance(RSI, R11, R12, c)
	MOVQ(RSI, d.tileBase)
	DECQ(RDX)
	JNZ(LabelRef(fmt.Sprintf("tile%d", c)))

	MOVQ(d.rowBase, R8)
	LEAQ(Mem{Base: R8, Index: R9, Scale: 8}, R8)
	MOVQ(R8, d.rowBase)
	ADDQ(NewParamAddr("zp", dotZp), RDI)
	DECQ(d.panels)
	JNZ(LabelRef(fmt.Sprintf("c%d", c)))
	JMP(LabelRef("done"))
}

func (d *dotter256) acc(i, j int) VecPhysical { return ymm(i*d.c + j) }
func (d *dotter256) column(j int) VecPhysical { return ymm(d.rows*d.c + j) }

func (d *dotter256) row(i int) Mem {
	if i < 4 {
		return strided(R8, R9, R10, i, 0)
	}
	return strided(RBX, R9, R10, i-4, 0)
}

func (d *dotter256) products() {
	if d.rows == 8 {
		LEAQ(Mem{Base: R8, Index: R9, Scale: 4}, RBX)
	}
	for i := range d.rows * d.c {
		VXORPD(ymm(i), ymm(i), ymm(i))
	}
	MOVQ(d.chunks, RCX)
	TESTQ(RCX, RCX)
	JZ(LabelRef(d.label + "_last"))
	Label(d.label)
	for j := range d.c {
		VMOVUPD(strided(RSI, R11, R12, j, 0), d.column(j))
	}
	for i := range d.rows {
		if d.v.size == 8 {
			VMOVUPD(d.row(i), Y15)
		} else {
			VCVTPS2PD(d.row(i), Y15)
		}
		for j := range d.c {
			VFMADD231PD(d.column(j), Y15, d.acc(i, j))
		}
	}
	ADDQ(Imm(uint64(d.v.bytes(32))), R8)
	if d.rows == 8 {
		ADDQ(Imm(uint64(d.v.bytes(32))), RBX)
	}
	ADDQ(Imm(32), RSI)
	d.asking.inline(d.label)
	DECQ(RCX)
	JNZ(LabelRef(d.label))

	Label(d.label + "_last")
	MOVQ(d.wide, RCX)
	VMOVUPD(Mem{Base: RCX}, Y15)
	for j := range d.c {
		VMASKMOVPD(strided(RSI, R11, R12, j, 0), Y15, d.column(j))
	}
	if d.v.size == 4 {
		MOVQ(d.narrow, RCX)
	}
	for i := range d.rows {
		maskedRow(d.v, d.row(i), Mem{Base: RCX}, Y15)
		for j := range d.c {
			VFMADD231PD(d.column(j), Y15, d.acc(i, j))
		}
	}
}

// reduce sums the lanes of each 4 rows for each column and stores them.
func (d *dotter256) reduce(half int) {
	spare := func(i int) VecPhysical { return ymm(d.rows*d.c + i%(16-d.rows*d.c)) }
	for j := range d.c {
		for i := 0; i < d.rows; i += 4 {
			x, y := d.acc(i, j), d.acc(i+2, j)
			fold(x, d.acc(i+1, j), spare(0))
			fold(y, d.acc(i+3, j), spare(1))
			VPERM2F128(Imm(0x20), y, x, spare(2))
			VPERM2F128(Imm(0x31), y, x, x)
			VADDPD(spare(2), x, x)
			VMOVUPD(x, strided(RAX, R13, nil, j, 32*half+8*i))
		}
	}
}
