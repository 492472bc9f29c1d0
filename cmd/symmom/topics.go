package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"symmom/charts"
	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/objects"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/data/export"
	"symmom/internal/estimate/modelfile"
	"symmom/internal/estimate/topics"
	"symmom/internal/store/files"
	"symmom/internal/text/plaintable"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const topicsLong = `Topics finds what documents are about: K distributions over words, of which
each document mixes some (latent Dirichlet allocation). Rows of DATA are
documents, columns words, and values how often each occurs. The third moment of
these counts gives the topics, without random starts that end elsewhere each
time; a polish makes them better.

The words shown of a topic are the most relevant: frequent in it, and more so
than in others. Coherence tells whether ten of them occur in the same documents:
1 always, 0 as often as by chance, -1 never.

` + dataHelp

const topicsExample = `  symmom generate documents --topics 5 --out documents.npy --truth topics.npy
  symmom topics documents.npy --topics 5 --truth topics.npy

  # of texts
  symmom counts reviews.csv --column text --out reviews.npz
  symmom topics reviews.npz --topics 2

  # the shares of the topics in each document, and the topics for later
  symmom topics documents.npy -k 5 --documents shares.csv --save topics.json

  # as many topics as the documents show
  symmom topics documents.npy

  symmom topics documents.npy --model topics.json --documents again.csv

  # how well half of the words of other documents predict the other half
  symmom counts new.csv --column text --with reviews.npz --out new.npz
  symmom topics reviews.npz -k 2 --held-out new.npz

  # the uncertainty of shares and concentration
  symmom topics documents.npy --topics 5 --bootstrap 10

  # a map of the topics, and their words as bars
  symmom topics documents.npy --topics 5 --html topics.html

  # for a script
  symmom topics documents.npy --topics 5 --json | jq .weights`

// topicsCommand holds the command and its flags.
type topicsCommand struct {
	dataFlags
	topics, shown int
	draws         int
	options       symmom.TopicsOptions
	model         string
	truth         string
	heldOut       string
	documents     string
	save, html    string
	asked, quiet  bool
}

// shownOfTopic are the words to show of a topic, unless others are asked for.
const shownOfTopic = 8

func newTopics(a *app) *cobra.Command {
	c := &topicsCommand{shown: shownOfTopic}
	o := &c.options
	o.Seed = symmom.DefaultSeed
	cmd := &cobra.Command{
		Use:               "topics DATA [--topics K] [flags]",
		Short:             "Find the topics of documents",
		Long:              topicsLong,
		Example:           topicsExample,
		Args:              oneData,
		ValidArgsFunction: completeData,
	}
	flagGroup(cmd, "The topics", func(fs *pflag.FlagSet) {
		numberFlag(fs, flags.Whole(&c.topics, 0), "topics", "k", "number of topics (default 0: as many as stand out from the noise of the pairs of words)")
		fs.Var(overwrite.Reads(&c.model), "model", "`FILE` with topics that --save wrote, to find them in these documents")
		fs.Var(flags.Real(&o.Concentration, 1e-6, 1e6, "a number from 1e-6 to 1e6"), "concentration", "sum of the parameters of the Dirichlet distribution of shares: near 0 a document has one topic, with more it mixes more of them (default: estimated)")
	})
	c.define(cmd)
	c.cluster(cmd)
	flagGroup(cmd, "The search", func(fs *pflag.FlagSet) {
		fs.BoolVar(&o.MomentsOnly, "moments-only", false, "do not polish the result of the moments")
		fs.Var(flags.Whole(&o.Starts, 1), "starts", "random rotations to begin from (default 5)")
		fs.Var(flags.Real(&o.Tolerance, 1e-12, 2, "a number above 0"), "tol", "stop when a step of the polish moves the topics by less than this (default .001)")
		fs.Var(flags.Whole(&o.MaxIterations, 1), "max-iters", "steps of the polish (default 1000)")
		seedFlag(fs, &o.Seed)
		threadsFlag(fs, &o.Threads)
	})
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.Var(flags.Whole(&c.shown, 1), "top", "words to show of each topic")
		fs.Var(flags.Whole(&c.draws, 0), "bootstrap", "standard errors from N draws of the documents, 0: none")
		fs.Var(overwrite.Reads(&c.truth), "truth", "`FILE` with true topics, n x r, for the error")
		fs.Var(overwrite.Reads(&c.heldOut), "held-out", "`FILE` with counts of the same words in other documents, for the perplexity")
		fs.Var(overwrite.Writes(&c.documents), "documents", "write the shares of the topics in each document, p x K, to `FILE`, "+tableNames)
		fs.Var(overwrite.Writes(&c.save), "save", "write the topics to `FILE`, as JSON")
		fs.Var(overwrite.Writes(&c.html), "html", "write a page that draws the topics to `FILE`")
		jsonFlag(fs, &c.asked)
		quietFlag(fs, &c.quiet)
	})
	completeFiles(cmd, "model", "json")
	completeFiles(cmd, "truth", dataExtensions...)
	completeFiles(cmd, "held-out", dataExtensions...)
	completeFiles(cmd, "documents", export.Extensions()...)
	completeFiles(cmd, "save", "json")
	completeFiles(cmd, "html", "html")
	return a.command(cmd, func(cmd *cobra.Command, args []string) error {
		for _, flag := range []string{"tol", "max-iters"} {
			if o.MomentsOnly && cmd.Flags().Changed(flag) {
				return oneOfThem("--moments-only", "--"+flag, "the first leaves out the polish")
			}
		}
		for _, flag := range []string{"topics", "concentration", "moments-only", "starts", "tol", "max-iters", "bootstrap", "held-out", "save"} {
			if c.model != "" && cmd.Flags().Changed(flag) {
				return oneOfThem("--model", "--"+flag, "the first has topics already")
			}
		}
		return c.run(a, args[0])
	})
}

func (c *topicsCommand) check() error {
	if c.draws == 1 {
		return errOneDraw
	}
	far := c.load.Spark != ""
	if err := refuse(
		contradiction{c.draws > 0 && c.options.MomentsOnly, "--moments-only", "--bootstrap", "the first leaves out the polish, which the second repeats"},
		contradiction{far && c.draws > 0, "--spark", "--bootstrap", "each draw takes some ten passes, and each is a job of its own: draw from a part of the data with --stream"},
		contradiction{far && c.documents != "", "--spark", "--documents", "the shares of all documents do not come here: save the topics, and give them to parts of the data with --model"},
	); err != nil {
		return err
	}
	if err := modelfile.CheckJSONName("topic model", c.save); err != nil {
		return usagef("--save: %s: %v", c.save, err)
	}
	return all(tableName("documents", c.documents), checkOutputs("", c.html))
}

func (c *topicsCommand) run(a *app, path string) error {
	if err := c.check(); err != nil {
		return err
	}
	ctx, release := a.interruptible()
	defer release()
	bar := a.progress(c.quiet, c.topics, c.topics)
	defer bar.Stop()
	bar.Note("reading %s", files.Name(path))
	s, err := c.session(ctx, path)
	var truth *mat.Dense
	if err == nil {
		truth, err = loadTruth(ctx, c.truth, s.N(), 0)
	}
	var other *symmom.Session
	if err == nil && c.heldOut != "" {
		if other, err = c.session(ctx, c.heldOut); err == nil {
			err = sameWords(s, other)
		}
		if err != nil {
			err = fmt.Errorf("--held-out: %w", err)
		}
	}
	if err != nil {
		return err
	}
	s = s.WithContext(ctx)
	c.options.Progress = bar.Update
	found, err := c.find(ctx, s)
	if err != nil {
		bar.Stop()
		return err
	}
	// Saved before standard errors are computed, for which many users will not wait.
	saved := a.keep(ctx, c.save, func() error { return saving(found.Save(c.save)) })
	spread := &symmom.TopicsErrors{}
	if c.draws > 0 && found.Err() == nil {
		spread = found.Bootstrap(c.draws, c.options.Seed)
	}
	bar.Stop()
	a.warn(found.Warnings)
	written := c.writeShares(a, ctx, s, found)
	out := objects.TopicsResult{Topics: found, Top: found.Top(c.shown), Spread: spread}
	while, done := soon(ctx)
	defer done()
	cut := found.Err()
	if out.Coherence, err = found.Coherence(s.WithContext(while)); err != nil && cut == nil {
		if !errors.Is(err, symmom.ErrInterrupted) {
			return err
		}
		cut = err
	}
	if c.model != "" {
		other = s
	}
	if other != nil && cut == nil {
		if out.Perplexity, err = found.Perplexity(other.WithContext(while)); errors.Is(err, symmom.ErrInterrupted) {
			cut, out.Perplexity = err, 0
		} else if err != nil {
			if c.heldOut != "" {
				err = fmt.Errorf("--held-out: %s: %w", files.Name(c.heldOut), err)
			}
			return err
		}
	}
	if truth != nil {
		if out.Recovered = found.Score(truth); out.Recovered.Err() != nil {
			return inFlags(out.Recovered.Err())
		}
	}
	drawn := a.keep(ctx, c.html, func() error {
		r := charts.NewReport("Topics")
		r.Subtitle, r.Footer = dataLine(s), footer(c.options.Seed)
		return r.AddTopics(found, charts.TopicsOptions{Words: c.shown, Coherence: out.Coherence, Perplexity: out.Perplexity, Score: out.Recovered, Errors: spread}).Save(c.html)
	})
	printed := a.print(c.asked, func() any { return objects.NewTopics(out, a.warnings) }, func() string { return c.text(s, out) })
	ended := soFar(found.Err(), "the best set of topics so far")
	if found.Err() == nil && cut != nil {
		ended = soFar(cut, "the topics, without what tells how good they are")
	}
	if ended == nil {
		ended = soFar(inFlags(spread.Err()), fmt.Sprintf("the topics with standard errors from %s", words.Plural(spread.Draws, "draw")))
	}
	return all(ended, saved, written, drawn, printed)
}

// sameWords refuses counts of other words than those of the documents, before topics are found.
func sameWords(s, other *symmom.Session) error {
	if other.N() != s.N() {
		return fmt.Errorf("%s: has %s, want the %s of %s; symmom counts --with %[4]s counts the same", other.Source(), words.Plural(other.N(), "word"), words.Count(s.N()), s.Source())
	}
	return nil
}

// find returns the topics of --model, or those of the documents.
func (c *topicsCommand) find(ctx context.Context, s *symmom.Session) (*symmom.Topics, error) {
	if c.model != "" {
		found, err := symmom.LoadTopics(c.model, symmom.LoadOptions{Context: ctx})
		if err != nil {
			return nil, fmt.Errorf("--model: %w", err)
		}
		return found, nil
	}
	found := s.Topics(c.topics, c.options)
	if found.Components == 0 {
		return nil, inFlags(found.Err())
	}
	return found, nil
}

// writeShares writes the file of --documents.
func (c *topicsCommand) writeShares(a *app, ctx context.Context, s *symmom.Session, found *symmom.Topics) error {
	if c.documents == "" {
		return nil
	}
	while, done := soon(ctx)
	shares, err := found.Shares(s.WithContext(while))
	done()
	if err != nil {
		return fmt.Errorf("--documents: %w", err)
	}
	return a.keep(ctx, c.documents, func() error { return symmom.SaveMatrix(c.documents, shares) })
}

func (c *topicsCommand) text(s *symmom.Session, r objects.TopicsResult) string {
	t := r.Topics
	lines := [][]string{{"data", dataLine(s)}, {"topics", words.Count(t.Components)},
		{"concentration", topics.Concentration(t.Concentration, r.Spread.Concentration)}}
	if c.model == "" {
		lines = append(lines, []string{"work", fmt.Sprintf("%s, in %s", words.Plural(t.Iterations, "iteration"), words.Duration(t.Elapsed))})
	}
	if c.load.Words == "" && t.Names[0] == "column 1" {
		lines = append(lines, []string{"words", "without names; --words FILE gives them"})
	}
	switch {
	case r.Perplexity == 0 && c.heldOut != "":
		lines = append(lines, []string{"perplexity", "not computed: interrupted"})
	case r.Perplexity > 0:
		lines = append(lines, []string{"perplexity", fmt.Sprintf("%.5g, held out", r.Perplexity)})
	}
	if r.Recovered != nil {
		lines = append(lines, []string{"error", fmt.Sprintf("%.3f, the mean sum of absolute differences to the true topics", r.Recovered.Distance)})
	}
	return facts(lines...) + "\n" + plaintable.Render(topics.Header, topics.Rows(t.Weights, r.Spread.Weights, r.Coherence, r.Top), func(i int) bool { return i == 3 }) + "\n"
}
