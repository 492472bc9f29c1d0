package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/charts"
	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/objects"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/estimate/ranks"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const rankLong = `Rank looks for the number of components of a moment in four ways, and reports
the confidence of each: eigenvalues of the second moment that stand out, the
rank beyond which the relative error stops falling, the highest rank at which
two random halves of the data have the same components, and BIC of Gaussian
mixtures. There is no answer if they disagree, or if the data with each column
permuted independently show as much.`

const rankExample = `  symmom rank data.npy --order 3 --max 10

  # with a page that draws the evidence
  symmom rank data.npy --order 3 --max 10 --html rank.html

  # for a script: the rank, or null
  symmom rank data.npy -d 3 --json | jq .rank`

// rankCommand holds the command and its flags.
type rankCommand struct {
	fitFlags
	most int
	html string
}

func newRank(a *app) *cobra.Command {
	c := &rankCommand{most: symmom.DefaultMaxRank}
	cmd := &cobra.Command{
		Use:               "rank DATA [flags]",
		Short:             "Suggest a rank, or explain why there is none",
		Long:              rankLong,
		Example:           rankExample,
		Args:              oneData,
		ValidArgsFunction: completeData,
	}
	c.defineMoment(cmd, func(fs *pflag.FlagSet) {
		fs.Var(flags.Whole(&c.most, 1), "max", "highest rank to consider; one more is fitted")
	})
	c.define(cmd)
	o := &c.options
	flagGroup(cmd, "The search", func(fs *pflag.FlagSet) {
		fs.Var(flags.Whole(&o.Starts, 1), "starts", "starts of each fit (default 10)")
		fs.Var(flags.Whole(&o.MaxIterations, 1), "max-iters", "iterations of one start (default 100, of Adam 10000)")
		seedFlag(fs, &o.Seed)
		threadsFlag(fs, &o.Threads)
	})
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.Var(overwrite.Writes(&c.html), "html", "write a page that draws the evidence to `FILE`")
		jsonFlag(fs, &c.asked)
		quietFlag(fs, &c.quiet)
	})
	completeFiles(cmd, "html", "html")
	return a.command(cmd, func(cmd *cobra.Command, args []string) error { return c.run(a, cmd, args[0]) })
}

func (c *rankCommand) run(a *app, cmd *cobra.Command, path string) error {
	if err := checkOutputs("", c.html); err != nil {
		return err
	}
	if c.order < 3 { // refused whatever the table, and so before it is read
		return asUsage(symmom.FromRows([][]float64{{1}, {2}}).Moment(c.order).SuggestRank(0).Err())
	}
	ctx, release := a.interruptible()
	defer release()
	bar := a.progress(c.quiet, 1, c.most+1)
	j, err := c.begin(ctx, cmd, path, bar)
	if err != nil {
		bar.Stop()
		return err
	}
	s := j.moment.SuggestRank(c.most)
	bar.Stop()
	if s.Conclusion == "" {
		return inFlags(s.Err())
	}
	a.warn(s.Warnings)
	drawn := a.keep(ctx, c.html, func() error {
		r := charts.NewReport("Rank of " + s.Kind.Describe(s.Order))
		r.Subtitle, r.Footer = dataLine(j.session), footer(c.options.Seed)
		return r.AddRank(s).Save(c.html)
	})
	printed := a.print(c.asked, func() any { return objects.NewRank(s, a.warnings) }, func() string { return rankText(j.session, s) })
	return all(soFar(s.Err(), "the evidence so far"), drawn, printed)
}

func rankText(session *symmom.Session, s *symmom.RankSuggestion) string {
	t := columns(1, "evidence", "rank", "", "why")
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 3, Align: textLeft}, {Number: 4, Align: textLeft, AlignHeader: textLeft}})
	for _, e := range s.Evidence {
		t.AppendRow(table.Row{e.Kind, (*ranks.Evidence)(&e).Says(), e.Sure, e.Text})
	}
	answer := "unsure"
	if s.Rank > 0 {
		answer = fmt.Sprint(s.Rank)
	}
	return facts([]string{"data", dataLine(session)},
		[]string{"moment", fmt.Sprintf("%s, ranks 1 to %d", s.Kind.Describe(s.Order), s.Max)},
		[]string{"rank", answer},
		[]string{"", s.Conclusion},
		[]string{"work", words.Duration(s.Elapsed)}) + "\n" + t.Render() + "\n"
}
