package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/internal/data/export"
	"symmom/internal/estimate/progress"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const convertLong = `Convert reads a table as every command does and writes it in the format of
OUT's extension: .csv, .tsv (also with .gz), .npy, .parquet, .arrow or .feather.
Other programs read the same float64 numbers back, bit for bit; whole numbers
from 2^53 on are rounded to float64, with a warning. Columns without numbers are
omitted with a warning, and so are labels. With --stream, tables larger than
memory are converted in one more pass over them. OUT is written atomically, even
when interrupted, and cannot be an input file.`

const convertExample = `  symmom convert table.csv table.parquet --missing drop
  symmom convert data.npy data.csv.gz
  symmom convert table.csv part.feather --columns height,weight --float32
  symmom convert data.npy data.parquet --stream`

// convertCommand holds the command and its flags.
type convertCommand struct {
	dataFlags
	quiet bool
}

func newConvert(a *app) *cobra.Command {
	c := &convertCommand{}
	cmd := &cobra.Command{
		Use:               "convert IN OUT [flags]",
		Short:             "Write a table in another format",
		Long:              convertLong + "\n\n" + strings.Replace(dataHelp, "DATA", "IN", 1),
		Example:           convertExample,
		Args:              twoTables,
		ValidArgsFunction: completeTables(2),
	}
	c.define(cmd)
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		quietFlag(fs, &c.quiet)
	})
	return a.command(cmd, func(_ *cobra.Command, args []string) error { return c.run(a, args[0], args[1]) })
}

// twoTables checks the arguments of convert.
func twoTables(cmd *cobra.Command, args []string) error {
	if len(args) != 2 {
		return usagef("%s needs a file to read and one to write, got %s; as in: %s", cmd.Name(), words.Plural(len(args), "argument"), firstExample(cmd))
	}
	return nil
}

func (c *convertCommand) run(a *app, in, out string) error {
	if err := export.Check(out); err != nil {
		return usagef("%s: %v", out, err)
	}
	ctx, release := a.interruptible()
	defer release()
	bar := a.progress(c.quiet, 0, 0)
	bar.Note("read")
	c.load.NoSpill = c.load.NoSpill || c.stream // one more pass does not repay a copy
	s, err := c.session(ctx, in)
	bar.Stop()
	if err != nil {
		return err
	}
	a.warn(onlyReading(s.Warnings()))
	if c.load.Labels != "" {
		a.warn([]symmom.Warning{{Code: symmom.WarnLeftOut, Text: fmt.Sprintf("--labels %s keeps a column beside the data, and only the data are written: it is left out of %s", c.load.Labels, files.Name(out))}})
	}
	host := progress.Host{Context: func() context.Context { return ctx }, Progress: func(r progress.Report) { bar.Update(symmom.Progress(r)) }}
	err = a.keep(ctx, out, func() error { return s.WithContext(host.In()).Save(out) })
	bar.Stop()
	var save *symmom.SaveError
	switch {
	case errors.As(err, &save):
		return fmt.Errorf("%s: %w", out, save.Err)
	case errors.Is(err, symmom.ErrInterrupted):
		return fmt.Errorf("%w; %s was not written", symmom.ErrInterrupted, out)
	case err != nil:
		return inFlags(err)
	}
	text := tableSize(s)
	if s.Weighted() {
		text += ", and a last column of weights"
	}
	return a.write(facts([]string{out, text}))
}

// onlyReading omits the warnings that matter only for fits.
func onlyReading(warnings []symmom.Warning) []symmom.Warning {
	var kept []symmom.Warning
	for _, w := range warnings {
		switch w.Code {
		case symmom.WarnZero, symmom.WarnOneObservation, symmom.WarnScales, symmom.WarnConstant:
		default:
			kept = append(kept, w)
		}
	}
	return kept
}
