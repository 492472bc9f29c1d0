package block

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"
)

// broken is a source that fails after its first block.
type broken struct{ *Dense }

var errBroken = errors.New("broken")

func (x broken) Err() error { return errBroken }
func (x broken) Pass(ctx context.Context, do func(Block)) bool {
	do(Block{Rows: 1, V: x.V[:x.N]})
	return false
}

func numbers(p, n int) []float64 {
	v := make([]float64, p*n)
	for i := range v {
		v[i] = float64(i)
	}
	return v
}

// A chain weighs observations relative to the mean of their source, and gives
// what one array of all would.
func TestChain(t *testing.T) {
	const n = 3
	a := &Dense{P: 4, N: n, V: numbers(4, n), Nu: []float64{.1, .2, .3, .4}}
	b := &Dense{P: 6, N: n, V: numbers(6, n)}
	c := &Chain{Links: []Source{a, b}}
	if p, m := c.Shape(); p != 10 || m != n || c.BlockRows() != 6 || c.Share() != .1 {
		t.Errorf("%d x %d, blocks of %d, share %g", p, m, c.BlockRows(), c.Share())
	}
	d, err := Gather(t.Context(), c)
	if err != nil || !slices.Equal(d.V, slices.Concat(a.V, b.V)) {
		t.Fatalf("%v, %v", d, err)
	}
	total := 0.
	for l := range 10 {
		want := .1
		if l < 4 {
			want = .4 * a.Nu[l] // four tenths of all are its
		}
		if got := d.Weight(l); got-want > 1e-15 || want-got > 1e-15 {
			t.Errorf("weight %d is %g, want %g", l, got, want)
		}
		total += d.Weight(l)
	}
	if total-1 > 1e-14 || 1-total > 1e-14 {
		t.Errorf("weights of sum %g", total)
	}
	if s := d.Spaced(5); s.P != 5 || s.V[n] != d.V[2*n] || s.Nu[1] != d.Nu[2] {
		t.Errorf("spaced %v", s)
	}
}

// What is picked from a chain has a weight each, also where a link has none.
func TestPick(t *testing.T) {
	const n = 2
	weighted := &Dense{P: 2, N: n, V: numbers(2, n), Nu: []float64{.25, .75}}
	for _, c := range []struct {
		links []Source
		nu    []float64
	}{
		{[]Source{weighted, &Dense{P: 3, N: n, V: numbers(3, n)}}, []float64{1.5, 1, 1}},
		{[]Source{&Dense{P: 3, N: n, V: numbers(3, n)}, weighted}, []float64{1, 1, 1.5}},
	} {
		index := []int{1, 2, 4}
		all, err := Gather(t.Context(), &Chain{Links: c.links})
		if err != nil {
			t.Fatal(err)
		}
		d, err := Pick(t.Context(), &Chain{Links: c.links}, index)
		if err != nil || !slices.Equal(d.Nu, c.nu) {
			t.Fatalf("weights %v, %v, want %v", d.Nu, err, c.nu)
		}
		for i, l := range index {
			if !slices.Equal(d.V[i*n:(i+1)*n], all.V[l*n:(l+1)*n]) {
				t.Errorf("observation %d is %v", l, d.V[i*n:(i+1)*n])
			}
		}
	}
}

func TestGatherFails(t *testing.T) {
	x := broken{&Dense{P: 2, N: 2, V: numbers(2, 2)}}
	if _, err := Gather(t.Context(), &Chain{Links: []Source{x}}); !errors.Is(err, errBroken) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Gather(ctx, x.Dense); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestBlock32(t *testing.T) {
	b := Block{Rows: 2, V32: []float32{1, 2, 3, 4}, Nu: []float64{.5, 1}}
	var scratch []float64
	if got := b.Part(1, 2, 2); !slices.Equal(got.Values(0, 1, 2, &scratch), []float64{3, 4}) || got.Nu[0] != 1 {
		t.Errorf("%v", got)
	}
}

// A variable that is everywhere the same has no deviation, whatever rounding makes of its
// mean: standardized observations are divided by it.
func TestMomentsOfConstant(t *testing.T) {
	for _, p := range []int{3, 50, 64, 100, 1000} {
		for _, value := range []float64{-7, .1, 1.5, 1} {
			x := &SparseRows{P: p, N: 3, Values: &Sparse{Start: []int{0}}, Nu: make([]float64, p)}
			for l := range p {
				x.Values.Index, x.Values.V = append(x.Values.Index, 1), append(x.Values.V, value)
				if l%3 == 0 {
					x.Values.Index, x.Values.V = append(x.Values.Index, 2), append(x.Values.V, value)
				}
				x.Values.Start = append(x.Values.Start, len(x.Values.V))
				x.Nu[l] = 1 / float64(p)
			}
			mean, deviation, err := x.Moments(t.Context())
			if err != nil || mean[0] != 0 || mean[1] != value || deviation[0] != 0 || deviation[1] != 0 {
				t.Errorf("%d observations of %g: means %v, deviations %v", p, value, mean, deviation)
			}
			// Every third has the last variable.
			share := float64((p+2)/3) / float64(p)
			if want := math.Abs(value) * math.Sqrt(share*(1-share)); !(math.Abs(mean[2]-share*value) <= 1e-14*math.Abs(value)) || !(math.Abs(deviation[2]-want) <= 1e-14*math.Abs(value)) {
				t.Errorf("%d observations: mean %g, deviation %g, want %g and %g", p, mean[2], deviation[2], share*value, want)
			}
		}
	}
}

// streamed is a source of blocks that may have many more rows than there are.
type streamed struct{ *Dense }

func (x streamed) BlockRows() int { return 1 << 20 }

// A pass over few changed observations takes no more memory than they need: starts of a model
// make thousands of passes a second.
func TestChangedIsSmall(t *testing.T) {
	x := Shifted(streamed{&Dense{P: 2, N: 3, V: numbers(2, 3)}}, []float64{1, 2, 3})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var seen []float64
	x.Pass(t.Context(), func(b Block) { seen = append(seen, b.V...) })
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<16 || !slices.Equal(seen, []float64{-1, -1, -1, 2, 2, 2}) {
		t.Errorf("%d bytes, %v", bytes, seen)
	}
}
