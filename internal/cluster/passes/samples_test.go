package passes

import (
	"math"
	"slices"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/moment/block"
	"symmom/internal/moment/norm"
	"symmom/internal/test/slow"
)

// Estimates of ||X||^2 from samples that are drawn over the splits are those of the
// observations, on average, with weights too.
func TestSamplesAreFair(t *testing.T) {
	slow.Test(t)
	path := writeShards(t, "csv", 1500, 30)
	for _, weights := range []string{"", "w"} {
		o := load.Options{Weights: weights}
		set, err := load.Load(t.Context(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := norm.Squared(t.Context(), set.Dense(), 3, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		x := open(t, Local{Threads: 2}, path, o)
		const draws = 40
		var sum, squares, stated float64
		for seed := range uint64(draws) {
			sample, err := x.SampleFor(t.Context(), seed+1)
			if err != nil {
				t.Fatal(err)
			}
			e, err := norm.EstimateFromSample(t.Context(), x, sample, x.Sketch().Extremes, nil, 3, 1, 600, 1)
			if err != nil {
				t.Fatal(err)
			}
			sum += e.Value - want
			squares += (e.Value - want) * (e.Value - want)
			stated += e.StdErr / draws
		}
		spread := math.Sqrt(squares / draws)
		// The mean of 40 draws is within 4 of its standard errors, and the stated ones are
		// right to a third: chi-square of 40, three sigma.
		t.Logf("%v: off by %v +- %v, stated %v", want, sum/draws, spread, stated)
		if !(math.Abs(sum/draws) <= 4*spread/math.Sqrt(draws)) || spread > 1.34*stated || spread < stated/1.5 {
			t.Errorf("weights %q: off by %v +- %v, stated %v", weights, sum/draws, spread, stated)
		}
	}
}

// Some observations of a table on a cluster are those that have their indices, without a pass;
// with weights a small table is read.
func TestSome(t *testing.T) {
	slow.Test(t)
	for _, rows := range []int{1500, 40000} { // fewer and more than a sample has
		path := writeShards(t, "csv", rows, 4)
		set, err := load.Load(t.Context(), path, load.Options{})
		if err != nil {
			t.Fatal(err)
		}
		x := open(t, restless{5}, path, load.Options{})
		some, index, err := x.Some(t.Context(), 300, 2)
		if err != nil || len(index) != 300 || some.P != 300 || !slices.IsSorted(index) || len(slices.Compact(slices.Clone(index))) != 300 {
			t.Fatalf("%v: %d of %d", err, len(index), rows)
		}
		half := 0
		for i, l := range index {
			if !slices.Equal(some.V[i*set.N:(i+1)*set.N], set.Values[l*set.N:(l+1)*set.N]) {
				t.Fatalf("observation %d is another", l)
			}
			if l < rows/2 {
				half++
			}
		}
		if half < 110 || half > 190 { // 150 and four standard deviations of at most 8.7
			t.Errorf("%d of 300 are of the first half of %d", half, rows)
		}
		weighted := open(t, restless{5}, path, load.Options{Weights: "w"})
		if some, index, err := weighted.Some(t.Context(), 300, 2); err != nil || some.P != 300 || some.Nu == nil || !slices.Equal(index, block.Stratified(rows, 300, 2)) {
			t.Errorf("%v: %v", err, index)
		}
	}
}
