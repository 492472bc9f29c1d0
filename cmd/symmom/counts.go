package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/data/delimited"
	"symmom/internal/data/load"
	"symmom/internal/data/texts"
	"symmom/internal/store/files"
	"symmom/internal/system/memory"
	"symmom/internal/text/words"
	"symmom/symmom"
)

const countsLong = `Counts makes a table of texts: a row for each document, a column for each word.
Topic models start from it.

TEXTS are files, directories, patterns ('*.txt'), lists (@files.txt) or URLs;
text gzipped, too. A text file is a document; with --lines, each of its lines.
With --column, each row of a table (CSV, Parquet, Arrow) or each line of JSON
(.jsonl) is one. In standard input, -, each line is.

A word is what Unicode's word boundaries (UAX 29) enclose, in lower case, if it
has two letters; --numbers counts those of digits, too. An apostrophe between
Latin letters separates, as in l'eau and president's. Chinese, Japanese or Thai
texts need spaces between words.

The counts are written as by SciPy's save_npz, with the words in the same file,
or as Matrix Market (.mtx), with the words, one a line, in a file beside it.`

const countsExample = `  symmom counts speeches/*.txt --stop english --min-documents 2
  symmom counts reviews.csv --column text --out reviews.npz --max-share .5
  symmom counts new.csv --column text --out new.npz --with reviews.npz
  symmom info reviews.npz`

// countsCommand holds the command and its flags.
type countsCommand struct {
	texts.Files
	texts.Options
	header, delimiter, stop, with string
	out, words                    string
	quiet                         bool
}

func newCounts(a *app) *cobra.Command {
	c := &countsCommand{header: "auto", out: "counts.npz"}
	cmd := &cobra.Command{
		Use:         "counts TEXTS... [flags]",
		Short:       "Count the words of texts, for topic models",
		Long:        countsLong,
		Example:     countsExample,
		Args:        someTexts,
		Annotations: map[string]string{textArguments: ""},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return append(slices.Clone(textExtensions), "csv", "tsv", "parquet", "arrow", "feather", "jsonl", "ndjson"), cobra.ShellCompDirectiveFilterFileExt
		},
	}
	headers := []string{"auto", "yes", "no"}
	flagGroup(cmd, "The documents", func(fs *pflag.FlagSet) {
		fs.StringVar(&c.Column, "column", "", "`NAME` or number of the column of a table, or the field of JSON lines, that holds the texts")
		fs.BoolVar(&c.Lines, "lines", false, "each line of a text file is a document")
		fs.Var(flags.Choice(&c.header, headers), "header", "whether the first line of a CSV file holds names: auto, yes or no")
		fs.StringVar(&c.delimiter, "delimiter", "", "`CHAR` between fields of a CSV file (default: detected)")
	})
	flagGroup(cmd, "The words", func(fs *pflag.FlagSet) {
		fs.Var(overwrite.ReadsThese(&c.stop, func() []string { return texts.StopFiles(c.stop) }), "stop", "leave out the words of a `LIST`: languages (english, german, ...), files with a word a line")
		fs.BoolVar(&c.Numbers, "numbers", false, "count numbers, too: 1997, 3d")
		fs.Var(flags.Whole(&c.NGrams, 1), "ngrams", "count sequences of up to this many words, too (default 1: single words)")
		fs.Var(flags.Whole(&c.MinDocuments, 1), "min-documents", "leave out words in fewer documents (default 1)")
		fs.Var(flags.Real(&c.MaxShare, 0, 1, "a share, above 0 and up to 1"), "max-share", "leave out words in more than this share of the documents (default 1)")
		fs.Var(flags.Whole(&c.MaxWords, 1), "max-words", "keep this many words, the most frequent (default: all)")
		fs.Var(overwrite.Reads(&c.with), "with", "`FILE` with the words to count, earlier counts (.npz) or one word a line: new documents in the columns of earlier ones")
	})
	flagGroup(cmd, "Results", func(fs *pflag.FlagSet) {
		fs.VarP(overwrite.WritesThese(&c.out, c.files), "out", "o", "write the counts to `FILE`, .npz or .mtx")
		fs.Var(overwrite.Writes(&c.words), "vocabulary", "write the words to `FILE`, one a line (default: counts.words.txt for counts.mtx)")
		threadsFlag(fs, &c.Threads)
		fs.Var(flags.Bytes(&c.MemoryLimit), "memory", "memory limit: 4GB (default: three quarters of the free memory)")
		quietFlag(fs, &c.quiet)
	})
	completeWords(cmd, "header", headers...)
	completeList(cmd, "stop", texts.Languages()...)
	completeFiles(cmd, "with", append(textExtensions, "npz")...)
	completeFiles(cmd, "out", texts.Extensions...)
	completeFiles(cmd, "vocabulary", "txt")
	return a.command(cmd, func(cmd *cobra.Command, args []string) error { return c.run(a, cmd, args) })
}

var textExtensions = []string{"txt", "gz"}

// someTexts checks the arguments of counts.
func someTexts(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("%s needs texts, as in: %s", cmd.Name(), firstExample(cmd))
	}
	return nil
}

// wordsFile is where the words are written, "" if only with the counts.
func (c *countsCommand) wordsFile() string {
	if c.words != "" || files.Ext(c.out) == ".npz" {
		return c.words
	}
	return strings.TrimSuffix(c.out, files.Ext(c.out)) + ".words.txt"
}

// files are those that --out names.
func (c *countsCommand) files() []string {
	if w := c.wordsFile(); w != c.words {
		return []string{c.out, w}
	}
	return []string{c.out}
}

func (c *countsCommand) check() error {
	if err := texts.CheckName(c.out); err != nil {
		return usagef("--out: %s: %v", c.out, err)
	}
	var ok bool
	if c.Delimiter, ok = delimited.Named(c.delimiter); !ok {
		return usagef("--delimiter: got %q, want one character", c.delimiter)
	}
	c.Header = map[string]load.Header{"auto": load.HeaderAuto, "yes": load.HeaderPresent, "no": load.HeaderAbsent}[c.header]
	const given = "the words are given"
	return refuse(
		contradiction{c.Lines && c.Column != "", "--lines", "--column", ""},
		contradiction{c.with != "" && c.MinDocuments > 0, "--with", "--min-documents", given},
		contradiction{c.with != "" && c.MaxShare > 0, "--with", "--max-share", given},
		contradiction{c.with != "" && c.MaxWords > 0, "--with", "--max-words", given},
	)
}

func (c *countsCommand) run(a *app, cmd *cobra.Command, args []string) error {
	if err := c.check(); err != nil {
		return err
	}
	memory.Keep()
	ctx, release := a.interruptible()
	defer release()
	stopped := func(err error) error {
		if err != nil && ctx.Err() != nil {
			return fmt.Errorf("%w; nothing was written", symmom.ErrInterrupted)
		}
		return inFlags(err)
	}
	var err error
	if c.Paths, err = texts.Paths(ctx, args); err != nil {
		return stopped(err)
	}
	if err := overwrite.Check(ctx, cmd.Flags(), c.Paths, nil); err != nil {
		return stopped(usagef("%v", err))
	}
	c.Lines = c.Lines || slices.Equal(c.Paths, []string{standardInput})
	if c.Stop, err = texts.Stop(ctx, c.stop); err != nil {
		return stopped(fmt.Errorf("--stop: %w", err))
	}
	if c.with != "" {
		if c.Vocabulary, err = load.LoadNames(ctx, c.with); err != nil {
			return stopped(fmt.Errorf("--with: %w", err))
		}
	}
	bar := a.progress(c.quiet, 0, 0)
	bar.Note("count")
	counts, err := texts.Count(ctx, c.Files, c.Options)
	bar.Stop()
	if err != nil {
		return stopped(err)
	}
	return c.write(ctx, a, counts)
}

// write writes the files, and says what is in them.
func (c *countsCommand) write(ctx context.Context, a *app, counts *texts.Counts) error {
	blank := 0
	save := func(path string, fill func(io.Writer) error) error {
		err := a.keep(ctx, path, func() error {
			err := files.WriteFunc(ctx, path, fill)
			if errors.Is(err, context.Canceled) {
				return symmom.ErrInterrupted
			}
			return err
		})
		if err != nil && !errors.Is(err, symmom.ErrInterrupted) {
			return fmt.Errorf("%s: %w", files.Name(path), err)
		}
		return err
	}
	if err := save(c.out, func(w io.Writer) (err error) {
		blank, err = counts.Write(ctx, w, c.out)
		return err
	}); err != nil {
		return err
	}
	if to := c.wordsFile(); to != "" {
		if err := save(to, counts.WriteWords); err != nil {
			return err
		}
	}
	if text := counts.Joined(); text != "" {
		a.say("%s", text)
	}
	return a.print(false, nil, func() string { return c.text(counts, blank) })
}

// text says what was counted, and what was left out and why.
func (c *countsCommand) text(counts *texts.Counts, blank int) string {
	found := counts.Found
	documents := words.Count(counts.Documents)
	if blank > 0 {
		documents += fmt.Sprintf(", %s of them without any of the words", words.Count(blank))
	}
	kept := words.Count(len(counts.Words))
	switch {
	case c.Vocabulary != nil:
		kept += fmt.Sprintf(", %s of them in the documents", words.Count(found.Words))
	case len(counts.Words) < found.Words:
		kept += fmt.Sprintf(" of %s", words.Count(found.Words))
	}
	total := words.Count(counts.Total)
	if counts.Total < found.Total {
		total += fmt.Sprintf(" of %s", words.Count(found.Total))
	}
	pairs := [][]string{{"documents", documents}, {"words", kept}, {"counts", total}}
	var left []string
	for _, why := range []struct {
		n    int
		text string
	}{
		{found.Rare, fmt.Sprintf("in fewer than %s", words.Plural(c.MinDocuments, "document"))},
		{found.Common, fmt.Sprintf("in more than %s of the documents: %s", words.Percent(c.MaxShare), shortened(found.First, found.Common))},
		{found.Beyond, "less frequent than those"},
	} {
		if why.n > 0 {
			left = append(left, words.Count(why.n)+" "+why.text)
		}
	}
	if len(left) > 0 {
		pairs = append(pairs, []string{"left out", strings.Join(left, "\n")})
	}
	if found.Stop > 0 {
		pairs = append(pairs, []string{"stop words", words.Plural(found.Stop, "time")})
	}
	return facts(pairs...)
}

// shortened lists the first of n words.
func shortened(first []string, n int) string {
	if n > len(first) {
		first = append(slices.Clone(first), "...")
	}
	return strings.Join(first, ", ")
}
