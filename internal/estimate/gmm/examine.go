package gmm

import (
	"math"

	"symmom/internal/math/linalg"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Constants of doubts about mixtures of which no form is assumed.
const (
	examinedRows  = 1 << 14
	examinedOps   = 2e9
	leastRelated  = .2  // rank correlation within a component that is worth a word
	leastRanks    = .01 // variance of ranks from 0 to 1 that is worth a correlation; 1/12 if no values are alike
	surelyRelated = 2   // standard errors beyond what the largest of so many has by chance
	fewestMembers = 30  // observations that tell a distribution
)

// doubtsOf warns of variables that are not independent within components, of components of few observations or that
// predict hardly better than none, and of steps that were too few.
func (c *run) doubtsOf(a *climber) (warnings []diag.Warning) {
	e := c.examine(a)
	if e.correlation != 0 {
		warnings = append(warnings, diag.New(diag.Dependent, "%s and %s go together within component %d (rank correlation %.2f), but are taken as independent: leave one of them out, take more components, or fit a Gaussian mixture with full covariances", c.t.Label(e.first), c.t.Label(e.second), e.component+1, e.correlation).With("Columns", "Covariance"))
	}
	var few []int
	for j, m := range c.out.Members {
		if m < fewestMembers {
			few = append(few, j)
		}
	}
	if len(few) > 0 {
		what := "%s fewer than %d observations, too few for distributions of no form: they may be outliers"
		if help := "components"; a.R > 1 {
			warnings = append(warnings, diag.New(diag.FewMembers, what+"; take fewer components", subject(a.g, few, "counts as", "count as"), fewestMembers).With(help))
		} else {
			warnings = append(warnings, diag.New(diag.FewMembers, what, subject(a.g, few, "counts as", "count as"), fewestMembers))
		}
	}
	if gain, cost := e.gain*sum(c.out.Members), a.parameters()*(1-1/float64(a.R)); a.R > 1 && gain <= cost {
		warnings = append(warnings, diag.New(diag.Overlap, "these components raise the log-likelihood by %.3g only above that of independent variables without any, for densities of some %.0f more parameters: they may not be there, or overlap so much that weights and means are far off; take fewer components", gain, cost).With("components"))
	}
	if diag.FewFound(c.out.Hits, c.out.Tried) {
		warnings = append(warnings, diag.New(diag.FewStarts, "only %d of %s of the moments found this mixture, so there may be a better one: take fewer components", c.out.Hits, words.Plural(c.out.Tried, "fit")).With("components"))
	}
	if !a.converged && !c.o.MomentsOnly {
		more := "MaxIterations"
		if c.t.Slow() && !c.o.Unlimited {
			more = "Converge"
		}
		warnings = append(warnings, diag.New(diag.NotConverged, "steps ended before weights and means settled, after %d", a.steps).With(more))
	}
	return warnings
}

// examined is what observations, evenly over the table, say about a mixture.
type examined struct {
	component, first, second int
	correlation              float64 // of the ranks of two variables within a component: the largest that is not by chance, or 0
	gain                     float64 // log-likelihood of an observation, without its own part, above that of independent variables
}

// examine makes a pass. The ranks within components are those of their densities.
func (c *run) examine(a *climber) (e examined) {
	n, r := a.N, a.R
	every := 1 + (c.t.P-1)/int(math.Min(examinedRows, 1+examinedOps/float64(n*n)))
	products, weights, squares := make([]float64, r*n*n), make([]float64, r), make([]float64, r)
	z, from := make([]float64, r), make([]float64, n)
	below := a.below()
	var wide []float64
	at, seen := 0, 0.
	c.t.Storage.Pass(c.ctx, func(b block.Block) {
		for l := range b.Rows {
			if at++; at%every != 0 || c.ctx.Err() != nil {
				continue
			}
			v, nu := b.Values(l, l+1, n, &wide), b.Weight(l)
			a.probabilities(z, v, nil)
			seen += nu
			e.gain += nu * a.gain(z, v, nu*c.t.Storage.Share())
			for j, w := range z {
				if w < .01 {
					continue
				}
				w *= nu
				weights[j] += w
				squares[j] += w * w
				for i, u := range v {
					from[i] = below[a.cell(i, u)+j]
				}
				for i, u := range from {
					linalg.Axpy(w*u, from[:i+1], products[(j*n+i)*n:])
				}
			}
		}
	})
	e.gain /= seen
	for j, w := range weights {
		s := products[j*n*n : (j+1)*n*n]
		chance := (surelyRelated + math.Sqrt(2*math.Log(float64(r*n*n)))) * math.Sqrt(squares[j]) / w
		for i := range n {
			for k := range i {
				if math.Min(s[i*n+i], s[k*n+k]) <= leastRanks*w { // constant there, or nearly
					continue
				}
				v := s[i*n+k] / math.Sqrt(s[i*n+i]*s[k*n+k])
				if math.Abs(v) > math.Max(math.Abs(e.correlation), math.Max(leastRelated, chance)) {
					e.component, e.first, e.second, e.correlation = j, k, i, v
				}
			}
		}
	}
	return e
}
