package main

import (
	"errors"
	"fmt"
	"strings"

	"symmom/symmom"
)

// flagOf names the flag behind an argument of the library.
var flagOf = map[string]string{
	"order": "--order", "rank": "--rank", "ranks": "--ranks", "InitialModel": "--init", "model": "--model",
	"Starts": "--starts", "Tolerance": "--tol", "RelativeDecrease": "--ftol", "MaxIterations": "--max-iters", "MaxEvaluations": "--max-evals",
	"Memory": "--corrections", "Threads": "--threads", "Scale": "--scale", "Init": "--init",
	"Header": "--header", "Missing": "--missing", "Delimiter": "--delimiter",
	"N": "--n", "Components": "--components", "PerComponent, Observations": "--per-component, --observations",
	"Sigma": "--sigma", "Congruence": "--congruence", "Weights": "--weights", "n, observations": "--n, --observations",
	"Observations": "--observations", "Method": "--method",
	"components": "--components", "Covariance": "--covariance", "MomentsOnly": "--moments-only", "form": "--form",
}

// inFlags says an error of the library in words of the command line.
func inFlags(err error) error {
	var argument *symmom.ArgumentError
	var missing *symmom.MissingError
	var large *symmom.TooLargeError
	var room *symmom.MemoryError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, symmom.ErrInterrupted):
		return fmt.Errorf("%w before there was a result", symmom.ErrInterrupted)
	case errors.As(err, &argument):
		if flag, ok := flagOf[argument.Argument]; ok {
			return fmt.Errorf("%s: got %v, want %s", flag, argument.Value, argument.Want)
		}
	case errors.As(err, &missing):
		return fmt.Errorf("%w (--missing drop, --missing mean, --columns)", err)
	case errors.As(err, &large):
		return fmt.Errorf("%w (--form implicit)", err)
	case errors.As(err, &room):
		var flags []string
		for _, r := range waysOut {
			if strings.Contains(room.Remedy, r.words) {
				flags = append(flags, r.flag)
			}
		}
		return fmt.Errorf("%w (%s)", err, strings.Join(flags, ", "))
	}
	for _, r := range remedies {
		if strings.Contains(err.Error(), r.words) {
			return fmt.Errorf("%w (%s)", err, r.flag)
		}
	}
	return err
}

// waysOut are what the library advises where memory is short.
var waysOut = []struct{ words, flag string }{
	{"stream the table", "--stream"}, {"float32", "--float32"}, {"choose fewer columns", "--columns"},
	{"fewer starts", "--starts"}, {"lower rank", "--rank"}, {"fewer observations", "--observations"},
	{"allow more memory", "--memory"},
}

// remedies are what the library's messages advise, and the flags that do it.
var remedies = []struct{ words, flag string }{
	{"choose the columns that hold numbers", "--columns"},
	{"choose other columns", "--columns"},
	{"choose the other columns", "--columns"},
	{"choose between them by number", "--columns"},
	{"arrays, choose one", "--array"},
	{"set the delimiter", "--delimiter"},
	{"made to fill memory", "--memory"},
	{"standardize the columns", "--standardize"},
	{"try more starts", "--starts"},
	{"center the data", "--center"},
	{"take the compressed form, or the implicit one", "--form compressed, --form implicit"},
	{`leave Scale at "auto"`, "--scale auto"},
}

// asUsage is inFlags for calls whose arguments come from the command line
// alone, so that a bad one is wrong usage.
func asUsage(err error) error {
	var argument *symmom.ArgumentError
	if errors.As(err, &argument) {
		return &usageError{inFlags(err).Error()}
	}
	return err
}

// inWords adds the flags to the library's warnings that help.
func inWords(warnings []string) []string {
	out := make([]string, len(warnings))
	for i, w := range warnings {
		out[i] = inFlags(errors.New(w)).Error()
	}
	return out
}

// saving makes the library's "save FILE: ..." an error of the flag.
func saving(err error) error {
	if err != nil {
		return fmt.Errorf("--%w", err)
	}
	return nil
}
