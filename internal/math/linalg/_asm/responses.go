package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const responsesDoc = `responses%s is Responses.Of for n topics, a multiple of 8, %d at a time.`

// responses emits the three loops over the topics of a word: its probability, what its place has of
// each without itself, and the sums of these.
func responses(isa string, lanes int, register func(int) VecPhysical) {
	constants := "responses" + isa + "Constants"
	GLOBL(constants, RODATA|NOPTR)
	DATA(0, U64(math.Float64bits(1)))
	DATA(8, U64(math.Float64bits(0x1p-1022)))
	TEXT("responses"+isa, NOSPLIT, "func(word, scaled, now, least, inverse, out, next, sums *float64, n int, count, weight, eta float64) float64")
	Pragma("noescape")
	doc(responsesDoc, isa, lanes)
	word, scaled, now, least, inverse, g, next, sums, n, at, table := RAX, RBX, RCX, RDX, RSI, RDI, R8, R9, R10, R11, R12
	for i, name := range []string{"word", "scaled", "now", "least", "inverse", "out", "next", "sums", "n"} {
		Load(Param(name), []GPPhysical{word, scaled, now, least, inverse, g, next, sums, n}[i])
	}
	LEAQ(NewDataAddr(Symbol{Name: constants, Static: true}, 0), table)
	one, tiny := Mem{Base: table}, Mem{Base: table, Disp: 8}
	xmm := func(i int) VecPhysical { return []VecPhysical{0: X0, 1: X1, 4: X4, 15: X15}[i] }
	element := func(base GPPhysical) Mem { return Mem{Base: base, Index: at, Scale: 8} }
	zero := func(v VecPhysical) {
		if isa == "AVX512" {
			VPXORQ(v, v, v)
		} else {
			VXORPD(v, v, v)
		}
	}
	loop := func(name string, body func()) {
		XORQ(at, at)
		Label(name)
		body()
		ADDQ(Imm(uint64(lanes)), at)
		CMPQ(at, n)
		JLT(LabelRef(name))
	}
	// total adds up the lanes of register i in its first one, and what keeps it from 0.
	total := func(i int) {
		if isa == "AVX512" {
			VEXTRACTF64X4(Imm(1), zmm(i), ymm(i+1))
			VADDPD(ymm(i+1), ymm(i), ymm(i))
		}
		VEXTRACTF128(Imm(1), ymm(i), xmm(i+1))
		VADDPD(xmm(i+1), xmm(i), xmm(i))
		VPERMILPD(Imm(1), xmm(i), xmm(i+1))
		VADDSD(xmm(i+1), xmm(i), xmm(i))
		VADDSD(tiny, xmm(i), xmm(i))
	}
	acc, x, own := register(0), register(2), register(3)

	zero(acc)
	loop("probability", func() {
		VMOVUPD(element(word), x)
		VFMADD231PD(element(scaled), x, acc)
	})
	total(0)
	VMOVSD(xmm(0), xmm(0), xmm(15)) // norm
	VMOVSD(one, xmm(4))
	VDIVSD(xmm(15), xmm(4), xmm(4))
	by, weight, eta := register(5), register(6), register(7)
	VBROADCASTSD(xmm(4), by)
	Load(Param("weight"), xmm(4))
	VBROADCASTSD(xmm(4), weight)
	Load(Param("eta"), xmm(4))
	VBROADCASTSD(xmm(4), eta)
	zero(acc)
	share := register(8)
	loop("others", func() {
		VMOVUPD(element(word), x)
		VMULPD(element(scaled), x, own)
		VMULPD(by, own, own)
		VMOVUPD(element(now), share)
		VSUBPD(own, share, share)
		VMAXPD(element(least), share, share)
		VMULPD(element(inverse), share, share)
		VFNMADD231PD(weight, own, x)
		VMAXPD(eta, x, x)
		VMULPD(share, x, x)
		VMOVUPD(x, element(g))
		VADDPD(x, acc, acc)
	})
	total(0)
	VMOVSD(one, xmm(4)) // count / total might overflow
	VDIVSD(xmm(0), xmm(4), xmm(4))
	VBROADCASTSD(xmm(4), by)
	Load(Param("count"), xmm(4))
	count := register(9)
	VBROADCASTSD(xmm(4), count)
	loop("sums", func() {
		VMULPD(element(g), by, x)
		VMULPD(count, x, x)
		VMOVUPD(x, element(g))
		VADDPD(element(next), x, own)
		VMOVUPD(own, element(next))
		VFMADD213PD(element(sums), weight, x)
		VMOVUPD(x, element(sums))
	})
	Store(xmm(15), ReturnIndex(0))
	VZEROUPPER()
	RET()
}
