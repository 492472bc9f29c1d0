package symmom

import (
	"strings"
	"testing"
)

// Options may be left out, and are not merged.
func TestAtMostOneOptions(t *testing.T) {
	s := drawUniform(4, 60, 1)
	fit := s.Moment(3).Debias(Noise{Sigma: .1}).Decompose(2)
	mixture := s.Mixture(2)
	for name, err := range map[string]error{
		"LoadOptions":       Load("x.csv", LoadOptions{}, LoadOptions{}).Err(),
		"ICAOptions":        s.ICA(2, ICAOptions{}, ICAOptions{}).Err(),
		"MixtureFitOptions": s.Mixture(2, MixtureFitOptions{}, MixtureFitOptions{}).Err(),
		"BootstrapOptions":  mixture.Bootstrap(BootstrapOptions{}, BootstrapOptions{}).Err(),
		"RankOptions":       s.Moment(3).SuggestRank(RankOptions{}, RankOptions{}).Err(),
		"of fits":           fit.Mixture(MixtureFitOptions{}, MixtureFitOptions{}).Err(),
	} {
		want := "at most one " + strings.Replace(name, "of fits", "MixtureFitOptions", 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if err := mixture.Err(); err != nil {
		t.Error(err)
	}
}
