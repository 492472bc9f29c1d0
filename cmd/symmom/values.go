package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/cmd/symmom/internal/flags"
)

const groupKey = "symmom_group"

// flagGroup adds flags to a command under a heading in its help.
func flagGroup(cmd *cobra.Command, heading string, define func(*pflag.FlagSet)) {
	fs := pflag.NewFlagSet(heading, pflag.ContinueOnError)
	fs.SortFlags = false
	define(fs)
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[groupKey] = []string{heading}
	})
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(fs)
}

// Flags that several commands have.

func jsonFlag(fs *pflag.FlagSet, asked *bool) {
	fs.BoolVar(asked, "json", false, "print only one JSON object")
}

func quietFlag(fs *pflag.FlagSet, quiet *bool) {
	fs.BoolVarP(quiet, "quiet", "q", false, "show no progress")
}

func seedFlag(fs *pflag.FlagSet, seed *uint64) {
	fs.Var(flags.Seed(seed), "seed", "seed of all random draws")
}

func threadsFlag(fs *pflag.FlagSet, threads *int) {
	fs.Var(flags.Whole(threads, 0), "threads", "cores to use, 0: all; results do not depend on it")
}

// sameKey is an annotation of a hidden flag: the name of the one that it is another name of.
const sameKey = "symmom_same"

// numberFlag defines the flag for how many terms, clusters or sources are wanted: commands
// call it --rank or --components, -r or -k, and understand the other names.
func numberFlag(fs *pflag.FlagSet, value pflag.Value, name, shorthand, usage string) {
	fs.VarP(value, name, shorthand, usage)
	other, otherShorthand := "rank", "r"
	if name == "rank" {
		other = "components"
	}
	if shorthand == "r" {
		otherShorthand = "k"
	}
	fs.VarP(value, other, otherShorthand, "--"+name)
	f := fs.Lookup(other)
	f.Hidden, f.Annotations = true, map[string][]string{sameKey: {name}}
}

// unify notes flags that were given by another name.
func unify(fs *pflag.FlagSet) {
	fs.VisitAll(func(f *pflag.Flag) {
		if name := f.Annotations[sameKey]; len(name) > 0 && f.Changed {
			fs.Lookup(name[0]).Changed, f.Changed = true, false
		}
	})
}

// require marks flags that a command requires.
func require(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		f := cmd.Flags().Lookup(name)
		f.Annotations[cobra.BashCompOneRequiredFlag] = []string{"true"}
		f.Usage += " (required)"
	}
}

// requiredFlags returns an error for missing flags, with the command's first
// example as a model.
func requiredFlags(cmd *cobra.Command) error {
	var missing []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if len(f.Annotations[cobra.BashCompOneRequiredFlag]) > 0 && !f.Changed {
			missing = append(missing, "--"+f.Name)
		}
	})
	if len(missing) == 0 {
		return nil
	}
	return usagef("%s needs %s, as in: %s", cmd.Name(), strings.Join(missing, " and "), firstExample(cmd))
}

// examples returns the command lines in a command's help, with continuation lines
// joined.
func examples(cmd *cobra.Command) []string {
	var out []string
	for line := range strings.Lines(strings.ReplaceAll(cmd.Example, "\\\n", "")) {
		if line = strings.Join(strings.Fields(line), " "); strings.HasPrefix(line, "symmom ") {
			out = append(out, line)
		}
	}
	return out
}

// firstExample returns an example of how to write the command.
func firstExample(cmd *cobra.Command) string {
	for _, line := range examples(cmd) {
		if strings.HasPrefix(line, cmd.CommandPath()+" ") {
			return line
		}
	}
	return cmd.UseLine()
}
