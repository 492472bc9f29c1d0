// Package formats is the table of the formats that tables are read from and written in, and
// what lies between a format and the rest of the program: the bytes of a file, within a
// budget of memory (Input), on the one side, and what is found in them (Contents) on the other.
//
// A new format is a package that makes one of the Contents of a file, and a line in All.
package formats

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"symmom/internal/data/columnar"
	"symmom/internal/data/columns"
	"symmom/internal/data/delimited"
	"symmom/internal/data/fixed"
	"symmom/internal/data/matfile"
	"symmom/internal/data/npy"
	"symmom/internal/data/sparsefile"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Format is a format of files.
type Format struct {
	Name  string   // as users write it; an extension
	Also  []string // other extensions
	Title string   // in a list of formats, "" for those that are not listed

	Begins func(head []byte) bool // detects it by a signature
	Looks  func(head []byte) bool // detects text that has none, where the name says nothing
	Not    *signature             // the error for a file of that name that does not begin so; nil: read it
	Lines  bool                   // it is text

	Takes Takes  // options that only some formats have
	Ways  Ways   // to read it in less memory
	Parts bool   // files have parts that can be read alone: row groups or batches
	Whole string // why it cannot be streamed, "" if it can
	Plain bool   // it holds numbers alone, which are read whole to be described
	Alone string // why several files of it are no table, or ""

	// Open reads as far as is necessary to know what there is. r is what in reads from, for
	// an access of its own, or nil.
	Open func(ctx context.Context, in Input, r io.Reader, c Choice) (*Contents, error)

	Write *Writing // nil: it is not written
}

// Takes are options of some formats.
type Takes uint8

// Such options.
const (
	Header Takes = 1 << iota
	Delimiter
	Decimal
	ArrayName
	Positions
	NameList
)

// signature describes how files of a format begin.
type signature struct{ what, begin, with string }

// Choice is what a format has to know of the options.
type Choice struct {
	Array, Labels string
	Sparse        bool // a matrix may stay without its zeros
	Single        bool // values are float32
	Positions     fixed.Columns
	Columns       int  // how many there are, if that is known; or 0
	Stream        bool // a matrix is read row by row
}

// Contents are what a file holds: one of Text, Columnar, Array, and Matrix or, for a stream, Rows.
type Contents struct {
	In       Input // what the values come from, and are called in messages
	Text     *Text
	Columnar columnar.File
	Array    *Array
	Matrix   *sparsefile.Matrix
	Rows     *sparsefile.Rows
	Names    []string // of the columns of Matrix or Rows, where the file has them

	Labels   *columns.Reader // which are not of a column, or nil
	Labelled int             // where they are, in messages; 0: in no column
	Notes    []diag.Warning

	close func()
}

// Close releases what was opened for the contents. The file is the caller's.
func (c *Contents) Close() {
	if c.close != nil {
		c.close()
	}
}

// Text is a table of text, lines of fields, which In reads.
type Text struct {
	Delimiter rune     // 0: to be found out
	Names     []string // of the columns, where the options have them; or nil
}

// All are the formats, in the order of messages.
var All = []*Format{
	{Name: "csv", Title: "CSV", Lines: true, Takes: Header | Delimiter | Decimal | NameList, Ways: AsStream | AsFloat32 | ByColumns, Open: openText(0), Write: separated(',', "csv")},
	{Name: "tsv", Title: "TSV", Also: []string{"tab"}, Lines: true, Takes: Header | Delimiter | Decimal | NameList, Ways: AsStream | AsFloat32 | ByColumns, Open: openText('\t'), Write: separated('\t', "tsv")},
	{Name: "npy", Title: "NPY", Begins: begins(npy.Magic), Not: &signature{"an NPY file", `"\x93NUMPY"`, "numpy.save"}, Takes: NameList, Ways: AsStream | AsFloat32, Open: openArray, // is read whole, and so are its columns
		Write: &Writing{Extensions: []string{"npy"}, New: newArray}},
	{Name: "npz", Title: "NPZ", Begins: begins("PK\x03\x04", "PK\x05\x06"), Not: &signature{"an NPZ archive", `"PK"`, "numpy.savez"}, Takes: ArrayName | NameList, Ways: AsStream | AsFloat32, Plain: true, Open: openNPZ},
	// The header of other programs may begin with anything, and that of version 4 does.
	{Name: "mat", Title: "MATLAB", Begins: isMAT, Takes: ArrayName | NameList, Plain: true, Open: openMAT,
		Whole: "a file of the format mat cannot be streamed; load it into memory, or write the table as Parquet"},
	{Name: "parquet", Title: "Parquet", Also: []string{"pq"}, Begins: begins("PAR1"), Not: &signature{"a Parquet file", `"PAR1"`, "pandas.DataFrame.to_parquet"}, Ways: AsStream | AsFloat32 | ByColumns,
		Parts: true, Open: openColumnar("parquet"), Write: grouped("parquet")},
	{Name: "arrow", Title: "Arrow", Also: []string{"feather", "ipc"}, Begins: begins("ARROW1\x00\x00"), Not: &signature{"an Arrow file", `"ARROW1"`, "pyarrow.feather.write_feather"}, Ways: AsStream | AsFloat32 | ByColumns,
		Parts: true, Open: openColumnar("arrow"), Write: grouped("arrow", "feather")},
	{Name: "mtx", Also: []string{"mm"}, Lines: true, Takes: NameList, Begins: begins(sparsefile.Banner), Not: &signature{"a file of Matrix Market", words.Quote(sparsefile.Banner), "scipy.io.mmwrite"}, Ways: AsStream, Plain: true, Open: openMatrixMarket},
	{Name: "ldac", Lines: true, Takes: NameList, Looks: sparsefile.IsLDAC, Ways: AsStream, Plain: true, Open: openLDAC,
		Alone: "LDA-C files do not say how large their vocabulary is; join them into one: cat part-*.ldac > all.ldac"},
	{Name: "svmlight", Lines: true, Also: []string{"svm", "libsvm"}, Takes: NameList, Looks: sparsefile.IsSVMLight, Ways: AsStream, Plain: true, Open: openSVMLight,
		Alone: "svmlight files show only together whether indices count from 0 or from 1; join them into one: cat part-*.svm > all.svm"},
	{Name: "fwf", Lines: true, Takes: Header | Decimal | Positions | NameList, Ways: AsStream | AsFloat32 | ByColumns, Open: openFixed},
}

// csv is what any text is read as.
var csv = All[0]

func begins(magic ...string) func([]byte) bool {
	return func(head []byte) bool {
		return slices.ContainsFunc(magic, func(m string) bool { return bytes.HasPrefix(head, []byte(m)) })
	}
}

func isMAT(head []byte) bool {
	return bytes.HasPrefix(head, []byte(matfile.Magic)) || matfile.IsLevel4(head[:min(len(head), signatureBytes)])
}

func openText(delimiter rune) func(context.Context, Input, io.Reader, Choice) (*Contents, error) {
	return func(_ context.Context, in Input, _ io.Reader, _ Choice) (*Contents, error) {
		return &Contents{In: in, Text: &Text{Delimiter: delimiter}}, nil
	}
}

func openFixed(_ context.Context, in Input, _ io.Reader, c Choice) (*Contents, error) {
	r, err := fixed.NewReader(in.R, in.Name, c.Positions)
	if err != nil {
		return nil, err
	}
	in.R, in.Length = Buffered(r), -1
	return &Contents{In: in, Text: &Text{Delimiter: fixed.Delimiter, Names: c.Positions.Names()}}, nil
}

func openColumnar(format string) func(context.Context, Input, io.Reader, Choice) (*Contents, error) {
	return func(_ context.Context, in Input, r io.Reader, _ Choice) (*Contents, error) {
		at, size, err := in.readerAt(r)
		if err != nil {
			return nil, err
		}
		f, err := columnar.Open(format, at, size)
		if err != nil {
			return nil, in.ColumnarError(err)
		}
		return &Contents{In: in, Columnar: f}, nil
	}
}

func openArray(_ context.Context, in Input, r io.Reader, _ Choice) (*Contents, error) {
	a, err := openNPY(in, r)
	return &Contents{In: in, Array: a}, err
}

// List returns the names of the formats.
func List() (names []string) {
	for _, f := range All {
		names = append(names, f.Name)
	}
	return names
}

// Extensions are all that the formats have.
func Extensions() (all []string) {
	for _, f := range All {
		all = append(append(all, f.Name), f.Also...)
	}
	return all
}

// Listed names the formats for which ok says so, in words: CSV, TSV or NPY.
func Listed(ok func(*Format) bool) string {
	var titles []string
	for _, f := range All {
		if f.Title != "" && ok(f) {
			titles = append(titles, f.Title)
		}
	}
	last := len(titles) - 1
	return strings.Join(titles[:last], ", ") + " or " + titles[last]
}

// Taking returns the format that an option asks for.
func Taking(t Takes) *Format {
	return All[slices.IndexFunc(All, func(f *Format) bool { return f.Takes&t != 0 })]
}

// Called returns the format of that name, or nil.
func Called(name string) *Format {
	for _, f := range All {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Of returns the format of a path's extension, or nil.
func Of(path string) *Format {
	ext := strings.TrimPrefix(filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")), ".")
	for _, f := range All {
		if f.Name == ext || slices.Contains(f.Also, ext) {
			return f
		}
	}
	return nil
}

// Detected reports whether files of the format tell by what they hold.
func (f *Format) Detected() bool { return f.Begins != nil || f.Looks != nil }

// Gzip begins what gzip compressed.
const Gzip = "\x1f\x8b"

// Head is how much of a file Sniff looks at, to find what follows comments; and signatureBytes
// is where signatures and bytes that no text has are looked for.
const Head, signatureBytes = 4096, 64

// Sniff says what begins with head; guess is what the name or the caller says, or nil. Its
// errors follow the name of a file.
func Sniff(head []byte, guess *Format) (*Format, error) {
	for _, f := range All {
		if f.Begins != nil && f.Begins(head) {
			return f, nil
		}
	}
	if err := isForeign(head); err != nil {
		return nil, err
	}
	begin := words.Quote(string(head[:min(8, len(head))]))
	not := func() error {
		if guess == nil || guess.Not == nil {
			return nil
		}
		return fmt.Errorf("is not %s: it begins with %s, want %s; write it with %s", guess.Not.what, begin, guess.Not.begin, guess.Not.with)
	}
	if guess != nil && !guess.Lines {
		return guess, not()
	}
	first := head[:min(len(head), signatureBytes)]
	if encoding := delimited.UTF16(first); encoding != "" {
		return nil, fmt.Errorf("is %s text; save it as UTF-8", encoding)
	}
	if bytes.IndexByte(first, 0) >= 0 {
		return nil, fmt.Errorf("is neither text nor %s: it begins with %s; write the table in one of these formats, or as CSV", Listed(func(f *Format) bool { return !f.Lines }), begin)
	}
	if err := isWorded(head); err != nil {
		return nil, err
	}
	if guess != nil {
		return guess, not()
	}
	for _, f := range All {
		if f.Looks != nil && f.Looks(head) {
			return f, nil
		}
	}
	return csv, nil
}

// Identify finds the format of what r holds, and takes gzip off. guess is that of Sniff;
// single says that values become float32.
func Identify(ctx context.Context, r io.Reader, name string, limit uint64, guess *Format, single bool) (in Input, found *Format, err error) {
	in = NewInput(ctx, r, name, limit)
	head, err := in.Peek(Head)
	if err == nil && bytes.HasPrefix(head, []byte(Gzip)) {
		if in, err = in.gunzipped(); err == nil {
			head, err = in.Peek(Head)
		}
	}
	if err != nil {
		return in, nil, err
	}
	if len(head) == 0 {
		return in, nil, empty(name, "is empty; want a table with one observation a row")
	}
	if found, err = Sniff(head, guess); err != nil {
		return in, nil, fail(name, "%w", err)
	}
	in.Ways = found.Ways
	if in.Length < 0 && in.Size == 0 { // not a regular file
		in.Ways &^= AsStream
	}
	if single {
		in.Ways &^= AsFloat32
	}
	return in, found, nil
}
