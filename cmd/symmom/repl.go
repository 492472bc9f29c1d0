package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"symmom/repl"
)

const replLong = `Repl starts a session in Go: type a line, see its value. symmom, charts and
gonum's mat are there without an import. Errors do not end the session, Ctrl-C
interrupts what runs, Ctrl-D or :quit ends it.

With a file it runs that as a script, with input that is not a terminal it runs
what comes there.`

const replExample = `  symmom repl

  # one piece of code, and its value
  symmom repl --eval 'symmom.Uniform(3, 100, 1).Moment(3).Decompose(2)'

  # the same from a pipe
  echo 'symmom.Uniform(3, 100, 1).Summary()' | symmom repl`

func newREPL(a *app) *cobra.Command {
	var o repl.RunOptions
	cmd := &cobra.Command{
		Use:     "repl [flags] [SCRIPT.go [ARGUMENTS]]",
		Short:   "Work in a Go session, a line at a time",
		Long:    replLong,
		Example: replExample,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return []string{"go"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	cmd.Flags().SetInterspersed(false) // what follows the script is the script's
	flagGroup(cmd, "The session", func(fs *pflag.FlagSet) {
		fs.StringVarP(&o.Eval, "eval", "e", "", "run `CODE`, print its value, and end")
		fs.BoolVar(&o.Unrestricted, "unrestricted", false, "open os/exec, syscall, unsafe and the environment")
	})
	completeNothing(cmd, "eval")
	return a.command(cmd, func(_ *cobra.Command, args []string) error {
		o.Args, o.Stdout, o.Stderr = args, a.out, a.err
		if o.Eval != "" && len(args) > 0 {
			return usagef("repl --eval takes no argument, got %q", args)
		}
		ctx := context.Background()
		// In a terminal the session itself takes Ctrl-C.
		if o.Eval != "" || len(args) > 0 || !term.IsTerminal(int(os.Stdin.Fd())) {
			var release func()
			ctx, release = a.interruptible()
			defer release()
		}
		return repl.Run(ctx, o)
	})
}
