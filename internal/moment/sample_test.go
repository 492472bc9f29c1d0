package moment

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"symmom/internal/moment/block"
)

// Clones that share observations are what they would be with an array of their own, and change
// no other sample.
func TestSampleClones(t *testing.T) {
	const m, n, before = 200, 3, 5000
	rng := rand.New(rand.NewPCG(1, 1))
	block := func(rows int) block.Block {
		v := make([]float64, rows*n)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return block.Block{Rows: rows, V: v}
	}
	shared := NewSample(m, n, 1)
	shared.Add(block(before))
	alone := shared.Clone(before, 2)
	alone.own()
	seen := before
	var samples []*Sample
	var were [][]float64
	for i := range 60 {
		rows := 10
		if i%20 == 19 {
			rows = 2000 // replaces many at once
		}
		b := block(rows)
		shared, alone = shared.Clone(float64(seen), uint64(i)), alone.Clone(float64(seen), uint64(i))
		alone.own()
		shared.Add(b)
		alone.Add(b)
		if most := m / mostOther; len(shared.other) > most {
			t.Errorf("%d observations beside the others, want at most %d", len(shared.other), most)
		}
		seen += rows
		want := slices.Clone(alone.Data().V)
		if samples, were = append(samples, shared), append(were, want); i%7 == 0 && !slices.Equal(shared.Data().V, want) {
			t.Fatalf("clone %d has other observations with an array of its own", i)
		}
	}
	shared.Add(block(100)) // changes the last, and no other
	for i, s := range samples[:len(samples)-1] {
		if !slices.Equal(s.Data().V, were[i]) {
			t.Errorf("sample %d was changed by its clones", i)
		}
	}
}

// An observation is added to a clone without a copy of all that it has.
func TestSampleCloneIsSmall(t *testing.T) {
	const m, n = 1000, 500
	s := NewSample(m, n, 1)
	s.Add(block.Block{Rows: 4 * m, V: make([]float64, 4*m*n)})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.Clone(4*m, 2).Add(block.Block{Rows: 1, V: make([]float64, n)})
	runtime.ReadMemStats(&after)
	if took, all := after.TotalAlloc-before.TotalAlloc, uint64(8*m*n); took > all/10 {
		t.Errorf("a clone with one more observation takes %d bytes, of a sample of %d", took, all)
	}
}
