package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/internal/text/plaintable"
	"symmom/repl/reference"
)

// helpWidth keeps help readable in a terminal of 80 columns.
const helpWidth = 80

// writeHelp prints a command's help for a terminal of that width, or for none: what it
// does, its usage, examples, which stay as they are to be copied, then its flags by group.
func writeHelp(w io.Writer, cmd *cobra.Command, width int) {
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	if width = min(cmp.Or(width, helpWidth), helpWidth); width < helpWidth {
		text = reference.Text(text, width)
	}
	fmt.Fprintf(w, "%s\n\n", strings.TrimSpace(text))
	use := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		use = cmd.CommandPath() + " COMMAND [flags]"
	}
	fmt.Fprintln(w, plaintable.Text("Usage:\n  "+use, width))
	if cmd.HasAvailableSubCommands() {
		commands := "\nCommands:\n"
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() || c.Name() == "help" {
				commands += fmt.Sprintf("  %-*s  %s\n", cmd.NamePadding(), c.Name(), c.Short)
			}
		}
		fmt.Fprint(w, plaintable.Text(commands, width))
	}
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", strings.TrimRight(cmd.Example, "\n"))
	}
	for _, g := range flagGroups(cmd) {
		fmt.Fprintf(w, "\n%s:\n%s", g.heading, g.flags.FlagUsagesWrapped(width))
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintln(w, plaintable.Text("\nMore on a command, with examples: "+cmd.CommandPath()+" COMMAND --help", width))
	}
}

type group struct {
	heading string
	flags   *pflag.FlagSet
}

// flagGroups groups a command's flags by heading, in the order in which they were
// defined; flags without a heading come last.
func flagGroups(cmd *cobra.Command) []group {
	const rest = "Other flags"
	var groups []group
	put := func(heading string, f *pflag.Flag) {
		for _, g := range groups {
			if g.heading == heading {
				g.flags.AddFlag(f)
				return
			}
		}
		fs := pflag.NewFlagSet(heading, pflag.ContinueOnError)
		fs.SortFlags = false
		fs.AddFlag(f)
		groups = append(groups, group{heading, fs})
	}
	var last []*pflag.Flag
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if h := f.Annotations[groupKey]; len(h) > 0 {
			put(h[0], f)
		} else {
			last = append(last, f)
		}
	})
	for _, f := range last {
		put(rest, f)
	}
	return groups
}
