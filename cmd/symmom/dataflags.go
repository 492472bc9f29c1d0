package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"symmom/cmd/symmom/internal/flags"
	"symmom/cmd/symmom/internal/overwrite"
	"symmom/internal/data/export"
	"symmom/internal/estimate/modelfile"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// dataFormats are the formats that every command reads, on two lines in help.
const (
	dataFormats  = firstFormats + " " + otherFormats
	firstFormats = "CSV, TSV, NPY, NPZ, MATLAB, Parquet, Arrow, Feather, Matrix Market,"
	otherFormats = "LDA-C or svmlight"
)

const dataHelp = "DATA is a table with one observation per row, in a file:\n" + firstFormats + "\n" + otherFormats + ` (text also gzipped); in several files: a directory, a pattern
such as 'part-*.parquet', or a list of paths, @files.txt; or, with --query, in
an SQLite database. Any of these but the last can be a URL: s3://, gs:// or
azblob://BUCKET/NAME (a directory ends in /), or https://. Credentials are those
of the store's own tools. Use - to read standard input.`

// dataFlags hold how to read a table.
type dataFlags struct {
	load        symmom.LoadOptions
	standardize bool
	center      bool
	stream      bool
	query       string
	sparse      bool
}

func (d *dataFlags) define(cmd *cobra.Command) {
	cmd.Annotations = map[string]string{tableArgument: ""}
	d.load.Header, d.load.Missing, d.load.Decimal = "auto", "error", "auto"
	signs := []string{"auto", ".", ","}
	headers, missing := []string{"auto", "yes", "no"}, []string{"error", "drop", "mean"}
	flagGroup(cmd, "Reading the data", func(fs *pflag.FlagSet) {
		fs.StringSliceVar(&d.load.Columns, "columns", nil, "`LIST` of names, numbers or ranges: age,3-7,q1-q9")
		fs.Var(flags.Choice(&d.load.Header, headers), "header", "whether the first line holds names: auto, yes or no")
		fs.StringVar(&d.load.Delimiter, "delimiter", "", "`CHAR` between fields (default: detected)")
		fs.StringVar(&d.load.Fixed, "fixed", "", "`POSITIONS` of columns in text of fixed width: 1-4,5-10, with names age=1-3,sex=4, or auto (default for .fwf)")
		fs.Var(flags.Choice(&d.load.Decimal, signs), "decimal", "decimal sign in text: . or , (1.234,50), or auto")
		fs.StringVar(&d.load.Array, "array", "", "`NAME` of the array, in an .npz or .mat with several")
		fs.StringVar(&d.query, "query", "", "`SQL` whose rows to take, if DATA is an SQLite database")
		fs.Var(overwrite.Reads(&d.load.Words), "words", "`FILE` with the names of the columns, one a line, such as the words of counts")
		fs.Var(overwrite.Reads(&d.load.WeightsFile), "weights", "`FILE` with one weight per observation")
		fs.StringVar(&d.load.Weights, "weights-column", "", "`NAME` of the column that holds the weights")
		fs.StringVar(&d.load.Labels, "labels", "", "`COLUMN` of text or numbers to keep beside the data: names of groups")
		fs.Var(flags.Choice(&d.load.Missing, missing), "missing", "treatment of missing values: error, drop (the row) or mean (of the column)")
		fs.StringSliceVar(&d.load.NA, "na", nil, "`CODES` that are missing values besides NA, . and the like: -99,refused, or age=-99 for one column")
		fs.BoolVar(&d.stream, "stream", false, "leave the data on disk: memory stays small for any size")
		fs.BoolVar(&d.load.NoSpill, "no-spill", false, "with --stream: parse text, and read from a network, again for each pass, instead of from a temporary copy")
		fs.BoolVar(&d.load.Float32, "float32", false, "keep the values as float32, in half the memory")
		fs.BoolVar(&d.sparse, "sparse", false, "store no zeros, for a table that is mostly zeros (files of sparse matrices need no flag)")
		fs.Var(flags.Bytes(&d.load.MemoryLimit), "memory", "memory limit for the table, for each copy of it, and for a fit: 4GB; 16MB are always allowed (default: three quarters of the free memory)")
		fs.BoolVar(&d.center, "center", false, "subtract the mean of each column, for data far from the origin")
		fs.BoolVar(&d.standardize, "standardize", false, "scale each column to mean 0 and variance 1")
	})
	completeWords(cmd, "header", headers...)
	completeWords(cmd, "decimal", signs...)
	completeWords(cmd, "missing", missing...)
	completeColumns(cmd, "labels", false)
	completeColumns(cmd, "columns", true)
	completeColumns(cmd, "weights-column", false)
	completeFiles(cmd, "weights", dataExtensions...)
	completeFiles(cmd, "words", "txt", "gz")
}

// session loads the table, in the coordinates that were asked for.
func (d *dataFlags) session(ctx context.Context, path string) (*symmom.Session, error) {
	s, err := d.table(ctx, path)
	if err != nil {
		return s, err
	}
	return d.opened(d.shaped(s))
}

// table loads the table as it is in the file.
func (d *dataFlags) table(ctx context.Context, path string) (*symmom.Session, error) {
	if err := d.checkData(); err != nil {
		return nil, err
	}
	d.load.Context = ctx
	if d.query != "" {
		return d.rows(ctx, path)
	}
	if err := wantsQuery(ctx, path); err != nil {
		return nil, err
	}
	if d.stays() {
		return d.opened(symmom.Stream(path, d.load))
	}
	return d.opened(symmom.Load(path, d.load))
}

// stays reports whether the data stay on disk or on a cluster.
func (d *dataFlags) stays() bool { return d.stream || d.load.Spark != "" }

// checkData checks the flags with each other.
func (d *dataFlags) checkData() error {
	far := d.load.Spark != ""
	switch {
	case d.load.SparkWorker != "" && !far:
		return usagef("--spark-worker: want --spark with it")
	case d.load.NoSpill && !d.stream && !far:
		return usagef("--no-spill: want --stream with it; data in memory need no temporary file")
	}
	flag, stays := "--stream", d.stays() && d.query == ""
	if far {
		flag = "--spark"
	}
	return refuse(
		contradiction{d.load.Weights != "" && d.load.WeightsFile != "", "--weights", "--weights-column", ""},
		contradiction{d.center && d.standardize, "--center", "--standardize", "--standardize brings each column to mean 0, too"},
		contradiction{far && d.query != "", "--spark", "--query", "executors read files"},
		contradiction{far && d.load.Labels != "", "--spark", "--labels", "labels are kept beside the rows, which stay on the cluster"},
		contradiction{far && d.stream, "--spark", "--stream", "with --spark the data stay on the cluster"},
		contradiction{far && d.standardize, "--spark", "--standardize", "standardize the file first"},
		contradiction{far && d.center, "--spark", "--center", "center the file first"},
		contradiction{stays && d.load.Missing == "mean", flag, "--missing mean", "no values are kept in memory that could be filled in: drop those rows, or choose other columns"},
		contradiction{stays && d.load.Float32, flag, "--float32", "no values are kept in memory, and a float32 file is read as it is"},
		contradiction{stays && d.sparse, flag, "--sparse", "no values are kept in memory, and files of sparse matrices are read without their zeros"},
	)
}

// shaped returns the table in the coordinates that were asked for.
func (d *dataFlags) shaped(s *symmom.Session) *symmom.Session {
	if d.sparse {
		s = s.Sparse()
	}
	if d.center {
		s = s.Center()
	}
	if d.standardize {
		s = s.Standardize()
	}
	return s
}

// opened returns the session, or its error in terms of the flags.
func (d *dataFlags) opened(s *symmom.Session) (*symmom.Session, error) {
	return s, inFlags(asUsage(s.Err()))
}

// loadTruth reads the true factors or means, and checks that they are for n variables and,
// unless r is 0, r components, before hours are spent on a fit. An empty path gives nil.
func loadTruth(ctx context.Context, path string, n, r int) (*mat.Dense, error) {
	if path == "" {
		return nil, nil
	}
	t, err := symmom.LoadMatrix(path, symmom.LoadOptions{Context: ctx})
	if err != nil {
		return nil, fmt.Errorf("--truth: %w", err) // the flags that say how to read are for the data
	}
	rows, cols := t.Dims()
	want := fmt.Sprintf("data of %s: want %s, one true factor a column", words.Plural(n, "variable"), words.Plural(n, "row"))
	if r > 0 {
		want = fmt.Sprintf("%s of %s: want %d x %d, one true mean a column", words.Plural(r, "component"), words.Plural(n, "variable"), n, r)
	}
	if rows != n || r > 0 && cols != r {
		if rows != n && cols == n {
			want += "; it looks transposed"
		}
		return nil, fmt.Errorf("--truth: %s: a truth of %d x %d does not fit %s", files.Name(path), rows, cols, want)
	}
	if mat.Norm(t, 1) == 0 {
		return nil, fmt.Errorf("--truth: %s: every number is 0: nothing can be compared with that", files.Name(path))
	}
	return t, nil
}

// warnFound prints the warnings of what was found, and truthNote.
func (a *app) warnFound(warnings []symmom.Warning, path string, d *dataFlags, whiten int) {
	a.warn(warnings)
	if note := truthNote(path, d, whiten); note != "" {
		a.say("%s", note)
	}
}

// truthNote says that a file of true factors or means, which has no record of its
// coordinates, is compared with what was found in others than those of the table; "" if not.
func truthNote(path string, d *dataFlags, whiten int) string {
	flag, data := "", ""
	switch {
	case path == "":
		return ""
	case whiten > 0:
		flag, data = "--whiten", "whitened"
	case d.standardize:
		flag, data = "--standardize", "standardized"
	case d.center:
		flag, data = "--center", "centered"
	default:
		return ""
	}
	return fmt.Sprintf("--truth %s is compared with what was found in %s data, and does not record its own coordinates; if they are those of the table, leave out %s", files.Name(path), data, flag)
}

// tableName returns an error for a name that suggests a format that no table is written in.
func tableName(flag, path string) error {
	if path == "" {
		return nil
	}
	if err := export.Check(path); err != nil {
		return usagef("--%s: %s: %v", flag, path, err)
	}
	return nil
}

// tableNames says in help how results are written.
const tableNames = ".npy, .csv or another table"

// checkOutputs returns an error for names of --save and --html that suggest other formats.
func checkOutputs(model, page string) error {
	if ext := files.Ext(page); page != "" && ext != ".html" && ext != ".htm" {
		return usagef("--html: %s: want a name that ends in .html", page)
	}
	if err := modelfile.CheckName(model); err != nil {
		return usagef("--save: %s: %v", model, err)
	}
	return nil
}

// cluster defines the flags of a table that stays on a cluster.
func (d *dataFlags) cluster(cmd *cobra.Command) {
	flagGroup(cmd, "On a cluster", func(fs *pflag.FlagSet) {
		fs.StringVar(&d.load.Spark, "spark", "", "leave the data where they are: `ADDRESS` of Spark Connect, sc://HOST:PORT, whose executors read them; docs/howto/spark.md")
		fs.StringVar(&d.load.SparkWorker, "spark-worker", "", "`PATH` of symmom on the executors (default: this program is sent)")
	})
}
