// Package linalg provides the dense kernels for moments. Matrices are row major: a
// matrix of observations has one observation per row, a factor matrix one component
// per row, so that every inner product runs over contiguous memory. Nothing here
// starts a goroutine, and only MakeLarge, GrowLarge and Align allocate.
//
// # Kernels
//
// TTSV multiplies a block of observations with all columns of A, raises the products to
// a power, weights them and multiplies back, all while the block is in cache. There are
// kernels for AVX-512, AVX2, NEON and pure Go; the fastest that the processor supports is
// chosen at start-up. SYMMOM_CPU=generic|avx2|avx512|neon forces one, and the build tag
// purego omits assembly. The assembly for amd64 is generated with avo by a separate module
// (_asm), so that avo does not enter go.mod; that for arm64, which avo does not support, by
// _neon. go generate rewrites the .s files, and a test compares them with the generators'
// output. Every kernel is tested against its Go counterpart, within rounding bounds and
// with the data at the edge of a page that faults. Kernels differ from each other in the
// last bits, so "the same bits" holds on one kind of processor.
//
// Inner products run along the rows of the data and of a copy of A whose rows are aligned
// to cache lines. If rows are short and columns many, AVX-512 keeps columns in lanes
// instead and sums nothing across lanes, also on the way back if the variables do not
// fill whole vectors; the remaining columns use tiles. If a few rows do not fit the
// first-level cache, they are processed in parts.
//
// Data beyond the second-level cache are prefetched one block ahead, at the end of the rows
// from the next operand (Operands.Next). The threshold and the method depend on the processor
// (policy) and on whether the data come from the third-level cache or from memory (Reach).
// SYMMOM_FETCH=none|once|streams|twice|drop forces a method, for measurements. On arm64
// nothing is prefetched yet, and tanh, Adam and sums of squares are in Go.
package linalg
