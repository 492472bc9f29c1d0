package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/objects"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/data/export"
	"symmom/internal/estimate/modelfile"
	"symmom/internal/moment/frame"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const mixtureLong = `Mixture fits a Gaussian mixture to a table: means, weights and covariances of R
components. The moments of order 1, 2 and 3 give a starting point, those over
distinct indices more for spherical and diag covariances; EM refines them
along with k-means++ starts, for small tables also with others, and the best
mixture is kept. Weights (--weights) count as repetitions whose mean is 1, in
the likelihood and BIC too: repeat rows that were observed several times
instead.

With several numbers of components, or several covariances, it fits each and
lists BIC (the lower the better) and ICL, which also penalizes overlapping
components. Doubtful fits are marked: BIC is only as good as the likelihood. It
counts Gaussian components, of which a group may take several.

With --nonparametric components may have any distributions, if variables are
independent within them. There is no BIC then: fit a part of the observations,
and compare the log-likelihood that symmom evaluate finds for the others.

` + dataHelp

const mixtureExample = `  symmom mixture data.npy --components 3

  # variances for each component, and the component of each observation
  symmom mixture table.csv --components 3 --covariance diag --standardize \
      --missing drop --predict components.npy --save mixture.json

  # compared with groups that are known, on a page too
  symmom mixture table.csv --components 2 --labels species --missing drop \
      --html mixture.html

  # how many components, and which covariance
  symmom mixture data.npy --components 1..6
  symmom mixture data.npy -r 2..4 --covariance diag,full --html mixtures.html \
      --save mixture.json

  # the uncertainty of weights and means
  symmom mixture data.npy --components 3 --bootstrap 20

  # what the moments alone tell
  symmom mixture data.npy --components 3 --moments-only

  # components that are not normal, and the densities of variables within them
  symmom mixture data.npy --components 3 --nonparametric --html densities.html`

// mixtureCommand holds the command and its flags.
type mixtureCommand struct {
	dataFlags
	components   []int
	draws        int
	options      symmom.MixtureOptions
	truth        string
	save         string
	predict      string
	html         string
	asked, quiet bool
}

func newMixture(a *app) *cobra.Command {
	m := &mixtureCommand{}
	o := &m.options
	kinds := []string{symmom.CovarianceSpherical, symmom.CovarianceTied, symmom.CovarianceDiagonal, symmom.CovarianceFull}
	o.Covariance, o.Seed = kinds[0], symmom.DefaultSeed
	var starts int
	cmd := &cobra.Command{
		Use:               "mixture DATA --components A..B [flags]",
		Short:             "Fit a Gaussian mixture to a table",
		Long:              mixtureLong,
		Example:           mixtureExample,
		Args:              oneData,
		ValidArgsFunction: completeData,
	}
	flagGroup(cmd, "The mixture", func(fs *pflag.FlagSet) {
		numberFlag(fs, flags.Numbers(&m.components, "numbers"), "components", "r", "number of components, or several to compare: 3, 2..6, or 1,3")
		fs.Var(flags.Choices(&o.Covariance, kinds), "covariance", "of the components: spherical (one variance each), tied (one matrix for all), diag (one variance per variable) or full; or several to compare: diag,full")
	})
	require(cmd, "components")
	completeList(cmd, "covariance", kinds...)
	m.define(cmd)
	m.cluster(cmd)
	flagGroup(cmd, "The search", func(fs *pflag.FlagSet) {
		fs.BoolVar(&o.MomentsOnly, "moments-only", false, "do not refine by EM")
		fs.BoolVar(&o.Nonparametric, "nonparametric", false, "assume no form of distributions within components, but that variables are independent there: for data that are not normal")
		fs.BoolVar(&o.Converge, "converge", false, "run EM until it converges also on data that stay on disk, instead of ten passes at most")
		fs.Var(flags.Whole(&starts, 0), "starts", "k-means++ starts in addition to the one from the moments; as many scattered ones for small tables; with --nonparametric, fits of the moments that are refined (default 10; of one mixture 5, and up to 100 while few find the best)")
		seedFlag(fs, &o.Seed)
		fs.Var(flags.Real(&o.Tolerance, 1e-300, 1e300, "a number above 0"), "tol", "stop when the log-likelihood per observation is expected to rise by less than this (default 1e-10, for more than 65,536 numbers 1e-6)")
		fs.Var(flags.Real(&o.RegCovar, 0, 1e300, "a number above 0, or 0 for the default"), "reg-covar", "least variance of a component in any direction, in squared units of the data (default 1e-6 of the mean variance, or what the spacing of rounded values leaves)")
		fs.Var(flags.Whole(&o.MaxIterations, 1), "max-iters", "iterations of EM on all observations (default 1000, on disk 10 unless --converge is given)")
		threadsFlag(fs, &o.Threads)
	})
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.Var(overwrite.Reads(&m.truth), "truth", "`FILE` with true means, n x r, for the error")
		fs.Var(flags.Whole(&m.draws, 0), "bootstrap", "standard errors from N draws of the observations, 0: none")
		fs.Var(overwrite.WritesThese(&m.predict, m.names(&m.predict)), "predict", "write the component of each observation, 1 for the first, to `FILE`, "+tableNames+"; of several mixtures with -components5 inserted before its end")
		fs.Var(overwrite.WritesThese(&m.save, m.names(&m.save)), "save", "write the mixture to `FILE`, as JSON; of several as for --predict")
		fs.Var(overwrite.Writes(&m.html), "html", "write a page that draws the mixture, or compares several, to `FILE`")
		jsonFlag(fs, &m.asked)
		quietFlag(fs, &m.quiet)
	})
	completeFiles(cmd, "truth", dataExtensions...)
	completeFiles(cmd, "save", "json")
	completeFiles(cmd, "predict", export.Extensions()...)
	completeFiles(cmd, "html", "html")
	return a.command(cmd, func(cmd *cobra.Command, args []string) error {
		if o.Starts = starts; starts == 0 && cmd.Flags().Changed("starts") {
			o.Starts = -1
		}
		for _, flag := range []string{"converge", "starts", "tol", "reg-covar", "max-iters"} {
			if o.MomentsOnly && cmd.Flags().Changed(flag) {
				return oneOfThem("--moments-only", "--"+flag, "the first leaves out EM")
			}
		}
		for _, flag := range []string{"covariance", "tol", "reg-covar"} {
			if o.Nonparametric && cmd.Flags().Changed(flag) {
				return oneOfThem("--nonparametric", "--"+flag, "the first fits no covariance, and ends when means settle")
			}
		}
		if o.Nonparametric {
			o.Covariance = symmom.CovarianceDiagonal
		}
		return m.run(a, args[0])
	})
}

// check refuses flags that do not go together.
func (m *mixtureCommand) check() error {
	if m.draws == 1 {
		return errOneDraw
	}
	far := m.load.Spark != ""
	if err := refuse(
		contradiction{m.several() && m.draws > 0, "--bootstrap", "several mixtures", "standard errors are those of one: choose it first"},
		contradiction{m.several() && m.truth != "", "--truth", "several mixtures", "true means are compared with as many of one covariance"},
		contradiction{m.draws > 0 && m.options.MomentsOnly, "--moments-only", "--bootstrap", "the first leaves out EM, which the second repeats"},
		contradiction{m.options.Nonparametric && m.several(), "--nonparametric", "several mixtures", "they are compared by BIC: fit half of the observations, and compare the log-likelihood that symmom evaluate finds for the other half"},
		contradiction{m.options.Nonparametric && m.draws > 0, "--nonparametric", "--bootstrap", "the second repeats the EM of a Gaussian mixture"},
		contradiction{m.options.Nonparametric && far, "--nonparametric", "--spark", "the first reads the observations themselves: draw from a part of the data with --stream"},
		contradiction{far && m.draws > 0, "--spark", "--bootstrap", "each draw takes some ten passes, and each is a job of its own: draw from a part of the data with --stream"},
	); err != nil {
		return err
	}
	if far && m.predict != "" {
		return errPredictFar
	}
	if strings.HasSuffix(m.load.Labels, ".npy") {
		return usagef("--labels: %s: want the column of known groups; --predict writes the component of each observation", m.load.Labels)
	}
	if err := modelfile.CheckJSONName("mixture", m.save); err != nil {
		return usagef("--save: %s: %v", m.save, err)
	}
	return all(tableName("predict", m.predict), checkOutputs("", m.html))
}

var errOneDraw = usagef("--bootstrap: got 1, want at least 2, or 0 for none")

func (m *mixtureCommand) run(a *app, path string) error {
	if err := m.check(); err != nil {
		return err
	}
	ctx, release := a.interruptible()
	defer release()
	bar := a.progress(m.quiet, m.components[0], m.components[0])
	bar.Note("reading %s", files.Name(path))
	s, err := m.session(ctx, path)
	var truth *mat.Dense
	if err == nil {
		truth, err = loadTruth(ctx, m.truth, s.N(), m.components[0])
	}
	if err != nil {
		bar.Stop()
		return err
	}
	s = s.WithContext(ctx)
	m.options.Progress, m.options.MemoryLimit = bar.Update, m.load.MemoryLimit
	if m.several() {
		return m.compare(a, ctx, s, bar.Stop)
	}
	fit := s.Mixture(m.components[0], m.options)
	if fit.N == 0 {
		bar.Stop()
		return inFlags(fit.Err())
	}
	// Saved before standard errors are computed, for which many users will not wait.
	saved := a.keep(ctx, m.save, func() error { return saving(fit.Save(m.save)) })
	while, done := soon(ctx)
	agreed, predicted := m.assign(a, ctx, s.WithContext(while), fit, m.predict)
	done()
	var spread *symmom.MixtureErrors
	if m.draws > 0 && fit.Err() == nil {
		spread = fit.Bootstrap(m.draws, m.options.Seed)
	}
	bar.Stop()
	a.warnFound(fit.Warnings, m.truth, &m.dataFlags, 0)
	var recovered *symmom.Score
	if truth != nil {
		if recovered = fit.Score(truth); recovered.Err() != nil {
			return inFlags(recovered.Err())
		}
	}
	drawn := a.keep(ctx, m.html, func() error { return m.page(s, fit, recovered, agreed, spread).Save(m.html) })
	printed := a.print(m.asked, func() any { return objects.NewMixture(fit, recovered, agreed, spread, a.warnings) },
		func() string { return mixtureFitText(s, fit, recovered, agreed, spread) })
	stopped := soFar(fit.Err(), "the best mixture so far")
	if spread != nil {
		stopped = soFar(inFlags(spread.Err()), fmt.Sprintf("the mixture with standard errors from %s", words.Plural(spread.Draws, "draw")))
	}
	return all(stopped, saved, predicted, drawn, printed)
}

// assign writes the component of each observation of s to a file, if asked to, and returns
// their agreement with known groups, nil without any.
func (m *mixtureCommand) assign(a *app, ctx context.Context, s *symmom.Session, fit *symmom.Mixture, path string) (*symmom.Agreement, error) {
	if m.predict == "" && (m.load.Labels == "" || ctx.Err() != nil) {
		return nil, nil
	}
	components, err := fit.Predict(s)
	var agreed *symmom.Agreement
	var compared error
	if err == nil && m.load.Labels != "" {
		agreed = s.Labels().Agreement(components, fit.Components)
		compared = inFlags(agreed.Err())
	}
	switch {
	case m.predict == "":
	case err == nil:
		err = writeComponents(ctx, a, path, components)
	default:
		err = fmt.Errorf("--predict: %w", err)
	}
	return agreed, all(err, compared)
}

// errPredictFar is for passes elsewhere, of which only sums come here.
var errPredictFar = usagef("--spark and --predict or --responsibilities: want one of them; the components of all observations do not come here: save the mixture, and evaluate it on parts of the data")

// writeComponents writes the component of each observation, p numbers that count from 1 as
// tables of the components do.
func writeComponents(ctx context.Context, a *app, path string, components []int) error {
	numbers := mat.NewVecDense(len(components), nil)
	for l, j := range components {
		numbers.SetVec(l, float64(j+1))
	}
	table := mat.Matrix(numbers)
	if files.Ext(path) != ".npy" {
		table = &symmom.NamedMatrix{Dense: mat.NewDense(len(components), 1, numbers.RawVector().Data), ColumnNames: []string{"component"}}
	}
	if err := a.keep(ctx, path, func() error { return symmom.SaveMatrix(path, table) }); err != nil {
		return fmt.Errorf("--predict: %w", err)
	}
	return nil
}

// mixtureFitText formats the result for a person.
func mixtureFitText(s *symmom.Session, f *symmom.Mixture, e *symmom.Score, a *symmom.Agreement, spread *symmom.MixtureErrors) string {
	pairs := append([][]string{{"data", dataLine(s)}, mixturePair(f)}, f.Facts()...)
	if e != nil {
		pairs = append(pairs, meansPair(e))
	}
	if spread != nil && spread.Draws > 0 {
		pairs = append(pairs, []string{"standard errors", fmt.Sprintf("from %s; of sigma %.2g", words.Plural(spread.Draws, "bootstrap draw"), spread.Sigma)})
	}
	deviations := ""
	if f.Covariance != symmom.CovarianceSpherical {
		deviations = "\n" + f.Deviations().String() + "\n"
	}
	return facts(pairs...) + "\n" + meansOf(f, spread).String() + "\n" + deviations + agreementText(a)
}

// coordinatesPair says which coordinates a mixture is in, unless these are the data's own.
func coordinatesPair(coordinates string) [][]string {
	if coordinates == "" {
		return nil
	}
	return [][]string{{"coordinates", frame.Says(coordinates, "means and covariances")}}
}

func mixturePair(f *symmom.Mixture) []string {
	if f.Nonparametric {
		return []string{"mixture", fmt.Sprintf("%s, nonparametric", words.Plural(f.Components, "component"))}
	}
	return []string{"mixture", fmt.Sprintf("%s, %s covariance", words.Plural(f.Components, "component"), f.Covariance)}
}

// meansOf are the means, with standard errors if there are any.
func meansOf(f *symmom.Mixture, spread *symmom.MixtureErrors) *symmom.NamedMatrix {
	if spread != nil && spread.Draws > 0 {
		return spread.Means
	}
	return f.Means
}

func meansPair(e *symmom.Score) []string {
	return []string{"error of means", fmt.Sprintf("%.5f, relative to the true ones", e.Distance)}
}

// agreementText describes the agreement with groups, "" if there is none.
func agreementText(a *symmom.Agreement) string {
	if a == nil || a.Err() != nil {
		return ""
	}
	return "\n" + a.String() + "\n"
}
