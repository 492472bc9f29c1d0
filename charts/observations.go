package charts

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/components"
	"gonum.org/v1/gonum/mat"

	"symmom/charts/internal/groups"
	"symmom/internal/math/linalg"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// ObservationsOptions are the options of Distributions, Pairs and Correlations. The zero value is
// the default.
type ObservationsOptions struct {
	Title   string // default: the name of the figure
	Caption string // default: what it shows

	// Most variables to draw, in the order of the data: default 12 distributions, 4 in pairs, 40
	// correlations. Session.Select chooses others.
	Most int
	// Points is how many observations are drawn at most; default 2,000 in pairs, 100,000 in the
	// others. They are drawn evenly over the table, as Session.Subsample does.
	Points int
	Seed   uint64 // of the draw; default 1

	// Mixture, if given, colours pairs by the most likely component, in place of the labels.
	Mixture *symmom.Mixture
}

// sampled are the observations and the variables that a figure of them draws.
type sampled struct {
	f     *Figure
	o     ObservationsOptions
	rows  *mat.Dense
	index []int
	names []string
	k     int // variables
}

// sample draws them; the error is in the figure.
func sample(s *symmom.Session, what string, most, points int, options []ObservationsOptions) *sampled {
	o, err := atMostOne(options)
	title := orDefault(o.Title, what)
	fail := func(err error) *sampled { return &sampled{f: failed(title, fmt.Errorf("charts: %s: %w", what, err))} }
	switch {
	case err != nil:
		return fail(err)
	case s == nil:
		return fail(errors.New("the observations are nil"))
	case s.Err() != nil:
		return fail(s.Err())
	}
	if o.Most > 0 {
		most = o.Most
	}
	if o.Points > 0 {
		points = o.Points
	}
	rows, index, err := s.Subsample(points, o.Seed)
	if err != nil {
		return fail(err)
	}
	n := s.N()
	d := &sampled{&Figure{Title: title}, o, rows, index, namesOf(s.Columns(), n, "variable"), min(n, most)}
	d.f.summary = fmt.Sprintf("%s of %s", words.Plural(s.Observations(), "observation"), words.Plural(n, "variable"))
	if d.k < n {
		d.f.Notes = append(d.f.Notes, fmt.Sprintf("The first %d of %s are drawn.", d.k, words.Plural(n, "variable")))
	}
	if len(index) < s.Observations() {
		d.f.Notes = append(d.f.Notes, fmt.Sprintf("They are of %s of the %s, drawn evenly over the table.", words.Count(len(index)), words.Plural(s.Observations(), "observation")))
	}
	return d
}

// Distributions draws the distribution of each variable: how many observations lie in each of
// equal intervals. Weights of observations are not drawn. A chart is that of a distribution of
// SourcesOf.
func Distributions(s *symmom.Session, options ...ObservationsOptions) *Figure {
	d := sample(s, "Distributions", 12, 100_000, options)
	if d.rows == nil {
		return d.f
	}
	for j := range d.k {
		d.f.charts = append(d.f.charts, distribution(j, d.names[j], mat.Col(nil, j, d.rows)))
	}
	d.f.Caption = orDefault(d.o.Caption, "How many observations have which values, in equal intervals.")
	return d.f
}

// Pairs draws variables against each other, in the colours of the groups that labels name, or of
// the components of a mixture. The charts are those of pairs of SourcesOf.
func Pairs(s *symmom.Session, options ...ObservationsOptions) *Figure {
	d := sample(s, "Pairs of variables", 4, 2000, options)
	if d.rows == nil {
		return d.f
	}
	if d.k < 2 {
		return failed(d.f.Title, errors.New("charts: pairs: one variable has no pairs; Distributions draws it"))
	}
	of := ""
	if m := d.o.Mixture; m != nil {
		component, err := m.Predict(s)
		if err != nil {
			return failed(d.f.Title, fmt.Errorf("charts: pairs: %w", err))
		}
		labels := make([]string, len(component))
		for i, j := range component {
			labels[i] = fmt.Sprintf("component %d", j+1)
		}
		s, of = s.WithLabels("component", labels), "the most likely components"
	}
	g := groups.Of(s, d.index)
	all := make([]int, len(d.index))
	for i := range all {
		all[i] = i
	}
	for a := range d.k {
		for b := a + 1; b < d.k; b++ {
			d.f.charts = append(d.f.charts, pair(d.rows, Plane{XName: d.names[a], YName: d.names[b], apart: true}, a, b, all, g, pairHeight))
		}
	}
	caption := "Observations, two variables at a time."
	if g != nil {
		caption += fmt.Sprintf(" Colours are %s.", orDefault(of, "the groups of "+g.Label))
	}
	d.f.Caption = orDefault(d.o.Caption, caption)
	return d.f
}

// Correlations draws the correlations of variables as a heat map, with the weights of the
// observations; those of a variable that does not vary are 0. The chart is that of FactorsOf.
func Correlations(s *symmom.Session, options ...ObservationsOptions) *Figure {
	d := sample(s, "Correlations", 40, 100_000, options)
	if d.rows == nil {
		return d.f
	}
	var weights []float64
	if all := s.Weights(); s.Weighted() && all != nil {
		weights = linalg.Picked(all, d.index)
	}
	r := correlations(d.rows, weights, d.k)
	rows := make([]int, d.k)
	for i := range rows {
		rows[i] = i
	}
	across, down := d.names[:d.k], slices.Clone(d.names[:d.k])
	if d.k > 12 { // names would be on top of each other
		across = numbered(d.k)
		for j := range down {
			down[j] = across[j] + " " + down[j]
		}
	}
	d.f.charts = []components.Charter{factorMap("variable", across, r, rows, down)}
	d.f.Caption = orDefault(d.o.Caption, "Pearson's correlation of each pair of variables.")
	return d.f
}

// correlations are those of the first k columns.
func correlations(x *mat.Dense, weights []float64, k int) *mat.Dense {
	p, _ := x.Dims()
	weight := func(l int) float64 {
		if weights == nil {
			return 1
		}
		return weights[l]
	}
	total, mean := 0., make([]float64, k)
	for l := range p {
		total += weight(l)
		for j := range mean {
			mean[j] += weight(l) * (x.At(l, j) - mean[j]) / total
		}
	}
	c := mat.NewDense(k, k, nil)
	for l := range p {
		row := slices.Clone(x.RawRowView(l)[:k])
		for j := range row {
			row[j] -= mean[j]
		}
		for i, v := range row {
			for j := range i + 1 {
				c.Set(i, j, c.At(i, j)+weight(l)*v*row[j])
			}
		}
	}
	out := mat.NewDense(k, k, nil)
	for i := range k {
		for j := range i + 1 {
			if d := math.Sqrt(c.At(i, i)) * math.Sqrt(c.At(j, j)); d > 0 {
				r := min(1, max(-1, c.At(i, j)/d))
				out.Set(i, j, r)
				out.Set(j, i, r)
			}
		}
	}
	return out
}
