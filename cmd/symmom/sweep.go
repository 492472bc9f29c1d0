package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/charts"
	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/objects"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/text/plaintable"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const sweepLong = `Sweep decomposes the moment at each rank of a range and lists the results, to
help choose the rank: the relative error falls quickly up to the number of
components of the data, and slowly beyond it.`

const sweepExample = `  symmom sweep data.npy --order 3 --ranks 1..5

  # with the score against known components, a page, and every model kept
  symmom sweep data.npy --order 3 --ranks 2..4 --truth means.npy \
      --html sweep.html --save sweep.json

  # for a script: rank, relative error and score, one rank a line; a score is of
  # the components found, and can be best where there are too few
  symmom sweep data.npy -d 3 -r 1..5 --truth means.npy --json \
      | jq -r '.results[] | [.rank, .relative_error, .score] | @tsv'`

// sweepCommand holds the command and its flags.
type sweepCommand struct {
	fitFlags
	ranks      []int
	save, html string
}

func newSweep(a *app) *cobra.Command {
	s := &sweepCommand{}
	cmd := &cobra.Command{
		Use:               "sweep DATA --ranks A..B [flags]",
		Short:             "Compare a range of ranks",
		Long:              sweepLong,
		Example:           sweepExample,
		Args:              oneData,
		ValidArgsFunction: completeData,
	}
	s.defineMoment(cmd, func(fs *pflag.FlagSet) {
		fs.VarP(flags.Numbers(&s.ranks, "ranks"), "ranks", "r", "ranks to try: 3..7, or 1,2,4")
		s.defineDistinct(fs)
	})
	require(cmd, "ranks")
	s.define(cmd)
	s.cluster(cmd)
	s.defineSearch(cmd)
	s.defineOutput(cmd, func(fs *pflag.FlagSet) {
		fs.Var(overwrite.WritesThese(&s.save, s.models), "save", "write the model of each rank to `FILE`, with -rank5 inserted before "+modelNames)
		fs.Var(overwrite.Writes(&s.html), "html", "write a page with all ranks and their fits to `FILE`")
	})
	completeFiles(cmd, "save", modelExtensions...)
	completeFiles(cmd, "html", "html")
	return a.command(cmd, func(cmd *cobra.Command, args []string) error { return s.run(a, cmd, args[0]) })
}

func (s *sweepCommand) run(a *app, cmd *cobra.Command, path string) error {
	if err := checkOutputs(s.save, s.html); err != nil {
		return err
	}
	ctx, release := a.interruptible()
	defer release()
	bar := a.progress(s.quiet, s.ranks[0], s.ranks[len(s.ranks)-1])
	j, err := s.begin(ctx, cmd, path, bar)
	if err != nil {
		bar.Stop()
		return err
	}
	sweep := j.moment.SweepRanks(s.ranks...)
	bar.Stop()
	if len(sweep.Fits) == 0 {
		return inFlags(sweep.Err())
	}
	stopped := sweep.Err()
	if j.truth != nil {
		sweep = sweep.Score(j.truth)
	} else if means := s.groups(ctx, j); means != nil {
		sweep = sweep.Score(means)
	}
	a.warnFound(sweep.Warnings, s.truth, &s.dataFlags, s.whiten)
	var names []string
	saved := a.keepAll(ctx, s.save, &names, func() (err error) {
		for _, f := range sweep.Fits {
			name := rankName(s.save, f.Rank)
			names, err = append(names, name), all(err, saving(f.Save(name)))
		}
		return err
	})
	drawn := a.keep(ctx, s.html, func() error { return s.page(j, sweep).Save(s.html) })
	printed := a.print(s.asked, func() any { return objects.NewSweep(sweep, a.warnings) }, func() string { return sweepText(j.session, sweep) + scoredBy(sweep, j) })
	return all(unfinished(sweep, stopped), saved, drawn, printed)
}

// models returns the names of the files of --save.
func (s *sweepCommand) models() []string {
	var names []string
	for _, rank := range s.ranks[:min(len(s.ranks), mostFits)] {
		names = append(names, rankName(s.save, rank))
	}
	return names
}

// rankName inserts the rank into the name of a file: model.json, model-rank5.json.
func rankName(path string, rank int) string {
	return inserted(path, fmt.Sprintf("rank%d", rank))
}

// inserted inserts what a file is of before the end of its name, if it has one.
func inserted(path, what string) string {
	if path == "" {
		return ""
	}
	ext := filepath.Ext(strings.TrimSuffix(path, ".gz"))
	if strings.HasSuffix(path, ".gz") {
		ext += ".gz"
	}
	return strings.TrimSuffix(path, ext) + "-" + what + ext
}

// scoredBy says what the scores of a sweep are beside, if there are any and that is not a truth.
func scoredBy(w *symmom.Sweep, j *job) string {
	if j.truth != nil || math.IsNaN(w.Scores[0]) {
		return ""
	}
	return fmt.Sprintf("\n  score: against the means of %s\n", j.session.Labels().Name)
}

func sweepText(s *symmom.Session, w *symmom.Sweep) string {
	header, rows := w.Table()
	return fmt.Sprintf("  %s, %s\n\n%s\n", dataLine(s), w.Kind.Describe(w.Order), plaintable.Render(header, rows, func(i int) bool { return i == len(header)-1 }))
}

// page returns the page of --html: all ranks, and each of them in full.
func (s *sweepCommand) page(j *job, w *symmom.Sweep) *charts.Report {
	r := charts.NewReport(fmt.Sprintf("Fits of %s to %s", words.Plural(len(w.Fits), "rank"), w.Kind.Describe(w.Order)))
	r.Subtitle = dataLine(j.session)
	r.Footer = footer(w.Fits[0].Seed)
	r.AddSweep(w)
	for _, x := range w.Fits {
		r.Heading(fmt.Sprintf("Rank %d", x.Rank)).AddFit(x, s.shownBeside(j))
	}
	return r
}
