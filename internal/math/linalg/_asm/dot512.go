package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// dot512 emits V A' for tiles of 8 x 1..3 and twice 4 x 4..6 inner products:
// at least 8 independent sums, which is what two multiply-adds a cycle of four
// cycles' latency need, and fewer loads than multiply-adds from 2 columns on.
// V is read once for each tile: wide ones are what the second-level cache needs.
func dot512(v element) {
	name := "dot" + v.suffix + "AVX512"
	TEXT(name, NOSPLIT, fmt.Sprintf(dotArgs, v.goType))
	Pragma("noescape")
	doc(dotDoc, name, dotColumns, 8, 4)
	d := dotter{v: v, asking: newAsking(), rowBase: AllocLocal(8), tileBase: AllocLocal(8), panels: AllocLocal(8), chunks: AllocLocal(8)}

	chunksOf(d.chunks)

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
	for c := dotColumns; c > 1; c-- {
		CMPQ(RAX, Imm(uint64(c)))
		JEQ(LabelRef(fmt.Sprintf("c%d", c)))
	}
	for c := 1; c <= dotColumns; c++ {
		d.emit(c)
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// chunksOf stores how many whole chunks of 8 variables are before the last one, whose mask is K1.
func chunksOf(chunks Mem) {
	Comment("The last chunk has 1 to 8 variables, the mask K1.")
	Load(Param("n"), RAX)
	DECQ(RAX)
	MOVQ(RAX, RCX)
	ANDQ(Imm(7), RCX)
	INCQ(RCX)
	MOVL(U32(1), EDX)
	SHLQ(CL, RDX)
	DECQ(RDX)
	KMOVW(EDX, K1)
	SHRQ(Imm(3), RAX)
	MOVQ(RAX, chunks)
}

// dotColumns is the largest number of columns of a tile.
const dotColumns = 6

// dotter holds the state of dot512. Registers: AX output of the tile, R8 rows of
// V, R9 their stride, R10 three times it, SI columns of A, R11 and R12 their
// stride, BX rows or columns that are out of reach of R8 and SI, CX chunks to go,
// DX tiles to go, DI output of the panel, R14 and R15 asking, R13 the stride
// of the output, BX at last three times it.
type dotter struct {
	v                                 element
	asking                            asking
	rowBase, tileBase, panels, chunks Mem
	c, rows                           int
	label                             string
}

func (d *dotter) emit(c int) {
	d.c, d.rows = c, 8
	if c > 3 {
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
		if d.rows == 8 {
			d.reduce8()
		} else {
			d.reduce4(half)
		}
	}
	advance(RAX, R13, RBX, c)
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

func (d *dotter) acc(i, j int) VecPhysical { return zmm(i*d.c + j) }

func (d *dotter) row(i int) Mem {
	if i < 4 {
		return strided(R8, R9, R10, i, 0)
	}
	return strided(RBX, R9, R10, i-4, 0)
}

// column returns the address of a column from where the registers are.
func (d *dotter) column(j int) Mem {
	if d.c > 5 && j >= 3 {
		return strided(RBX, R11, R12, j-3, 0)
	}
	return strided(RSI, R11, R12, j, 0)
}

// products runs over the chunks of d.rows rows and d.c columns.
func (d *dotter) products() {
	switch {
	case d.rows == 8:
		LEAQ(Mem{Base: R8, Index: R9, Scale: 4}, RBX)
	case d.c > 5:
		LEAQ(Mem{Base: RSI, Index: R12, Scale: 1}, RBX)
	}
	for i := range d.rows * d.c {
		VPXORQ(zmm(i), zmm(i), zmm(i))
	}
	x := zmm(d.rows*d.c + d.c)
	chunk := func(masked bool) {
		load := func(m Mem, size int, to VecPhysical) {
			switch {
			case size == 8 && masked:
				VMOVUPD_Z(m, K1, to)
			case size == 8:
				VMOVUPD(m, to)
			case masked:
				VCVTPS2PD_Z(m, K1, to)
			default:
				VCVTPS2PD(m, to)
			}
		}
		for j := range d.c {
			load(d.column(j), 8, zmm(d.rows*d.c+j))
		}
		for i := range d.rows {
			load(d.row(i), d.v.size, x)
			for j := range d.c {
				VFMADD231PD(zmm(d.rows*d.c+j), x, d.acc(i, j))
			}
		}
	}
	forward := func() {
		ADDQ(Imm(uint64(d.v.bytes(64))), R8)
		switch {
		case d.rows == 8:
			ADDQ(Imm(uint64(d.v.bytes(64))), RBX)
		case d.c > 5:
			ADDQ(Imm(64), RBX)
		}
		ADDQ(Imm(64), RSI)
	}
	MOVQ(d.chunks, RCX)
	TESTQ(RCX, RCX)
	JZ(LabelRef(d.label + "_last"))
	Label(d.label)
	chunk(false)
	d.asking.in512(d.label, d.c)
	forward()
	DECQ(RCX)
	JNZ(LabelRef(d.label))

	Label(d.label + "_last")
	chunk(true)
}

// fold leaves in each 128-bit lane of x the sums of two neighbouring elements
// of x (low half) and of y (high half).
func fold(x, y, spare VecPhysical) {
	VUNPCKLPD(y, x, spare)
	VUNPCKHPD(y, x, x)
	VADDPD(spare, x, x)
}

// merge sums the even and the odd lanes of x to the low half of x, and those
// of y to the high half.
func merge(x, y, spare VecPhysical) {
	VSHUFF64X2(Imm(0x88), y, x, spare)
	VSHUFF64X2(Imm(0xdd), y, x, x)
	VADDPD(spare, x, x)
}

// reduce8 sums the lanes of 8 rows for each column and stores them.
func (d *dotter) reduce8() {
	triple(R13, RBX)
	spare := func(i int) VecPhysical { return zmm(d.rows*d.c + i%4) }
	for j := range d.c {
		for i := 0; i < 8; i += 2 {
			fold(d.acc(i, j), d.acc(i+1, j), spare(i/2))
		}
		for i := 0; i < 8; i += 4 {
			merge(d.acc(i, j), d.acc(i+2, j), spare(i/4))
		}
		merge(d.acc(0, j), d.acc(4, j), spare(0))
		VMOVUPD(d.acc(0, j), strided(RAX, R13, RBX, j, 0))
	}
}

// reduce4 does so for 4 rows, two columns at a time.
func (d *dotter) reduce4(half int) {
	triple(R13, RBX)
	if d.c > 5 {
		LEAQ(strided(RAX, R13, RBX, 3, 0), R8)
	}
	out := func(j int) Mem {
		if d.c > 5 && j >= 3 {
			return strided(R8, R13, RBX, j-3, 32*half)
		}
		return strided(RAX, R13, RBX, j, 32*half)
	}
	spare := func(i int) VecPhysical { return zmm(d.rows*d.c + i%4) }
	for j := range d.c {
		fold(d.acc(0, j), d.acc(1, j), spare(0))
		fold(d.acc(2, j), d.acc(3, j), spare(1))
		merge(d.acc(0, j), d.acc(2, j), spare(2))
	}
	for j := 0; j < d.c; j += 2 {
		x, y := d.acc(0, j), d.acc(0, min(j+1, d.c-1))
		merge(x, y, spare(3))
		VMOVUPD(x.(Vec).AsY(), out(j))
		if j+1 < d.c {
			VEXTRACTF64X4(Imm(1), x, out(j+1))
		}
	}
}
