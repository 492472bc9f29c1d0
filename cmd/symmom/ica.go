package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/charts"
	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/objects"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/data/export"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const icaLong = `Ica separates a table into independent sources: it whitens the data to K
coordinates, decomposes their fourth cumulant, and refines the result.
Sources have mean 0 and variance 1 and are ordered by the size of their
kurtosis, which is 0 for a normal source; two normal sources cannot be
separated.`

const icaExample = `  symmom ica data.npy --components 4

  # save the sources, p x K
  symmom ica data.npy --components 4 --sources sources.npy

  # draw them
  symmom ica data.npy --components 4 --html sources.html

  # for a script
  symmom ica data.npy --components 4 --json | jq .kurtosis`

// icaCommand holds the command and its flags.
type icaCommand struct {
	dataFlags
	components int
	options    symmom.ICAOptions
	sources    string
	html       string
	asked      bool
}

func newICA(a *app) *cobra.Command {
	c := &icaCommand{}
	o := &c.options
	o.Seed = symmom.DefaultSeed
	cmd := &cobra.Command{
		Use:               "ica DATA --components K [flags]",
		Short:             "Find the independent sources of mixed signals",
		Long:              icaLong,
		Example:           icaExample,
		Args:              oneData,
		ValidArgsFunction: completeData,
	}
	flagGroup(cmd, "The sources", func(fs *pflag.FlagSet) {
		numberFlag(fs, flags.Whole(&c.components, 1), "components", "k", "number of sources")
		fs.BoolVar(&o.CumulantOnly, "cumulant-only", false, "do not refine the result of the fourth cumulant")
		fs.Var(flags.Whole(&o.Starts, 1), "starts", "random rotations to begin from (default 3)")
		fs.Var(flags.Whole(&o.MaxIterations, 1), "max-iters", "iterations of a start, and of the refinement after it (default 200)")
		seedFlag(fs, &o.Seed)
		threadsFlag(fs, &o.Threads)
	})
	require(cmd, "components")
	c.define(cmd)
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.Var(overwrite.Writes(&c.sources), "sources", "write the sources, p x K, to `FILE`, "+tableNames)
		fs.Var(overwrite.Writes(&c.html), "html", "write a page that draws the sources to `FILE`")
		jsonFlag(fs, &c.asked)
	})
	completeFiles(cmd, "sources", export.Extensions()...)
	completeFiles(cmd, "html", "html")
	return a.command(cmd, func(_ *cobra.Command, args []string) error { return c.run(a, args[0]) })
}

func (c *icaCommand) run(a *app, path string) error {
	if err := all(tableName("sources", c.sources), checkOutputs("", c.html)); err != nil {
		return err
	}
	ctx, release := a.interruptible()
	defer release()
	s, err := c.session(ctx, path)
	if err != nil {
		return err
	}
	s = s.WithContext(ctx)
	found := s.ICA(c.components, c.options)
	if found.Components == 0 {
		return inFlags(found.Err())
	}
	a.warn(found.Warnings)
	var z *symmom.NamedMatrix
	var saved error
	if c.sources != "" || c.html != "" {
		while, done := soon(ctx)
		z, saved = found.Sources(s.WithContext(while))
		done()
	}
	if saved == nil {
		saved = a.keep(ctx, c.sources, func() error { return symmom.SaveMatrix(c.sources, z) })
	}
	if saved != nil && c.sources != "" {
		saved = fmt.Errorf("--sources: %w", saved)
	}
	drawn := a.keep(ctx, c.html, func() error { return c.page(s, found, z).Save(c.html) })
	printed := a.print(c.asked, func() any { return objects.NewICA(found, s.Coordinates(), a.warnings) }, func() string { return icaText(s, found) })
	return all(soFar(found.Err(), "the best separation so far"), saved, drawn, printed)
}

func icaText(s *symmom.Session, c *symmom.ICA) string {
	pairs := [][]string{{"data", dataLine(s)}, {"sources", words.Count(c.Components)}}
	return facts(append(pairs, c.Facts()...)...) + "\n" + c.Mixing.String() + "\n"
}

// page returns the page of --html; z are the sources, empty if a run was interrupted before.
func (c *icaCommand) page(s *symmom.Session, found *symmom.ICA, z *symmom.NamedMatrix) *charts.Report {
	r := charts.NewReport("Independent sources")
	r.Subtitle, r.Footer = dataLine(s), footer(c.options.Seed)
	r.Facts(append([]string{"sources", words.Count(found.Components)}, slices.Concat(found.Facts()...)...)...)
	addDoubts(r, found.Err(), "separation", found.Warnings)
	r.Matrix("Mixing matrix", found.Mixing).Add(charts.Mixing(found))
	if z != nil && z.Err() == nil {
		r.Add(charts.SourcesOf(z, found.Kurtosis, charts.SourcesOptions{Observations: s}))
	}
	return r
}
