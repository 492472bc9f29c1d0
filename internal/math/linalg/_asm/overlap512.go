package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	overlapArgs = "func(c, groups, n int, y *float64, ys int, v *float64, vs int, a *float64, as, k int, nu *float64)"
	overlapDoc  = `%s adds V' D_nu [V A']^k to y for groups of 4 rows of V and c columns of A, 1 <= c
<= %d and 1 <= k <= 3: while the products of one group are summed, the group before it, still in
the first-level cache, is multiplied back. Row j of y is at y + j ys, row i of V at v + i vs,
column j of A at a + j as, the weight of row i at nu + 8 i; nil is 1. groups >= 1, n >= 1; all
strides are in bytes. The bits are those of the tiles.`

	overlapRows, overlapColumns = 4, 2
	overlapK                    = 72 // the offset of an argument that is used from memory
)

// overlap512 emits both products for a column or two. These are bound by the way from the
// second-level cache: V comes from there once, and not twice as in blocks that several columns
// need.
func overlap512() {
	TEXT("overlapAVX512", NOSPLIT, overlapArgs)
	Pragma("noescape")
	doc(overlapDoc, "overlapAVX512", overlapColumns)
	o := overlapper{aBase: AllocLocal(8), yBase: AllocLocal(8), chunks: AllocLocal(8), factors: AllocLocal(32)}

	chunksOf(o.chunks)

	Load(Param("a"), RAX)
	MOVQ(RAX, o.aBase)
	Load(Param("y"), RAX)
	MOVQ(RAX, o.yBase)
	Load(Param("ys"), R13)
	Load(Param("v"), R14)
	Load(Param("vs"), R9)
	triple(R9, R10)
	Load(Param("as"), R12)
	Load(Param("nu"), R15)
	Load(Param("groups"), RDX)
	Load(Param("c"), RAX)
	CMPQ(RAX, Imm(2))
	JEQ(LabelRef("c2"))
	for c := 1; c <= overlapColumns; c++ {
		o.emit(c)
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// overlapper holds the state of overlap512. Registers: R8 the rows that are summed, R11 those before
// them, R9 their stride, R10 three times it, SI columns of A, R12 their stride, DI rows of Y,
// R13 their stride, CX chunks to go, DX groups to go, R14 the next rows, R15 their weights.
type overlapper struct {
	c                    int
	aBase, yBase, chunks Mem
	factors              Mem // of a group and a column
}

func (o *overlapper) acc(i, j int) VecPhysical    { return zmm(i*o.c + j) }
func (o *overlapper) factor(i, j int) VecPhysical { return zmm((overlapRows+i)*o.c + j) }
func (o *overlapper) y(j int) VecPhysical         { return zmm(2*overlapRows*o.c + j) }
func (o *overlapper) a(j int) VecPhysical         { return zmm((2*overlapRows+1)*o.c + j) }
func (o *overlapper) x(i int) VecPhysical         { return zmm((2*overlapRows+2)*o.c + i%2) }

func (o *overlapper) emit(c int) {
	o.c = c
	id := fmt.Sprintf("c%d", c)
	Label(id)
	o.pass(id+"_first", true, false)
	o.factorsOf(id + "_first")
	Label(id + "_group")
	DECQ(RDX)
	JZ(LabelRef(id + "_rest"))
	o.pass(id+"_both", true, true)
	o.factorsOf(id + "_both")
	JMP(LabelRef(id + "_group"))
	Label(id + "_rest")
	o.pass(id+"_last", false, true)
	JMP(LabelRef("done"))
}

// pass goes over the chunks, for the products of a group, the sums of the one before, or both.
func (o *overlapper) pass(id string, dots, sums bool) {
	if sums {
		MOVQ(o.yBase, RDI)
		MOVQ(R14, R11)
		SUBQ(R9, R11)
		SUBQ(R10, R11)
	}
	if dots {
		MOVQ(o.aBase, RSI)
		MOVQ(R14, R8)
		LEAQ(Mem{Base: R14, Index: R9, Scale: 4}, R14)
		for i := range overlapRows * o.c {
			VPXORQ(zmm(i), zmm(i), zmm(i))
		}
	}
	chunk := func(k int, masked bool) {
		load := func(m Mem, to VecPhysical) {
			m.Disp += 64 * k
			if masked {
				VMOVUPD_Z(m, K1, to)
			} else {
				VMOVUPD(m, to)
			}
		}
		// product adds row i of the rows at base, times each of by, to each of to.
		product := func(base Register, i int, by, to func(j int) VecPhysical) {
			m := strided(base, R9, R10, i, 0)
			if o.c == 1 && !masked {
				m.Disp += 64 * k
				VFMADD231PD(m, by(0), to(0))
				return
			}
			load(m, o.x(i))
			for j := range o.c {
				VFMADD231PD(by(j), o.x(i), to(j))
			}
		}
		for j := range o.c {
			if dots {
				load(strided(RSI, R12, nil, j, 0), o.a(j))
			}
			if sums {
				load(strided(RDI, R13, nil, j, 0), o.y(j))
			}
		}
		if dots {
			for i := range overlapRows {
				product(R8, i, o.a, func(j int) VecPhysical { return o.acc(i, j) })
			}
		}
		if !sums {
			return
		}
		for i := range overlapRows {
			product(R11, i, func(j int) VecPhysical { return o.factor(i, j) }, o.y)
		}
		for j := range o.c {
			m := strided(RDI, R13, nil, j, 64*k)
			if masked {
				VMOVUPD(o.y(j), K1, m)
			} else {
				VMOVUPD(o.y(j), m)
			}
		}
	}
	forward := func(chunks uint32) {
		if dots {
			ADDQ(U32(64*chunks), R8)
			ADDQ(U32(64*chunks), RSI)
		}
		if sums {
			ADDQ(U32(64*chunks), R11)
			ADDQ(U32(64*chunks), RDI)
		}
	}
	MOVQ(o.chunks, RCX)
	SUBQ(Imm(2), RCX)
	JLT(LabelRef(id + "_one"))
	Label(id + "_two")
	chunk(0, false)
	chunk(1, false)
	forward(2)
	SUBQ(Imm(2), RCX)
	JGE(LabelRef(id + "_two"))
	Label(id + "_one")
	ADDQ(Imm(2), RCX)
	JZ(LabelRef(id + "_masked"))
	chunk(0, false)
	forward(1)
	Label(id + "_masked")
	chunk(0, true)
}

// factorsOf makes the factors of a group of its products: it sums their lanes as dot512 does,
// and raises them as pow512 does.
func (o *overlapper) factorsOf(id string) {
	// Half a register takes more than the foundation of AVX-512 from the sixteenth on.
	k, one, spare := NewParamAddr("k", overlapK), Y15, func(i int) VecPhysical { return zmm(28 + i%2) }
	MOVQ(U64(0x3ff0000000000000), RAX)
	VPBROADCASTQ(RAX, Z15)
	TESTQ(R15, R15)
	JZ(LabelRef(id + "_weighted"))
	VMOVUPD(Mem{Base: R15}, one)
	ADDQ(Imm(8*overlapRows), R15)
	Label(id + "_weighted")
	for j := range o.c {
		for i := 0; i < overlapRows; i += 2 {
			fold(o.acc(i, j), o.acc(i+1, j), spare(i/2))
		}
		merge(o.acc(0, j), o.acc(2, j), spare(0))
		merge(o.acc(0, j), o.acc(0, j), spare(1))
	}
	sum := func(j int) VecPhysical { return o.acc(0, j).(Vec).AsY().(VecPhysical) }
	power := func(j int) VecPhysical { return o.acc(1, j).(Vec).AsY().(VecPhysical) }
	CMPQ(k, Imm(2))
	JEQ(LabelRef(id + "_square"))
	for j := range o.c {
		VMULPD(one, sum(j), power(j))
	}
	JLT(LabelRef(id + "_powered"))
	Comment("The cube.")
	for j := range o.c {
		VMULPD(sum(j), sum(j), sum(j))
		VMULPD(sum(j), power(j), power(j))
	}
	JMP(LabelRef(id + "_powered"))
	Label(id + "_square")
	for j := range o.c {
		VMULPD(sum(j), sum(j), sum(j))
		VMULPD(sum(j), one, power(j))
	}
	Label(id + "_powered")
	for j := range o.c {
		VMOVUPD(power(j), o.factors)
		for i := range overlapRows {
			m := o.factors
			m.Disp += 8 * i
			VBROADCASTSD(m, o.factor(i, j))
		}
	}
}
