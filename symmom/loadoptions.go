package symmom

import (
	"cmp"
	"context"
	"fmt"

	"symmom/internal/data/columns"
	"symmom/internal/data/delimited"
	"symmom/internal/data/fixed"
	"symmom/internal/data/load"
)

// LoadOptions configure the reading of a table. The zero value is the default.
type LoadOptions struct {
	// Context ends the reading and, as Session.WithContext, long calls on the session. Default:
	// context.Background.
	Context context.Context
	// Columns to use, in this order: names, numbers counted from 1, or ranges
	// such as "3-7" or "q1-q9". Default: all columns of numbers; others are named in a warning.
	Columns []string
	// Header "auto" (default) takes the first line of a text table as names if it
	// is not numbers, or else the last line above it that begins with #, as
	// numpy.savetxt writes it, and refuses a line of numbers unlike those below, such as years;
	// "yes"; "no".
	Header string
	// Delimiter of a text table. Default: detected from the first lines; an error if it is
	// ambiguous.
	Delimiter string
	// Fixed are the columns of a text in which they have fixed positions, by their first and
	// last character, counted from 1: "1-4,5-10", or with names "age=1-3,sex=4"; "auto" infers
	// them from the first lines, as for a file with the extension .fwf.
	Fixed string
	// Decimal sign of the numbers in a text table: "auto" (default) detects it from the
	// first lines, with separated thousands, and refuses ambiguous numbers; "." or ","
	// permit separated thousands, too (1.234,50).
	Decimal string
	// Words is a file with the names of the columns, one on each line, a dictionary of gensim
	// (save_as_text) or counts of symmom (.npz), for a table that has none: the words of a matrix
	// of counts, which TextOptions describe. A text table must then have no header, or Header
	// "yes".
	Words string
	// Weights names the column that holds the observations' weights; it is
	// not used as a variable.
	Weights string
	// Labels is the name or number of a column of group labels, text or numbers, that is
	// kept beside the observations and is not a variable: at most 1,000 groups, for the
	// colours of charts and Mixture.Agreement. A row may have none. In an .npz it may
	// also be another array, in svmlight "target" are the labels of the lines. A stream
	// keeps two bytes for each row in memory.
	Labels string
	// WeightsFile is a file with one weight per observation.
	WeightsFile string
	// Missing values (NaN, empty, NA): "error" (default) counts them by column;
	// "drop" leaves the observation out; "mean" replaces the value by the column's
	// (weighted) mean.
	Missing string
	// NA lists further missing-value codes: "-99", "refused", or "age=-99" for one column, a
	// column number or a range of them ("=a=b" is the code a=b). Numeric codes match by value,
	// others by text. A note counts the cells.
	NA []string
	// Array is the name of the array in an .npz, or of the variable in a .mat, with
	// more than one.
	Array string
	// Float32 keeps the values as float32, in half the memory; a float32 NPY is then read as
	// it is. All sums stay float64: results are those for the rounded values, with a relative
	// error of at most 6e-8 (7e-46 absolute for tiny ones). A value beyond 3.4e38 is an error; a
	// column whose spread keeps fewer than three digits gets a warning.
	Float32 bool
	// NoSpill disables the temporary copy of a stream that is slow to read (text, compressed and
	// columnar files, objects in stores): binary numbers in os.TempDir, or /var/tmp if that is in
	// memory, 8 bytes each, in at most half of the free space there, removed with the session or
	// the program. Without the copy each pass parses the data again, and fits try fewer starts.
	NoSpill bool
	// Spark is the address of a Spark Connect server, sc://HOST:PORT, or with
	// /;token=TOKEN;use_ssl=true after it: Stream then leaves the data on that cluster,
	// whose executors read the files. The program must import symmom/spark, as the
	// command does.
	Spark string
	// SparkWorker is the path of symmom on the executors. Default: this program is sent.
	SparkWorker string
	// MemoryLimit in bytes for the table, and for each copy of it that Center, Standardize,
	// Whiten and Select make; 16 MB are always allowed. Default: three quarters of the free
	// memory. The values of a file may then take 67 MB or 32 times its size,
	// whichever is more, and it may have 131,072 columns or one for each 85 bytes.
	MemoryLimit uint64
}

// internal translates the options, and checks those given as text.
func (o LoadOptions) internal() (load.Options, error) {
	c := load.Options{Columns: o.Columns, Weights: o.Weights, Labels: o.Labels, Array: o.Array, Float32: o.Float32, MemoryLimit: o.MemoryLimit}
	err := cmp.Or(oneOf(&o.Header, "Header", "auto", "yes", "no"), oneOf(&o.Missing, "Missing", "error", "drop", "mean"), oneOf(&o.Decimal, "Decimal", "auto", ".", ","))
	if err != nil {
		return c, err
	}
	c.Header = map[string]load.Header{"auto": load.HeaderAuto, "yes": load.HeaderPresent, "no": load.HeaderAbsent}[o.Header]
	c.Missing = map[string]load.Missing{"error": load.MissingFail, "drop": load.MissingDrop, "mean": load.MissingMean}[o.Missing]
	if o.Decimal != "auto" {
		c.Decimal = rune(o.Decimal[0])
	}
	if c.Codes, err = columns.Parse(o.NA); err != nil {
		return c, interrupted("load", err)
	}
	ok := true
	if c.Fixed, ok = fixed.Parse(o.Fixed); !ok {
		return c, &ArgumentError{Argument: "Fixed", Value: fmt.Sprintf("%q", o.Fixed), Want: `the first and last characters of the columns, counted from 1, such as "1-4,age=5-10", or "auto"`}
	}
	if c.Delimiter, ok = delimited.Named(o.Delimiter); !ok {
		return c, &ArgumentError{Argument: "Delimiter", Value: fmt.Sprintf("%q", o.Delimiter), Want: "one character"}
	}
	return c, nil
}

// contextOf returns the context of options of which nothing else is used.
func contextOf(options []LoadOptions) (context.Context, error) {
	o, err := atMostOne(options)
	return (&Session{}).WithContext(o.Context).context(), err
}
