package symmom

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"symmom/internal/data/draw"

	"gonum.org/v1/gonum/mat"
)

func TestDrawIsOneOfEachStretch(t *testing.T) {
	path := storedNPY(t, drawUniform(3, 100_003, 4))
	s, disk := Load(path), Stream(path)
	all := s.Matrix()
	rows, index, err := s.Subsample(500, 7)
	if err != nil || len(index) != 500 {
		t.Fatalf("%d rows, %v", len(index), err)
	}
	for i, l := range index {
		if lo, hi := i*100_003/500, (i+1)*100_003/500; l < lo || l >= hi {
			t.Errorf("row %d is observation %d, want one of %d..%d", i, l, lo, hi-1)
		}
		if !slices.Equal(rows.RawRowView(i), all.RawRowView(l)) {
			t.Errorf("row %d is not observation %d", i, l)
		}
	}
	again, _, err := disk.Subsample(500, 7)
	if err != nil || !mat.Equal(again, rows) {
		t.Errorf("a stream draws other rows: %v", err)
	}
	if _, other, _ := s.Subsample(500, 8); slices.Equal(other, index) {
		t.Error("another seed draws the same rows")
	}
	if _, first, _ := s.Subsample(500, 0); len(first) != 500 {
		t.Errorf("seed 0 draws %d rows", len(first))
	} else if _, one, _ := s.Subsample(500, 1); !slices.Equal(first, one) {
		t.Error("seed 0 is not seed 1")
	}
	few := FromRows([][]float64{{1, 2}, {3, 4}})
	if rows, index, err := few.Subsample(10, 1); err != nil || !slices.Equal(index, []int{0, 1}) || rows.At(1, 1) != 4 {
		t.Errorf("all of two rows: %v %v", index, err)
	}
	single := Load(path, LoadOptions{Float32: true})
	if rows, index, err := single.Subsample(5, 1); err != nil || rows.At(4, 2) != float64(float32(all.At(index[4], 2))) {
		t.Errorf("float32: %v", err)
	}
}

func TestDrawErrors(t *testing.T) {
	if _, _, err := drawUniform(2, 3, 1).Subsample(0, 1); err == nil {
		t.Error("drew 0 observations")
	}
	if _, _, err := (&Session{}).Subsample(1, 1); !errors.Is(err, ErrNoData) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	disk := Stream(storedNPY(t, drawUniform(3, 50_000, 4))).WithContext(ctx)
	cancel()
	if _, _, err := disk.Subsample(5, 1); !errors.Is(err, ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestFitKnowsItsSession(t *testing.T) {
	s := drawUniform(4, 50, 1)
	if f := s.Moment(3).With(Options{Starts: 1}).Decompose(1); f.Session().Fingerprint() != s.Fingerprint() {
		t.Errorf("the session of a fit is %s", f.Session())
	}
	if err := (&Fit{Model: &Model{}}).Session().Err(); !errors.Is(err, ErrNoData) {
		t.Error(err)
	}
}

// The moment of a fit makes the fits that the moment it was asked for makes, bit for bit.
func TestFitKnowsItsMoment(t *testing.T) {
	s := drawUniform(4, 200, 1)
	for name, m := range map[string]*Moment{
		"cumulant":  s.Cumulant(4).With(Options{Starts: 2, Seed: 3}),
		"explicit":  s.Moment(3).Explicit().With(Options{Starts: 1, Solver: SolverLBFGS}),
		"sampled":   s.Standardize().Moment(3).Sampled(50).With(Options{Starts: 1, MaxIterations: 200}),
		"estimated": s.Moment(3).Debias(Noise{}).With(Options{Starts: 1}),
		"of sweep":  s.Moment(3).Compressed(4).With(Options{Starts: 1}),
	} {
		f, want := m.Decompose(2), m.Decompose(1)
		if name == "of sweep" {
			f = m.Sweep(1, 3).Fits[1]
		}
		got := f.Moment().Decompose(1)
		if got.Err() != nil || want.Err() != nil || got.Form != want.Form || got.Sigma != want.Sigma || got.ObjectiveShifted != want.ObjectiveShifted || !mat.Equal(got.Model.Factors, want.Model.Factors) {
			t.Errorf("%s: %v\nwant %v", name, got, want)
		}
	}
	o := Options{Starts: 2, Seed: 3}
	if got := s.Moment(3).With(o).Decompose(1).Moment().Options(); !reflect.DeepEqual(got, o) {
		t.Errorf("options %+v", got)
	}
	if f := (&Fit{}).Moment().Decompose(1); !errors.Is(f.Err(), ErrNoData) {
		t.Error(f.Err())
	}
}

func TestSweepKnowsTheTrueRank(t *testing.T) {
	m := drawGaussians(draw.Mixture{N: 8, Components: 3, PerComponent: 20, Sigma: .1})
	w := m.Session.Moment(3).With(Options{Starts: 1}).Sweep(1, 2)
	if got := w.Score(m.Means); w.TrueRank != 0 || got.TrueRank != 3 {
		t.Errorf("true rank %d, then %d, want 0 and 3", w.TrueRank, got.TrueRank)
	}
	if got := m.Session.Summary().SuggestedRank; got != 3 {
		t.Errorf("suggested rank %d of three means in 8 dimensions, sigma .1", got)
	}
}
