// Package bic compares fits of Gaussian mixtures with different numbers of components or
// covariances: it finds the lowest BIC, grades the differences, and excludes fits that cannot
// be compared. BIC is only as good as the likelihoods: at a local optimum it is too high, and
// if a component has shrunk onto a few observations the likelihood is unbounded and BIC is
// meaningless.
package bic

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"symmom/internal/math/linalg"
	"symmom/internal/text/diag"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// Differences of BIC, after Kass & Raftery (1995): below near they are inconclusive, above far
// much.
const near, far = 2, 10

// fewValues are so few for each parameter that BIC often takes too many components: of 30
// tables each of 10 normal observations of 2 variables, with full covariances, it took two in
// 8, of 20 in 3, of 40 in 1.
const fewValues = 4

// mostNames is the most fits to name; more are counted.
const mostNames = 3

// Fit holds the properties of a fit that are compared.
type Fit struct {
	Components    int
	Covariance    string
	Parameters    int
	Observations  float64
	Values        float64 // that they have: p n
	Hits, Starts  int     // that ended at the mixture, and all
	LogLikelihood float64
	BIC, ICL      float64
	Warnings      []diag.Warning
	Err           error
}

// Comparison is the result for the fits, in the order in which they were made.
type Comparison struct {
	Fits    []Fit
	Best    int  // the one with the lowest BIC of those that can be compared, if there are Any
	Several bool // kinds of covariance

	order []int // those that can be compared, the lowest BIC first
}

// Compare compares fits.
func Compare(fits []Fit) Comparison {
	c := Comparison{Fits: fits}
	for i, f := range fits {
		c.Several = c.Several || f.Covariance != fits[0].Covariance
		if f.Comparable() {
			c.order = append(c.order, i)
		}
	}
	slices.SortStableFunc(c.order, func(i, j int) int { return cmp.Compare(fits[i].BIC, fits[j].BIC) })
	c.order = slices.CompactFunc(c.order, func(i, j int) bool { return fits[i].same(&fits[j]) })
	if len(c.order) > 0 {
		c.Best = c.order[0]
	}
	return c
}

// Comparable reports whether the BIC of a fit can be compared: it is finished, and its
// likelihood does not depend on a few observations.
func (f *Fit) Comparable() bool {
	return f.Err == nil && linalg.Finite(f.BIC) && !f.has(diag.LeastVariance, diag.FewMembers)
}

// same reports whether two fits are the same model, as the tied and the full covariance of one
// component are, with likelihoods that differ by rounding.
func (f *Fit) same(g *Fit) bool {
	return f.Components == g.Components && f.Parameters == g.Parameters && math.Abs(f.LogLikelihood-g.LogLikelihood) <= rounding*math.Abs(f.LogLikelihood)
}

// rounding of a log-likelihood of a million observations, relative to it, is below this.
const rounding = 1e-9

// Any reports whether there are fits that can be compared.
func (c *Comparison) Any() bool { return len(c.order) > 0 }

// has reports whether the fit has a warning of one of the codes.
func (f *Fit) has(codes ...string) bool {
	return slices.ContainsFunc(f.Warnings, func(w diag.Warning) bool { return slices.Contains(codes, w.Code) })
}

// doubts says in a few words what the warnings say of the fit.
func (f *Fit) doubts() string {
	if f.Err != nil {
		if f.Parameters == 0 {
			return "failed"
		}
		return "unfinished"
	}
	var out []string
	for _, d := range [][2]string{{diag.LeastVariance, "least variance"}, {diag.FewMembers, "few members"}, {diag.FewStarts, "few starts"}, {diag.FewData, "few data"}, {diag.NotConverged, "not converged"}} {
		if f.has(d[0]) {
			out = append(out, d[1])
		}
	}
	return strings.Join(out, ", ")
}

// names lists fits: "3 and 4 components", "3 (diag) and 4 (full) components".
func (c *Comparison) names(fits []int) string {
	if len(fits) > mostNames {
		return words.Plural(len(fits), "fit")
	}
	var names []string
	for _, i := range fits {
		name := fmt.Sprint(c.Fits[i].Components)
		if c.Several {
			name += " (" + c.Fits[i].Covariance + ")"
		}
		names = append(names, name)
	}
	return List(names)
}

// List lists numbers of components, with their covariances if there are several.
func List(names []string) string {
	noun := " components"
	if len(names) == 1 && (names[0] == "1" || strings.HasPrefix(names[0], "1 ")) {
		noun = " component"
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last] + noun
	}
	return strings.Join(names, "") + noun
}

// which returns the fits that are so, in their order.
func (c *Comparison) which(is func(f *Fit) bool) (out []int) {
	for i := range c.Fits {
		if is(&c.Fits[i]) {
			out = append(out, i)
		}
	}
	return out
}

// Conclusion says which fit has the lowest BIC and what that is worth.
func (c *Comparison) Conclusion() string {
	switch {
	case len(c.Fits) == 0:
		return ""
	case c.Any():
	case slices.ContainsFunc(c.Fits, func(f Fit) bool { return f.Err == nil }):
		return "no fit can be compared with others: the likelihood of each has no bound"
	default:
		return "no fit is complete"
	}
	parts := []string{c.lowest(), c.unbounded(), c.tooFewValues(), c.doubtful(), c.correlated(), c.untried(), c.lowestICL()}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// lowest says which fit has the lowest BIC, and how far those that come next are from it.
func (c *Comparison) lowest() string {
	says := "the lowest BIC is that of " + c.names(c.order[:1])
	if len(c.order) == 1 {
		return says + ", and no other fit can be compared with it"
	}
	gap := func(i int) float64 { return c.Fits[c.order[i]].BIC - c.Fits[c.Best].BIC }
	close := 1
	for close < len(c.order) && !(gap(close) > near) {
		close++
	}
	if close == 1 {
		return says + fmt.Sprintf(", %s below that of %s (differences below %d are inconclusive, above %d strong)", above(gap(1)), c.names(c.order[1:2]), near, far)
	}
	return says + fmt.Sprintf(", but %s %s within %d of it, which is inconclusive", words.Verb(close-1, "that of ", "those of ")+c.names(c.order[1:close]), words.Verb(close-1, "is", "are"), near)
}

// unbounded names the fits with a lower BIC that does not count.
func (c *Comparison) unbounded() string {
	lower := c.which(func(f *Fit) bool {
		return f.Err == nil && f.BIC < c.Fits[c.Best].BIC && f.has(diag.LeastVariance, diag.FewMembers)
	})
	if len(lower) == 0 {
		return ""
	}
	return fmt.Sprintf("%s, of %s, %s not count: where a component closes in on a few observations the likelihood has no bound", words.Verb(len(lower), "a lower one", "lower ones"), c.names(lower), words.Verb(len(lower), "does", "do"))
}

func (c *Comparison) tooFewValues() string {
	best := &c.Fits[c.Best]
	if best.Components == 1 || best.Values >= fewValues*float64(best.Parameters) {
		return ""
	}
	return fmt.Sprintf("with %s for %.0f values BIC often takes too many components", words.Plural(best.Parameters, "parameter"), best.Values)
}

// doubtful says whether likelihoods may be higher than found: of the best fit, and of others.
func (c *Comparison) doubtful() string {
	var says []string
	if best := &c.Fits[c.Best]; best.has(diag.FewStarts, diag.NotConverged) {
		says = append(says, "its own fit is in doubt ("+best.doubts()+")")
	}
	open := c.which(func(f *Fit) bool { return f.Err == nil && f.has(diag.FewStarts, diag.NotConverged) })
	if len(open) > 1 || len(open) == 1 && open[0] != c.Best {
		says = append(says, "BIC may be lower than found where starts were few or EM had not converged")
	}
	return strings.Join(says, "; ")
}

// correlated tells of what spherical and diagonal covariances do not see, unless others were
// tried.
func (c *Comparison) correlated() string {
	best := &c.Fits[c.Best]
	free := slices.ContainsFunc(c.Fits, func(f Fit) bool { return f.Covariance == "tied" || f.Covariance == "full" })
	if free || best.Components == 1 || best.Values <= best.Observations {
		return ""
	}
	return fmt.Sprintf("a group whose variables are correlated takes several %s components", best.Covariance)
}

// untried warns of a best fit beside which there is none with one component less or more.
func (c *Comparison) untried() string {
	best := c.Fits[c.Best].Components
	least, most := best, best
	tried := map[int]bool{}
	for _, f := range c.Fits {
		least, most, tried[f.Components] = min(least, f.Components), max(most, f.Components), true
	}
	if least == most {
		return ""
	}
	var names []string
	switch {
	case best == 1 || tried[best-1]:
	case best == least:
		names = append(names, "fewer")
	default:
		names = append(names, fmt.Sprint(best-1))
	}
	switch {
	case tried[best+1]:
	case best == most && len(names) == 1 && names[0] != "fewer": // not "2 and more"
		names = append(names, fmt.Sprintf("more than %d", best))
	case best == most:
		names = append(names, "more")
	default:
		names = append(names, fmt.Sprint(best+1))
	}
	if len(names) == 0 {
		return ""
	}
	return List(names) + " were not tried"
}

func (c *Comparison) lowestICL() string {
	icl := slices.MinFunc(c.order, func(i, j int) int { return cmp.Compare(c.Fits[i].ICL, c.Fits[j].ICL) })
	if icl == c.Best || math.IsNaN(c.Fits[icl].ICL) {
		return ""
	}
	return "the lowest ICL, which wants components that do not overlap, is that of " + c.names([]int{icl})
}

// Warnings returns those of the fits, and says which each is of.
func (c *Comparison) Warnings() []diag.Warning {
	var of []diag.OfFit
	for i, f := range c.Fits {
		name, _, _ := strings.Cut(c.names([]int{i}), " component")
		warnings := slices.Clone(f.Warnings)
		for k, w := range warnings {
			if w.Code == diag.FewData { // the table has the numbers that it begins with
				_, warnings[k].Text, _ = strings.Cut(w.Text, ": ")
			}
		}
		of = append(of, diag.OfFit{Name: name, Warnings: warnings})
	}
	return diag.OfFits(of, List)
}

// Table returns a row for each fit, and the names of the columns.
func (c *Comparison) Table() (header []string, rows [][]string) {
	header = []string{"components", "covariance", "parameters", "log-likelihood", "BIC", "above lowest", "ICL", "starts at best", "doubts"}
	for _, f := range c.Fits {
		row := []string{fmt.Sprint(f.Components), f.Covariance, words.Count(f.Parameters), number(f.LogLikelihood, "%.8g"), number(f.BIC, "%.8g"), "-", number(f.ICL, "%.8g"), fmt.Sprintf("%d of %d", f.Hits, f.Starts), f.doubts()}
		if c.Any() {
			row[5] = above(f.BIC - c.Fits[c.Best].BIC)
		}
		if f.Starts == 0 {
			row[7] = "-"
		}
		rows = append(rows, row)
	}
	if !c.Several {
		header = slices.Delete(header, 1, 2)
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 1, 2)
		}
	}
	return header, rows
}

// number formats a number that may not be known.
func number(x float64, format string) string {
	if !linalg.Finite(x) {
		return "-"
	}
	return fmt.Sprintf(format, x)
}

// above formats a difference of BIC.
func above(x float64) string {
	if math.Abs(x) >= 1000 && math.Abs(x) < 1e12 {
		return words.Count(int(math.Round(x)))
	}
	return number(x, "%.3g")
}

// Listing is the table with the conclusion, warnings and the error below.
func (c *Comparison) Listing(title string, err error) *htmltext.Listing {
	l := &htmltext.Listing{Title: title}
	l.Head, l.Rows = c.Table()
	l.Numbers()
	l.Notes = strings.Split(c.Conclusion(), "; ")
	for _, w := range c.Warnings() {
		l.Notes = append(l.Notes, "warning: "+w.Text)
	}
	if err != nil {
		l.Notes = append(l.Notes, "error: "+err.Error())
	}
	return l
}
