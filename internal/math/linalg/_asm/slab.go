package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const (
	slabDotArgs = "func(c, tiles, q, width int, z *float64, zp int, x *float64, xp int, a *float64, as, ahead int)"
	slabDotDoc  = `%s multiplies q panels of a slab, 1 <= q <= %d, with tiles of c
vectors, 1 <= c <= %d. The 8 products of panel p and vector j are stored at z + p
zp + 64 j. Panel p is at x + p xp, width times 8 numbers; vector j at a + j as.
The first tile fetches what lies ahead of x, unless ahead is 0. width >= 1; ahead
and strides are in bytes.`

	slabAddArgs = "func(c, tiles, groups, panels int, y *float64, ys int, x *float64, xp int, z *float64, zp int)"
	slabAddDoc  = `%s adds to tiles of c vectors of y, 1 <= c <= %d, the inner
products of all rows of a slab with z, for groups of variables: of 8 for c <= %d,
else of 4. z is as slabDot leaves it; vector j is at y + j ys. panels and groups
are at least 1; strides are in bytes.`
)

// slabber emits the two products with a slab of a symmetric tensor: no row has
// to be summed across the lanes in the first, and only the sums over all panels
// in the second.
type slabber struct {
	name   string
	vector func(int) VecPhysical
	bytes  int // of a vector
	q, c   int // panels and vectors at once, at most
	eight  int // groups of 8 variables for this many vectors, at most
	zero   func(VecPhysical)
}

var (
	slab512 = slabber{"AVX512", zmm, 64, 4, 5, 3, func(v VecPhysical) { VPXORQ(v, v, v) }}
	slab256 = slabber{"AVX2", ymm, 32, 2, 3, 1, func(v VecPhysical) { VXORPD(v, v, v) }}
)

func (s slabber) emit() {
	s.dot()
	s.add()
}

// choose jumps to the code for the number in reg, 1 to most.
func choose(reg Register, most int, label string) {
	for i := most; i > 1; i-- {
		CMPQ(reg, Imm(uint64(i)))
		JEQ(LabelRef(fmt.Sprintf("%s%d", label, i)))
	}
	JMP(LabelRef(label + "1"))
}

func (s slabber) dot() {
	name := "slabDot" + s.name
	TEXT(name, NOSPLIT, slabDotArgs)
	Pragma("noescape")
	doc(slabDotDoc, name, s.q, s.c)
	Load(Param("tiles"), RDX)
	Load(Param("z"), RDI)
	Load(Param("zp"), RBX)
	Load(Param("xp"), R9)
	triple(R9, R10)
	Load(Param("a"), RSI)
	Load(Param("as"), R11)
	triple(R11, R12)
	Load(Param("ahead"), R13)
	Load(Param("c"), RAX)
	Load(Param("q"), RCX)
	choose(RAX, s.c, "c")
	for c := 1; c <= s.c; c++ {
		Label(fmt.Sprintf("c%d", c))
		choose(RCX, s.q, fmt.Sprintf("c%dq", c))
		for q := 1; q <= s.q; q++ {
			s.dotTile(c, q)
		}
	}
	Label("done")
	VZEROUPPER()
	RET()
}

func (s slabber) dotTile(c, q int) {
	parts := 64 / s.bytes // vectors in a panel
	label := fmt.Sprintf("c%dq%d", c, q)
	acc := func(p, i, j int) VecPhysical { return s.vector((p*parts+i)*c + j) }
	factor := func(j int) VecPhysical { return s.vector(q*parts*c + j) }
	x := s.vector(q*parts*c + c)
	step := func() {
		for j := range c {
			VBROADCASTSD(strided(R15, R11, R12, j, 0), factor(j))
		}
		for p := range q {
			for i := range parts {
				VMOVUPD(strided(R8, R9, R10, p, i*s.bytes), x)
				for j := range c {
					VFMADD231PD(factor(j), x, acc(p, i, j))
				}
			}
		}
		ADDQ(Imm(8), R15)
		ADDQ(Imm(64), R8)
	}
	Label(label)
	Load(Param("x"), R8)
	MOVQ(RSI, R15)
	Load(Param("width"), RCX)
	for i := range q * parts * c {
		s.zero(s.vector(i))
	}
	TESTQ(R13, R13)
	JZ(LabelRef(label + "_column"))
	ADDQ(R8, R13)
	Label(label + "_ahead")
	for p := range q {
		PREFETCHT1(strided(R13, R9, R10, p, 0))
	}
	ADDQ(Imm(64), R13)
	step()
	DECQ(RCX)
	JNZ(LabelRef(label + "_ahead"))
	XORQ(R13, R13)
	JMP(LabelRef(label + "_store"))
	Label(label + "_column")
	step()
	DECQ(RCX)
	JNZ(LabelRef(label + "_column"))
	Label(label + "_store")
	MOVQ(RDI, RAX)
	for p := range q {
		for i := range parts {
			for j := range c {
				VMOVUPD(acc(p, i, j), Mem{Base: RAX, Disp: 64*j + i*s.bytes})
			}
		}
		if p < q-1 {
			ADDQ(RBX, RAX)
		}
	}
	ADDQ(U32(64*c), RDI)
	advance(RSI, R11, R12, c)
	DECQ(RDX)
	JNZ(LabelRef(label))
	JMP(LabelRef("done"))
}

func (s slabber) add() {
	name := "slabAdd" + s.name
	TEXT(name, NOSPLIT, slabAddArgs)
	Pragma("noescape")
	doc(slabAddDoc, name, s.c, s.eight)
	groups, xBase := AllocLocal(8), AllocLocal(8)
	Load(Param("groups"), RAX)
	MOVQ(RAX, groups)
	Load(Param("x"), RAX)
	MOVQ(RAX, xBase)
	Load(Param("y"), RDI)
	Load(Param("ys"), RSI)
	triple(RSI, RBX)
	Load(Param("xp"), R9)
	Load(Param("zp"), R11)
	Load(Param("c"), RAX)
	choose(RAX, s.c, "c")
	for c := 1; c <= s.c; c++ {
		s.addTile(c, groups, xBase)
	}
	Label("done")
	VZEROUPPER()
	RET()
}

func (s slabber) addTile(c int, groups, xBase Mem) {
	parts := 64 / s.bytes
	m := 4
	if c <= s.eight {
		m = 8
	}
	acc := func(l, j int) VecPhysical { return s.vector(l*c + j) }
	factor := func(j int) VecPhysical { return s.vector(m*c + j) }
	x := s.vector(m*c + c)
	label := fmt.Sprintf("c%d", c)
	Label(label)
	Load(Param("tiles"), RDX)
	Load(Param("z"), R12)
	MOVQ(RDI, RAX)
	Label(label + "_tile")
	MOVQ(xBase, R8)
	MOVQ(R12, R10)
	Load(Param("panels"), RCX)
	for i := range m * c {
		s.zero(s.vector(i))
	}
	Label(label + "_panel")
	for i := range parts {
		for j := range c {
			VMOVUPD(Mem{Base: R10, Disp: 64*j + i*s.bytes}, factor(j))
		}
		for l := range m {
			VMOVUPD(Mem{Base: R8, Disp: 64*l + i*s.bytes}, x)
			for j := range c {
				VFMADD231PD(factor(j), x, acc(l, j))
			}
		}
	}
	ADDQ(R9, R8)
	ADDQ(R11, R10)
	DECQ(RCX)
	JNZ(LabelRef(label + "_panel"))
	s.reduce(c, m, acc)
	advance(RAX, RSI, RBX, c)
	ADDQ(U32(64*c), R12)
	DECQ(RDX)
	JNZ(LabelRef(label + "_tile"))
	ADDQ(U32(64*m), xBase)
	ADDQ(U32(8*m), RDI)
	DECQ(groups)
	JNZ(LabelRef(label))
	JMP(LabelRef("done"))
}

// reduce adds the sums across the lanes to y.
func (s slabber) reduce(c, m int, acc func(l, j int) VecPhysical) {
	spare := func(i int) VecPhysical { return s.vector(m*c + i) }
	for j := range c {
		y := strided(RAX, RSI, RBX, j, 0)
		if s.bytes == 32 {
			for l := 0; l < m; l += 4 {
				v, w := acc(l, j), acc(l+2, j)
				fold(v, acc(l+1, j), spare(0))
				fold(w, acc(l+3, j), spare(0))
				VPERM2F128(Imm(0x20), w, v, spare(0))
				VPERM2F128(Imm(0x31), w, v, v)
				VADDPD(spare(0), v, v)
				y.Disp = 8 * l
				VADDPD(y, v, v)
				VMOVUPD(v, y)
			}
			continue
		}
		for l := 0; l < m; l += 2 {
			fold(acc(l, j), acc(l+1, j), spare(l/2%2))
		}
		for l := 0; l < m; l += 4 {
			merge(acc(l, j), acc(l+2, j), spare(0))
		}
		v := acc(0, j)
		if m == 8 {
			merge(v, acc(4, j), spare(0))
			VADDPD(y, v, v)
			VMOVUPD(v, y)
			continue
		}
		merge(v, v, spare(0))
		VADDPD(y, v.(Vec).AsY(), v.(Vec).AsY())
		VMOVUPD(v.(Vec).AsY(), y)
	}
}
