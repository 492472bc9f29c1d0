// Package load turns files, readers and matrices into V: p
// observations of n variables, with weights nu.
//
//	set, err := load.Load(ctx, "mixture.csv.gz", load.Options{})
//	set.P, set.N        // observations, variables
//	set.Values          // p x n, one observation contiguous
//	set.Warnings        // reasons for caution
//
// Rows are observations. [Load] reads a file and [Read] a stream; [FromRows] and
// [FromMatrix] take data in memory. [LoadMatrix] reads the truth to score against,
// [LoadWeights] a vector of weights.
//
// # Formats
//
// CSV and TSV: comma, tab, semicolon, bar or spaces, inferred from the first
// lines; the header is detected; fields may be quoted; blank lines are
// skipped. Leading lines that start with # are comments; the last of them
// is the header if it has as many fields as the data, as numpy.savetxt
// writes it. NPY: versions 1 to 3; float16/32/64, integers of every width, bool;
// both byte orders; C and Fortran order; a one-dimensional array is p x 1.
// NPZ: stored or deflated, including the CSR, CSC and COO matrices of
// scipy.sparse.save_npz, which become dense, as do Matrix Market and svmlight,
// unless Options.Sparse is set; so does LDA-C. MATLAB: versions 4, 6 and 7, all numeric classes,
// dense or sparse; rows are as MATLAB shows them. Text in columns of fixed positions
// (package fixed). Any of them may be gzipped.
// The content decides where it is unambiguous, the extension otherwise.
//
// # Columns
//
// Unless Options select columns, those without numbers are dropped with a
// warning: in text files, those whose first lines hold only text. Text further
// down, or mixed with numbers, is an error.
//
// Delimiter, decimal sign and header are inferred from the first lines (package delimited): the
// delimiter is the one that makes the most lines complete, the style must suit all numbers, and
// a header differs from the lines below it. A decimal comma and separated thousands are
// reported. Ambiguous input, such as 1,234 (with semicolons, 1.234 too) or a first line of
// years, is an error.
//
// # Values
//
// Every value of a [Set] is finite. NaN, an empty field and the usual words for
// "missing" (NA, N/A, NaN, null, none) are missing values: a [MissingError]
// unless [Options] drop or fill them. An infinity is an error.
//
// # Text on all processors
//
// Below the header, text is split at line ends and parsed in parallel
// (package delimited). This is for plain text only: encoding/csv takes over at the first
// quotation mark, line of another length, or field that is not a number, so that there is
// one set of rules and messages. A test and FuzzCSV compare the two. As encoding/csv needs
// 40 bytes a field, delimited.Guard bounds the length of the lines that it reads.
package load

import (
	"context"
	"fmt"

	"symmom/internal/data/columns"
	"symmom/internal/data/fingerprint"
	"symmom/internal/data/fixed"
	"symmom/internal/data/profile"
	"symmom/internal/moment/block"
	"symmom/internal/text/diag"
)

// Info describes a table: everything but its values.
type Info struct {
	P, N int // observations kept, variables

	// Names of the N variables; nil when the source has none, and "" for a
	// column whose header is empty. Label gives a name in every case.
	Names []string

	// Source names the data in messages: a file name, "<reader>", "matrix".
	Source string

	// Shards are the files that the table was read from, in order, if there are
	// several.
	Shards []Shard

	// Dropped counts the rows left out and Filled the cells replaced by their
	// column's mean because of missing values.
	Dropped, Filled int

	// Labels of the observations, or nil.
	Labels *columns.Column

	// Warnings about the data, the most important first. Notes are those that come from
	// reading, not from the values.
	Warnings, Notes []diag.Warning

	Columns []int // 1-based column of the source for each variable; nil: 1..N
}

// Set is a table of observations. It is immutable: methods return a new Set,
// which may share Values with the old one.
type Set struct {
	Info

	// Values holds V row by row: variable j of observation i is Values[i*N+j].
	// All are finite.
	Values []float64

	// Values32 holds V instead of Values where Options ask for float32.
	Values32 []float32

	// Sparse holds V instead of Values if Options.Sparse is set and the source is a
	// sparse matrix with few nonzero values. Such a Set has no other methods than
	// WithWeights, Select and Fingerprint.
	Sparse *block.Sparse

	// Weights is nu: P positive numbers of sum 1. nil means 1/P each.
	Weights []float64

	kept []int // rows of the source that were kept, when Dropped > 0
}

// Fingerprint identifies the values and weights, as package fingerprint does.
func (s *Set) Fingerprint() string { return s.Digest().Sum(s.P, s.N, s.Weights) }

// Digest returns the digest of the values, from a pass at the speed of memory. A fit makes
// it beside its work: while a file is read block by block, the hash would copy every block.
func (s *Set) Digest() (d fingerprint.Digest) {
	s.AddTo(&d)
	return d
}

// AddTo adds the values to a digest: one pass, at the speed of memory.
func (s *Set) AddTo(d *fingerprint.Digest) {
	if s.Sparse != nil {
		d.AddSparse(s.Sparse)
		return
	}
	d.Add(s.Values)
	d.Add32(s.Values32)
}

// profiled is the table that package profile describes.
func (s *Set) profiled() profile.Table {
	return profile.Table{P: s.P, N: s.N, Row: s.Row, At: s.at, Label: s.Label, Single: s.Values32 != nil || s.Sparse != nil && s.Sparse.V32 != nil, Weighted: s.Weights != nil}
}

// sweep profiles all values. Its error is that of the context.
func (s *Set) sweep(ctx context.Context) (*profile.Profile, error) {
	return profile.Sweep(ctx, profile.Values{P: s.P, N: s.N, V: s.Values, V32: s.Values32})
}

// Dense returns the observations as a source of passes, which shares their memory.
func (s *Set) Dense() *block.Dense {
	return &block.Dense{P: s.P, N: s.N, V: s.Values, V32: s.Values32, Nu: s.Weights}
}

// Label names variable j (0-based) for a message: its name, else the number of
// its column in the source.
func (t *Info) Label(j int) string { return label(t.Names, t.Columns, j) }

func label(names []string, columns []int, j int) string {
	if j < len(names) && names[j] != "" {
		return diag.Name(names[j])
	}
	if columns != nil {
		return fmt.Sprintf("column %d", columns[j])
	}
	return fmt.Sprintf("column %d", j+1)
}

// Options say how to read. The zero value is the default.
type Options struct {
	// Columns to take as variables, in this order: names, 1-based numbers
	// ("3") or ranges of numbers ("3-7"). An exact name takes precedence over a
	// number. nil: all columns.
	Columns []string

	// Header says whether the first line of a CSV file names the columns.
	Header Header

	// Delimiter between the fields of a CSV file; 0: inferred.
	Delimiter rune

	// Decimal sign of the numbers in a text table, '.' or ','; if it is set,
	// thousands may be separated; 0: inferred.
	Decimal rune

	// Fixed are the columns of a text whose columns have fixed positions; empty: inferred;
	// nil: the file's extension says whether it is one.
	Fixed fixed.Columns

	// Names of the columns, in order, of a source that has none; nil: it has them, or none.
	Names []string `json:",omitempty"`

	// Weights is the name or number of the column of weights, which is not a
	// variable. "": none.
	Weights string

	// Labels is the name or number of a column of group labels, which is kept beside
	// the values; in svmlight "target", in npz also another array. A row may have
	// none. The column is not a variable. "": none.
	Labels string

	// Missing is the treatment of missing values; RowWeights weigh the mean without Weights.
	Missing    Missing
	RowWeights []float64 `json:"-"`

	// Codes of missing values.
	Codes columns.List `json:",omitempty"`

	// Array is the member of an npz archive, or the variable of a MATLAB file; "": the
	// only one.
	Array string

	// Float32 stores the values as float32 in Set.Values32, in half the memory.
	// A value beyond 3.4e38 is an error; Set.Warnings lists columns that lose
	// precision.
	Float32 bool

	// Sparse allows a Set without zeros, in Set.Sparse.
	Sparse bool

	// MemoryLimit in bytes for the table; 0: three quarters of what is free.
	// Compressed data are taken to be no more than 32 times their size, or 256
	// MB, unless a limit is given.
	MemoryLimit uint64

	// Groups are the row groups or batches of a columnar file that a Stream reads, from
	// the first to before the second; 0 and 0: all.
	Groups [2]int

	// Infinite is called for each infinite value of an array of numbers, which then
	// counts as missing; nil: the first is an error.
	Infinite func(*ParseError) `json:"-"`

	// numeric are the columns (0-based) that hold numbers, where a reader knows; nil:
	// all of them.
	numeric []int

	// labelled says that labels are known: their column is only left out.
	labelled bool

	// piece is the text that is parsed at once; 0: delimited.Size, below 0: line
	// after line, by encoding/csv.
	piece int
}

// wanted are the columns that the options ask for.
func (o Options) wanted() columns.Wanted {
	return columns.Wanted{Columns: o.Columns, Weights: o.Weights, Labels: o.Labels, Numeric: o.numeric, Codes: o.Codes}
}

// Header says whether the first line of a CSV file is a header.
type Header int

// The first line is a header if it holds text and no number, or a name that
// Options ask for. A line of text and numbers is an error with HeaderAuto unless
// the next line has text in the same places: guessing would lose data silently.
// A comment above it (see the package's text) is the header if it can be and the
// first line is none. HeaderAbsent leaves comments aside.
const (
	HeaderAuto Header = iota
	HeaderPresent
	HeaderAbsent
)

// Missing is a treatment of missing values.
type Missing int

// MissingDrop leaves out each row that has a missing value (or weight).
// MissingMean fills a cell with the weighted mean of its column's other values;
// a missing weight is never filled.
const (
	MissingFail Missing = iota // the default: a *MissingError
	MissingDrop
	MissingMean
)

// String gives the word that users write.
func (m Missing) String() string {
	switch m {
	case MissingDrop:
		return "drop"
	case MissingMean:
		return "mean"
	}
	return "error"
}
