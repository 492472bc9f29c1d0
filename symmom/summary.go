package symmom

import (
	"context"
	"fmt"
	"math"

	"symmom/internal/data/columns"
	"symmom/internal/data/describe"
	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
	"symmom/internal/moment/frame"
	"symmom/internal/text/diag"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// Summary describes a table of observations.
type Summary struct {
	Result // Err, String and HTML

	Source       string
	Observations int
	N            int
	Variables    []Column // in the order of the columns
	Weighted     bool
	Coordinates  string  // of the observations: "centered", "standardized" or "whitened"; "" as loaded
	Shards       []Shard // files that the table was read from, in order, if several
	Density      float64 // share of the values that are not zero
	// Eigenvalues of the second moment, the largest first: all n of them, or only
	// the largest if the others would take too long. For more than 1,000 variables on a
	// cluster they are 20 estimates, with a warning.
	Eigenvalues []float64
	// Stand is the number of eigenvalues that stand out, other than by chance or by one or two
	// observations. SuggestedRank is that number, or one more for data about their mean.
	Stand, SuggestedRank int
	Fingerprint          string
	Warnings             []Warning
}

// Shard is one of several files that a table was read from. Rows are those in the file,
// before any are dropped.
type Shard struct {
	Name string
	Rows int
}

// Summary computes means, deviations, ranges and the spectrum of the second moment.
// O(n p), and p n^2 for the spectrum, or p^2 n, if that is at most 1e10. Of data on a
// cluster it takes two passes, three of more than 1,000 variables, and one more where
// eigenvalues stand out.
func (s *Session) Summary() *Summary {
	r := made(&Summary{Result: Result{err: s.Err()}})
	if r.err != nil {
		return r
	}
	d := s.data
	*r = Summary{Result: r.Result, Source: d.Source, Observations: d.P, N: d.N, Weighted: s.data.Weighted(), Coordinates: s.coordinates,
		Fingerprint: s.Fingerprint(), Warnings: s.Warnings(), Variables: make([]Column, d.N)}
	for _, f := range d.Shards {
		r.Shards = append(r.Shards, Shard{f.Name, f.Rows})
	}
	for i := range r.Variables {
		r.Variables[i] = Column{Name: d.Label(i), Type: describe.Number, Kind: describe.Number, Width: 1, Min: math.Inf(1), Max: math.Inf(-1)}
		if s.whitening == nil {
			r.Variables[i].Number = d.Column(i)
		}
	}
	ctx := s.context()
	if !r.variables(ctx, d) {
		return r
	}
	top := 0.
	for _, v := range r.Variables {
		top = math.Max(top, math.Max(math.Abs(v.Min), math.Abs(v.Max)))
	}
	if square := top * top; top > 0 && !(square >= 0x1p-1022 && square <= math.MaxFloat64/float64(d.N)) {
		r.Warnings = append(r.Warnings, warned(diag.New(diag.OutOfRange, "%s", tables.OutOfRange(d.Source, top)))...)
	}
	if d.N >= load.SparseVariables && r.Density < mostlyZeros && r.Density > 0 && d.Sparse() == nil && !d.Slow() {
		r.Warnings = append(r.Warnings, warned(diag.New(diag.Zeros, "%s of the values are 0: without them the data take less memory and a fit less time", words.Percent(1-r.Density)).With("Sparse"))...)
	}
	r.spectrum(ctx, s)
	r.err = interrupted("summary", r.err)
	return r
}

// Where a pass is a job on a cluster, all eigenvalues are found of at most farVariables
// variables, from 4 MB of sums from each part of the data, and farEigenvalues of more.
const (
	farVariables   = 1000
	farEigenvalues = 20
)

// spectrum finds the eigenvalues of the second moment.
func (r *Summary) spectrum(ctx context.Context, s *Session) {
	x := s.data.Storage
	_, far := x.(block.Far)
	var second *moment.Second
	switch {
	case far && r.N <= farVariables:
		second, r.err = moment.NewSecond(ctx, x, s.data.Sketch().Span)
	case far:
		var b *moment.Basis
		if b, r.err = moment.NewBasis(ctx, x, nil, farEigenvalues, farEigenvalues, s.data.Sketch().Span, 0); r.err == nil {
			second = b.Second(x, s.data.Sketch().Span)
			r.Warnings = append(r.Warnings, warned(diag.New(diag.Estimates, "the eigenvalues are estimates from two passes, none of them above the true one; those that stand out are close"))...)
		}
	case moment.SpectrumIsCheap(x):
		second, r.err = moment.Spectrum(ctx, x)
	default:
		var unit float64
		unit, r.err = s.Moment(2).fit.Unit(ctx, x, 0)
		r.Eigenvalues = []float64{unit * unit}
		return
	}
	if r.err == nil {
		r.Eigenvalues = second.Values
		r.Stand, r.err = s.data.SuggestedRank(ctx, second)
		if second.Hidden > 0 {
			r.Warnings = append(r.Warnings, warned(diag.New(diag.Offset, "the mean is so large that its rounding is in eigenvalues below about %.1g: center the data", second.Hidden).With("Center"))...)
		}
	}
	if r.SuggestedRank = r.Stand; r.Stand > 0 {
		if second.AboutMean(r.N, func(i int) float64 { return r.Variables[i].Mean }) {
			r.SuggestedRank++
		}
		if second.Unrelated(func(i int) (mean, deviation float64) { return r.Variables[i].Mean, r.Variables[i].Std }) {
			r.Warnings = append(r.Warnings, warned(diag.New(diag.Scales, "independent columns of these means and deviations would have as many eigenvalues that stand out: standardize them to see their correlations").With("Standardize"))...)
		}
	}
	for i, e := range r.Eigenvalues {
		r.Eigenvalues[i] = math.Max(e, 0) // none is negative but by rounding
	}
}

// mostlyZeros is the share of nonzero values below which sparse storage is advised.
const mostlyZeros = .05

// variables describes the variables in one pass. It reports whether the pass completed.
func (r *Summary) variables(ctx context.Context, d *tables.Table) bool {
	if d.Sparse() != nil {
		return r.variablesOf(ctx, d)
	}
	suspects := make([]columns.Suspects, d.N)
	all, err := tables.Describe(ctx, d.Storage, suspects...)
	if err != nil {
		r.err = interrupted("summary", err)
		return false
	}
	for i := range r.Variables {
		v := &r.Variables[i]
		v.Mean, v.Std, v.Min, v.Max, v.Suspects = all.Mean[i], all.Root[i]/math.Sqrt(all.Total), all.Min[i], all.Max[i], suspects[i].Found()
	}
	r.Density = all.Nonzero / (float64(d.P) * float64(d.N))
	return true
}

// variablesOf describes sparse observations from their stored values.
func (r *Summary) variablesOf(ctx context.Context, d *tables.Table) bool {
	mean, deviation, err := d.Moments(ctx)
	least, greatest, nonzero := d.Sparse().Ranges()
	for i, c := range nonzero {
		r.Density += float64(c)
		v := &r.Variables[i]
		v.Mean, v.Std, v.Min, v.Max = mean[i], deviation[i], least[i], greatest[i]
	}
	r.Density /= float64(d.P) * float64(d.N)
	r.err = interrupted("summary", err)
	return err == nil
}

// summaryRows is how many variables String lists.
const summaryRows = 12

// listing has a row for each of the first variables, and the leading eigenvalues.
func (r *Summary) shown() shown {
	if r.err != nil {
		return &htmltext.Listing{Title: errorLine("summary", r.err)}
	}
	values := "eigenvalues of the second moment: " + words.Numbers(r.Eigenvalues, 10) + "; " + frame.Standing(r.Stand, r.SuggestedRank)
	if len(r.Eigenvalues) == 1 && r.N > 1 {
		values = fmt.Sprintf("largest eigenvalue of the second moment: %.5g; the others would take too long for this size", r.Eigenvalues[0])
	}
	l := &htmltext.Listing{Title: fmt.Sprintf("%s: %s of %s", r.Source, words.Plural(r.Observations, "observation"), words.Plural(r.N, "variable")),
		Head: []string{"variable", "mean", "std", "min", "max"}, Format: "%-20s %12s %12s %12s %12s",
		Notes: []string{values}}
	for i, v := range r.Variables {
		if i == summaryRows {
			l.Rows = append(l.Rows, []string{"... and " + words.Count(r.N-i) + " more", "", "", "", ""})
			break
		}
		l.Rows = append(l.Rows, []string{v.Name, words.Value(v.Mean), words.Value(v.Std), words.Value(v.Min), words.Value(v.Max)})
	}
	for _, w := range r.Warnings {
		l.Notes = append(l.Notes, "warning: "+w.Text)
	}
	return l
}
