package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"symmom/internal/math/linalg"
)

// roof is the most that one core of the machine can do.
type roof struct {
	kernel float64 // FLOP/s of the fastest kernel on data in the first-level cache
	dgemm  float64 // FLOP/s of the peer's dgemm

	registers float64 // FLOP/s of multiply-adds on registers alone; 0: not known
}

// peak returns the rate taken as the processor's: the highest one measured.
func (r roof) peak() float64 { return math.Max(r.kernel, r.dgemm) }

// seconds returns the minimum time for an amount of work: for its operations at the
// peak rate, or for reading its data once.
func (r roof) seconds(flops, bytes, bandwidth float64) float64 {
	return math.Max(flops/r.peak(), bytes/bandwidth)
}

// short describes what a missed ratio to the peer's seconds would demand of the
// machine.
func (r roof) short(what string, c contest, theirs, ours float64) string {
	needed := theirs / c.target
	least := r.seconds(c.flops, c.bytes, c.bandwidth)
	text := fmt.Sprintf("%s: %.2f times as fast as NumPy needs %s of a measured peak of %s (%.0f%%) and %.1f GB/s of %.1f measured; symmom reaches %s",
		what, c.target, gflops(c.flops/needed), gflops(r.peak()), 100*c.flops/needed/r.peak(),
		c.bytes/needed/1e9, c.bandwidth/1e9, gflops(c.flops/ours))
	if least > needed {
		text += fmt.Sprintf(". Nothing can be more than %.2f times as fast by the roofline: the target is out of reach on this machine", theirs/least)
	}
	return text
}

// roofline measures the roof, and the rate of reading at three sizes.
func (b *bench) roofline() (*section, error) {
	s := &section{title: "Roofline of one core", header: []string{"what", "rate"}}
	var bandwidths []float64
	sizes := []int{2 << 20, 32 << 20, 1 << 30}
	if b.quick {
		sizes[2] = 256 << 20
	}
	onOneCore(b.core, func() {
		for _, size := range sizes {
			v := make([]float64, size/8)
			linalg.LargePages(v)
			for i := range v {
				v[i] = 1
			}
			bandwidths = append(bandwidths, bandwidth(v, b.rounds))
		}
	})
	if b.roof.registers > 0 {
		s.row("multiply-adds on registers alone", gflops(b.roof.registers))
	}
	s.row("multiply-adds, our kernels on first-level cache ("+linalg.Kernel()+")", gflops(b.roof.kernel))
	s.row("dgemm 2000 x 2000, NumPy", gflops(b.roof.dgemm))
	for i, size := range sizes {
		s.row(fmt.Sprintf("reading %d MiB", size>>20), fmt.Sprintf("%.1f GB/s", bandwidths[i]/1e9))
	}
	s.note("Percentages of the roofline below: the least time is the larger of operations / our kernels' rate on first-level cache, and V read once (explicit: the tensor) at the bandwidth of that very array. Both are measured in the turns, after symmom's (\"peak then\" is the median of the rate), because they change with what else the machine has to do; the percentage is the median of the least time over that of the time measured. Operations: 4 p n r implicit; explicit, 4 r for each of the C(n+d-1, d) distinct entries, which symmom alone uses (NumPy: 2 r n^d).")
	return s, nil
}

func gflops(v float64) string { return fmt.Sprintf("%.1f GFLOP/s", v/1e9) }

// peakRate returns the operations per second of the fastest of our kernels on data
// that stay in the first-level cache (at most 36 KB). Tiles of 8 x 8 inner products
// hold their sums in registers and load half as often as they multiply.
func peakRate(rounds int) float64 {
	best := 0.0
	for _, k := range []int{128, 192, 256} {
		for _, c := range []int{5, 8, 10} {
			const m = 8
			a, y, z := ones(m*k), ones(c*k), make([]float64, m*c)
			multiply := func() { linalg.MulABt(z, a, y, m, c, k) }
			best = math.Max(best, 2*float64(m*c*k)/fastestCall(rounds, multiply))
		}
	}
	return best
}

// fastestCall returns the seconds of a call, the least of several means: when
// measuring what the machine can do, every disturbance is an error.
func fastestCall(rounds int, f func()) float64 {
	var s sample
	for range 2 * rounds {
		s = append(s, perCall(.01, f))
	}
	return s.least()
}

// bandwidth returns the bytes per second at which v can be read, by the fastest of
// one, two and four streams.
func bandwidth(v []float64, rounds int) float64 {
	const piece = 512
	y := ones(piece)
	best := 0.0
	for _, streams := range []int{1, 2, 4} {
		part := len(v) / streams / piece * piece
		if part == 0 {
			continue
		}
		read := func() {
			sum := 0.0
			for i := 0; i < part; i += piece {
				for s := range streams {
					at := s*part + i
					sum += linalg.Dot(v[at:at+piece], y)
				}
			}
			runtime.KeepAlive(sum)
		}
		best = math.Max(best, 8*float64(streams*part)/fastestCall(rounds, read))
	}
	return best
}

func ones(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	return x
}

// point returns an x for a problem of rank r: all lambda are 1, columns have unit
// norm.
func point(n, r int) []float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	x := ones(r + n*r)
	for a := x[r:]; len(a) > 0; a = a[n:] {
		for i := range a[:n] {
			a[i] = rng.NormFloat64()
		}
		linalg.Scale(1/linalg.Norm2(a[:n]), a[:n])
	}
	return x
}
