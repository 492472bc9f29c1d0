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

// expConstants are, in the order of the table, what exp and tanh need once.
var expConstants = []uint64{
	math.Float64bits(20),                      // tanh(x) rounds to 1 from there on
	1<<63 - 1,                                 // all but the sign
	math.Float64bits(math.Log2E),              //
	math.Float64bits(0x1.8p52),                // added, it rounds to a whole number in the last bits
	math.Float64bits(-math.Ln2),               // the first 53 bits
	math.Float64bits(-2.3190468138462996e-17), // the rest of log(2)
	math.Float64bits(1),
	math.Float64bits(2),
	math.Float64bits(-709), // exp(x) is 0 there: the bits of 2^-1023 are
}

// exponential holds the registers of exp and tanh.
type exponential struct {
	isa       string
	lanes     int
	constants [9]VecPhysical
	x, a, m   VecPhysical
	r, p, t   VecPhysical
}

func (e *exponential) constant(i int) Mem { return Mem{Base: RSI, Disp: 8 * i} }

// exponentials emits exp and tanh of a vector.
func exponentials(isa string, lanes int, register func(int) VecPhysical) {
	e := &exponential{isa: isa, lanes: lanes, x: register(0), a: register(1), m: register(2), t: register(5), r: register(3), p: register(4)}
	for i := range e.constants {
		e.constants[i] = register(7 + i)
	}
	GLOBL(e.table(), RODATA|NOPTR)
	for i, bits := range expConstants {
		DATA(8*i, U64(bits))
	}
	factorial := 1.
	for k := 2; k <= expDegree; k++ {
		factorial *= float64(k)
		DATA(8*(len(expConstants)+k-2), U64(math.Float64bits(1/factorial)))
	}
	e.loop("exp", expDoc, func() {
		VMAXPD(e.x, e.constants[8], e.a) // NaN stays
		e.split()
		VFMADD213PD(e.m, e.m, e.p)
	})
	magnitude, one, two := e.constants[1], e.constants[6], e.constants[7]
	and, andn, or := VANDPD, VANDNPD, VORPD
	if isa == "AVX512" { // its foundation has these for integers alone
		and, andn, or = VPANDQ, VPANDNQ, VPORQ
	}
	e.loop("tanh", tanhDoc, func() {
		and(e.x, magnitude, e.a)
		VMINPD(e.a, e.constants[0], e.a) // NaN stays
		VADDPD(e.a, e.a, e.a)
		e.split()
		VSUBPD(one, e.m, e.t)
		VFMADD213PD(e.t, e.m, e.p) // exp(2|x|) - 1
		VADDPD(two, e.p, e.t)
		VDIVPD(e.t, e.p, e.p)
		andn(e.x, magnitude, e.x) // the sign
		or(e.x, e.p, e.p)
	})
}

func (e *exponential) table() string { return "exp" + e.isa + "Constants" }

const (
	expDoc = `exp%s replaces n elements of x <= 0 by their exponentials, to 2 units in the last place,
those below -708.7 by 0, %d at a time; n >= 0 is a multiple of that. With x = m log(2) + r,
exp(x) = 2^m + 2^m (exp(r) - 1).`
	tanhDoc = `tanh%s replaces n elements of x by their hyperbolic tangents, to 4 units in the
last place, %d at a time; n >= 0 is a multiple of that. With 2|x| = m log(2) + r,
expm1(2|x|) = 2^m (exp(r) - 1) + (2^m - 1) =: e and tanh |x| = e / (e + 2).`
)

// loop emits a function that replaces the elements x of a vector by the p that one computes.
func (e *exponential) loop(name, text string, one func()) {
	TEXT(name+e.isa, NOSPLIT, "func(x *float64, n int)")
	Pragma("noescape")
	doc(text, e.isa, e.lanes)
	Load(Param("x"), RDI)
	Load(Param("n"), RCX)
	LEAQ(NewDataAddr(Symbol{Name: e.table(), Static: true}, 0), RSI)
	for i, c := range e.constants {
		VBROADCASTSD(e.constant(i), c)
	}
	Label("next")
	CMPQ(RCX, Imm(uint64(e.lanes)))
	JLT(LabelRef("done"))
	VMOVUPD(Mem{Base: RDI}, e.x)
	one()
	VMOVUPD(e.p, Mem{Base: RDI})
	ADDQ(Imm(uint64(8*e.lanes)), RDI)
	SUBQ(Imm(uint64(e.lanes)), RCX)
	JMP(LabelRef("next"))
	Label("done")
	VZEROUPPER()
	RET()
}

// split emits a = log(2) log2(m) + r and p = exp(r) - 1.
func (e *exponential) split() {
	log2e, round, high, low, one := e.constants[2], e.constants[3], e.constants[4], e.constants[5], e.constants[6]
	VMOVAPD(round, e.m)
	VFMADD231PD(log2e, e.a, e.m)
	VSUBPD(round, e.m, e.t)
	VPSLLQ(Imm(52), e.m, e.m)
	VPADDQ(one, e.m, e.m) // 2^m
	VMOVAPD(e.a, e.r)
	VFMADD231PD(high, e.t, e.r)
	VFMADD231PD(low, e.t, e.r)
	VBROADCASTSD(e.constant(len(expConstants)+expDegree-2), e.p)
	for k := expDegree - 1; k >= 2; k-- {
		VBROADCASTSD(e.constant(len(expConstants)+k-2), e.t)
		VFMADD213PD(e.t, e.r, e.p)
	}
	VMULPD(e.r, e.p, e.p)
	VFMADD213PD(e.r, e.r, e.p)
}
