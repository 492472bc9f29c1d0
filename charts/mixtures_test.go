package charts

import (
	"math"
	"strings"
	"testing"

	"symmom/datasets"
	"symmom/symmom"
)

func TestMixtures(t *testing.T) {
	data := datasets.GaussianMixture(datasets.MixtureOptions{N: 4, Components: 3, Observations: 300, Sigma: .2})
	m := data.Session.Mixtures(2, 4, symmom.MixtureOptions{Covariance: "spherical,diag", Starts: 3})
	f := Mixtures(m)
	o := chartsOf(t, f)
	if len(o) != 2 || o[0].YAxis[0].Name != "BIC above its lowest" || !strings.HasPrefix(f.Caption, "The lowest BIC is that of 3 ") {
		t.Fatalf("%d charts, %s", len(o), f.Caption)
	}
	bic, icl := math.Inf(1), math.Inf(1)
	for _, r := range m.Fits {
		bic, icl = min(bic, r.BIC), min(icl, r.ICL)
	}
	for i, r := range m.Fits {
		for chart, want := range []float64{r.BIC - bic, r.ICL - icl} {
			at := o[chart].series([]string{"line-0", "line-1"}[i/3])[i%3]
			if at[0] != float64(r.Components) || at[1] != want {
				t.Errorf("%d %s: %v, want %v", r.Components, r.Covariance, at, want)
			}
		}
	}
	wantError(t, Mixtures(nil), "mixtures", "nil")
	wantError(t, Mixtures(data.Session.Mixtures(0, 1)), "mixtures", "components: got 0..1")
}

// Fits that cannot be compared are omitted.
func TestMixturesLeavesOut(t *testing.T) {
	rows := [][]float64{{1, .3}, {2, -1}, {-1, .5}, {.4, 1.1}, {-.2, -.9}, {.8, .2}, {1.3, -.4}}
	for range 6 {
		rows = append(rows, []float64{7, 7})
	}
	f := Mixtures(symmom.FromRows(rows).Mixtures(1, 2, symmom.MixtureOptions{Covariance: "full"}))
	if o := chartsOf(t, f); len(o[0].series("line-0")) != 1 || !strings.Contains(strings.Join(f.Notes, " "), "1 fit that cannot be compared is left out.") {
		t.Errorf("%q", f.Notes)
	}
	wantError(t, Mixtures(symmom.FromRows(rows).Mixtures(2, 2, symmom.MixtureOptions{Covariance: "full"})), "mixtures", "no fit can be compared")
}
