package symmom

import (
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// The phases of a fit are those that took place, in their order; together they make the
// passes that the fit counts, and take no longer than it.
func TestPhases(t *testing.T) {
	data := mixture(t, 30, 3, .05)
	path := filepath.Join(t.TempDir(), "data.npy")
	if err := data.Session.Save(path); err != nil {
		t.Fatal(err)
	}
	memory, stream := Load(path).Moment(3), Stream(path).Moment(3)
	for _, c := range []struct {
		name string
		m    *Moment
		want []string
	}{
		{"implicit", memory.Implicit(), []string{PhaseLoad, PhaseScale, PhaseNorm, PhaseSearch}},
		{"explicit", memory.Explicit(), []string{PhaseLoad, PhaseTensor, PhaseNorm, PhaseSearch}},
		{"compressed", memory.Compressed(8), []string{PhaseLoad, PhaseBasis, PhaseProjection, PhaseSearch, PhaseNorm, PhasePolish}},
		{"sampled", memory.Sampled(100), []string{PhaseLoad, PhaseSample, PhaseScale, PhaseSearch, PhaseEvaluation, PhaseNorm}},
		{"streamed explicit", stream.Explicit(), []string{PhaseLoad, PhaseTensor, PhaseNorm, PhaseSearch, PhaseStarts}},
		{"streamed", stream.Compressed(8), []string{PhaseLoad, PhaseBasis, PhaseProjection, PhaseSearch, PhaseNorm, PhasePolish}},
	} {
		fit := mustFit(t, c.m.Decompose(3))
		var got []string
		passes, elapsed := 0, time.Duration(0)
		for _, p := range fit.Phases {
			got = append(got, p.Phase)
			if p.Phase != PhaseLoad {
				passes, elapsed = passes+p.Passes, elapsed+p.Elapsed
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: phases %v, want %v", c.name, got, c.want)
		}
		if fit.Form != FormSampled && passes != fit.DataPasses || passes > fit.DataPasses {
			t.Errorf("%s: %d passes in the phases, %d in all", c.name, passes, fit.DataPasses)
		}
		if elapsed <= 0 || elapsed > fit.Elapsed {
			t.Errorf("%s: %v in the phases, %v in all", c.name, elapsed, fit.Elapsed)
		}
	}
}
