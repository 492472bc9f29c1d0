package main

import (
	"fmt"
	"strings"
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

// printer collects the assembly and the declarations of its functions.
type printer struct {
	code, stubs strings.Builder
	offsets     map[string]string // of the arguments of the function being written
}

// function begins a function. Its arguments, and a result if there is one, are
// of 8 bytes each; R0 to R17 and R19 to R26 are free in it.
func (p *printer) function(name, doc, args, result string) {
	fmt.Fprintf(&p.stubs, "\n// %s %s\n//\n//go:noescape\nfunc %s(%s) %s\n",
		name, strings.ReplaceAll(doc, "\n", "\n// "), name, args, result)
	p.offsets = map[string]string{}
	add := func(name string) { p.offsets[name] = fmt.Sprintf("%s+%d(FP)", name, 8*len(p.offsets)) }
	for _, arg := range strings.Split(args, ",") {
		add(strings.Fields(arg)[0])
	}
	if result != "" {
		add("ret")
	}
	fmt.Fprintf(&p.code, "\nTEXT ·%s(SB), NOSPLIT, $0-%d\n", name, 8*len(p.offsets))
}

func (p *printer) op(format string, args ...any) { fmt.Fprintf(&p.code, "\t"+format+"\n", args...) }

func (p *printer) label(format string, args ...any) {
	fmt.Fprintf(&p.code, "\n"+format+":\n", args...)
}

// arg loads an argument to a register.
func (p *printer) arg(name string, reg register) {
	at, ok := p.offsets[name]
	if !ok {
		panic("no argument " + name)
	}
	p.op("MOVD %s, %v", at, reg)
}

// loop ends a loop to a label that counts a register down to 0.
func (p *printer) loop(count register, format string, args ...any) {
	p.op("SUBS $1, %v, %v", count, count)
	p.op("BNE %s", fmt.Sprintf(format, args...))
}

// choose jumps to the code for the number in reg, 1 to most.
func (p *printer) choose(reg register, most int, label string) {
	for i := most; i > 1; i-- {
		p.op("CMP $%d, %v", i, reg)
		p.op("BEQ %s%d", label, i)
	}
	p.op("B %s1", label)
}

// register is one for integers, vector one of two float64.
type register int
type vector int

// lastVector and the one before it are loaded with what is used at once.
const lastVector = vector(31)

func (r register) String() string { return fmt.Sprintf("R%d", int(r)) }
func (v vector) String() string   { return fmt.Sprintf("V%d.D2", int(v)) }

// pair loads four numbers from an address, or does so and moves it.
func (p *printer) pair(at string, v, w vector) { p.op("FLDPQ %s, (F%d, F%d)", at, int(v), int(w)) }
func (p *printer) nextPair(r register, v, w vector) {
	p.op("FLDPQ.P 32(%v), (F%d, F%d)", r, int(v), int(w))
}

func (p *printer) storePair(v, w vector, at string) { p.op("FSTPQ (F%d, F%d), %s", int(v), int(w), at) }

func (p *printer) zero(v vector) { p.op("VEOR V%d.B16, V%d.B16, V%d.B16", int(v), int(v), int(v)) }

// multiplyAdd adds x y to sum.
func (p *printer) multiplyAdd(x, y, sum vector) { p.op("VFMLA %v, %v, %v", x, y, sum) }

// word is an instruction that Go's assembler has no name for: dst = op(n, m), in
// the order of Arm's manuals.
func (p *printer) word(code int, dst, n, m int, format string, args ...any) {
	p.op("WORD $0x%08X // %s", code|m<<16|n<<5|dst, fmt.Sprintf(format, args...))
}

func (p *printer) three(code int, name string, dst, n, m vector) {
	p.word(code, int(dst), int(n), int(m), "%s v%d.2d, v%d.2d, v%d.2d", name, int(dst), int(n), int(m))
}

func (p *printer) sum(dst, x, y vector)     { p.three(0x4E60D400, "fadd", dst, x, y) }
func (p *printer) product(dst, x, y vector) { p.three(0x6E60DC00, "fmul", dst, x, y) }

// fold sets dst to the sums of the lanes of x and of y.
func (p *printer) fold(dst, x, y vector) { p.three(0x6E60D400, "faddp", dst, x, y) }

// multiplyAddLane adds x times a lane of y to sum.
func (p *printer) multiplyAddLane(x, y vector, lane int, sum vector) {
	p.word(0x4FC01000|lane<<11, int(sum), int(x), int(y), "fmla v%d.2d, v%d.2d, v%d.d[%d]", int(sum), int(x), int(y), lane)
}

// productLane sets dst to x times a lane of y.
func (p *printer) productLane(dst, x, y vector, lane int) {
	p.word(0x4FC09000|lane<<11, int(dst), int(x), int(y), "fmul v%d.2d, v%d.2d, v%d.d[%d]", int(dst), int(x), int(y), lane)
}

// loadIndexed loads a vector from base + index bytes.
func (p *printer) loadIndexed(base, index register, v vector) {
	p.word(0x3CE06800, int(v), int(base), int(index), "ldr q%d, [x%d, x%d]", int(v), int(base), int(index))
}

// widen sets dst to the first two float32 of src, widenHigh to the others.
func (p *printer) widen(dst, src vector) {
	p.word(0x0E617800, int(dst), int(src), 0, "fcvtl v%d.2d, v%d.2s", int(dst), int(src))
}

func (p *printer) widenHigh(dst, src vector) {
	p.word(0x4E617800, int(dst), int(src), 0, "fcvtl2 v%d.2d, v%d.4s", int(dst), int(src))
}

// four loads four elements to two vectors from an address with offset 0, 16, 32...
// or, with ".P", before it moves by as much.
func (p *printer) four(e element, suffix string, offset int, r register, v, w vector) {
	if e.size == 8 {
		p.op("FLDPQ%s %d(%v), (F%d, F%d)", suffix, offset, r, int(v), int(w))
		return
	}
	p.op("FMOVQ%s %d(%v), F%d", suffix, offset, r, int(v))
	p.widenHigh(w, v)
	p.widen(v, v)
}

// two loads two elements to a vector as four does.
func (p *printer) two(e element, suffix string, offset int, r register, v vector) {
	if e.size == 8 {
		p.op("FMOVQ%s %d(%v), F%d", suffix, offset, r, int(v))
		return
	}
	p.op("FMOVD%s %d(%v), F%d", suffix, offset, r, int(v))
	p.widen(v, v)
}

// one loads one element to the first lane of a vector, and zero to the other.
func (p *printer) one(e element, r register, v vector) {
	if e.size == 8 {
		p.op("FMOVD (%v), F%d", r, int(v))
		return
	}
	p.op("FMOVS (%v), F%d", r, int(v))
	p.widen(v, v)
}
