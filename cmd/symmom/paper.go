package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/paper"
	"symmom/symmom"
)

const paperLong = `Paper repeats the experiments of Sherman and Kolda, "Estimating Higher-Order
Moments Using Symmetric Tensor Decomposition" (2020), and prints the published
numbers beside its own. With --out, --json or --html the finished cells are
saved, and an interrupted run can be resumed.`

const paperExample = `  symmom paper list
  symmom paper cost

  # all of it on small problems, in seconds; index.html links the pages
  symmom paper all --quick --out trial

  # at full size: 11 minutes of processor time, 5 GB of memory
  symmom help paper all`

// paperExamples are the examples of commands whose default example would take long.
var paperExamples = map[string]string{
	"all": `  symmom paper all --quick --out trial

  # the paper's sizes: 11 minutes of processor time, 5 GB of memory
  #   symmom paper all --out results`,
	"table3": `  # a fifth of a percent of the observations, without loss of the idea
  symmom paper table3 --observations 1000 --starts 2 --json table3.json`,
	"traces": `  symmom paper traces --observations 1000 --starts 2 --html traces.html`,
}

func newPaper(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "paper",
		Short:   "Repeat the experiments of the paper",
		Long:    paperLong,
		Example: paperExample,
	}
	parent(cmd)
	cmd.AddCommand(newPaperList(a))
	for _, e := range paper.List() {
		cmd.AddCommand(newExperiment(a, e))
	}
	cmd.AddCommand(newExperiment(a, paper.Experiment{Name: "all", Title: "All of them, and a page that links them"}))
	return cmd
}

func newPaperList(a *app) *cobra.Command {
	return a.command(&cobra.Command{
		Use:     "list",
		Short:   "List the experiments",
		Long:    "List names the experiments and the tables or figures of the paper that they are.",
		Example: "  symmom paper list",
		Args:    noArguments,
	}, func(*cobra.Command, []string) error {
		t := columns(3, "name", "in the paper", "what it shows")
		for _, e := range paper.List() {
			t.AppendRow([]any{e.Name, e.Item, e.Title})
		}
		return a.write(t.Render() + "\n")
	})
}

// experiment holds a command and its flags.
type experiment struct {
	name            string
	settings        paper.Settings
	out, json, html string
	quiet           bool
}

func newExperiment(a *app, about paper.Experiment) *cobra.Command {
	e := &experiment{name: about.Name, settings: paper.Settings{Method: paper.MethodBoth, Seed: symmom.DefaultSeed}}
	cmd := &cobra.Command{
		Use:     about.Name + " [flags]",
		Short:   about.Title,
		Long:    about.Title + ".",
		Example: "  symmom paper " + about.Name + " --quick",
		Args:    noArguments,
	}
	if about.Item != "" {
		cmd.Long = about.Title + ".\n" + about.Item + " of the paper."
	}
	if example, ok := paperExamples[about.Name]; ok {
		cmd.Example = example
	}
	s := &e.settings
	flagGroup(cmd, "The experiment", func(fs *pflag.FlagSet) {
		fs.Var(flags.Choice(&s.Method, paper.Methods()), "method", "paper: as published; best: symmom's default; or both")
		fs.BoolVar(&s.Quick, "quick", false, "small problems that take seconds: a trial, not a result")
		fs.Var(flags.Whole(&s.Starts, 0), "starts", "starts per decomposition, 0: as many as in the paper")
		seedFlag(fs, &s.Seed)
		if hasObservations(about.Name) {
			fs.Var(flags.Whole(&s.Observations, 0), "observations", "observations of table3 and traces, 0: the paper's 500,000")
		}
	})
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.VarP(overwrite.WritesThese(&e.out, e.kept), "out", "o", "write pages, JSON and finished cells to the directory `DIR`, which is created if needed")
		if about.Name != "all" {
			fs.Var(overwrite.Writes(&e.json), "json", "write numbers and claims to `FILE`")
			fs.Var(overwrite.Writes(&e.html), "html", "write the figure and the tables as a page to `FILE`")
		}
		quietFlag(fs, &e.quiet)
	})
	if about.Name == "all" {
		require(cmd, "out")
	} else {
		completeFiles(cmd, "json", "json")
		completeFiles(cmd, "html", "html")
	}
	completeWords(cmd, "method", paper.Methods()...)
	complete(cmd, "out", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
	return a.command(cmd, func(*cobra.Command, []string) error { return e.run(a) })
}

// hasObservations reports whether the size of an experiment can be set.
func hasObservations(name string) bool { return name == "table3" || name == "traces" || name == "all" }

func (e *experiment) run(a *app) error {
	if err := e.places(); err != nil {
		return err
	}
	ctx, release := a.interruptible()
	defer release()
	bar := a.progress(e.quiet, 0, 0)
	e.settings.Progress = func(p paper.Progress) { bar.Cells(p) }
	results, stopped := e.results(ctx)
	bar.Stop()
	if len(results) == 0 || stopped != nil && !errors.Is(stopped, symmom.ErrInterrupted) {
		return asUsage(stopped)
	}
	printed := e.print(a, results)
	var saved error
	if e.out != "" && e.name == "all" {
		saved = paper.SaveAll(e.out, results)
	}
	for _, r := range results {
		if e.out != "" && e.name != "all" {
			saved = all(saved, r.Save(e.out))
		}
		if e.json != "" {
			saved = all(saved, r.SaveJSON(e.json))
		}
		saved = all(saved, a.keep(ctx, e.html, func() error { return r.Report().Save(e.html) }))
	}
	if stopped != nil {
		kept := "they are lost: --out DIR keeps them for the next run"
		if e.settings.State != "" {
			kept = "the same command resumes from them"
		}
		stopped = fmt.Errorf("%w; %s", stopped, kept)
	}
	return all(stopped, saved, printed)
}

// places checks the output flags and determines the file of finished cells.
func (e *experiment) places() error {
	if err := checkOutputs("", e.html); err != nil {
		return err
	}
	if filepath.Base(e.json) == paper.StateFile {
		return usagef("--json %s: the finished cells are kept in a file of this name; want another name", e.json)
	}
	switch {
	case e.out != "":
		if err := os.MkdirAll(e.out, 0o755); err != nil {
			return fmt.Errorf("--out %s: cannot make this directory: %w", e.out, err)
		}
		e.settings.State = filepath.Join(e.out, paper.StateFile)
	case e.json != "":
		e.settings.State = filepath.Join(filepath.Dir(e.json), paper.StateFile)
	case e.html != "":
		e.settings.State = filepath.Join(filepath.Dir(e.html), paper.StateFile)
	}
	return nil
}

// kept returns the files in the directory of --out that other flags could name, too.
func (e *experiment) kept() []string {
	return []string{filepath.Join(e.out, e.name+".json"), filepath.Join(e.out, e.name+".html")}
}

func (e *experiment) results(ctx context.Context) ([]*paper.Result, error) {
	if e.name == "all" {
		return paper.RunAll(ctx, e.settings)
	}
	return paper.RunAll(ctx, e.settings, e.name)
}

// print prints a single result in full, or a line for each of several.
func (e *experiment) print(a *app, results []*paper.Result) error {
	if e.name != "all" {
		return a.write(results[0].String())
	}
	t := columns(2, "experiment", "in the paper", "cells", "statements that hold")
	for _, r := range results {
		t.AppendRow([]any{r.Name, r.Item, fmt.Sprintf("%d of %d", r.Finished, r.Cells), r.Agreement()})
	}
	return a.write(fmt.Sprintf("%s\n\n  %s links all, %s compares in words.\n", t.Render(),
		filepath.Join(e.out, paper.IndexFile), filepath.Join(e.out, paper.WordsFile)))
}
