package main

import (
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
	"gonum.org/v1/gonum/mat"

	"symmom/charts"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/datasets"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const demoLong = `Demo decomposes the moment of 1,797 handwritten digits: the ten components,
found without labels, are the shapes of the ten digits. Then it decomposes a
mixture of Gaussians with known means. It takes seconds; the data is built in.`

const demoExample = `  symmom demo

  # the same as a page, with how it converged; it opens without a network
  symmom demo --html report.html`

const (
	demoPageNext = "  symmom demo --html report.html     the same as a page, with the convergence\n"
	demoNext     = `  symmom repl                        a session in Go, a line at a time
  symmom generate gmm --n 50 --components 3 --per-component 200 --out data.npy
  symmom info data.npy               and then your own table: CSV, NPY, Parquet ...
  symmom decompose data.npy --order 3 --rank 3
`
)

// Parameters of the demo. Both moments show the digits; the fourth gives the higher
// score against the class means.
const (
	demoOrder  = 4
	demoRank   = 10
	demoStarts = 20
)

var demoMixture = datasets.MixtureOptions{N: 100, Components: 5, PerComponent: 200, Sigma: .1, Congruence: .5, Seed: 1}

// demo holds the command and its flags.
type demo struct {
	html  string
	quiet bool
}

func newDemo(a *app) *cobra.Command {
	d := &demo{}
	cmd := &cobra.Command{
		Use:     "demo [flags]",
		Short:   "Try it on real data, in seconds",
		Long:    demoLong,
		Example: demoExample,
		Args:    noArguments,
	}
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.Var(overwrite.Writes(&d.html), "html", "write a page with the pictures to `FILE`")
		quietFlag(fs, &d.quiet)
	})
	completeFiles(cmd, "html", "html")
	return a.command(cmd, func(*cobra.Command, []string) error { return d.run(a) })
}

// shown is a fit with the truth that it is compared with.
type shown struct {
	fit   *symmom.Fit
	truth *mat.Dense
	score *symmom.Score
}

func (d *demo) run(a *app) error {
	if err := checkOutputs("", d.html); err != nil {
		return err
	}
	ctx, release := a.interruptible()
	defer release()
	decompose := func(s *symmom.Session, truth *mat.Dense, order, starts int) (shown, error) {
		rank := truth.RawMatrix().Cols
		bar := a.progress(d.quiet, rank, rank)
		fit := s.WithContext(ctx).Moment(order).With(symmom.Options{Starts: starts, Progress: bar.Update}).Decompose(rank)
		bar.Stop()
		score := fit.Score(truth)
		if err := all(fit.Err(), score.Err()); err != nil {
			return shown{}, inFlags(fit.Err())
		}
		return shown{fit, truth, score}, nil
	}

	digits, err := decompose(datasets.Digits(), datasets.DigitMeans(), demoOrder, demoStarts)
	if err != nil {
		return err
	}
	if err := a.write(digitsText(digits, a.color())); err != nil {
		return err
	}

	m := datasets.GaussianMixture(demoMixture)
	if err := m.Err(); err != nil {
		return err
	}
	mixture, err := decompose(m.Session, m.Means, 3, symmom.DefaultStarts)
	if err != nil {
		return err
	}
	text := mixtureText(mixture)
	if d.html != "" {
		if err := a.keep(ctx, d.html, func() error { return demoPage(digits, mixture).Save(d.html) }); err != nil {
			return err
		}
		text += fmt.Sprintf("Wrote %s\n\nTry next:\n", d.html)
	} else {
		text += "Try next:\n" + demoPageNext
	}
	return a.write(text + demoNext)
}

// color reports whether stdout is a terminal with 256 colours whose user has not
// disabled them (no-color.org).
func (a *app) color() bool {
	f, ok := a.out.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" &&
		(strings.Contains(os.Getenv("TERM"), "256color") || os.Getenv("COLORTERM") != "")
}

var digitNames = strings.Fields("zero one two three four five six seven eight nine")

func digitsText(s shown, color bool) string {
	f := s.fit
	return fmt.Sprintf("\nHandwritten digits: %s images of %d x %d pixels, no label is used\n\n%s\n\n%s\n",
		words.Count(f.Observations), datasets.DigitSide, datasets.DigitSide,
		charts.Blocks(f.Model.Factors, datasets.DigitSide, datasets.DigitSide, charts.BlockOptions{Color: color, Truth: s.truth, TruthNames: digitNames}),
		facts(
			[]string{"moment", fmt.Sprintf("order %d, %s entries that are never formed", f.Order,
				words.Count(int(math.Pow(float64(f.N), float64(f.Order)))))},
			[]string{"components", fmt.Sprint(f.Rank)},
			[]string{"score", fmt.Sprintf("%.4f against the mean image of each digit", s.score.Value)},
			[]string{"relative error", fmt.Sprintf("%.4f", f.RelativeError)},
			[]string{"starts", foundBest(f)},
		))
}

func foundBest(f *symmom.Fit) string {
	return fmt.Sprintf("%d of %d found the best, %s", f.AtBest, len(f.Starts), words.Duration(f.Elapsed))
}

func mixtureText(s shown) string {
	f, g := s.fit, demoMixture
	return fmt.Sprintf("A mixture of %d Gaussians in %d dimensions, %s points, sigma %g\n\n%s\n",
		g.Components, g.N, words.Count(f.Observations), g.Sigma,
		facts(
			[]string{"components", fmt.Sprintf("%d, of the moment of order %d", f.Rank, f.Order)},
			[]string{"score", fmt.Sprintf("%.4f against the true means", s.score.Value)},
			[]string{"relative error", fmt.Sprintf("%.4f", f.RelativeError)},
			[]string{"starts", foundBest(f)},
		))
}

// demoPage returns the page of --html.
func demoPage(digits, mixture shown) *charts.Report {
	r := charts.NewReport("symmom: components of higher-order moments")
	r.Subtitle = "Handwritten digits, found without labels, and a mixture with known means"
	r.Footer = fmt.Sprintf("Written by symmom demo --html (symmom %s), seed %d. Digits: E. Alpaydin and C. Kaynak, "+
		"Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, 1998, CC BY 4.0.", version(), digits.fit.Seed)
	r.Heading("Handwritten digits")
	r.Text(fmt.Sprintf("%s images of %d x %d pixels. Each component of their moment of order %d stands beside the mean image "+
		"of the digit that it matches; the labels served for these means alone.",
		words.Count(digits.fit.Observations), datasets.DigitSide, datasets.DigitSide, digits.fit.Order))
	r.AddFit(digits.fit, charts.FitOptions{Truth: digits.truth, TruthNames: digitNames, ImageRows: datasets.DigitSide, ImageCols: datasets.DigitSide})
	r.Heading("A mixture with known means")
	g := demoMixture
	r.Text(fmt.Sprintf("%s points of %d Gaussians in %d dimensions, sigma %g, with means of unit norm and cosine %g.",
		words.Count(mixture.fit.Observations), g.Components, g.N, g.Sigma, g.Congruence))
	return r.AddFit(mixture.fit, charts.FitOptions{Truth: mixture.truth})
}
