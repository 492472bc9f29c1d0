package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/datasets"
	"symmom/internal/data/export"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const documentsLong = `Draws counts of words in documents from a topic model: topics are distributions
over --words words, documents mix them in shares that come from a Dirichlet
distribution of sum --concentration, and have --length words each.`

// documentsCommand holds the command and its flags.
type documentsCommand struct {
	datasets.DocumentsOptions
	out, truth, shares string
}

func newGenerateDocuments(a *app) *cobra.Command {
	g := &documentsCommand{DocumentsOptions: datasets.DocumentsOptions{Documents: 500, Words: 200, Length: 60, Concentration: 1, Prior: .05, Seed: symmom.DefaultSeed}}
	cmd := &cobra.Command{
		Use:   "documents --topics K --out FILE [flags]",
		Short: "Documents with known topics",
		Long:  documentsLong,
		Example: `  symmom generate documents --topics 5 --out documents.npy --truth topics.npy

  # topics of different size
  symmom generate documents --topics 3 --weights 1,2,4 --documents 1000 \
      --length 40 --out uneven.npy --truth uneven-topics.npy`,
		Args: noArguments,
	}
	flagGroup(cmd, "The documents", func(fs *pflag.FlagSet) {
		fs.Var(flags.Whole(&g.Topics, 1), "topics", "topics")
		fs.Var(flags.Whole(&g.Documents, 1), "documents", "documents")
		fs.Var(flags.Whole(&g.Words, 1), "words", "words of the vocabulary")
		fs.Var(flags.Whole(&g.Length, 1), "length", "words of each document")
		fs.Var(flags.Reals(&g.Weights), "weights", "sizes of the topics: 1,2,4 (default: equal)")
		fs.Var(flags.Real(&g.Concentration, 1e-6, 1e6, "a number above 0"), "concentration", "near 0 a document has one topic, with more it mixes more of them")
		fs.Var(flags.Real(&g.Prior, 1e-6, 1e6, "a number above 0"), "prior", "Dirichlet parameter of a word: near 0 topics have few words in common")
		fs.Var(flags.Seed(&g.Seed), "seed", "seed of the random draws")
	})
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.VarP(overwrite.Writes(&g.out), "out", "o", "write the counts, documents x words, to `FILE`, "+tableNames)
		fs.Var(overwrite.Writes(&g.truth), "truth", "write the topics, words x K, one per column, to `FILE`, "+tableNames)
		fs.Var(overwrite.Writes(&g.shares), "shares", "write the shares of the topics, documents x K, to `FILE`, "+tableNames)
	})
	require(cmd, "topics", "out")
	for _, name := range []string{"out", "truth", "shares"} {
		completeFiles(cmd, name, export.Extensions()...)
	}
	return a.command(cmd, func(*cobra.Command, []string) error { return g.run(a) })
}

func (g *documentsCommand) run(a *app) error {
	for _, f := range [][2]string{{"out", g.out}, {"truth", g.truth}, {"shares", g.shares}} {
		if err := tableName(f[0], f[1]); err != nil {
			return err
		}
	}
	ctx, release := a.interruptible()
	defer release()
	d := datasets.TopicDocumentsContext(ctx, g.DocumentsOptions)
	if err := d.Err(); err != nil {
		return inFlags(asUsage(err))
	}
	if err := a.keep(ctx, g.out, func() error { return d.Session.Save(g.out) }); err != nil {
		return err
	}
	wrote := [][]string{{g.out, tableSize(d.Session)}}
	if g.truth != "" {
		if err := a.keep(ctx, g.truth, func() error { return symmom.SaveMatrix(g.truth, d.Topics) }); err != nil {
			return err
		}
		wrote = append(wrote, []string{g.truth, fmt.Sprintf("the %s, %d x %d", words.Plural(g.Topics, "topic"), g.Words, g.Topics)})
	}
	if g.shares != "" {
		if err := a.keep(ctx, g.shares, func() error { return symmom.SaveMatrix(g.shares, d.Shares) }); err != nil {
			return err
		}
		wrote = append(wrote, []string{g.shares, "the shares of the topics in each document"})
	}
	return a.write(facts(wrote...))
}
