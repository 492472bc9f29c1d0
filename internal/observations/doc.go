// Package observations turns files, readers and matrices into V: p
// observations of n variables, with weights nu.
//
//	set, err := observations.Load(ctx, "mixture.csv.gz", observations.Options{})
//	set.P, set.N        // observations, variables
//	set.Values          // p x n, one observation contiguous
//	set.Warnings        // what a person should know before trusting a result
//
// Rows are observations. [Load] reads a file, [Read] a stream, [FromRows] and
// [FromMatrix] what is in memory; [LoadMatrix] and [LoadWeights] read the truth
// to score against and a vector of weights.
//
// # Formats
//
// CSV and TSV: comma, tab, semicolon, bar or spaces, found by looking at the
// first lines; a header is detected; fields may be quoted; blank lines are
// skipped. Lines at the beginning that start with # are comments, the last of
// which is the header if it has as many fields as the data, as numpy.savetxt
// writes it. NPY: versions 1 to 3; float16/32/64, integers of every width, bool;
// both byte orders; C and Fortran order; an array of one dimension is p x 1.
// NPZ: stored or deflated; also what
// scipy.sparse.save_npz writes, in CSR, CSC or COO, which becomes dense as Matrix Market
// and svmlight do, unless Options.Sparse allow otherwise. MATLAB: versions 4, 6 and 7,
// numbers of all classes, sparse ones too; rows are those that MATLAB shows. Any of them
// may be gzipped. The content decides
// where it is unmistakable, the extension otherwise.
//
// # Columns
//
// Where Options choose none, the columns without numbers are left out with a
// warning: in text, those of which the first lines hold text alone. If text comes
// later, or with numbers, it is an error.
//
// Delimiter, decimal sign and header are found out from the first lines (internal/dialect): the
// delimiter that makes the most lines whole, the style of all numbers, and a header by what the
// first line has that those below have not. A decimal comma and separated thousands are said.
// What can be read in two ways, 1,234 (with semicolons, 1.234 too) or a first line of years, is an
// error.
//
// # Values
//
// Every value of a [Set] is finite. NaN, an empty field and the usual words for
// "missing" (NA, N/A, NaN, null, none) are missing values: a [MissingError]
// unless [Options] say to drop or fill. An infinity is an error.
//
// # Text on all processors
//
// Below the header, text is cut into pieces of whole lines that are parsed in parallel
// (internal/plainrows). This is done for plain text only: from the first quotation mark,
// uneven line or field that is not a number, encoding/csv reads on, so that there is one
// set of rules and messages. A test and FuzzCSV compare both. encoding/csv takes 40
// bytes a field, so the length of a line is bounded before it reads the line
// (plainrows.Guard).
package observations

import (
	"context"
	"fmt"

	"symmom/internal/codes"
	"symmom/internal/columns"
	"symmom/internal/faults"
	"symmom/internal/fingerprint"
	"symmom/internal/labels"
	"symmom/internal/notice"
	"symmom/internal/obs"
	"symmom/internal/profile"
	"symmom/internal/sweep"
)

// Info is what is known about a table besides its values.
type Info struct {
	P, N int // observations that are left, variables

	// Names of the N variables; nil when the source has none, and "" for a
	// column whose header is empty. Label gives a name in every case.
	Names []string

	// Source is what messages call the data: a file name, "<reader>", "matrix".
	Source string

	// Shards are the files that the table was read from, in order, if Source names
	// several.
	Shards []Shard

	// Dropped counts the rows left out and Filled the cells replaced by their
	// column's mean because of missing values.
	Dropped, Filled int

	// Labels of the observations, or nil.
	Labels *labels.Column

	// Warnings about the data, the most important first, and those among them that come from
	// reading, not from the values.
	Warnings, Notes []notice.Warning

	Columns []int // 1-based column of the source for each variable; nil: 1..N
}

// Set is a table of observations. It is not changed after it was made: methods
// return a new Set, which may share Values with the old one.
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
	Sparse *obs.Sparse

	// Weights is nu: P positive numbers of sum 1. nil means 1/P each.
	Weights []float64

	kept []int // rows of the source that are left when Dropped > 0
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

// sweep looks at all values. Its error is that of the context.
func (s *Set) sweep(ctx context.Context) (*profile.Profile, error) {
	return sweep.Of(ctx, sweep.Table{P: s.P, N: s.N, V: s.Values, V32: s.Values32})
}

// Dense returns the observations as a source of passes, which shares them.
func (s *Set) Dense() *obs.Dense {
	return &obs.Dense{P: s.P, N: s.N, V: s.Values, V32: s.Values32, Nu: s.Weights}
}

// Label names variable j (0-based) for a message: its name, else the number of
// its column in the source.
func (t *Info) Label(j int) string { return label(t.Names, t.Columns, j) }

func label(names []string, columns []int, j int) string {
	if j < len(names) && names[j] != "" {
		return faults.Name(names[j])
	}
	if columns != nil {
		return fmt.Sprintf("column %d", columns[j])
	}
	return fmt.Sprintf("column %d", j+1)
}

// Options say how to read. The zero value is the default.
type Options struct {
	// Columns to take as variables, in this order: names, 1-based numbers
	// ("3") or ranges of numbers ("3-7"). An exact name goes before a number.
	// nil: all columns.
	Columns []string

	// Header says whether the first line of a CSV file names the columns.
	Header Header

	// Delimiter between the fields of a CSV file; 0: found by looking.
	Delimiter rune

	// Decimal sign of the numbers in a text table, '.' or ','; with it thousands
	// may be separated; 0: found by looking.
	Decimal rune

	// Weights is the name or number of the column that holds the weights. It
	// is left out of the variables. "": none.
	Weights string

	// Labels is the name or number of a column that is kept beside the values, for
	// what tells groups of observations apart; in svmlight "target", in npz also
	// another array. A row may have none. It is left out of the variables. "": none.
	Labels string

	// Missing says what to do with missing values; RowWeights weigh the mean without Weights.
	Missing    Missing
	RowWeights []float64 `json:"-"`

	// Codes of missing values.
	Codes codes.List `json:",omitempty"`

	// Array is the member of an npz archive, or the variable of a MATLAB file; "": the
	// only one.
	Array string

	// Float32 keeps the values as float32: in Set.Values32, in half the
	// memory. A value beyond 3.4e38 is an error; of columns that lose much
	// Set.Warnings tell.
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

	// Infinite is told of each infinite value of an array of numbers, which then counts
	// as a missing one; nil: the first is an error.
	Infinite func(*ParseError) `json:"-"`

	// numeric are the columns (0-based) that hold numbers, where a reader knows; nil:
	// all of them.
	numeric []int

	// labelled says that labels are known: their column is only left out.
	labelled bool

	// piece is the text that is parsed at once; 0: plainrows.Size, below 0: line
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

// Missing says what to do with missing values.
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
