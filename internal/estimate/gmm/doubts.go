package gmm

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// doubts warns of components that the likelihood does not determine: those as narrow
// as the lower bound of variances allows, where the likelihood would rise without
// bound, and those with fewer observations than their covariance needs; of a mixture that
// few starts found; and, where none of these says as much, of few observations for all parameters.
func (c *run) doubts() (warnings []diag.Warning) {
	g, n := c.found, c.n
	if narrow := g.narrow(c.floor); len(narrow) > 0 {
		what, bound := subject(g, narrow, "has", "have"), fmt.Sprintf("%g of the mean one of a variable", leastVariance)
		if c.o.RegCovar > 0 {
			bound = fmt.Sprint(c.o.RegCovar)
		}
		warnings = append(warnings, diag.New(diag.LeastVariance, "%s the least variance that is allowed, %s, in some direction: the likelihood and BIC depend on that bound; standardize columns of very different scale, leave out those that follow from others, or take fewer components", what, bound).With("Standardize", "Columns"))
	}
	if c.in != nil && len(warnings) == 0 {
		if ties := c.in.tied(c.in.data, g); len(ties) > 0 {
			warnings = append(warnings, c.in.doubt(ties[0]))
		}
	}
	if few := g.few(n, c.out.Members); len(few) > 0 {
		may := "it may be outliers, and its likelihood"
		if len(few) > 1 || g.Shape == Tied {
			may = "they may be outliers, and their likelihood"
		}
		take, help := "fewer components", []string{"components"}
		if least := slices.Min(c.out.Members); g.Shape == Full && least >= 2 { // enough for another covariance
			take, help = take+" or a simpler covariance", append(help, "Covariance")
		}
		warnings = append(warnings, diag.New(diag.FewMembers, "%s no more than %s, too few for a %s covariance of %s: %s has no bound; take %s", subject(g, few, "counts as", "count as"), words.Plural(int(g.needs(n)), "observation"), [...]string{"spherical", "tied", "diagonal", "full"}[g.Shape], words.Plural(n, "variable"), may, take).With(help...))
	}
	parameters := g.Parameters()
	little := c.out.Tried > 0 && g.R > 1 && c.t.P < fewestData*parameters
	take, help := "take fewer components", []string{"Starts"}
	if round := (Mixture{R: g.R, N: n}); round.Parameters() < parameters {
		take, help = take+", a simpler covariance", []string{"Covariance", "Starts"}
	}
	switch few := c.ctx.Err() == nil && diag.FewFound(c.out.Hits, c.out.Tried); {
	case few && little:
		warnings = append(warnings, diag.New(diag.FewStarts, "only %d of %s found this mixture, of %s for %s, so there may be a better one: %s or more starts", c.out.Hits, words.Plural(c.out.Tried, "start"), words.Plural(parameters, "parameter"), words.Plural(c.t.P, "observation"), take).With(help...))
	case few:
		warnings = append(warnings, diag.New(diag.FewStarts, "only %d of %s found this mixture, so there may be a better one: try more starts", c.out.Hits, words.Plural(c.out.Tried, "start")).With("Starts"))
	case little && len(warnings) == 0 && c.ctx.Err() == nil && !c.agreed():
		warnings = append(warnings, diag.New(diag.FewData, "%s for %s: with fewer than %d observations for each parameter all starts may have missed a better mixture; %s or more starts", words.Plural(parameters, "parameter"), words.Plural(c.t.P, "observation"), fewestData, take).With(help...))
	}
	if c.effective > 0 && c.effective < unevenWeights*float64(c.t.P) {
		warnings = append(warnings, diag.New(diag.FewOutliers, "the weights are so uneven that the %s are worth only %s of equal weight; unless the weights are numbers of repetitions, the likelihood and BIC count them as too many, and the lowest BIC can be that of too many components", words.Plural(c.t.P, "observation"), words.Count(int(math.Round(c.effective)))))
	}
	return warnings
}

// fewestData is how many observations a parameter wants. Of 200 random tables of 1 to 6 variables
// with fewer, 93 have this doubt and 107 another that says as much. Of the 93, 36 other starts found
// a log-likelihood higher by more than .1 in 47, and one higher for other observations (Optimism) in 23. Where few starts
// found a mixture, ten times the starts of 36 other tables found a better one or this one three times or more in all;
// of those with fewer, one or two had found it then in 8 of 11, of the others in 8 of 25.
const fewestData = 2

// agreed reports whether all starts, of which there are some, ended at this mixture and its
// components do not overlap. Of 114 fits to random tables with fewer than fewestData observations for each
// parameter, where all starts ended at one mixture, scikit-learn found a better one for none of 71 where
// components lay apart, for 20 of the 43 others.
func (c *run) agreed() bool {
	return c.out.Tried > 1 && c.out.Hits == c.out.Tried && c.out.Overlap <= noOverlap*float64(c.t.P)
}

// noOverlap is the average of -log of the largest responsibility of an observation up to which
// components count as separated.
const noOverlap = 1e-4

// unevenWeights is the effective share of observations below which the lowest BIC is that of too
// many components more often than with equal weights: of 180 tables of one normal component two
// had it in 5 and 6 for shares of 1 and .85, in 15, 23, 31 and 53 for .78, .70, .61 and .53.
const unevenWeights = .8

// subject names components of a mixture, as the subject of a verb.
func subject(g *Mixture, of []int, one, more string) string {
	if g.Shape == Tied {
		return "the components " + more
	}
	names := make([]string, len(of))
	for i, j := range of {
		names[i] = fmt.Sprint(j + 1)
	}
	if len(of) == 1 {
		return "component " + names[0] + " " + one
	}
	return "components " + strings.Join(names, ", ") + " " + more
}
