package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// element is how V is stored. All arithmetic is in float64.
type element struct {
	suffix string // of the names of the functions
	goType string
	size   int // bytes
}

var (
	float64s = element{"", "float64", 8}
	float32s = element{"32", "float32", 4}
)

// bytes returns the size of a vector of elements in memory, for a register of
// the given number of bytes of float64.
func (e element) bytes(register int) int { return register * e.size / 8 }

// The signatures of the two products, common to all instruction sets.
const (
	dotArgs = "func(c, tiles, panels, n int, z *float64, zj, zp int, v *%s, vs int, a *float64, as int, next uintptr, step, hint int, end uintptr, back int)"
	addArgs = "func(c, tiles, q, strips, rows, last int, y *float64, ys int, v *%s, vs int, z *float64, zj, zl, zp int, next uintptr, step, hint int, end uintptr, back int)"
	powArgs = "func(z *float64, r, panels, k int, nu *float64)"
)

// Offsets of the arguments that are used from memory.
const dotZp, addZl = 48, 96

// productLines are prefetched in a step of the products, unless the hint says how many.
const productLines = 2

// Hints are 0, ask for nothing; 1, ask for lines twice; hintDrop; hintOnce; and hintStreams
// and the two after it, ask for one, two or four lines at several places in turn.
const hintDrop, hintOnce, hintStreams = 2, 3, 4

// What is fetched from memory is asked for once more so many bytes later: the
// processor drops requests when it has too many under way, and a line that is
// missing when it is needed costs more than 20 requests. Worth 10 to 15% where
// data come from memory (measured: 1, 2, 8 and 16 KB gain as much, 32 KB is
// beyond a short block, two repetitions gain no more); from the third-level
// cache it costs 5%.
const again = 4096

const dotDoc = `%[1]s multiplies panels of 8 rows of V with tiles of c columns of A,
1 <= c <= %[2]d. The 8 products of a panel and a column are stored side by side:
those of panel p and column j at z + p zp + j zj. Row i of V is at v + i vs,
column j of A at a + j as. Each group of 8 rows (4 for c >= %[4]d) prefetches two
lines at next, a step apart, for each chunk of %[3]d variables but the last, and
adds 2 step to next: to the second-level cache for hint 3, and for 1, which asks again for
those 4 KB before; to be dropped from it first for 2; nowhere for 0. For hints 4, 5 and 6 it
is one, two and four lines, at places that are a step apart, and back is subtracted from next
when it has come to end. n >= 1; all strides are in bytes.`

const addDoc = `%[1]s adds Z'V to tiles of c rows of y, 1 <= c <= %[2]d, strip by strip.
A strip is q chunks of %[3]d variables (1 <= q <= %[4]s); the very last chunk has last of them.
Row j of y is at y + j ys, row i of V at v + i vs; the factor that takes the one
to the other is at z + (i/8) zp + (i%%8) zl + j zj. Each row of each tile
prefetches two lines at next, a step apart, and adds 2 step to next; hint as
above. rows >= 1; all strides are in bytes.`

const powDoc = `%s raises r vectors of 8 elements in each panel of z to the power k >= 0 and
multiplies them with the 8 weights nu of the panel, unless nu is nil.`

const (
	foldArgs = "func(panels, r int, z, p, d *float64, ps int, a, y *float64, n int)"
	foldDoc  = `%s is the step between the two products with a slab of a symmetric
tensor. For each of r columns, whose factor b is at a: d += b u, y += p'u, and u,
the 8 products in z of each panel, becomes b p. Columns are ps bytes apart in p
and d, n bytes in a and y. panels >= 1, r >= 1.`
)

// strided returns the address of row i < 5 of a matrix: base + i stride, where
// stride3 holds 3 stride.
func strided(base, stride, stride3 Register, i, disp int) Mem {
	m := Mem{Base: base, Disp: disp}
	switch i {
	case 0:
	case 1, 2, 4:
		m.Index, m.Scale = stride, uint8(i)
	case 3:
		m.Index, m.Scale = stride3, 1
	default:
		panic(fmt.Sprintf("row %d has no address", i))
	}
	return m
}

// triple sets dst to 3 src.
func triple(src, dst Register) { LEAQ(Mem{Base: src, Index: src, Scale: 2}, dst) }

func zmm(i int) VecPhysical {
	return [...]VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31}[i]
}

func ymm(i int) VecPhysical {
	return [...]VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}[i]
}

// asking is what says how to ask for what is read next, copied from the arguments to the
// bottom of the frame, where askAVX512 finds it whatever else the frame has.
type asking struct{ hint, end, back Mem }

// newAsking must come before all other locals. It destroys AX.
func newAsking() asking {
	local := func(name string) Mem {
		m := AllocLocal(8)
		Load(Param(name), RAX)
		MOVQ(RAX, m)
		return m
	}
	return asking{local("hint"), local("end"), local("back")}
}

// unless emits what asks for lines at R14, R15 apart, in a step of a product, unless the hint
// is 0.
func (a asking) unless(label string, ask func()) {
	CMPQ(a.hint, Imm(0))
	JEQ(LabelRef(label + "_asked"))
	ask()
	Label(label + "_asked")
}

// inline asks with a copy of the code, which for the small tiles of AVX2 is up to 18% faster
// than a call.
func (a asking) inline(label string) {
	a.unless(label, func() { prefetch(a, R14, R15, productLines, label) })
}

// in512 calls askAVX512, which beside the many products of tiles of several columns is as fast
// as a copy of the code.
func (a asking) in512(label string, columns int) {
	if columns == 1 {
		a.inline(label)
		return
	}
	a.unless(label, func() {
		Instruction(&ir.Instruction{Opcode: "CALL", Operands: []Op{LabelRef("·askAVX512(SB)")}}) // avo calls no functions
	})
}

// ask512 emits what in512 calls.
func ask512() {
	TEXT("askAVX512", NOSPLIT|NOFRAME, "func()")
	doc("%s is called by the kernels, with their registers and their frame.", "askAVX512")
	above := func(i int) Mem { return Mem{Base: StackPointer, Disp: 8 + 8*i} }
	prefetch(asking{above(0), above(1), above(2)}, R14, R15, productLines, "ask")
	RET()
}

// prefetch asks for lines at next, a step apart, and advances it, as a hint other than 0
// says.
func prefetch(a asking, next, step Register, lines int, label string) {
	CMPQ(a.hint, Imm(hintDrop))
	JLT(LabelRef(label + "_twice"))
	JEQ(LabelRef(label + "_drop"))
	CMPQ(a.hint, Imm(hintOnce))
	JEQ(LabelRef(label + "_once"))
	ask := func() {
		PREFETCHT1(Mem{Base: next})
		ADDQ(step, next)
	}
	if lines > 1 {
		CMPQ(a.hint, Imm(hintStreams+1))
		JLT(LabelRef(label + "_one"))
		JEQ(LabelRef(label + "_two"))
		ask()
		ask()
		Label(label + "_two")
		ask()
		Label(label + "_one")
	}
	ask()
	CMPQ(next, a.end)
	JCS(LabelRef(label + "_done"))
	SUBQ(a.back, next)
	JMP(LabelRef(label + "_done"))
	Label(label + "_once")
	for i := range lines {
		PREFETCHT1(strided(next, step, nil, i, 0))
	}
	JMP(LabelRef(label + "_next"))
	Label(label + "_twice")
	for i := range lines {
		PREFETCHT1(strided(next, step, nil, i, 0))
		PREFETCHT1(strided(next, step, nil, i, -again))
	}
	JMP(LabelRef(label + "_next"))
	Label(label + "_drop")
	for i := range lines {
		PREFETCHNTA(strided(next, step, nil, i, 0))
	}
	Label(label + "_next")
	LEAQ(strided(next, step, nil, lines, 0), next)
	Label(label + "_done")
}

// advance adds c stride to base.
func advance(base, stride, stride3 Register, c int) {
	for ; c > 4; c -= 4 {
		LEAQ(strided(base, stride, stride3, 4, 0), base)
	}
	LEAQ(strided(base, stride, stride3, c, 0), base)
}

func doc(format string, args ...any) { Doc(strings.Split(fmt.Sprintf(format, args...), "\n")...) }
