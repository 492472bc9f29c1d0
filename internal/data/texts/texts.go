// Package texts counts words: texts -> a matrix with a row for each document, a column for
// each word, and few entries that are not zero, as topic models take it. What it leaves to the
// user is what scikit-learn's CountVectorizer does, by the same rules, except for the words.
//
//	counts, err := texts.Count(ctx, texts.Files{Paths: []string{"reviews.csv"}, Column: "text"}, texts.Options{MinDocuments: 5})
//	counts.Words, counts.Documents
//
// # Documents
//
// A document is a file, a line, a row of a column of text (CSV, Parquet, Arrow) or a field of
// JSON lines; or a string. It may be empty: its row is then zero, so that rows are documents.
//
// # Words
//
// Words are what is between the word boundaries of Unicode (UAX 29, by rivo/uniseg), in lower
// case, if it has two letters: combining marks are no letters but belong to their word, digits
// are letters if Options.Numbers says so. The annex leaves details to each use; here
//
//   - apostrophes between Latin letters, and colons, separate (l'eau, president's, EU:n): what
//     is left of them with one letter is no word. They stay in Ukrainian or Hebrew.
//   - in scripts without spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese),
//     of which the annex makes single characters, letters next to each other stay together.
//     Such texts need spaces between words, which other programs insert.
//   - an underscore at an end, soft hyphens and other invisible characters are dropped.
//
// Canonically equivalent words are one (NFC), ’ is the same as ', and a capital sigma at the
// end of a word becomes ς.
//
// CountVectorizer takes runs of [\p{L}\p{N}_] instead: it ends words at combining marks, so that
// most of those in Hindi fall apart, and at periods within them (u.s); it counts numbers, and
// words in two normal forms separately. For other words in scripts with spaces the two agree.
//
// # Work
//
// One goroutine reads, others count words in batches of documents, which are joined in order:
// results are the same for any number of them. What is kept of a batch is its distinct words
// and, for each document, pairs of a number in the batch and a count, 2 to 3 bytes each.
package texts

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"symmom/internal/data/formats"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Options say which words are counted. The zero value is the default.
type Options struct {
	Stop         []string // words that are not counted; those of Stop
	Numbers      bool     // digits make words, too
	NGrams       int      // sequences of up to so many words are counted, too; 0 is 1
	MinDocuments int      // that a word must be in; 0 is 1
	MaxShare     float64  // of the documents that a word may be in; 0 is 1
	MaxWords     int      // the most frequent ones; 0: all

	// Vocabulary are the words that are counted, in the order of the columns; nil: those of the
	// documents, sorted, by MinDocuments, MaxShare and MaxWords.
	Vocabulary []string

	MemoryLimit uint64 // in bytes; 0: three quarters of what is free
	Threads     int    // 0: all
}

// Source passes on documents, in order, until do returns an error.
type Source interface {
	Name() string // in messages
	Each(ctx context.Context, limit uint64, do func(document string) error) error
}

// Strings are documents in memory, of this name in messages.
type Strings struct {
	Of        string
	Documents []string
}

// Name returns the name.
func (s Strings) Name() string { return s.Of }

// Each passes on the documents.
func (s Strings) Each(ctx context.Context, _ uint64, do func(string) error) error {
	for i, d := range s.Documents {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !utf8.ValidString(d) {
			return notUTF8(s.Of, fmt.Sprintf("document %d: ", i+1), 1, d)
		}
		if err := do(d); err != nil {
			return err
		}
	}
	return nil
}

// notUTF8 says where in a text the first bytes are that are not UTF-8. where names the text in
// its source, and the text begins on a line, counted from 1.
func notUTF8(source, where string, line int, text string) error {
	at := 0
	for r, size := utf8.DecodeRuneInString(text); r != utf8.RuneError || size > 1; r, size = utf8.DecodeRuneInString(text[at:]) {
		at += size
	}
	from := strings.LastIndexAny(text[:at], " \t\r\n") + 1
	return diag.Fail(source, "%sline %d: got %s, want UTF-8; convert the text, from Windows-1252 or Latin-1 as it seems: iconv -f WINDOWS-1252 -t UTF-8",
		where, line+strings.Count(text[:at], "\n"), words.Quote(text[max(from, at-20):min(len(text), at+10)]))
}

// Counts are the numbers of words in documents.
type Counts struct {
	Source    string
	Documents int
	Words     []string // the columns
	Stored    int      // entries that are not zero
	Total     int      // their sum
	Found     Found

	parts   []part
	columns []int32 // by the number of a word; -1: it has none
	threads int
}

// Found is what is not in the counts.
type Found struct {
	Words, Total int      // different words and their number, in all and with the sequences, but without stop words
	Stop         int      // of stop words, each time
	Rare         int      // different words in too few documents
	Common       int      // and in too many
	First        []string // of these, the most frequent
	Beyond       int      // that are less frequent than those of MaxWords

	// Unspaced are the words in scripts without spaces between words, each time, and
	// UnspacedLetters their letters.
	Unspaced, UnspacedLetters int
}

// part is a batch of documents.
type part struct {
	words     []int32 // the number of each of its words
	rows      []byte  // for each document how many words it has, and for each the distance from the one before and the count
	documents int
}

// Count counts the words of documents.
func Count(ctx context.Context, source Source, o Options) (*Counts, error) {
	c := &Counts{Source: source.Name(), threads: o.Threads}
	if c.threads < 1 {
		c.threads = runtime.GOMAXPROCS(0)
	}
	v, err := newVocabulary(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Source, err)
	}
	budget := formats.Budget{Name: c.Source, Limit: o.MemoryLimit}
	stop := stopSet(o.Stop)
	counters := make(chan *counter, c.threads)
	for range c.threads {
		counters <- newCounter(o, stop, v.given)
	}
	checked := 64. * (1 << 20)
	err = inOrder(ctx, c.threads, func(ctx context.Context, put func([]string) error) error {
		return batches(ctx, source, o.MemoryLimit, put)
	}, func(ctx context.Context, documents []string) *batch {
		k := <-counters
		defer func() { counters <- k }()
		return k.count(ctx, documents)
	}, func(b *batch) error {
		c.add(v, b)
		if v.bytes > checked {
			checked = 1.25 * v.bytes
			return budget.Room("its counts so far", checked, 0)
		}
		return nil
	})
	if err != nil {
		return nil, formats.Named(c.Source).ReadError(err)
	}
	if c.Documents == 0 {
		return nil, diag.Empty(c.Source, "has no documents; want at least one")
	}
	return c, v.choose(c, o)
}

// batches passes on the documents of a source, some at a time.
func batches(ctx context.Context, source Source, limit uint64, put func([]string) error) error {
	const (
		most  = 1 << 12
		bytes = 1 << 20
	)
	var some []string
	size := 0
	err := source.Each(ctx, limit, func(d string) error {
		some, size = append(some, d), size+len(d)
		if len(some) < most && size < bytes {
			return nil
		}
		full := some
		some, size = make([]string, 0, len(full)), 0
		return put(full)
	})
	if err == nil && len(some) > 0 {
		err = put(some)
	}
	return err
}

// add takes a batch.
func (c *Counts) add(v *vocabulary, b *batch) {
	p := part{words: v.join(b), rows: slices.Clip(b.rows), documents: b.documents}
	v.bytes += float64(len(p.rows) + 4*len(p.words))
	c.parts = append(c.parts, p)
	c.Documents += b.documents
	c.Found.Stop += b.stopped
	c.Found.Total += b.total
	c.Found.Unspaced += b.unspaced
	c.Found.UnspacedLetters += b.letters
}

// Joined says that texts in a script without spaces between words seem to have none: their
// words are longer than those of any such language. "" if not.
func (c *Counts) Joined() string {
	const few, long = 20, 6
	if n := c.Found.Unspaced; n < few || float64(c.Found.UnspacedLetters) < long*float64(n) {
		return ""
	}
	return fmt.Sprintf("%s in scripts without spaces between words have %.0f letters each: they seem to be whole phrases; separate their words with spaces first, as jieba, MeCab or PyThaiNLP do",
		words.Plural(c.Found.Unspaced, "word"), math.Round(float64(c.Found.UnspacedLetters)/float64(c.Found.Unspaced)))
}
