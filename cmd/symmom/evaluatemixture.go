package main

import (
	"context"
	"fmt"
	"math"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"symmom/cmd/symmom/internal/objects"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// mixture evaluates a saved mixture. On a cluster the components of all observations do not
// come here, and are not counted.
func (e *evaluation) mixture(a *app, cmd *cobra.Command, ctx context.Context, path string) error {
	for _, name := range []string{"debias", "whiten", "cumulant", "distinct", "seed"} {
		if cmd.Flags().Changed(name) {
			return usagef("--%s: %s holds a mixture, which is compared with the observations and not with a moment; leave it out", name, files.Name(e.model))
		}
	}
	far := e.load.Spark != ""
	if far && e.predict+e.shares != "" {
		return errPredictFar
	}
	f, err := symmom.LoadMixture(e.model, symmom.LoadOptions{Context: ctx})
	if err != nil {
		return inFlags(err)
	}
	s, err := e.session(ctx, path)
	if err != nil {
		return err
	}
	truth, err := loadTruth(ctx, e.truth, s.N(), f.Components)
	if err != nil {
		return err
	}
	s = s.WithContext(ctx)
	likelihood, err := f.LogLikelihoodOf(s)
	if err != nil {
		return inFlags(err)
	}
	var recovered *symmom.Score
	if truth != nil {
		if recovered = f.Score(truth); recovered.Err() != nil {
			return inFlags(recovered.Err())
		}
	}
	var counts []int
	var agreed *symmom.Agreement
	var saved, compared error
	if !far {
		components, err := f.Predict(s)
		if err != nil {
			return inFlags(err)
		}
		counts = make([]int, f.Components)
		for _, j := range components {
			counts[j]++
		}
		saved = all(writeComponents(ctx, a, e.predict, components), e.writeResponsibilities(ctx, a, f, s))
		if e.load.Labels != "" {
			agreed = s.Labels().Agreement(components, f.Components)
			compared = inFlags(agreed.Err())
		}
	}
	a.warnFound(s.Warnings(), e.truth, &e.dataFlags, 0)
	printed := a.print(e.asked, func() any {
		return objects.NewMixtureEvaluation(f, s.Observations(), likelihood, counts, recovered, agreed, a.warnings)
	}, func() string { return mixtureEvaluationText(s, f, likelihood, counts, recovered, agreed) })
	return all(saved, compared, printed)
}

// writeResponsibilities writes them where --responsibilities says.
func (e *evaluation) writeResponsibilities(ctx context.Context, a *app, f *symmom.Mixture, s *symmom.Session) error {
	if e.shares == "" {
		return nil
	}
	shares, err := f.Responsibilities(s)
	if err == nil {
		err = a.keep(ctx, e.shares, func() error { return symmom.SaveMatrix(e.shares, shares) })
	}
	if err != nil {
		return fmt.Errorf("--responsibilities: %w", err)
	}
	return nil
}

func mixtureEvaluationText(s *symmom.Session, f *symmom.Mixture, likelihood float64, counts []int, e *symmom.Score, a *symmom.Agreement) string {
	p := float64(s.Observations())
	pairs := append([][]string{{"data", dataLine(s)}, mixturePair(f)}, coordinatesPair(f.Coordinates)...)
	pairs = append(pairs, []string{"log-likelihood", fmt.Sprintf("%.8g, %.6g per observation", likelihood, likelihood/p)})
	if !math.IsNaN(f.LogLikelihood) { // of a fit that was interrupted it is not known
		pairs = append(pairs, []string{"where fitted", fmt.Sprintf("%.6g per observation, of %s", f.LogLikelihood/float64(f.Observations), words.Count(f.Observations))})
	}
	if e != nil {
		pairs = append(pairs, meansPair(e))
	}
	of := "share"
	if s.Weighted() { // of the number, which weights of components are not
		of = "share, weights aside"
	}
	t := columns(0, "component", "weight", "observations", of)
	for j, w := range f.Weights {
		many, share := "-", "-"
		if counts != nil {
			many, share = words.Count(counts[j]), fmt.Sprintf("%.5f", float64(counts[j])/p)
		}
		t.AppendRow(table.Row{j + 1, fmt.Sprintf("%.5f", w), many, share})
	}
	return facts(pairs...) + "\n" + t.Render() + "\n\n" + f.Means.String() + "\n" + agreementText(a)
}
