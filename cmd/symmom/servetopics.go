package main

import (
	"context"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/charts/live"
	"symmom/cmd/symmom/internal/flags"
	"symmom/internal/estimate/modelfile"
	"symmom/internal/store/files"
	"symmom/symmom"
)

// defineTopics adds the flags of the page of topics.
func (v *serveCommand) defineTopics(cmd *cobra.Command) {
	o := &v.first.Options
	flagGroup(cmd, "Topics", func(fs *pflag.FlagSet) {
		fs.Var(flags.Whole(&v.first.Topics, 0), "topics", "find topics of documents instead of fits, so many to begin with; 0: as many as stand out from the noise of the pairs of words")
		fs.Var(flags.Real(&o.Concentration, 1e-6, 1e6, "a number from 1e-6 to 1e6"), "concentration", "with --topics, as of symmom topics (default: estimated)")
		fs.BoolVar(&o.MomentsOnly, "moments-only", false, "with --topics, do not polish the result of the moments")
		v.first.Words = shownOfTopic
		fs.Var(flags.Whole(&v.first.Words, 1), "top", "with --topics, words to show of each")
	})
}

// checkTopics refuses flags of fits with --topics, and those of topics without it.
func (v *serveCommand) checkTopics(cmd *cobra.Command) (err error) {
	ofTopics := []string{"concentration", "moments-only", "top"}
	ofFits := []string{"images", "center", "standardize", "init", "solver", "tol", "ftol", "max-iters", "max-evals", "corrections", "truth"}
	topics := cmd.Flags().Changed("topics")
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case err != nil:
		case !topics && slices.Contains(ofTopics, f.Name):
			err = usagef("--%s: want --topics with it", f.Name)
		case topics && (slices.Contains(ofFits, f.Name) || slices.Contains(f.Annotations[groupKey], momentGroup)):
			err = oneOfThem("--topics", "--"+f.Name, "the second is of a fit to a moment")
		}
	})
	if topics && err == nil {
		if wrong := modelfile.CheckJSONName("topic model", v.save); wrong != nil {
			err = usagef("--save: %s: %v", v.save, wrong)
		}
	}
	return err
}

// topicsDesk reads the counts, and makes a desk of the flags.
func (v *serveCommand) topicsDesk(ctx context.Context, cmd *cobra.Command, path string) (*live.TopicsDesk, error) {
	changed := changes(path)
	s, err := v.session(ctx, path)
	if err != nil {
		return nil, err
	}
	if v.first.Topics > s.N() {
		return nil, usagef("--topics: got %d, want 0 to %d, the number of words", v.first.Topics, s.N())
	}
	o := &v.first.Options
	o.Starts, o.Seed, o.Threads = v.options.Starts, v.options.Seed, v.options.Threads
	return &live.TopicsDesk{Base: s.WithContext(ctx), First: v.first, Stream: v.stream, Title: v.title, Changed: changed,
		Command: func(c live.TopicsChoice) string { return v.topicsAgain(cmd, path, c) }}, nil
}

// topicsAgain returns the command that finds topics again.
func (v *serveCommand) topicsAgain(cmd *cobra.Command, path string, c live.TopicsChoice) string {
	o := c.Options
	args := []string{"topics", files.Name(path), "--topics", strconv.Itoa(c.Topics)}
	add := func(given bool, flag ...string) {
		if given {
			args = append(args, flag...)
		}
	}
	add(o.Concentration > 0, "--concentration", strconv.FormatFloat(o.Concentration, 'g', -1, 64))
	add(o.MomentsOnly, "--moments-only")
	add(o.Starts > 0, "--starts", strconv.Itoa(o.Starts))
	add(o.Seed != symmom.DefaultSeed, "--seed", strconv.FormatUint(o.Seed, 10))
	add(c.Words != shownOfTopic, "--top", strconv.Itoa(c.Words))
	return withFlags(args, cmd, v.load.NA, append([]string{"topics", "concentration", "moments-only", "top", "starts", "seed"}, ofPage...))
}
