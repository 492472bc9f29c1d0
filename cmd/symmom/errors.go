package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"symmom/internal/store/files"
	"symmom/symmom"
)

// flagOf maps arguments of the library to flags.
var flagOf = map[string]string{
	"order": "--order", "Max": "--max", "rank": "--rank", "ranks": "--ranks", "InitialModel": "--init", "WeightsFile": "--weights", "model": "--model",
	"Starts": "--starts", "Seed": "--seed", "Tolerance": "--tol", "RegCovar": "--reg-covar", "RelativeDecrease": "--ftol", "MaxIterations": "--max-iters", "MaxEvaluations": "--max-evals",
	"Corrections": "--corrections", "Threads": "--threads", "Scale": "--scale", "Init": "--init",
	"Header": "--header", "Missing": "--missing", "NA": "--na", "Delimiter": "--delimiter", "Fixed": "--fixed", "Words": "--words", "MinDocuments": "--min-documents", "MaxShare": "--max-share", "Decimal": "--decimal",
	"N": "--n", "Components": "--components", "PerComponent, Observations": "--per-component, --observations",
	"Sigma": "--sigma", "Congruence": "--congruence", "Weights": "--weights", "n, observations": "--n, --observations",
	"Observations": "--observations", "Method": "--method",
	"components": "--components", "topics": "--topics", "Topics": "--topics", "Documents": "--documents", "Length": "--length", "Prior": "--prior", "Concentration": "--concentration", "Covariance": "--covariance", "MomentsOnly": "--moments-only", "Nonparametric": "--nonparametric", "form": "--form",
	"PerComponent": "--per-component", "draws": "--bootstrap", "CumulantOnly": "--cumulant-only",
	"coordinates": "--whiten", "basis": "--basis", "samples": "--samples", "Solver": "--solver", "Nonnegative": "--nonnegative",
}

// helpful maps the library's advice to flags, where flagOf does not cover it or
// says too little.
var helpful = map[string]string{
	"Missing": "--missing drop, --missing mean", "Missing=drop": "--missing drop", "Scale": "--scale auto", "Columns": "--columns", "Column": "--column", "Labels": "--labels", "Array": "--array",
	"Stream": "--stream", "Spark": "--spark", "SparkWorker": "--spark-worker", "NoSpill": "--no-spill", "Float32": "--float32", "MemoryLimit": "--memory", "Standardize": "--standardize", "Center": "--center", "Sparse": "--sparse",
	"Cumulant": "--cumulant", "Distinct": "--distinct", "Converge": "--converge", "Debias": "--debias", "Whiten": "--whiten", "Implicit": "--form implicit", "Compressed": "--form compressed", "Explicit": "--form explicit",
}

// flagsOf returns the flags for an option of the library, as a command has them; "" if it has
// none. For the rank of one fit, commands that try several have those.
func flagsOf(cmd *cobra.Command, option string) string {
	list := cmp.Or(helpful[option], flagOf[option])
	if cmd == nil || list == "" {
		return list
	}
	has := func(flag string) bool {
		name, _, _ := strings.Cut(strings.TrimPrefix(flag, "--"), " ")
		f := cmd.Flags().Lookup(name)
		return f != nil && !f.Hidden
	}
	switch {
	case has(list):
		return list
	case slices.Contains([]string{"--rank", "--components"}, list):
		for _, other := range []string{"--components", "--rank", "--ranks"} {
			if has(other) {
				return other
			}
		}
	}
	return ""
}

// helpingFlags returns the flags of a command that help, in parentheses, or nothing; nil stands
// for any command.
func helpingFlags(cmd *cobra.Command, help []string) string {
	var list []string
	for _, option := range help {
		if flags := flagsOf(cmd, option); flags != "" && !slices.Contains(list, flags) {
			list = append(list, flags)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// advised is an error of the library in terms of the flags of the command that it ends.
type advised struct {
	err error
	cmd *cobra.Command // nil until it is reported
}

func (e *advised) Error() string {
	var argument *symmom.ArgumentError
	more := helpingFlags(e.cmd, symmom.Help(e.err))
	if errors.As(e.err, &argument) && flagOf[argument.Argument] != "" {
		flags := cmp.Or(flagsOf(e.cmd, argument.Argument), flagOf[argument.Argument])
		return fmt.Sprintf("%s: got %v, want %s%s", flags, argument.Value, argument.Want, more)
	}
	return e.err.Error() + more
}
func (e *advised) Unwrap() error { return e.err }

// advise tells the errors in err the command that they end.
func advise(err error, cmd *cobra.Command) {
	switch e := err.(type) {
	case *advised:
		e.cmd = cmd
	case *usageError:
		advise(e.cause, cmd)
	case interface{ Unwrap() error }:
		advise(e.Unwrap(), cmd)
	case interface{ Unwrap() []error }:
		for _, err := range e.Unwrap() {
			advise(err, cmd)
		}
	}
}

// inFlags rewrites an error of the library in terms of the command line.
func inFlags(err error) error {
	var usage *usageError
	var already *advised
	switch {
	case err == nil || errors.As(err, &usage) || errors.As(err, &already):
		return err
	case errors.Is(err, symmom.ErrInterrupted):
		return fmt.Errorf("%w before there was a result", symmom.ErrInterrupted)
	}
	return &advised{err: err}
}

// asUsage is like inFlags for calls whose arguments come only from the command
// line, so that a bad one is wrong usage.
func asUsage(err error) error {
	if _, ok := errors.AsType[*symmom.ArgumentError](err); ok {
		return &usageError{cause: inFlags(err)}
	}
	return err
}

// warn prints the library's warnings, with the flags that help.
func (a *app) warn(warnings []symmom.Warning) {
	for _, w := range warnings {
		a.say("%s%s", w.Text, helpingFlags(a.cmd, w.Help))
	}
}

// say prints a warning, and keeps it.
func (a *app) say(format string, args ...any) {
	a.warnings = append(a.warnings, fmt.Sprintf(format, args...))
	a.tell("symmom: warning: " + a.warnings[len(a.warnings)-1])
}

// saving adds the flag of a file that could not be saved to the error.
func saving(err error) error {
	if save, ok := errors.AsType[*symmom.SaveError](err); ok {
		return fmt.Errorf("--save %s: %w", files.Name(save.Path), save.Err)
	}
	return err
}
