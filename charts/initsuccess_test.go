package charts

import (
	"path/filepath"
	"strings"
	"testing"

	"symmom/datasets"
	"symmom/symmom"
)

// Starts are counted of fits of one moment, however it is held and its data are kept.
func TestSuccessesOfOneMoment(t *testing.T) {
	d := datasets.Uniform(6, 300, 1)
	o := symmom.Options{Starts: 3}
	fit := func(m *symmom.Moment) *symmom.Fit { return m.With(o).Decompose(2) }
	load := func(o symmom.LoadOptions) *symmom.Session {
		path := filepath.Join(t.TempDir(), "x.npy")
		if err := d.Save(path); err != nil {
			t.Fatal(err)
		}
		return symmom.Load(path, o)
	}
	first := fit(d.Moment(3))
	single := load(symmom.LoadOptions{Float32: true})
	if single.Fingerprint() == d.Fingerprint() {
		t.Fatal("the same numbers, so that ‖X‖² is not compared")
	}
	for name, same := range map[string]*symmom.Moment{"explicit": d.Moment(3).Explicit(), "sampled": d.Moment(3).Sampled(50),
		"from a file": load(symmom.LoadOptions{}).Moment(3), "float32": single.Moment(3), "sparse": d.Sparse().Moment(3)} {
		if _, err := CountSuccesses(first, fit(same)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := CountSuccesses(fit(d.Cumulant(3)), fit(d.Center().Moment(3))); err != nil {
		t.Errorf("the third cumulant is the moment about the mean: %v", err)
	}
	noise := func(sigma float64) *symmom.Moment { return d.Moment(3).Debias(symmom.Noise{Sigma: sigma}) }
	for _, c := range []struct {
		a, b *symmom.Moment
		want string
	}{
		{d.Moment(3), d.Moment(4), "order 4 of 300 x 6 numbers, not order 3 of 300 x 6 numbers"},
		{d.Moment(3), d.Standardize().Moment(3), "the 3rd moment of standardized data, not the 3rd moment of the data as they are"},
		{d.Moment(4), d.Cumulant(4), "the 4th cumulant"},
		{d.Moment(3), noise(.1), "without noise of sigma 0.1, not the 3rd moment of the data as they are"},
		{noise(.1), noise(.2), "without noise of sigma 0.2, not the 3rd moment of the data as they are without noise of sigma 0.1"},
		{d.Moment(3), datasets.Uniform(6, 300, 2).Moment(3), "its ‖X‖² is"},
	} {
		a, b := fit(c.a), fit(c.b)
		_, err := CountSuccesses(a, b)
		if err == nil || !strings.Contains(err.Error(), "fit 2 is of another moment than the first: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
		if _, back := CountSuccesses(b, a); back == nil {
			t.Errorf("the other way round: no %q", c.want)
		}
	}
}
