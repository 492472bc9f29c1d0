package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"symmom/lab"
	"symmom/repl/terminal"
)

const replLong = `Repl starts a Go session: type a line, see its value. symmom, datasets,
charts, widgets, gonum's mat, fmt and math are available without an import. At
the prompt errors do not end the session. Ctrl-C interrupts the running code;
Ctrl-D, :quit and os.Exit end the session, the last with its exit code.

Given a file, it runs that as a script; if the input is not a terminal, it runs
the input. Either ends at the first error, with exit code 1.`

const replExample = `  symmom repl

  # evaluate one piece of code
  symmom repl --eval 'datasets.Uniform(3, 100, 1).Moment(3).Decompose(2)'

  # the same from a pipe
  echo 'datasets.Uniform(3, 100, 1).Summary()' | symmom repl`

func newREPL(a *app) *cobra.Command {
	var o terminal.Options
	var code []string
	cmd := &cobra.Command{
		Use:     "repl [flags] [SCRIPT.go [ARGUMENTS]]",
		Short:   "Work in a Go session, line by line",
		Long:    replLong,
		Example: replExample,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return []string{"go"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	cmd.Flags().SetInterspersed(false) // flags after the script are for the script
	flagGroup(cmd, "The session", func(fs *pflag.FlagSet) {
		fs.StringArrayVarP(&code, "eval", "e", nil, "run `CODE`, print its value, and end; give more for more lines")
		fs.BoolVar(&o.NoBrowser, "no-open", false, "save charts and print where, without opening them")
		fs.BoolVar(&o.Unrestricted, "unrestricted", false, "cells can import os/exec, net/http/cgi, syscall and unsafe, and change the environment of the process")
	})
	return a.command(cmd, func(_ *cobra.Command, args []string) error {
		o.Args, o.Stdout, o.Stderr = args, a.out, a.err
		o.Eval, o.Library = strings.Join(code, "\n"), lab.Library()
		if o.Eval != "" && len(args) > 0 {
			return usagef("repl --eval takes no argument, got %q", args)
		}
		ctx := context.Background()
		// In a terminal the session itself handles Ctrl-C.
		if o.Eval != "" || len(args) > 0 || !term.IsTerminal(int(os.Stdin.Fd())) {
			var release func()
			ctx, release = a.interruptible()
			defer release()
		}
		return terminal.Run(ctx, o)
	})
}
