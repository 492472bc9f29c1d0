package symmom

import (
	"strings"
	"testing"
)

// Options may be left out, and are not merged.
func TestAtMostOneOptions(t *testing.T) {
	s := drawUniform(4, 60, 1)
	fit := s.Moment(3).Debias(Noise{Sigma: .1}).Decompose(2)
	for name, err := range map[string]error{
		"LoadOptions":    Load("x.csv", LoadOptions{}, LoadOptions{}).Err(),
		"ICAOptions":     s.ICA(2, ICAOptions{}, ICAOptions{}).Err(),
		"MixtureOptions": s.Mixture(2, MixtureOptions{}, MixtureOptions{}).Err(),
		"of fits":        fit.Mixture(MixtureOptions{}, MixtureOptions{}).Err(),
	} {
		want := "at most one " + strings.Replace(name, "of fits", "MixtureOptions", 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
