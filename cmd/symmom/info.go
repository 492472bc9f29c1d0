package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/cmd/symmom/internal/objects"
	"symmom/internal/data/describe"
	"symmom/internal/text/diag"
	"symmom/internal/text/plaintable"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const infoLong = `Info describes a table before it is decomposed: its size, its columns, missing
and constant ones, and the leading eigenvalues of the second moment. A gap in
the eigenvalues suggests the number of components. If values are missing, it
describes the complete rows or, if there are none, the values of each column.
Columns of text and times are described as they are in the file; so are those
that mix numbers and text or hold numbers that are not finite, with the first
such line. Likely codes of missing values, such as 999, are reported: --na 999
makes them missing.`

const infoExample = `  symmom info data.npy
  symmom info table.csv --columns height,weight
  symmom info table.csv --all --missing mean
  symmom info table.csv --na -99,refused,age=999
  symmom info table.csv --decimal .
  symmom info data.npy --json | jq .eigenvalues`

// infoRows is the number of rows printed by default.
const infoRows = 20

// infoCommand holds the command and its flags.
type infoCommand struct {
	dataFlags
	every, asked bool
}

func newInfo(a *app) *cobra.Command {
	i := &infoCommand{}
	cmd := &cobra.Command{
		Use:               "info DATA [flags]",
		Short:             "Take a first look at a table",
		Long:              infoLong,
		Example:           infoExample,
		Args:              oneData,
		ValidArgsFunction: completeData,
	}
	i.define(cmd)
	i.cluster(cmd)
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.BoolVar(&i.every, "all", false, "list every column, however many")
		jsonFlag(fs, &i.asked)
	})
	return a.command(cmd, func(_ *cobra.Command, args []string) error { return i.run(a, args[0]) })
}

func (c *infoCommand) run(a *app, path string) error {
	ctx, release := a.interruptible()
	defer release()
	summary, counts, err := c.summary(ctx, path)
	if summary != nil && summary.N > 10_000 { // descriptions of columns take more than the table then
		defer debug.SetGCPercent(debug.SetGCPercent(40))
	}
	if slices.Contains(symmom.Help(err), "MemoryLimit") {
		return err // at once: to describe so large a file takes long
	}
	file := &describe.Table{Format: "query"}
	switch {
	case c.load.Spark != "":
		file.Format = "" // the columns that are not variables are not read here
	case c.query != "" || ctx.Err() != nil:
	case err == nil && c.whole(summary, counts) && describe.Only(ctx, path):
		file = described(summary)
	default:
		file = tableOf(symmom.Describe(path, c.load))
	}
	var warnings []diag.Warning
	if err != nil && ctx.Err() == nil && file.Err() == nil {
		// The rest of the columns can be described.
		if columns, left := describe.Finite(file); c.load.Columns == nil && len(left) > 0 {
			first := err // of the whole table
			if c.load.Columns = columns; len(columns) == 0 {
				columns = nil
				summary, err = &symmom.Summary{Source: file.Source, Density: math.NaN()}, nil
				left = []diag.Warning{{Code: diag.LeftOut, Text: file.Source + ": no column holds finite numbers alone, so there are no variables"}}
			} else {
				summary, counts, err = c.summary(ctx, path)
			}
			warnings = left
			if err != nil {
				err = first
			}
		}
	}
	if err != nil {
		return err
	}
	columns := file.Columns
	if len(columns) == 0 { // of a pipe, of several files, of a query
		columns = make([]describe.Column, 0, len(summary.Variables))
		for _, v := range summary.Variables {
			columns = append(columns, describe.Column(v))
		}
	}
	var first []symmom.Warning
	for _, w := range append(warnings, describe.Suspects(columns)...) {
		first = append(first, symmom.Warning{Code: symmom.WarningCode(w.Code), Text: w.Text, Help: w.Help})
	}
	summary.Warnings = append(first, summary.Warnings...)
	a.warn(summary.Warnings)
	out := objects.NewInfo(summary, counts, a.warnings)
	out.AddFile(file)
	out.Query = c.query != ""
	limit := infoRows
	if c.every {
		limit = max(len(out.Columns), len(out.File))
	}
	return a.print(c.asked, func() any { return out }, func() string { return infoText(out, limit) })
}

// whole reports whether a summary describes a file of numbers completely.
func (c *infoCommand) whole(s *symmom.Summary, missing map[string]int) bool {
	o := c.load
	return len(missing)+len(o.Columns)+len(o.NA)+len(s.Shards) == 0 && s.Coordinates+o.Weights+o.Labels == "" && o.Missing == "error" && !o.Float32
}

// described describes the file of a complete summary.
func described(s *symmom.Summary) *describe.Table {
	return tableOf(&symmom.Description{Source: s.Source, Format: describe.Arrays, Rows: s.Observations, Columns: s.Variables})
}

// tableOf returns a description as the packages that advise on it have it.
func tableOf(d *symmom.Description) *describe.Table {
	t := &describe.Table{Source: d.Source, Format: d.Format, Rows: d.Rows, Failure: d.Err(), Columns: make([]describe.Column, 0, len(d.Columns))}
	for _, c := range d.Columns {
		t.Columns = append(t.Columns, describe.Column(c))
	}
	return t
}

// summary describes the variables. Missing values are of interest here, so they are
// counted and the complete rows described; the file is read again.
func (c *infoCommand) summary(ctx context.Context, path string) (*symmom.Summary, map[string]int, error) {
	given := c.load.Missing
	defer func() { c.load.Missing = given }()
	s, err := c.session(ctx, path)
	counts, filled := map[string]int{}, false
	if missing, ok := errors.AsType[*diag.MissingError](err); ok {
		for _, m := range missing.Counts {
			counts[objects.Label(m.Name, m.Column)] = m.Count
		}
		c.load.Missing = "drop"
		if s, err = c.session(ctx, path); err != nil && ctx.Err() == nil {
			// No row is complete. With the means in the gaps, means and ranges are
			// still those of the existing values.
			filled, c.load.Missing = true, "mean"
			if s, err = c.session(ctx, path); err != nil && ctx.Err() == nil {
				return nil, nil, inFlags(missing) // a column has no value
			}
		}
	}
	if err != nil {
		return nil, nil, err
	}
	summary := s.WithContext(ctx).Summary()
	if err := summary.Err(); err != nil {
		return nil, nil, err
	}
	if len(counts) > 0 { // the line of missing values says it
		summary.Warnings = slices.DeleteFunc(summary.Warnings, func(w symmom.Warning) bool { return w.Code == symmom.WarnIncomplete })
	}
	if filled {
		withoutRows(summary, counts)
	}
	return summary, counts, nil
}

// withoutRows reduces a summary with the means in the gaps to what is true of the
// existing values.
func withoutRows(s *symmom.Summary, missing map[string]int) {
	for i := range s.Variables {
		v := &s.Variables[i]
		if there := s.Observations - missing[objects.Label(v.Name, i+1)]; there > 0 {
			v.Std *= math.Sqrt(float64(s.Observations) / float64(there))
		}
	}
	s.Eigenvalues, s.Fingerprint = nil, ""
}

// infoText shows at most limit columns, from both ends of the table.
func infoText(s objects.Info, limit int) string {
	weights := "all equal"
	if s.Weighted {
		weights = "given"
	}
	pairs := [][]string{
		{"data", s.Source},
		{"size", size(s.Observations, s.N)},
		{"weights", weights},
		{"missing", s.MissingText()},
		{"constant", s.ConstantText()},
		{"fingerprint", s.Fingerprint},
	}
	if s.Density < .5 {
		text := words.Percent(float64(s.Density)) + " of the values are not zero"
		pairs = slices.Insert(pairs, 3, []string{"density", text})
	}
	if line := s.FileLine(); line != "" {
		pairs = slices.Insert(pairs, 2, []string{"file", line})
	}
	if k := len(s.Shards); k > 0 {
		text := words.Plural(k, "file")
		for i, f := range s.Shards {
			switch {
			case i < 2 || i == k-1:
				text += fmt.Sprintf("\n%s: %s", f.Name, words.Plural(f.Rows, "row"))
			case i == 2:
				text += "\n..."
			}
		}
		pairs = slices.Insert(pairs, 1, []string{"files", text})
	}
	header := []string{"column", "mean", "std", "min", "max"}
	if s.Missing > 0 {
		header = append(header, "missing")
	}
	named, numbers := s.Named(), table.Row{}
	if named {
		header, numbers = append([]string{"no."}, header...), table.Row{""}
	}
	left := len(numbers)
	t := plaintable.Aligned(header, func(i int) bool { return i == left })
	for i, c := range s.Columns {
		if len(s.Columns) > limit && i >= limit/2 && i < len(s.Columns)-limit/2 {
			if i == limit/2 {
				t.AppendRow(append(numbers, fmt.Sprintf("... %d more (--all)", len(s.Columns)-2*(limit/2))))
			}
			continue
		}
		row := table.Row{c.Name}
		if named {
			row = table.Row{c.Number, c.Name}
		}
		for _, x := range []objects.Number{c.Mean, c.Std, c.Min, c.Max} {
			row = append(row, words.Value(float64(x)))
		}
		if s.Missing > 0 {
			row = append(row, c.Missing)
		}
		t.AppendRow(row)
	}
	if s.N == 0 {
		return facts(pairs[:2]...) + "\n" + fileText(s, limit)
	}
	return facts(pairs...) + "\n" + t.Render() + "\n\n" + fileText(s, limit) + spectrumText(s)
}

// spectrumText draws the leading eigenvalues relative to the first, so that a gap
// is visible.
func spectrumText(s objects.Info) string {
	if len(s.Eigenvalues) == 0 {
		return "no eigenvalues without complete rows\n"
	}
	const width = 40
	t := columns(0, "eigenvalue", "of the second moment")
	t.SetColumnConfigs([]table.ColumnConfig{{Number: 2, Align: textLeft, AlignHeader: textLeft}})
	for _, e := range s.Eigenvalues {
		bar := ""
		if share := float64(e / s.Eigenvalues[0]); share > 0 && share <= 1 { // false if both are infinite
			bar = strings.Repeat("█", int(share*width+.5))
		}
		t.AppendRow(table.Row{fmt.Sprintf("%.5g", float64(e)), bar})
	}
	text := t.Render() + "\n"
	switch {
	case !s.All:
		text += fmt.Sprintf("  ... the leading %d of %d\n", len(s.Eigenvalues), s.N)
	case len(s.Eigenvalues) < s.N:
		text += "  only the largest: the others would take too long for this size\n"
	}
	if s.Standing != "" {
		text += "  " + s.Standing + "\n"
	}
	return text
}
