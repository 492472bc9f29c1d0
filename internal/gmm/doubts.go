package gmm

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"symmom/internal/eigen"
	"symmom/internal/notice"
	"symmom/internal/words"
)

// doubts warns of components that the likelihood does not determine: those as narrow
// as the lower bound of variances allows, where the likelihood would rise without
// bound, and those with fewer observations than their covariance needs; of a mixture that
// few starts found; and, where none of these says as much, of few observations for all parameters.
func (c *run) doubts() (warnings []notice.Warning) {
	g, n := c.found, c.n
	var narrow, few []string
	for j := range g.R {
		name := fmt.Sprint(j + 1)
		if c.least(j) <= c.floor*(1+1e-6) {
			narrow = append(narrow, name)
		}
		need := 2
		if g.Shape == Full {
			need = n + 1
		}
		if g.R > 1 && c.out.Members != nil && c.out.Members[j] < float64(need)-.5 {
			few = append(few, name)
		}
	}
	if len(narrow) > 0 {
		what := fmt.Sprintf("component %s has", narrow[0])
		if len(narrow) > 1 {
			what = fmt.Sprintf("components %s have", strings.Join(narrow, ", "))
		}
		if g.Shape == Tied {
			what = "the components have"
		}
		warnings = append(warnings, notice.New(notice.LeastVariance, "%s the least variance that is allowed, %g of the mean one of a variable, in some direction: the likelihood and BIC hang on that bound; standardize columns of very different scale, leave out those that follow from others, or take fewer components", what, leastVariance).With("Standardize", "Columns"))
	}
	if len(few) > 0 {
		what, own, may := "component "+few[0]+" counts as", words.Plural(2, "observation"), "it may be outliers, and its likelihood"
		take, help := "fewer components", []string{"components"}
		if least := slices.Min(c.out.Members); g.Shape == Full && least >= 2 { // enough for another covariance
			take, help = take+" or a simpler covariance", append(help, "Covariance")
		}
		if len(few) > 1 {
			what, may = fmt.Sprintf("components %s count as", strings.Join(few, ", ")), "they may be outliers, and their likelihood"
		}
		if g.Shape == Full {
			own = fmt.Sprintf("the %s that a full covariance of %s takes", words.Plural(n+1, "observation"), words.Plural(n, "variable"))
		}
		warnings = append(warnings, notice.New(notice.FewMembers, "%s fewer than %s: %s has no bound; take %s", what, own, may, take).With(help...))
	}
	if c.ctx.Err() == nil && notice.FewFound(c.out.Hits, c.out.Tried) {
		warnings = append(warnings, notice.New(notice.FewStarts, "only %d of %s found this mixture, so a better one may be there: try more starts", c.out.Hits, words.Plural(c.out.Tried, "start")).With("Starts"))
	}
	if parameters := g.Parameters(); len(warnings) == 0 && c.ctx.Err() == nil && g.R > 1 && c.out.Tried > 0 && c.t.P < fewestData*parameters && !c.agreed() {
		take, help := "fewer components", []string{"Starts"}
		if round := (Mixture{R: g.R, N: n}); round.Parameters() < parameters {
			take, help = take+", a simpler covariance", []string{"Covariance", "Starts"}
		}
		warnings = append(warnings, notice.New(notice.FewData, "%s for %s: with fewer than %d observations for each parameter all starts may have missed a better mixture; take %s or more starts", words.Plural(parameters, "parameter"), words.Plural(c.t.P, "observation"), fewestData, take).With(help...))
	}
	if c.effective > 0 && c.effective < unevenWeights*float64(c.t.P) {
		warnings = append(warnings, notice.New(notice.FewOutliers, "the weights are so uneven that the %s tell as much as %s of equal weight; unless the weights are numbers of repetitions, the likelihood and BIC count them as too many, and the lowest BIC can be that of too many components", words.Plural(c.t.P, "observation"), words.Count(int(math.Round(c.effective)))))
	}
	return warnings
}

// fewestData is how many observations a parameter wants. Of 200 random tables of 1 to 6 variables
// with fewer, 93 have this doubt and 107 another that says as much. Of the 93, 36 other starts found
// a log-likelihood higher by more than .1 in 47, and one higher for other observations (Optimism) in 23.
const fewestData = 2

// agreed reports whether all starts, of which there are some, ended at this mixture and its
// components do not overlap. Of 114 fits to random tables with fewer than fewestData observations for each
// parameter, where all starts ended at one mixture, scikit-learn found a better one for none of 71 where
// components lay apart, for 20 of the 43 others.
func (c *run) agreed() bool {
	return c.out.Tried > 1 && c.out.Hits == c.out.Tried && c.out.Overlap <= noOverlap*float64(c.t.P)
}

// noOverlap is the most that -log of the largest responsibility of an observation is on average where
// components are said to lie apart.
const noOverlap = 1e-4

// unevenWeights is the effective share of observations below which the lowest BIC is that of too
// many components more often than with equal weights: of 180 tables of one normal component two
// had it in 5 and 6 for shares of 1 and .85, in 15, 23, 31 and 53 for .78, .70, .61 and .53.
const unevenWeights = .8

// least returns the smallest variance of component j in any direction.
func (c *run) least(j int) float64 {
	g, n := c.found, c.n
	switch g.Shape {
	case Spherical:
		return g.Cov[j]
	case Diagonal:
		least := g.Cov[j*n]
		for _, v := range g.Cov[j*n : (j+1)*n] {
			least = min(least, v)
		}
		return least
	}
	s := g.Cov
	if g.Shape == Full {
		s = g.Cov[j*n*n : (j+1)*n*n]
	}
	if values, _, ok := eigen.Sym(eigen.SymOf(s, n), false); ok {
		return values[0]
	}
	return 0
}
