package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
	"symmom/kernel"
	"symmom/kernel/notebook"
	"symmom/lab"
)

const runLong = `Run runs the cells of a Jupyter notebook in a new session, without Jupyter, in
the directory of the notebook. It stops at the first error, with exit code 1,
and writes what ran so far. A cell tagged raises-exception may fail, one tagged
skip-execution does not run, and none can ask for input.

Parameters are those of papermill: a cell that sets them is added after the cell
tagged parameters, which declares them with their defaults, or at the top. 3,
0.5, true and None mean what they do in Go or Python, all else is text.

--check compares outputs with those stored in the notebook: what cells print,
the text of results, and which formats they have. Durations, addresses and
progress may differ. A cell tagged nbval-ignore-output runs and is not compared,
one tagged nbval-skip does not run.`

const runExample = `  symmom run tour.ipynb --save out.ipynb --html out.html

  # with other values of the variables in the cell tagged parameters
  symmom run tour.ipynb -p rank=4 -p title='Other data' --html out.html

  # as a test: are the outputs still those in the file?
  symmom run tour.ipynb --check --tolerance 1e-6`

// runCommand holds the flags of the command.
type runCommand struct {
	parameters   []string
	check        bool
	tolerance    float64
	save, html   string
	quiet        bool
	unrestricted bool
}

func newRun(a *app) *cobra.Command {
	r := &runCommand{}
	cmd := &cobra.Command{
		Use:         "run NOTEBOOK.ipynb [flags]",
		Short:       "Run a notebook and write what it shows",
		Long:        runLong,
		Example:     runExample,
		Annotations: map[string]string{fileArgument: ""},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("run takes one notebook, got %d arguments", len(args))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return []string{"ipynb"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	flagGroup(cmd, "The run", func(fs *pflag.FlagSet) {
		fs.StringArrayVarP(&r.parameters, "parameter", "p", nil, "`NAME=VALUE` for a variable of the notebook; give more for more variables")
		fs.BoolVar(&r.check, "check", false, "compare outputs with those in the notebook; exit code 1 if they differ")
		fs.Var(flags.Real(&r.tolerance, 0, 1, "a number from 0 to 1"), "tolerance", "with --check, by what part of their size numbers may differ")
		fs.BoolVar(&r.unrestricted, "unrestricted", false, "cells can import os/exec, net/http/cgi, syscall and unsafe, and change the environment of the process")
	})
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.Var(overwrite.Writes(&r.save), "save", "write the notebook with its outputs to `FILE`")
		fs.Var(overwrite.Writes(&r.html), "html", "write a page that shows it to `FILE`")
		quietFlag(fs, &r.quiet)
	})
	completeFiles(cmd, "save", "ipynb")
	completeFiles(cmd, "html", "html")
	return a.command(cmd, func(_ *cobra.Command, args []string) error { return r.run(a, args[0]) })
}

func (r *runCommand) run(a *app, path string) error {
	ctx, release := a.interruptible()
	defer release()
	nb, err := r.open(ctx, path)
	if err != nil {
		return err
	}
	save, html, err := r.enter(path)
	if err != nil {
		return err
	}
	bar := a.progress(r.quiet, 1, 1)
	o := notebook.Options{Checking: r.check, Progress: func(cell, of int, doing string) {
		bar.Note("cell %d of %d%s", cell, of, doing)
	}}
	o.Kernel = kernel.Config{Version: version(), Library: lab.Library(), Unrestricted: r.unrestricted, OwnProcess: true, Unseen: true}
	stopped := nb.Run(ctx, o)
	bar.Stop()
	if failed, ok := errors.AsType[*notebook.CellError](stopped); ok {
		if _, more, several := strings.Cut(notebook.Plain(failed.Traceback), "\n"); several {
			fmt.Fprintln(a.err, more)
		}
	}
	if nb.Ran() == 0 && stopped != nil {
		return stopped
	}
	write := func(path string, content func() ([]byte, error)) error {
		return a.keep(ctx, path, func() error {
			data, err := content()
			if err != nil {
				return err
			}
			if err := files.Write(context.WithoutCancel(ctx), path, data); err != nil {
				return fmt.Errorf("cannot write %s: %w", files.Name(path), err)
			}
			return nil
		})
	}
	saved := write(save, func() ([]byte, error) { return nb.Bytes(), nil })
	drawn := write(html, nb.Page)
	text := fmt.Sprintf("Ran %s\n", words.Plural(nb.Ran(), "cell"))
	var wrote []string // as they were named: a.wrote has whole paths
	for _, w := range []struct {
		path string
		err  error
	}{{r.save, saved}, {r.html, drawn}} {
		if w.path != "" && w.err == nil {
			wrote = append(wrote, files.Name(w.path))
		}
	}
	if wrote != nil {
		text += "  wrote " + strings.Join(wrote, ", ") + "\n"
	}
	var differ error
	if r.check && stopped == nil {
		var shown string
		shown, differ = r.differences(nb, path)
		text = shown + text
	}
	_, err = io.WriteString(a.out, text)
	return all(stopped, saved, drawn, differ, printing(err))
}

// open reads the notebook and sets its parameters.
func (r *runCommand) open(ctx context.Context, path string) (*notebook.Notebook, error) {
	var parameters []notebook.Parameter
	for _, p := range r.parameters {
		parsed, err := notebook.ParseParameter(p)
		if err != nil {
			return nil, usagef("--parameter: %v", err)
		}
		parameters = append(parameters, parsed)
	}
	f, err := files.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", path, err)
	}
	nb, err := notebook.Read(files.Name(path), data)
	if err != nil {
		return nil, err
	}
	return nb, nb.Inject(parameters)
}

// enter makes the directory of the notebook the current one, as Jupyter does, and returns
// where the results are from there.
func (r *runCommand) enter(path string) (save, html string, err error) {
	save, html = r.save, r.html
	for _, p := range []*string{&save, &html} {
		if *p != "" && !files.IsURL(*p) {
			if *p, err = filepath.Abs(*p); err != nil {
				return "", "", err
			}
		}
	}
	if !files.IsURL(path) {
		err = os.Chdir(filepath.Dir(path))
	}
	return save, html, err
}

// differences returns a text about outputs that differ from the stored ones, and an error
// if there are any.
func (r *runCommand) differences(nb *notebook.Notebook, path string) (string, error) {
	found := nb.Compare(r.tolerance)
	var b strings.Builder
	for _, d := range found {
		first, _, _ := strings.Cut(strings.TrimSpace(d.Source), "\n")
		fmt.Fprintf(&b, "cell %d: %s\n  %s\n", d.Cell, first, strings.Join(d.Lines, "\n  "))
	}
	if len(found) == 0 {
		return "", nil
	}
	return b.String(), fmt.Errorf("%s: the outputs of %d of %s differ from the stored ones; tag a cell nbval-ignore-output if they must",
		files.Name(path), len(found), words.Plural(nb.Ran(), "cell"))
}
