package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/datasets"
	"symmom/internal/data/export"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const generateExample = `  # Fisher's irises, with their species
  symmom generate iris
  symmom mixture iris.csv --labels species --components 3

  # three clusters of 200 points in 50 dimensions, and their means
  symmom generate gmm --n 50 --components 3 --per-component 200 \
      --out data.npy --truth means.npy

  # data without structure
  symmom generate uniform --n 75 --observations 750 --out noise.npy`

func newGenerate(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "generate",
		Short: "Make data to try things on",
		Long: `Generate writes example data: two well-known tables with labels, draws of a
Gaussian mixture with known means, documents with known topics, or uniform
noise. The same seed gives the same data on any machine.`,
		Example: generateExample,
	}
	parent(cmd)
	cmd.AddCommand(newGenerateGMM(a), newGenerateDocuments(a), newGenerateUniform(a),
		newGenerateTable(a, "iris", "Fisher's irises: 150 flowers of three species", "Writes the lengths and widths, in cm, of the sepals and petals of 150 irises,\nwith their species (Fisher 1936; UCI, CC BY 4.0)."),
		newGenerateTable(a, "wine", "Forina's wines: 178 wines of three cultivars", "Writes 13 chemical measurements of 178 wines, with their cultivar (Aeberhard and\nForina 1991; UCI, CC BY 4.0)."))
	return cmd
}

// newGenerateTable makes a command that writes a table of package datasets.
func newGenerateTable(a *app, name, short, long string) *cobra.Command {
	out := name + ".csv"
	cmd := &cobra.Command{
		Use:     name + " [--out FILE.csv]",
		Short:   short,
		Long:    long,
		Example: fmt.Sprintf("  symmom generate %s\n  symmom info %[1]s.csv", name),
		Args:    noArguments,
	}
	cmd.Flags().VarP(overwrite.Writes(&out), "out", "o", "write the table to `FILE.csv`")
	completeFiles(cmd, "out", "csv")
	return a.command(cmd, func(*cobra.Command, []string) error {
		if files.Ext(out) != ".csv" {
			return usagef("--out: %s: the file is written as CSV, want a name that ends in .csv", out)
		}
		table, err := datasets.CSV(name)
		if err != nil {
			return err
		}
		ctx, release := a.interruptible()
		defer release()
		if err := a.keep(ctx, out, func() error { return files.Write(ctx, out, table) }); err != nil {
			return err
		}
		return a.write(facts([]string{out, words.Plural(bytes.Count(table, []byte("\n"))-1, "observation")}))
	})
}

const gmmLong = `Draws observations from a mixture of spherical Gaussians. The means have length
1, and any two have the same cosine (--congruence); --sigma is the standard
deviation in each direction. Components have --per-component observations each,
or each of --observations in all belongs to a random component, drawn by
--weights.`

const gmmExample = `  symmom generate gmm --n 500 --components 5 --per-component 250 --sigma 0.1 \
      --congruence 0.5 --seed 1 --out mixture.npy --truth mixture-means.npy

  # components of different size, and which one each observation came from
  symmom generate gmm --n 50 --components 3 --observations 1000 \
      --weights 1,2,4 --out uneven.npy --truth uneven-means.npy \
      --labels labels.npy`

// gmmCommand holds the command and its flags.
type gmmCommand struct {
	datasets.MixtureOptions
	out, truth, labels string
}

func newGenerateGMM(a *app) *cobra.Command {
	g := &gmmCommand{MixtureOptions: datasets.MixtureOptions{Sigma: .1, Congruence: .5, Seed: symmom.DefaultSeed}}
	cmd := &cobra.Command{
		Use:     "gmm --n N --components R --out FILE [flags]",
		Short:   "A Gaussian mixture with known means",
		Long:    gmmLong,
		Example: gmmExample,
		Args:    noArguments,
	}
	flagGroup(cmd, "The mixture", func(fs *pflag.FlagSet) {
		fs.Var(flags.Whole(&g.N, 1), "n", "variables")
		fs.Var(flags.Whole(&g.Components, 1), "components", "components, no more than variables")
		fs.Var(flags.Whole(&g.PerComponent, 1), "per-component", "observations of each component")
		fs.Var(flags.Whole(&g.Observations, 1), "observations", "observations in all, instead of --per-component")
		fs.Var(flags.Reals(&g.Weights), "weights", "sizes of the components, with --observations: 1,2,4")
		fs.Var(flags.Real(&g.Sigma, 0, 1e150, "a number, 0 or above"), "sigma", "standard deviation in each direction")
		fs.Var(flags.Real(&g.Congruence, -1, 1, "a cosine, from -1/(components-1) to below 1"), "congruence", "cosine between any two means")
		fs.Var(flags.Seed(&g.Seed), "seed", "seed of the random draws")
	})
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.VarP(overwrite.Writes(&g.out), "out", "o", "write the observations, p x n, to `FILE`, "+tableNames)
		fs.Var(overwrite.Writes(&g.truth), "truth", "write the means, n x r, one per column, to `FILE`, "+tableNames)
		fs.Var(overwrite.Writes(&g.labels), "labels", "write the component of each observation to `FILE`, "+tableNames)
	})
	require(cmd, "n", "components", "out")
	for _, name := range []string{"out", "truth", "labels"} {
		completeFiles(cmd, name, export.Extensions()...)
	}
	return a.command(cmd, func(*cobra.Command, []string) error { return g.run(a) })
}

func (g *gmmCommand) run(a *app) error {
	if g.PerComponent == 0 && g.Observations == 0 {
		return usagef("gmm needs --per-component, or --observations")
	}
	if err := refuse(
		contradiction{g.PerComponent > 0 && g.Observations > 0, "--per-component", "--observations", ""},
		contradiction{g.PerComponent > 0 && g.Weights != nil, "--per-component", "--weights", "components that are drawn by weights go with --observations"},
	); err != nil {
		return err
	}
	files := []struct{ flag, path string }{{"out", g.out}, {"truth", g.truth}, {"labels", g.labels}}
	for _, f := range files {
		if err := tableName(f.flag, f.path); err != nil {
			return err
		}
	}
	ctx, release := a.interruptible()
	defer release()
	m := datasets.GaussianMixtureContext(ctx, g.MixtureOptions)
	if err := m.Err(); err != nil {
		return inFlags(asUsage(err))
	}
	if err := a.keep(ctx, g.out, func() error { return m.Session.Save(g.out) }); err != nil {
		return err
	}
	wrote := [][]string{{g.out, tableSize(m.Session)}}
	if g.truth != "" {
		if err := a.keep(ctx, g.truth, func() error { return symmom.SaveMatrix(g.truth, m.Means) }); err != nil {
			return err
		}
		wrote = append(wrote, []string{g.truth, fmt.Sprintf("the %s, %d x %d", words.Plural(g.Components, "mean"), g.N, g.Components)})
	}
	if g.labels != "" {
		labels := mat.NewDense(len(m.Labels), 1, nil)
		for i, l := range m.Labels {
			labels.Set(i, 0, float64(l+1))
		}
		if err := a.keep(ctx, g.labels, func() error { return symmom.SaveMatrix(g.labels, labels) }); err != nil {
			return err
		}
		wrote = append(wrote, []string{g.labels, "the component of each observation, 1 for the first"})
	}
	return a.write(facts(wrote...))
}

// uniformCommand holds the command and its flags.
type uniformCommand struct {
	n, observations int
	seed            uint64
	out             string
}

func newGenerateUniform(a *app) *cobra.Command {
	u := &uniformCommand{seed: symmom.DefaultSeed}
	cmd := &cobra.Command{
		Use:     "uniform --n N --observations P --out FILE [flags]",
		Short:   "Uniform noise, without structure",
		Long:    "Draws observations whose every value is uniform between 0 and 1.",
		Example: "  symmom generate uniform --n 75 --observations 750 --seed 1 --out noise.npy",
		Args:    noArguments,
	}
	flagGroup(cmd, "The data", func(fs *pflag.FlagSet) {
		fs.Var(flags.Whole(&u.n, 1), "n", "variables")
		fs.Var(flags.Whole(&u.observations, 1), "observations", "observations")
		fs.Var(flags.Seed(&u.seed), "seed", "seed of the random draws")
	})
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.VarP(overwrite.Writes(&u.out), "out", "o", "write the observations, p x n, to `FILE`, "+tableNames)
	})
	require(cmd, "n", "observations", "out")
	completeFiles(cmd, "out", "npy")
	return a.command(cmd, func(*cobra.Command, []string) error { return u.run(a) })
}

func (u *uniformCommand) run(a *app) error {
	if err := tableName("out", u.out); err != nil {
		return err
	}
	ctx, release := a.interruptible()
	defer release()
	s := datasets.UniformContext(ctx, u.n, u.observations, u.seed)
	if err := s.Err(); err != nil {
		return inFlags(asUsage(err))
	}
	if err := a.keep(ctx, u.out, func() error { return s.Save(u.out) }); err != nil {
		return err
	}
	return a.write(facts([]string{u.out, size(u.observations, u.n)}))
}
