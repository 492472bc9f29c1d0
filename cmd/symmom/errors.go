package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

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
	"components": "--components", "topics": "--topics", "Topics": "--topics", "Documents": "--documents", "Length": "--length", "Prior": "--prior", "Concentration": "--concentration", "Covariance": "--covariance", "MomentsOnly": "--moments-only", "form": "--form",
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

// helpingFlags returns the flags that help, in parentheses, or nothing.
func helpingFlags(help []string) string {
	var list []string
	for _, name := range help {
		if flag := cmp.Or(helpful[name], flagOf[name]); flag != "" {
			list = append(list, flag)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// inFlags rewrites an error of the library in terms of the command line.
func inFlags(err error) error {
	var argument *symmom.ArgumentError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, symmom.ErrInterrupted):
		return fmt.Errorf("%w before there was a result", symmom.ErrInterrupted)
	case errors.As(err, &argument) && flagOf[argument.Argument] != "":
		return fmt.Errorf("%s: got %v, want %s%s", flagOf[argument.Argument], argument.Value, argument.Want, helpingFlags(symmom.Help(err)))
	}
	if more := helpingFlags(symmom.Help(err)); more != "" {
		return fmt.Errorf("%w%s", err, more)
	}
	return err
}

// asUsage is like inFlags for calls whose arguments come only from the command
// line, so that a bad one is wrong usage.
func asUsage(err error) error {
	var argument *symmom.ArgumentError
	if errors.As(err, &argument) {
		return &usageError{inFlags(err).Error()}
	}
	return err
}

// warn prints the library's warnings, with the flags that help.
func (a *app) warn(warnings []symmom.Warning) {
	for _, w := range warnings {
		a.say("%s%s", w.Text, helpingFlags(w.Help))
	}
}

// say prints a warning, and keeps it.
func (a *app) say(format string, args ...any) {
	a.warnings = append(a.warnings, fmt.Sprintf(format, args...))
	a.tell("symmom: warning: " + a.warnings[len(a.warnings)-1])
}

// saving adds the flag of a file that could not be saved to the error.
func saving(err error) error {
	var save *symmom.SaveError
	if errors.As(err, &save) {
		return fmt.Errorf("--save %s: %w", files.Name(save.Path), save.Err)
	}
	return err
}
