package bic

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"symmom/internal/text/diag"
)

// fit is one with a BIC.
func fit(components int, bic float64, codes ...string) Fit {
	f := Fit{Components: components, Covariance: "full", Parameters: components, Observations: 50, Values: 100, LogLikelihood: -bic, BIC: bic, ICL: bic}
	for _, code := range codes {
		f.Warnings = append(f.Warnings, diag.New(code, "warned of %s", code))
	}
	return f
}

func TestConclusion(t *testing.T) {
	wide := fit(2, 90)
	wide.Covariance = "diag"
	few := fit(2, 110)
	few.Parameters, few.Values = 11, 43
	round, tied := fit(3, 110), fit(1, 120)
	round.Covariance, tied.Covariance = "spherical", "tied"
	one := round
	one.Values = one.Observations
	overlap := fit(3, 100)
	overlap.ICL = 150
	failed, stopped := Fit{Components: 4, Covariance: "full", Err: errors.New("singular"), BIC: math.NaN()}, fit(4, 50)
	stopped.Err = errors.New("interrupted")
	const scale = " (differences below 2 are inconclusive, above 10 strong)"
	for _, c := range []struct {
		fits []Fit
		want string
	}{
		{nil, ""},
		{[]Fit{fit(1, 120), fit(2, 100), fit(3, 105)}, "the lowest BIC is that of 2 components, 5 below that of 3 components" + scale},
		{[]Fit{fit(1, 120), fit(2, 100), fit(3, 102), fit(4, 101)}, "the lowest BIC is that of 2 components, but those of 4 and 3 components are within 2 of it, which is inconclusive"},
		{[]Fit{fit(1, 101), fit(2, 100), fit(3, 130)}, "the lowest BIC is that of 2 components, but that of 1 component is within 2 of it, which is inconclusive"},
		{[]Fit{fit(1, 120), fit(2, 100)}, "the lowest BIC is that of 2 components, 20 below that of 1 component" + scale + "; more components were not tried"},
		{[]Fit{fit(2, 100), fit(3, 130)}, "the lowest BIC is that of 2 components, 30 below that of 3 components" + scale + "; fewer components were not tried"},
		{[]Fit{fit(1, 100), fit(3, 130)}, "the lowest BIC is that of 1 component, 30 below that of 3 components" + scale + "; 2 components were not tried"},
		{[]Fit{fit(1, 140), fit(3, 100), fit(6, 130)}, "the lowest BIC is that of 3 components, 30 below that of 6 components" + scale + "; 2 and 4 components were not tried"},
		{[]Fit{fit(1, 140), fit(3, 100)}, "the lowest BIC is that of 3 components, 40 below that of 1 component" + scale + "; 2 and more than 3 components were not tried"},
		{[]Fit{fit(1, 100), fit(2, 130)}, "the lowest BIC is that of 1 component, 30 below that of 2 components" + scale},
		{[]Fit{fit(1, 140), fit(2, 100, diag.FewStarts), fit(3, 130)}, "the lowest BIC is that of 2 components, 30 below that of 3 components" + scale + "; its own fit is in doubt (few starts)"},
		{[]Fit{fit(1, 140), fit(2, 100), fit(3, 130, diag.NotConverged)}, "the lowest BIC is that of 2 components, 30 below that of 3 components" + scale + "; BIC may be lower than found where starts were few or EM had not converged"},
		{[]Fit{fit(1, 140), fit(2, 100), fit(3, 90, diag.LeastVariance)}, "the lowest BIC is that of 2 components, 40 below that of 1 component" + scale + "; a lower one, of 3 components, does not count: where a component closes in on a few observations the likelihood has no bound"},
		{[]Fit{fit(1, 140), fit(2, 110), overlap, failed}, "the lowest BIC is that of 3 components, 10 below that of 2 components" + scale + "; the lowest ICL, which wants components that do not overlap, is that of 2 components"},
		{[]Fit{fit(1, 140), fit(2, 110), fit(3, 150), stopped}, "the lowest BIC is that of 2 components, 30 below that of 1 component" + scale},
		{[]Fit{wide, fit(2, 110), fit(3, 150)}, "the lowest BIC is that of 2 (diag) components, 20 below that of 2 (full) components" + scale + "; fewer components were not tried"},
		{[]Fit{fit(1, 140), few, fit(3, 150)}, "the lowest BIC is that of 2 components, 30 below that of 1 component" + scale + "; with 11 parameters for 43 values BIC often takes too many components"},
		{[]Fit{fit(1, 140), fit(2, 100), fit(3, 90, diag.LeastVariance), fit(4, 80, diag.LeastVariance), fit(5, 70, diag.FewMembers), fit(6, 60, diag.FewMembers)},
			"the lowest BIC is that of 2 components, 40 below that of 1 component" + scale + "; lower ones, of 4 fits, do not count: where a component closes in on a few observations the likelihood has no bound"},
		{[]Fit{tied, fit(1, 120+1e-9), fit(2, 150)}, "the lowest BIC is that of 1 (tied) component, 30 below that of 2 (full) components" + scale},
		{[]Fit{round}, "the lowest BIC is that of 3 components, and no other fit can be compared with it; a group whose variables are correlated takes several spherical components"},
		{[]Fit{one}, "the lowest BIC is that of 3 components, and no other fit can be compared with it"},
		{[]Fit{fit(3, 110)}, "the lowest BIC is that of 3 components, and no other fit can be compared with it"},
		{[]Fit{fit(3, 110, diag.FewMembers)}, "no fit can be compared with others: the likelihood of each has no bound"},
		{[]Fit{stopped}, "no fit is complete"},
	} {
		x := Compare(c.fits)
		if got := x.Conclusion(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// The lowest BIC is found by going through all fits.
func TestBest(t *testing.T) {
	fits := []Fit{fit(1, 3), fit(2, math.NaN()), fit(3, 1, diag.FewMembers), fit(4, 2), fit(5, 2), fit(6, math.Inf(-1))}
	if x := Compare(fits); !x.Any() || x.Best != 3 {
		t.Errorf("best is %d", x.Best)
	}
}

func TestTable(t *testing.T) {
	failed := Fit{Components: 3, Covariance: "diag", LogLikelihood: math.NaN(), BIC: math.NaN(), ICL: math.NaN(), Err: errors.New("singular")}
	four, five := fit(4, 30), fit(5, 31)
	four.Warnings, five.Warnings = []diag.Warning{diag.New(diag.FewData, "4: few")}, []diag.Warning{diag.New(diag.FewData, "5: few")}
	x := Compare([]Fit{fit(1, 12.5), fit(2, 20, diag.FewStarts, diag.LeastVariance), failed, four, five})
	header, rows := x.Table()
	for i, want := range [][]string{{"1", "full", "12.5", "0", ""}, {"2", "full", "20", "7.5", "least variance, few starts"}, {"3", "diag", "-", "-", "failed"}, {"4", "full", "30", "17.5", "few data"}} {
		row := rows[i]
		if got := []string{row[0], row[1], row[4], row[5], row[8]}; len(row) != len(header) || !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if header, rows = x.Table(); len(header) != 9 || len(rows[0]) != 9 { // the second call too
		t.Errorf("%q", header)
	}
	warned := x.Warnings()
	if len(warned) != 3 || warned[0].Text != "2 (full) components: warned of few_starts" || warned[2].Text != "4 (full) and 5 (full) components: few" {
		t.Errorf("%q", warned)
	}
	one := Compare([]Fit{fit(1, 12), fit(2, 20)})
	if l := one.Listing("Compared", errors.New("stopped")); slices.Contains(l.Head, "covariance") || !strings.Contains(l.String(), "error: stopped") {
		t.Errorf("%s", l)
	}
}
