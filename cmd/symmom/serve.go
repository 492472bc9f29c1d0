package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/charts/live"
	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/store/files"
	"symmom/internal/system/browser"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const serveLong = `Serve opens a page with controls for order, rank, columns, weights, center
or standardize, whiten, noise, starts and form. Each change starts a fit:
the page shows the search while it runs, a button stops it and keeps the
best so far, and a report follows, which can be saved with its model and its
figures.

With --topics it is the page of topics of documents, with controls for their
number, the words shown, concentration, polish, starts and seed.

The server requires the token in its address, and listens only on the
loopback interface. Closing the page does not stop a fit. Ctrl-C ends the
server; a running fit keeps its best so far.`

const serveExample = `  symmom serve data.npy

  # begin with a choice, and keep the last fit when the server ends
  symmom serve table.csv --order 3 --rank 5 --columns 2-9 --standardize \
      --save model.json --html report.html

  # topics of documents, beginning with as many as stand out from the noise
  symmom serve reviews.npz --topics 0

  # on another machine: there, and then here
  symmom serve data.npy --port 8080 --no-open
  ssh -L 8080:127.0.0.1:8080 HOST     # and open the address that it printed`

// serveCommand holds the command and its flags.
type serveCommand struct {
	fitFlags
	rank       int
	rows, cols int
	title      string
	host       string
	port       int
	noOpen     bool
	save, html string
	first      live.TopicsChoice // of --topics

	desk *live.Desk
}

func newServe(a *app) *cobra.Command {
	v := &serveCommand{}
	cmd := &cobra.Command{
		Use:               "serve DATA [flags]",
		Short:             "Fit by hand on a live page in the browser",
		Long:              serveLong,
		Example:           serveExample,
		Args:              oneData,
		ValidArgsFunction: completeData,
	}
	flagGroup(cmd, "The page", func(fs *pflag.FlagSet) {
		fs.Var(flags.Whole(&v.port, 0), "port", "port of the page, 0: a free one")
		fs.StringVar(&v.host, "host", "127.0.0.1", "`ADDRESS` to listen at: 127.0.0.1 or ::1, this machine alone")
		fs.BoolVar(&v.noOpen, "no-open", false, "open no browser")
		fs.StringVar(&v.title, "title", "", "`TEXT` at the top of the page (default: DATA)")
		fs.Var(flags.ImageSize(&v.rows, &v.cols), "images", "each row is a picture of this size in pixels: 8x8")
	})
	v.defineMoment(cmd, func(fs *pflag.FlagSet) {
		numberFlag(fs, flags.Whole(&v.rank, 1), "rank", "r", "number of components to begin with (default: what the spectrum suggests)")
	})
	v.defineTopics(cmd)
	v.define(cmd)
	v.defineSearch(cmd)
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.Var(overwrite.Reads(&v.truth), "truth", "`FILE` with true factors, n x r, for the score")
		fs.Var(overwrite.Writes(&v.save), "save", "write the model of the last fit to `FILE` at the end: "+modelNames+"; of topics as JSON")
		fs.Var(overwrite.Writes(&v.html), "html", "write the last report to `FILE` at the end")
		fs.BoolVarP(&v.quiet, "quiet", "q", false, "no progress while the data are read")
	})
	completeWords(cmd, "host", "127.0.0.1", "::1")
	completeFiles(cmd, "truth", dataExtensions...)
	completeFiles(cmd, "save", modelExtensions...)
	completeFiles(cmd, "html", "html")
	return a.command(cmd, func(cmd *cobra.Command, args []string) error { return v.run(a, cmd, args[0]) })
}

func (v *serveCommand) run(a *app, cmd *cobra.Command, path string) error {
	if path == standardInput {
		return usagef("serve reads the table again when other columns of it are chosen, and a pipe can be read once; write the table to a file")
	}
	if err := all(checkOutputs(v.save, v.html), v.checkTopics(cmd)); err != nil {
		return err
	}
	if v.port > 65535 {
		return usagef("--port: got %d, want 0 (a free one) to 65535", v.port)
	}
	ln, err := live.Listen(v.host, v.port)
	var elsewhere live.HostError
	switch {
	case errors.As(err, &elsewhere):
		return usagef("--host: %v", err)
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("--port %d: another program has it; want another port, or 0 for a free one", v.port)
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("--port %d: permission denied; want one above 1023, or 0 for a free one", v.port)
	case err != nil:
		return fmt.Errorf("--port %d: %w", v.port, err)
	}
	defer ln.Close()
	ctx, release := a.interruptible()
	defer release()
	bar := a.progress(v.quiet, 1, 1)
	v.options.Progress = bar.Update
	bar.Note("reading %s", files.Name(path))
	o, base, err := v.page(ctx, cmd, path)
	bar.Stop()
	if err != nil {
		return err
	}
	if v.desk != nil {
		a.warnFound(v.desk.Warnings(), v.truth, &v.dataFlags, v.whiten)
	}
	s := live.New(ctx, ln, o)
	if _, err := fmt.Fprintf(a.out, "  %s\n  %s\n  Ctrl-C ends it; closing the page does not.\n", dataLine(base), s.Address()); err != nil {
		return printing(err)
	}
	if !v.noOpen {
		defer browser.OpenAddress(s.Address())()
	}
	if err := s.Serve(); err != nil {
		return err
	}
	return v.finish(a, s, o.Kind.Name)
}

// page reads the table, and makes the page of fits or of topics.
func (v *serveCommand) page(ctx context.Context, cmd *cobra.Command, path string) (o live.Options, base *symmom.Session, err error) {
	var fields func() ([]live.Field, error)
	if cmd.Flags().Changed("topics") {
		d, err := v.topicsDesk(ctx, cmd, path)
		if err != nil {
			return o, nil, err
		}
		base, fields, o.Kind, o.Prepare = d.Base, d.Fields, live.Topics, d.Prepare
		o.Subtitle = d.Size()
	} else {
		if err := v.read(ctx, cmd, path); err != nil {
			return o, nil, err
		}
		base, fields, o.Kind, o.Prepare = v.desk.Base, v.desk.Fields, live.Fits, v.desk.Prepare
	}
	o.Title, o.Subtitle, o.Footer = cmp.Or(v.title, base.Source()), cmp.Or(o.Subtitle, tableSize(base)), "symmom "+version()
	o.Fields, err = fields()
	return o, base, err
}

// finish keeps the last result, of a name, and says what was kept.
func (v *serveCommand) finish(a *app, s *live.Server, name string) error {
	found, job := s.Result()
	var saved, drawn, stopped error
	if found == nil {
		_, err := fmt.Fprintln(a.out, "  Nothing was found.")
		stopped = cutShort(s, name)
		if stopped == nil && (v.save != "" || v.html != "") {
			stopped = errors.New("no file was written, as nothing was found; the page said why")
		}
		return all(printing(err), stopped)
	}
	text := "  The last " + name + ": " + s.Line() + ".\n"
	if v.save != "" {
		if saved = saving(found.Save(v.save)); saved == nil {
			text += fmt.Sprintf("  Wrote %s\n", files.Name(v.save))
		}
	}
	if v.html != "" {
		if drawn = s.Report().Save(v.html); drawn == nil {
			text += fmt.Sprintf("  Wrote %s\n", files.Name(v.html))
		}
	}
	if v.save == "" && v.html == "" {
		text += "  It was kept nowhere but on the page; --save and --html keep the last one at the end.\n  Again: " + job.Again() + "\n"
	}
	_, err := fmt.Fprint(a.out, text)
	stopped = cutShort(s, name)
	return all(stopped, saved, drawn, printing(err))
}

// cutShort returns the error of a job that the end of the server has cut short.
func cutShort(s *live.Server, name string) error {
	cut, kept := s.Cut()
	switch {
	case !cut:
		return nil
	case kept:
		return &partly{"the best " + name + " so far"}
	}
	return fmt.Errorf("%w: what ran had no result yet", symmom.ErrInterrupted)
}

// read reads the table, and makes a desk of the flags.
func (v *serveCommand) read(ctx context.Context, cmd *cobra.Command, path string) error {
	o, err := v.search(ctx, cmd)
	if err != nil {
		return err
	}
	changed := changes(path)
	s, err := v.table(ctx, path)
	if err != nil {
		return err
	}
	n := s.N()
	if err := checkImages(v.rows, v.cols, n); err != nil {
		return err
	}
	if v.whiten > 0 {
		n = v.whiten
	}
	truth, err := loadTruth(ctx, v.truth, n, 0)
	if err != nil {
		return err
	}
	v.desk = &live.Desk{Base: s, Forms: forms, Stream: v.stream, Reread: v.load.Missing != "error", Cumulant: v.cumulant, WeightsApart: v.load.Weights != "",
		Truth: truth, TruthNote: func(c live.Choice) string {
			d := v.inShape(c.Table.Shape)
			return truthNote(v.truth, &d, c.Whiten)
		},
		ImageRows: v.rows, ImageCols: v.cols, Title: v.title, Version: version(),
		Ranks: func(text string) (ranks []int, err error) {
			err = flags.Numbers(&ranks, "ranks").Set(text)
			return ranks, err
		},
		Shape: func(s *symmom.Session, how string) *symmom.Session {
			d := v.inShape(how)
			return d.shaped(s)
		},
		First: live.Choice{Order: v.order, Rank: v.rank, Form: v.form, Starts: o.Starts, Seed: o.Seed, Debias: v.debiased, Sigma: v.debias.Value,
			Whiten: v.whiten, Table: live.TableChoice{Shape: v.shape()}},
		Command: func(c live.Choice) string { return v.again(cmd, path, c) }, Changed: changed,
		Reopen: func(ctx context.Context, c live.TableChoice) (*symmom.Session, error) {
			d := v.dataFlags
			v.choose(&d, c)
			return d.table(ctx, path)
		},
		Moment: func(ctx context.Context, s *symmom.Session, c live.Choice, tell func(symmom.Progress)) (*symmom.Session, *symmom.Moment) {
			f, o := v.fitFlags, o
			f.order, f.form, f.debiased, f.debias.Value, f.whiten = c.Order, c.Form, c.Debias, c.Sigma, c.Whiten
			o.Starts, o.Seed, o.Progress = c.Starts, c.Seed, tell
			if c.Task == live.Rank && !cmd.Flags().Changed("max-iters") {
				o.MaxIterations = 0 // fewer than those of a fit
			}
			return f.momentOf(ctx, s, o)
		}}
	return inFlags(asUsage(v.desk.Look(ctx)))
}

// changes returns what says that a file on disk is no longer as it is now, by its size and
// time: fits go on with what was read, and the command that makes one again does not.
func changes(path string) func() string {
	before, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return func() string {
		now, err := os.Stat(path)
		if err == nil && os.SameFile(before, now) && before.Size() == now.Size() && before.ModTime().Equal(now.ModTime()) {
			return ""
		}
		return fmt.Sprintf("%s has changed since this page began, which goes on with what was read then; end serve and begin again to fit what is there now.", files.Name(path))
	}
}

// shape is what the flags bring the table to.
func (v *serveCommand) shape() string {
	switch {
	case v.center:
		return live.Center
	case v.standardize:
		return live.Standardize
	}
	return live.AsRead
}

// inShape is the flags of the table, with another shape.
func (v *serveCommand) inShape(how string) dataFlags {
	d := v.dataFlags
	d.center, d.standardize = how == live.Center, how == live.Standardize
	return d
}

// choose turns what is chosen of the table into flags.
func (v *serveCommand) choose(d *dataFlags, c live.TableChoice) {
	if c.Columns != nil {
		d.load.Columns = c.Columns
	}
	switch c.Weights {
	case "", live.AsRead:
		return
	case live.AllEqual:
		c.Weights = ""
	}
	d.load.Weights, d.load.WeightsFile = c.Weights, ""
}

// ofPage are flags of no other command.
var ofPage = []string{"port", "host", "no-open", "title", "save", "html", "quiet"}

// again returns the command that makes a fit again: what the page chooses, and the
// flags that were given of those that it does not.
func (v *serveCommand) again(cmd *cobra.Command, path string, c live.Choice) string {
	d := v.dataFlags
	v.choose(&d, c.Table)
	args := []string{"decompose", files.Name(path), "--order", strconv.Itoa(c.Order)}
	add := func(given bool, flag, value string) {
		if given {
			args = append(args, flag, value)
		}
	}
	switch c.Task {
	case live.Rank:
		args[0] = "rank"
		if slices.ContainsFunc([]string{"init", "solver", "tol", "ftol", "max-evals", "corrections"}, cmd.Flags().Changed) {
			return "" // it has none of these
		}
	case live.Sweep:
		args[0] = "sweep"
		add(true, "--ranks", c.Ranks)
	default:
		add(true, "--rank", strconv.Itoa(c.Rank))
	}
	add(c.Form != forms[0], "--form", c.Form)
	add(c.Starts > 0, "--starts", strconv.Itoa(c.Starts))
	add(c.Seed != symmom.DefaultSeed, "--seed", strconv.FormatUint(c.Seed, 10))
	switch {
	case c.Debias && c.Sigma > 0:
		args = append(args, "--debias="+strconv.FormatFloat(c.Sigma, 'g', -1, 64))
	case c.Debias:
		args = append(args, "--debias")
	}
	if how := c.Table.Shape; how == live.Center || how == live.Standardize {
		args = append(args, "--"+how)
	}
	add(c.Whiten > 0, "--whiten", strconv.Itoa(c.Whiten))
	add(d.load.Columns != nil, "--columns", live.List(d.load.Columns))
	add(d.load.WeightsFile != "", "--weights", files.Name(d.load.WeightsFile))
	add(d.load.Weights != "", "--weights-column", d.load.Weights)
	here := append([]string{"order", "rank", "starts", "seed", "form", "debias", "columns", "weights", "weights-column",
		"center", "standardize", "whiten", "images"}, ofPage...)
	if c.Task == live.Rank {
		here = append(here, "truth")
	} else if v.truth != "" {
		n := cmp.Or(c.Whiten, len(c.Table.Columns), v.desk.Base.N())
		if rows, _ := v.desk.Truth.Dims(); rows != n {
			here = append(here, "truth") // which is for others
		}
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if formsOf[f.Name] != nil && !slices.Contains(formsOf[f.Name], c.Form) {
			here = append(here, f.Name)
		}
	})
	return withFlags(args, cmd, d.load.NA, here)
}

// withFlags is the command line of arguments, and of flags that were given, but some.
func withFlags(args []string, cmd *cobra.Command, na, but []string) string {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case slices.Contains(but, f.Name):
		case f.Value.Type() == "bool":
			args = append(args, "--"+f.Name)
		case f.Name == "na":
			args = append(args, "--"+f.Name, live.List(na))
		default:
			args = append(args, "--"+f.Name, f.Value.String())
		}
	})
	return words.CommandLine(files.Args(args))
}
