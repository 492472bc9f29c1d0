package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/charts"
	"symmom/cmd/symmom/internal/bar"
	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/objects"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/moment/frame"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const reportLong = `Report writes a self-contained page about a table: its columns and the spectrum
of its second moment, the fit at each rank of a range, the observations with the
recovered means, the best fit in full, and the command that reproduces the page.
Without --ranks it tries ranks around the one that the spectrum suggests.`

const reportExample = `  symmom report data.npy --order 3 --html report.html

  # choose the ranks, and compare with known components
  symmom report data.npy --order 3 --ranks 3..7 --truth means.npy \
      --html report.html`

// reportCommand holds the command and its flags.
type reportCommand struct {
	fitFlags
	ranks      []int
	rank       int
	rows, cols int
	html       string
	title      string
}

func newReport(a *app) *cobra.Command {
	r := &reportCommand{}
	cmd := &cobra.Command{
		Use:               "report DATA --html FILE [flags]",
		Short:             "Write a page about a table's moment",
		Long:              reportLong,
		Example:           reportExample,
		Args:              oneData,
		ValidArgsFunction: completeData,
	}
	r.defineMoment(cmd, func(fs *pflag.FlagSet) {
		fs.VarP(flags.Numbers(&r.ranks, "ranks"), "ranks", "r", "ranks to try: 3..7, or 1,2,4 (default: around the one that the spectrum suggests)")
		fs.Var(flags.Whole(&r.rank, 1), "best", "rank to show in full (default: the number of true factors, or the suggested one)")
	})
	r.define(cmd)
	r.defineSearch(cmd)
	r.defineOutput(cmd, func(fs *pflag.FlagSet) {
		fs.Var(overwrite.Writes(&r.html), "html", "write the page to `FILE`")
		fs.StringVar(&r.title, "title", "", "`TEXT` at the top of the page (default: DATA)")
		fs.Var(flags.ImageSize(&r.rows, &r.cols), "images", "each row is a picture of this size in pixels: 8x8")
	})
	require(cmd, "html")
	completeFiles(cmd, "html", "html")
	return a.command(cmd, func(cmd *cobra.Command, args []string) error { return r.run(a, cmd, args[0]) })
}

func (r *reportCommand) run(a *app, cmd *cobra.Command, path string) error {
	if err := checkOutputs("", r.html); err != nil {
		return err
	}
	ctx, release := a.interruptible()
	defer release()
	bar := a.progress(r.quiet, 1, 1)
	j, summary, err := r.survey(ctx, cmd, path, bar)
	if err != nil {
		bar.Stop()
		return err
	}
	from, to := r.ranks[0], r.ranks[len(r.ranks)-1]
	bar.RanksAre(from, to)
	sweep := j.moment.SweepRanks(r.ranks...)
	bar.Stop()
	if len(sweep.Fits) == 0 {
		return inFlags(sweep.Err())
	}
	stopped := sweep.Err()
	if means := r.groups(ctx, j); means != nil && j.truth == nil {
		sweep = sweep.Score(means)
	}
	a.warnFound(sweep.Warnings, r.truth, &r.dataFlags, r.whiten)
	o := charts.ReportOptions{Title: r.title, Moment: j.moment, From: from, To: to, Rank: r.rank,
		ImageRows: r.rows, ImageCols: r.cols, Summary: summary, Sweep: sweep,
		Command: words.CommandLine(files.Args(os.Args[1:])), Version: version()}
	if j.truth != nil {
		o.Truth = j.truth
		sweep = sweep.Score(j.truth)
	}
	page := charts.ReportOn(r.shownBeside(j).Observations, o)
	if err := page.Err(); err != nil && !errors.Is(err, symmom.ErrInterrupted) {
		return err
	}
	drawn := a.keep(ctx, r.html, func() error { return page.Save(r.html) })
	printed := a.print(r.asked, func() any { return objects.NewSweep(sweep, a.warnings) }, func() string { return sweepText(j.session, sweep) + scoredBy(sweep, j) })
	return all(unfinished(sweep, stopped), drawn, printed)
}

// survey loads the data, computes a summary, and chooses the ranks if none were
// given.
func (r *reportCommand) survey(ctx context.Context, cmd *cobra.Command, path string, bar *bar.Bar) (*job, *symmom.Summary, error) {
	j, err := r.begin(ctx, cmd, path, bar)
	if err != nil {
		return nil, nil, err
	}
	if err := checkImages(r.rows, r.cols, j.session.N()); err != nil {
		return nil, nil, err
	}
	summary := j.session.WithContext(ctx).Summary()
	if err := summary.Err(); err != nil {
		return nil, nil, inFlags(err)
	}
	if len(r.ranks) == 0 {
		from, to := frame.Around(summary.SuggestedRank)
		if r.debiased && r.debias.Value == 0 { // there is an estimate up to this rank
			from, to = min(from, summary.N), min(to, summary.N)
		}
		for rank := from; rank <= to; rank++ {
			r.ranks = append(r.ranks, rank)
		}
	}
	if r.rank != 0 && !slices.Contains(r.ranks, r.rank) {
		return nil, nil, usagef("--best: got %d, want one of the ranks %s", r.rank, flags.Numbers(&r.ranks, ""))
	}
	return j, summary, nil
}

// unfinished returns the error of an interrupted sweep.
func unfinished(w *symmom.Sweep, stopped error) error {
	return soFar(stopped, fmt.Sprintf("what was found so far, rank %d unfinished", w.Fits[len(w.Fits)-1].Rank))
}

// checkImages refuses pictures of other than n pixels, unless rows is 0.
func checkImages(rows, cols, n int) error {
	if rows > 0 && rows*cols != n {
		return usagef("--images: pictures of %d x %d pixels have %s, the data %s", rows, cols, words.Plural(rows*cols, "column"), words.Count(n))
	}
	return nil
}
