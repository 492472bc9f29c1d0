package symmom

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"symmom/internal/data/delimited"
	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/data/texts"
	"symmom/internal/estimate/progress"
)

// TextOptions say what documents are and which words are counted. The zero value is the
// default.
type TextOptions struct {
	// Context ends the reading and, as Session.WithContext, long calls on the session. Default:
	// context.Background.
	Context context.Context
	// Documents are the texts themselves, instead of files. The path then only names them.
	Documents []string
	// Column is the name or number of a column of texts in a table, CSV, Parquet or Arrow, or a
	// field of JSON lines (.jsonl): each row is a document. Default: each file is one.
	Column string
	// Lines makes each line of a text file a document.
	Lines bool
	// Header "auto" (default), "yes" or "no", and Delimiter, say how a CSV file is written, as
	// those of LoadOptions do.
	Header, Delimiter string
	// Stop lists words that are not counted: languages, such as "english" or "german,french", and
	// files with a word on each line. Default: none.
	Stop string
	// Numbers counts those, too; without it, a word has two letters.
	Numbers bool
	// NGrams counts sequences of up to so many words, too, such as "new york" if it is 2.
	// Default: 1, single words.
	NGrams int
	// MinDocuments is the number of documents that a word must be in. Default: 1.
	MinDocuments int
	// MaxShare is the share of the documents that a word may be in, such as .5. Default: 1.
	MaxShare float64
	// MaxWords keeps so many words, the most frequent. Default: all.
	MaxWords int
	// Vocabulary are the words that are counted, such as the Columns of another session, in this
	// order. Default: all words, sorted, as MinDocuments, MaxShare and MaxWords say.
	Vocabulary []string
	// MemoryLimit in bytes for the counts. Default: three quarters of the free memory.
	MemoryLimit uint64
}

// Texts counts the words of texts: the session has an observation for each document, a variable
// for each word, called by it, and stores only what is not zero. path is a file, a directory, a
// pattern, a list (@files.txt) or a URL, as for Load; each file is a document, unless the options
// say otherwise.
//
//	reviews := symmom.Texts("reviews.csv", symmom.TextOptions{Column: "text", Stop: "english", MinDocuments: 5})
//	talks := symmom.Texts("talks", symmom.TextOptions{Documents: []string{"The first talk.", "Another."}})
//
// A word is what Unicode's word boundaries (UAX 29) enclose, in lower case, if it has two
// letters. An apostrophe between Latin letters separates, as in l'eau and president's.
// Chinese, Japanese, Thai, Lao, Khmer and Burmese texts need spaces between words. The other
// options do what those of scikit-learn's CountVectorizer do: Stop its stop_words (with other
// lists, those of Snowball), NGrams ngram_range, MinDocuments min_df, MaxShare max_df and
// MaxWords max_features.
//
// Texts are in UTF-8. Those without any of the words, or missing in a column, are zero.
// Memory: 12 bytes for each word of each document, and 3 more while it is counted.
func Texts(path string, options ...TextOptions) *Session {
	o, err := atMostOne(options)
	if err != nil {
		return Failed(err)
	}
	c, files, err := o.internal()
	if err != nil {
		return Failed(err)
	}
	s := (&Session{limit: o.MemoryLimit}).WithContext(o.Context)
	ctx := s.context()
	began := time.Now()
	defer func() { s.before = []progress.PhaseTime{{Phase: PhaseLoad, Elapsed: time.Since(began), Passes: 1}} }()
	set, err := o.count(ctx, path, c, files)
	if err != nil {
		s.err = loading(ctx, err)
		return s
	}
	set.Warnings = ofCounts(set.Warnings)
	s.data = tables.New(set)
	return s
}

func (o TextOptions) count(ctx context.Context, path string, c texts.Options, files texts.Files) (set *load.Set, err error) {
	if c.Stop, err = texts.Stop(ctx, o.Stop); err != nil {
		return nil, err
	}
	source := texts.Source(texts.Strings{Of: cmp.Or(path, "texts"), Documents: o.Documents})
	if o.Documents == nil {
		if files.Paths, err = texts.Paths(ctx, []string{path}); err != nil {
			return nil, err
		}
		files.Of = path
		source = files
	}
	counts, err := texts.Count(ctx, source, c)
	if err != nil {
		return nil, err
	}
	return counts.Set(ctx, o.MemoryLimit)
}

// internal translates the options, and checks them.
func (o TextOptions) internal() (texts.Options, texts.Files, error) {
	c := texts.Options{Numbers: o.Numbers, NGrams: o.NGrams, MinDocuments: o.MinDocuments, MaxShare: o.MaxShare, MaxWords: o.MaxWords, Vocabulary: o.Vocabulary, MemoryLimit: o.MemoryLimit}
	f := texts.Files{Column: o.Column, Lines: o.Lines}
	for _, n := range []struct {
		name  string
		value int
	}{{"NGrams", o.NGrams}, {"MinDocuments", o.MinDocuments}, {"MaxWords", o.MaxWords}} {
		if n.value < 0 {
			return c, f, &ArgumentError{Argument: n.name, Value: n.value, Want: "a number, 1 or above"}
		}
	}
	const given = "none with a Vocabulary: these are the words"
	switch v := o.Vocabulary != nil; {
	case !(0 <= o.MaxShare && o.MaxShare <= 1):
		return c, f, &ArgumentError{Argument: "MaxShare", Value: o.MaxShare, Want: "a share, above 0 and up to 1"}
	case v && o.MinDocuments > 0:
		return c, f, &ArgumentError{Argument: "MinDocuments", Value: o.MinDocuments, Want: given}
	case v && o.MaxShare > 0:
		return c, f, &ArgumentError{Argument: "MaxShare", Value: o.MaxShare, Want: given}
	case v && o.MaxWords > 0:
		return c, f, &ArgumentError{Argument: "MaxWords", Value: o.MaxWords, Want: given}
	case o.Documents != nil && o.Column != "":
		return c, f, &ArgumentError{Argument: "Column", Value: o.Column, Want: "none with Documents, which are no table"}
	case o.Lines && o.Column != "":
		return c, f, &ArgumentError{Argument: "Lines", Value: true, Want: "false with a Column, whose rows are the documents"}
	}
	if err := oneOf(&o.Header, "Header", "auto", "yes", "no"); err != nil {
		return c, f, err
	}
	f.Header = map[string]load.Header{"auto": load.HeaderAuto, "yes": load.HeaderPresent, "no": load.HeaderAbsent}[o.Header]
	var ok bool
	if f.Delimiter, ok = delimited.Named(o.Delimiter); !ok {
		return c, f, &ArgumentError{Argument: "Delimiter", Value: fmt.Sprintf("%q", o.Delimiter), Want: "one character"}
	}
	return c, f, nil
}
