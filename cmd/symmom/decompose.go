package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/charts"
	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/objects"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/data/fingerprint"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const decomposeLong = `Decompose finds the r components of the d-th moment of a table: weights lambda
and unit vectors (factors) whose symmetric rank-one terms come closest to the
moment. It runs the solver from several starts and keeps the best fit.

` + dataHelp

const decomposeExample = `  symmom decompose data.npy --order 3 --rank 3

  # compare with known components, keep the model, see how it converged
  symmom decompose data.npy --order 3 --rank 3 --truth means.npy \
      --save model.json --html fit.html

  # some columns of a table with names, in comparable units
  symmom decompose table.csv --columns height,weight,age --standardize \
      --missing drop --order 3 --rank 2

  # a number from the result, for a script
  symmom decompose data.npy -d 4 -r 3 --json | jq .relative_error

  # for MATLAB: load model.mat; K = ktensor(lambda, U)
  symmom decompose data.npy --order 3 --rank 3 --save model.mat

  # the means of groups whose variables are independent in each, with variances
  # of their own
  symmom decompose data.npy --order 3 --rank 3 --distinct

  # continue from a saved model
  symmom decompose data.npy --order 3 --rank 3 --init model.json --tol 1e-8`

// decomposition holds the command and its flags.
type decomposition struct {
	fitFlags
	rank       int
	draws      int
	save, html string
}

// oneRank is a rank. Who gives several is told which command compares them.
type oneRank struct{ pflag.Value }

func (v oneRank) Set(s string) error {
	err := v.Value.Set(s)
	if err != nil && strings.ContainsAny(s, ".,-") {
		return fmt.Errorf("%w; several are compared by symmom sweep --ranks %s", err, s)
	}
	return err
}

func newDecompose(a *app) *cobra.Command {
	d := &decomposition{}
	cmd := &cobra.Command{
		Use:               "decompose DATA --rank R [flags]",
		Short:             "Find the components of a table's moment",
		Long:              decomposeLong,
		Example:           decomposeExample,
		Args:              oneData,
		ValidArgsFunction: completeData,
	}
	d.defineMoment(cmd, func(fs *pflag.FlagSet) {
		numberFlag(fs, oneRank{flags.Whole(&d.rank, 1)}, "rank", "r", "number of components")
		d.defineDistinct(fs)
	})
	require(cmd, "rank")
	d.define(cmd)
	d.cluster(cmd)
	d.defineSearch(cmd)
	d.defineOutput(cmd, func(fs *pflag.FlagSet) {
		fs.Var(flags.Whole(&d.draws, 0), "bootstrap", "standard errors of lambda and the factors from N draws of the observations, 0: none")
		fs.Var(overwrite.Writes(&d.save), "save", "write the model to `FILE`: "+modelNames+" for other programs")
		fs.Var(overwrite.Writes(&d.html), "html", "write a page with everything about the fit to `FILE`")
	})
	completeFiles(cmd, "save", modelExtensions...)
	completeFiles(cmd, "html", "html")
	return a.command(cmd, func(cmd *cobra.Command, args []string) error { return d.run(a, cmd, args[0]) })
}

func (d *decomposition) run(a *app, cmd *cobra.Command, path string) error {
	if err := checkOutputs(d.save, d.html); err != nil {
		return err
	}
	if d.draws == 1 {
		return errOneDraw
	}
	if err := refuse(
		contradiction{d.draws > 0 && d.load.Spark != "", "--spark", "--bootstrap", "each draw takes many passes, and each is a job of its own: draw from a part of the data"},
		contradiction{d.draws > 0 && d.stream, "--stream", "--bootstrap", "each draw takes many passes: draw from a part of the data"},
		contradiction{d.draws > 0 && d.whiten > 0, "--whiten", "--bootstrap", "the coordinates depend on the data, and their error would be missing"},
	); err != nil {
		return err
	}
	ctx, release := a.interruptible()
	defer release()
	if d.save == "" {
		ctx = fingerprint.Unneeded(ctx)
	}
	bar := a.progress(d.quiet, d.rank, d.rank)
	j, err := d.begin(ctx, cmd, path, bar)
	if err != nil {
		bar.Stop()
		return err
	}
	fit := j.moment.Decompose(d.rank)
	if fit.Model.Rank() == 0 {
		bar.Stop()
		return inFlags(fit.Err())
	}
	// Each of these is tried even if others fail: a result that took an hour is not
	// lost because a disk is full, or because nobody waits for its standard errors.
	saved := a.keep(ctx, d.save, func() error { return saving(fit.Save(d.save)) })
	var spread *symmom.FitErrors
	if d.draws > 0 && fit.Err() == nil {
		spread = fit.Bootstrap(d.draws, d.options.Seed)
	}
	bar.Stop()
	a.warnFound(fit.Warnings, d.truth, &d.dataFlags, d.whiten)
	if spread != nil {
		a.warn(spread.Warnings)
	}
	var score *symmom.Score
	if j.truth != nil {
		if score = fit.Score(j.truth); score.Err() != nil {
			return score.Err()
		}
	}
	groups := ""
	if means := d.groups(ctx, j); means != nil {
		if score := fit.Score(means); score.Err() == nil {
			groups = fmt.Sprintf("\nAgainst the means of %s\n%s\n", j.session.Labels().Name, score)
		}
	}
	drawn := a.keep(ctx, d.html, func() error { return d.page(j, fit, spread, groups).Save(d.html) })
	printed := a.print(d.asked, func() any { return objects.NewFit(fit, score, spread, a.warnings) }, func() string { return fitText(j.session, fit, score, spread) + groups })
	stopped := soFar(fit.Err(), "the best fit so far")
	if spread != nil {
		stopped = soFar(inFlags(spread.Err()), fmt.Sprintf("the fit with standard errors from %s", words.Plural(spread.Draws, "draw")))
	}
	return all(stopped, saved, drawn, printed)
}

// fitText formats the result for a person: the fit, then its components.
func fitText(s *symmom.Session, f *symmom.Fit, score *symmom.Score, spread *symmom.FitErrors) string {
	pairs := [][]string{{"data", dataLine(s)}}
	if kind := f.Model.Kind.Describe(f.Order); kind != new(symmom.MomentKind).Describe(f.Order) {
		pairs = append(pairs, []string{"moment", kind})
	}
	pairs = append(pairs, []string{"model", fmt.Sprintf("order %d, rank %d (%s, %s)", f.Order, f.Rank, f.Form, f.Solver)})
	pairs = append(pairs, f.Facts()...)
	if score != nil {
		pairs = append(pairs, []string{"score", fmt.Sprintf("%.5f", score.Value)})
	}
	factors := f.Model.Factors
	if spread != nil && spread.Draws > 0 {
		factors = spread.Factors
		pairs = append(pairs, []string{"standard errors", "from " + words.Plural(spread.Draws, "bootstrap draw")})
	}
	return facts(pairs...) + "\n" + matchedText(f, score) + factors.String() + "\n"
}

// matchedText lists the components with the true components that they match, if these are known.
func matchedText(f *symmom.Fit, score *symmom.Score) string {
	if score == nil {
		return ""
	}
	matched := map[int]symmom.Pair{}
	for _, p := range score.Pairs {
		matched[p.Found] = p
	}
	t := columns(0, "component", "lambda", "truth", "cosine")
	for j, l := range f.Model.Lambda {
		truth, cosine := "-", "-"
		if p, ok := matched[j]; ok {
			truth, cosine = strconv.Itoa(p.Truth+1), fmt.Sprintf("%.5f", p.Cosine)
		}
		t.AppendRow(table.Row{j + 1, fmt.Sprintf("%.6g", l), truth, cosine})
	}
	return t.Render() + "\n\n"
}

// page returns the page of --html.
func (d *decomposition) page(j *job, f *symmom.Fit, spread *symmom.FitErrors, groups string) *charts.Report {
	r := charts.NewReport(fmt.Sprintf("Fit of rank %d to %s", f.Rank, f.Model.Kind.Describe(f.Order)))
	r.Subtitle = dataLine(j.session)
	r.Footer = footer(f.Seed)
	r.AddFit(f, d.shownBeside(j))
	if spread != nil && spread.Draws > 0 {
		r.Matrix("Factors, with standard errors from "+words.Plural(spread.Draws, "draw"), spread.Factors)
		for _, w := range spread.Warnings {
			r.Text("Warning: " + w.Text + ".")
		}
	}
	if groups != "" {
		r.Heading("Agreement with groups").Verbatim(strings.Trim(groups, "\n"))
	}
	return r
}

// shownBeside returns the contents of pages besides a fit.
func (f *fitFlags) shownBeside(j *job) charts.FitOptions {
	o := charts.FitOptions{Observations: f.shown(j.session)}
	if j.truth != nil {
		o.Truth = j.truth
	}
	return o
}

// shown returns the observations that pages draw. Those in memory can still be drawn after
// an interrupt; a stream would have to be read again.
func (d *dataFlags) shown(s *symmom.Session) *symmom.Session {
	if d.stays() {
		return s
	}
	return s.WithContext(context.Background())
}

// dataLine gives the name and the size of a table.
func dataLine(s *symmom.Session) string { return fmt.Sprintf("%s: %s", s.Source(), tableSize(s)) }

func tableSize(s *symmom.Session) string { return size(s.Observations(), s.N()) }

func size(observations, variables int) string {
	return fmt.Sprintf("%s of %s", words.Plural(observations, "observation"), words.Plural(variables, "variable"))
}

// footer returns the small print of a page.
func footer(seed uint64) string {
	return fmt.Sprintf("Made by: %s\nsymmom %s, seed %d", words.CommandLine(files.Args(os.Args[1:])), version(), seed)
}
