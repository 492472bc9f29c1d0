package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The last coefficient of the Taylor polynomial of exp: the next term is below
// 2^-56 of the first where |r| <= log(2) / 2.
const expDegree = 13

// tanhConstants are, in the order of the table, what tanh needs once.
var tanhConstants = []uint64{
	math.Float64bits(20),                      // tanh(x) rounds to 1 from there on
	1<<63 - 1,                                 // all but the sign
	math.Float64bits(math.Log2E),              //
	math.Float64bits(0x1.8p52),                // added, it rounds to a whole number in the last bits
	math.Float64bits(-math.Ln2),               // the first 53 bits
	math.Float64bits(-2.3190468138462996e-17), // the rest of log(2)
	math.Float64bits(1),
	math.Float64bits(2),
}

const tanhDoc = `tanh%s replaces n elements of x by their hyperbolic tangents, to 4 units in the
last place, %d at a time; n >= 0 is a multiple of that. With 2|x| = m log(2) + r,
expm1(2|x|) = 2^m (exp(r) - 1) + (2^m - 1) =: e and tanh |x| = e / (e + 2).`

// tanh emits the hyperbolic tangents of a vector.
func tanh(isa string, lanes int, register func(int) VecPhysical) {
	table := "tanh" + isa + "Constants"
	GLOBL(table, RODATA|NOPTR)
	for i, bits := range tanhConstants {
		DATA(8*i, U64(bits))
	}
	factorial := 1.
	for k := 2; k <= expDegree; k++ {
		factorial *= float64(k)
		DATA(8*(len(tanhConstants)+k-2), U64(math.Float64bits(1/factorial)))
	}

	TEXT("tanh"+isa, NOSPLIT, "func(x *float64, n int)")
	Pragma("noescape")
	doc(tanhDoc, isa, lanes)
	Load(Param("x"), RDI)
	Load(Param("n"), RCX)
	LEAQ(NewDataAddr(Symbol{Name: table, Static: true}, 0), RSI)
	constant := func(i int) Mem { return Mem{Base: RSI, Disp: 8 * i} }
	var c [8]VecPhysical
	for i := range c {
		c[i] = register(8 + i)
		VBROADCASTSD(constant(i), c[i])
	}
	limit, magnitude, log2e, round, high, low, one, two := c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]
	x, a, m, r, p, t := register(0), register(1), register(2), register(3), register(4), register(5)
	and, andn, or := VANDPD, VANDNPD, VORPD
	if isa == "AVX512" { // its foundation has these for integers alone
		and, andn, or = VPANDQ, VPANDNQ, VPORQ
	}

	Label("next")
	CMPQ(RCX, Imm(uint64(lanes)))
	JLT(LabelRef("done"))
	VMOVUPD(Mem{Base: RDI}, x)
	and(x, magnitude, a)
	VMINPD(a, limit, a) // NaN stays
	VADDPD(a, a, a)
	VMOVAPD(round, m)
	VFMADD231PD(log2e, a, m)
	VSUBPD(round, m, t)
	VPSLLQ(Imm(52), m, m)
	VPADDQ(one, m, m) // 2^m
	VMOVAPD(a, r)
	VFMADD231PD(high, t, r)
	VFMADD231PD(low, t, r)
	VBROADCASTSD(constant(len(c)+expDegree-2), p)
	for k := expDegree - 1; k >= 2; k-- {
		VBROADCASTSD(constant(len(c)+k-2), t)
		VFMADD213PD(t, r, p)
	}
	VMULPD(r, p, p)
	VFMADD213PD(r, r, p) // exp(r) - 1
	VSUBPD(one, m, t)
	VFMADD213PD(t, m, p) // exp(2|x|) - 1
	VADDPD(two, p, t)
	VDIVPD(t, p, p)
	andn(x, magnitude, x) // the sign
	or(x, p, p)
	VMOVUPD(p, Mem{Base: RDI})
	ADDQ(Imm(uint64(8*lanes)), RDI)
	SUBQ(Imm(uint64(lanes)), RCX)
	JMP(LabelRef("next"))
	Label("done")
	VZEROUPPER()
	RET()
}
