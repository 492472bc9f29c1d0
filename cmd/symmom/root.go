package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"symmom/internal/text/plaintable"
)

const rootLong = `symmom finds the components of a table's higher-order moment: it loads p
observations of n variables and decomposes their d-th moment into r symmetric
rank-one terms, without ever forming the n^d tensor. For a mixture of clusters
the components are the cluster means.`

const rootExample = `  symmom demo
  symmom generate gmm --n 50 --components 3 --per-component 200 \
      --out data.npy --truth means.npy
  symmom info data.npy
  symmom convert data.npy data.parquet
  symmom decompose data.npy --order 3 --rank 3 --save model.json
  symmom evaluate data.npy --model model.json
  symmom sweep data.npy --order 3 --ranks 1..5
  symmom rank data.npy --order 3
  symmom mixture data.npy --components 3
  symmom serve data.npy
  symmom repl
  symmom run tour.ipynb --save out.ipynb --html out.html
  symmom kernel install`

const rootExit = `
Exit codes: 0 success; 1 error; 2 wrong usage; 130 after Ctrl-C (SIGINT), 143
after SIGTERM and 129 after SIGHUP, once the best fit so far is printed and
saved. A second Ctrl-C ends the program at once.
`

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "symmom",
		Short:         "Decompose higher-order moments of data without forming the tensor",
		Long:          rootLong,
		Example:       rootExample,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
	}
	root.SetVersionTemplate("{{.DisplayName}} {{.Version}}\n")
	// Only the user knows the values of flags without completion.
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		width := plaintable.Width(a.out)
		writeHelp(cmd.OutOrStdout(), cmd, width)
		if !cmd.HasParent() {
			fmt.Fprint(cmd.OutOrStdout(), plaintable.Text(rootExit, width))
		}
	})
	cobra.EnableCommandSorting = false
	root.AddCommand(
		newDemo(a), newGenerate(a), newInfo(a), newConvert(a), newCounts(a), newDecompose(a), newEvaluate(a),
		newSweep(a), newRank(a), newMixture(a), newICA(a), newTopics(a), newReport(a), newServe(a), newPaper(a), newREPL(a), newRun(a), newKernel(a), newWorker(a), newVersion(a), newManual(a),
	)
	root.SetHelpCommand(newHelp())
	parent(root)
	return root
}

// newHelp returns cobra's help command, for which an unknown name is wrong usage.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, _, err := cmd.Root().Find(args)
			if err != nil || about.CommandPath() != strings.Join(append([]string{"symmom"}, args...), " ") {
				return usagef("there is no command %q%s", strings.Join(args, " "), meant(about, args[len(args)-1]))
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []string
			if about, _, err := cmd.Root().Find(args); err == nil {
				for _, c := range about.Commands() {
					if c.IsAvailableCommand() || c.Name() == "help" { // as in writeHelp
						names = append(names, c.Name()+"\t"+c.Short)
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// completion makes cobra's command of that name one like the others, which it would not
// be if cobra added it while it runs.
func completion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	if cmd, _, err := root.Find([]string{"completion"}); err == nil {
		parent(cmd)
	}
}

// parent makes a command that only has subcommands show its help, and suggest the
// nearest known name for an unknown one.
func parent(cmd *cobra.Command) {
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		return usagef("unknown command %q%s", args[0], meant(cmd, args[0]))
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// meant says what an unknown subcommand was meant to be, if that is known: one whose name is
// near, or one for a file.
func meant(cmd *cobra.Command, name string) string {
	if _, err := os.Stat(name); err == nil && !cmd.HasParent() {
		return "; a file comes after a command, as in: symmom info " + name
	}
	if s := cmd.SuggestionsFor(name); len(s) > 0 {
		return "; did you mean " + strings.Join(s, " or ") + "?"
	}
	return ""
}
