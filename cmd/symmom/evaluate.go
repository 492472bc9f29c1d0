package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/objects"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/data/export"
	"symmom/internal/estimate/modelfile"
	"symmom/internal/store/files"
	"symmom/symmom"
)

const evaluateLong = `Evaluate computes how well a saved model fits the moment of a table: the
original data, or other data with the same variables. It uses lambda and the
factors exactly as stored, and matches variables by name. The moment must be
that of the model: use the same flags as for decompose, --center,
--standardize, --whiten, --cumulant, --distinct or --debias. A model of another
moment is refused.

For a mixture saved by mixture --save, it computes the likelihood of the
observations, and the component of each. They are centered or standardized like
the data of the mixture.`

const evaluateExample = `  symmom evaluate data.npy --model model.json

  # compare its components with known ones
  symmom evaluate data.npy --model model.json --truth means.npy

  # a model of a cumulant is compared with the cumulant
  symmom decompose data.npy --order 4 --rank 2 --cumulant --save cumulant.json
  symmom evaluate data.npy --model cumulant.json --cumulant

  # to which components of a mixture do other observations belong?
  symmom mixture data.npy --components 3 --save mixture.json
  symmom evaluate data.npy --model mixture.json --predict components.npy

  # for a script
  symmom evaluate data.npy --model model.json --json | jq .relative_error`

// evaluation holds the command and its flags.
type evaluation struct {
	dataFlags
	momentFlags
	model, truth string
	predict      string
	shares       string // responsibilities
	seed         uint64
	asked        bool
}

func newEvaluate(a *app) *cobra.Command {
	e := &evaluation{seed: symmom.DefaultSeed}
	cmd := &cobra.Command{
		Use:               "evaluate DATA --model MODEL [flags]",
		Short:             "Compute how well a saved model fits a table",
		Long:              evaluateLong,
		Example:           evaluateExample,
		Args:              oneData,
		ValidArgsFunction: completeData,
	}
	flagGroup(cmd, "The moment and the model", func(fs *pflag.FlagSet) {
		fs.VarP(overwrite.Reads(&e.model), "model", "m", "`FILE` that decompose --save or mixture --save wrote")
		e.defineKind(fs)
		e.defineDistinct(fs)
	})
	require(cmd, "model")
	completeFiles(cmd, "model", slices.DeleteFunc(slices.Clone(modelExtensions), func(ext string) bool { return ext == ".csv" })...)
	e.define(cmd)
	e.cluster(cmd)
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.Var(overwrite.Reads(&e.truth), "truth", "`FILE` with true factors, n x r, for the score, or means of a mixture, for the error")
		fs.Var(overwrite.Writes(&e.predict), "predict", "write the component of each observation, 1 for the first, to `FILE`, "+tableNames+", if the model is a mixture")
		fs.Var(overwrite.Writes(&e.shares), "responsibilities", "write the probability that each observation belongs to each component, p x r, to `FILE`, "+tableNames+", if the model is a mixture")
		fs.Var(flags.Seed(&e.seed), "seed", "seed of the draws if ||X||^2 is estimated")
		jsonFlag(fs, &e.asked)
	})
	completeFiles(cmd, "truth", dataExtensions...)
	completeFiles(cmd, "predict", export.Extensions()...)
	completeFiles(cmd, "responsibilities", export.Extensions()...)
	return a.command(cmd, func(cmd *cobra.Command, args []string) error { return e.run(a, cmd, args[0]) })
}

func (e *evaluation) run(a *app, cmd *cobra.Command, path string) error {
	if err := e.check(cmd, &e.dataFlags); err != nil {
		return err
	}
	if err := all(tableName("predict", e.predict), tableName("responsibilities", e.shares)); err != nil {
		return err
	}
	ctx, release := a.interruptible()
	defer release()
	model, err := symmom.LoadModel(e.model, symmom.LoadOptions{Context: ctx})
	var other *modelfile.OtherError
	if errors.As(err, &other) && other.What == "mixture" {
		return e.mixture(a, cmd, ctx, path)
	}
	if err != nil {
		return inFlags(err)
	}
	for flag, path := range map[string]string{"predict": e.predict, "responsibilities": e.shares} {
		if path != "" {
			return usagef("--%s: %s is a model of a moment, which has no components of observations; give a file that mixture --save wrote", flag, files.Name(e.model))
		}
	}
	s, err := e.session(ctx, path)
	if err != nil {
		return err
	}
	s, m := e.moment(s.WithContext(ctx), model.Order)
	if s.Err() != nil {
		return inFlags(s.Err())
	}
	truth, err := loadTruth(ctx, e.truth, s.N(), 0)
	if err != nil {
		return err
	}
	ev := m.With(symmom.Options{Seed: e.seed}).Evaluate(model)
	if err := ev.Err(); err != nil {
		return inFlags(err)
	}
	var score *symmom.Score
	if truth != nil {
		if score = ev.Score(truth); score.Err() != nil {
			return score.Err()
		}
	}
	a.warnFound(slices.Concat(s.Warnings(), ev.Warnings), e.truth, &e.dataFlags, e.whiten)
	if model.Kind == nil {
		a.say("%s does not record its moment; it was compared with %s", files.Name(e.model), ev.Kind.Describe(ev.Order))
	}
	return a.print(e.asked, func() any { return objects.NewEvaluation(ev, score, a.warnings) }, func() string { return evaluationText(s, ev, score) })
}

func evaluationText(s *symmom.Session, e *symmom.Evaluation, score *symmom.Score) string {
	pairs := [][]string{
		{"data", dataLine(s)},
		{"model", fmt.Sprintf("order %d, rank %d", e.Order, e.Rank)},
		{"compared with", e.Kind.Describe(e.Order)},
	}
	pairs = append(pairs, e.Facts()...)
	if score != nil {
		pairs = append(pairs, []string{"score", fmt.Sprintf("%.5f", score.Value)})
	}
	return facts(pairs...)
}
