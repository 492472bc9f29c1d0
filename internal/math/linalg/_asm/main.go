// Command asm writes the assembly kernels of package linalg:
//
//	go run . -isa avx512 -out ../kernels_avx512_amd64.s -stubs ../kernels_avx512_amd64.go -pkg linalg
//	go run . -isa avx2 -out ../kernels_avx2_amd64.s -stubs ../kernels_avx2_amd64.go -pkg linalg
//
// It is a module of its own, so that its dependencies stay out of symmom's.
package main

import (
	"flag"
	"fmt"
	"os"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	isa := flag.String("isa", "", "instruction set: avx512 or avx2")
	flag.Parse()
	ConstraintExpr("amd64,!purego")
	switch *isa {
	case "avx512":
		for _, v := range []element{float64s, float32s} {
			dot512(v)
			add512(v)
			lanes512(v)
			lanesLeft512(v)
			addLanes512(v)
		}
		ask512()
		overlap512()
		transpose512()
		pow512()
		fold512()
		slab512.emit()
		vectors512()
		scale512()
		multiply512()
		exponentials("AVX512", 8, zmm)
		responses("AVX512", 8, zmm)
	case "avx2":
		masks256()
		for _, v := range []element{float64s, float32s} {
			dot256(v)
			add256(v)
			sparse256(v)
		}
		pow256()
		fold256()
		slab256.emit()
		vectors256()
		scale256()
		multiply256()
		widen256()
		squares256()
		exponentials("AVX2", 4, ymm)
		responses("AVX2", 4, ymm)
		adam256()
		fetch()
		fetchRows()
		cpuid()
	default:
		fmt.Fprintln(os.Stderr, "asm: -isa must be avx512 or avx2")
		os.Exit(2)
	}
	Generate()
}
