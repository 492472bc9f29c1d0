// Package formats finds which format a table has: by its name, and by its first bytes.
package formats

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"symmom/internal/dialect"
	"symmom/internal/matfile"
	"symmom/internal/npy"
	"symmom/internal/sparsefile"
	"symmom/internal/words"
)

// Gzip begins what gzip compressed.
const Gzip = "\x1f\x8b"

// Of says what the extension of a path says; "": nothing.
func Of(path string) string {
	lower := strings.TrimSuffix(strings.ToLower(path), ".gz")
	switch format := strings.TrimPrefix(filepath.Ext(lower), "."); format {
	case "csv", "tsv", "npy", "npz", "mat", "parquet", "arrow", "mtx", "svmlight":
		return format
	case "tab":
		return "tsv"
	case "pq":
		return "parquet"
	case "svm", "libsvm":
		return "svmlight"
	case "feather", "ipc":
		return "arrow"
	}
	return ""
}

// Binary reports whether files of the format begin with a signature.
func Binary(format string) bool { return format != "csv" && format != "tsv" }

const writeSamples = `write its samples as NPY: python3 -c "import numpy, scipy.io.wavfile as wav; numpy.save('X.npy', wav.read('FILE.wav')[1])"`

// foreign are formats that people have and this package does not read, with the
// way out. Longest signature first where two share a beginning. A text may begin with those
// of letters and digits alone, which count where bytes that no text has follow.
var foreign = []struct{ magic, what, hint string }{
	{"\x1f\x8b", "gzip inside gzip", "decompress it once"},
	{"\x28\xb5\x2f\xfd", "zstd-compressed", "decompress it, or compress with gzip"},
	{"\x04\x22\x4d\x18", "LZ4-compressed", "decompress it, or compress with gzip"},
	{"Obj\x01", "an Avro file", "write it as Parquet"},
	{"ORC", "an ORC file", "write it as Parquet"},
	{"<stata_dta>", "a Stata file", "write it as CSV, with pandas.DataFrame.to_csv"},
	{"\x71\x02\x01", "a Stata file", "write it as CSV, with pandas.DataFrame.to_csv"},
	{"\x72\x02\x01", "a Stata file", "write it as CSV, with pandas.DataFrame.to_csv"},
	{"\x73\x02\x01", "a Stata file", "write it as CSV, with pandas.DataFrame.to_csv"},
	{"$FL2@(#)", "an SPSS file", "write it as CSV, with pandas.DataFrame.to_csv"},
	{"RDX2\n", "a file of R's save", "write the table with write.csv"},
	{"RDX3\n", "a file of R's save", "write the table with write.csv"},
	{"X\n\x00\x00\x00", "a file of R's saveRDS", "write the table with write.csv"},
	{"# Created by Octave", "Octave's text", "save it with save -v7"},
	{"Octave-1-", "a file of Octave's save -binary", "save it with save -v7"},
	{"BZh", "bzip2-compressed", "decompress it, or compress with gzip"},
	{"\xfd7zXZ\x00", "xz-compressed", "decompress it, or compress with gzip"},
	{"\x89HDF\r\n\x1a\n", "an HDF5 file",
		`write the array as NPY: python3 -c "import h5py, numpy; numpy.save('X.npy', h5py.File('FILE')['X'][()])"`},
	{"MATLAB 7.3", "a MATLAB file of version 7.3, which is HDF5",
		`save it with -v7 in MATLAB, or write the variable as NPY: python3 -c "import h5py, numpy; numpy.save('X.npy', h5py.File('FILE.mat')['X'][()].T)"`},
	{"PARE", "an encrypted Parquet file", "write it without encryption"},
	{"FEA1", "a Feather file of version 1", "write it with pyarrow.feather.write_feather, or as Parquet"},
	{"\xd0\xcf\x11\xe0", "an old Excel workbook", "save the sheet as CSV"},
	{"%PDF", "a PDF document", "give a table of numbers"},
	{"\x89PNG", "a picture", "give a table of its pixels"},
	{"\xff\xd8\xff", "a picture", "give a table of its pixels"},
	{"RIFF", "a sound file (WAV)", writeSamples},
	{"RF64", "a sound file (WAV)", writeSamples},
	{"fLaC", "a sound file (FLAC)", "convert it to WAV, and " + writeSamples},
	{"OggS", "a sound file (Ogg)", "convert it to WAV, and " + writeSamples},
	{"SQLite format 3\x00", "an SQLite database", "take the rows of a query: symmom.Query, or --query"},
	{"\x80\x02", "a Python pickle", "save the array with numpy.save"},
	{"\x80\x03", "a Python pickle", "save the array with numpy.save"},
	{"\x80\x04", "a Python pickle", "save the array with numpy.save"},
	{"\x80\x05", "a Python pickle", "save the array with numpy.save"},
	{"\xff\xfe\x00\x00", "UTF-32 text", "save it as UTF-8"},
	{"\x00\x00\xfe\xff", "UTF-32 text", "save it as UTF-8"},
	{"\xff\xfe", "UTF-16 text", "save it as UTF-8"},
	{"\xfe\xff", "UTF-16 text", "save it as UTF-8"},
}

// json finds an object or an array of more than numbers, which begin no table of text.
var json = regexp.MustCompile(`^(\{\s*"|\[\s*[\[{"])`)

// pair is an index and a value of svmlight; a time looks like some of them.
var pair, clock = regexp.MustCompile(`^(\d+):[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$`), regexp.MustCompile(`^\d\d?:\d\d$`)

// pairs reports whether text begins as svmlight does, whose files often have no extension: after
// a number there are two pairs or more, by their indices, and they cannot all be times.
func pairs(head string) bool {
	line, _, whole := strings.Cut(head, "\n")
	fields := strings.Fields(line)
	if !whole && len(fields) > 0 {
		fields = fields[:len(fields)-1] // it may be cut off
	}
	if len(fields) < 3 {
		return false
	}
	if _, err := strconv.ParseFloat(fields[0], 64); err != nil {
		return false
	}
	before, times := -1, 0
	for _, f := range fields[1:] {
		found := pair.FindStringSubmatch(f)
		if found == nil {
			return false
		}
		index, err := strconv.Atoi(found[1])
		if err != nil || index <= before {
			return false
		}
		if before = index; clock.MatchString(f) && index < 24 {
			times++
		}
	}
	return times < len(fields)-1
}

var word = regexp.MustCompile(`^[A-Za-z0-9]+$`)

// noText reports whether a character is a control that tables of text do not have.
func noText(c rune) bool { return c < ' ' && !unicode.IsSpace(c) }

// Sniff says what begins with head, 64 bytes or so; guess is what the name or the caller
// says. Its errors follow the name of a file.
func Sniff(head []byte, guess string) (string, error) {
	switch {
	case bytes.HasPrefix(head, []byte(npy.Magic)):
		return "npy", nil
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return "npz", nil
	case bytes.HasPrefix(head, []byte("PAR1")):
		return "parquet", nil
	case bytes.HasPrefix(head, []byte("ARROW1\x00\x00")):
		return "arrow", nil
	case bytes.HasPrefix(head, []byte(sparsefile.Banner)):
		return "mtx", nil
	case bytes.HasPrefix(head, []byte(matfile.Magic)):
		return "mat", nil
	}
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.magic)) && (!word.MatchString(f.magic) || bytes.ContainsFunc(head, noText)) {
			return "", fmt.Errorf("is %s; %s", f.what, f.hint)
		}
	}
	switch guess {
	case "mat": // the header of other programs may begin with anything, and that of version 4 does
		return "mat", nil
	case "npy":
		return "", fmt.Errorf("is not an NPY file: it begins with %s, want \"\\x93NUMPY\"; write it with numpy.save", words.Quote(string(head[:min(8, len(head))])))
	case "npz":
		return "", fmt.Errorf("is not an NPZ archive: it begins with %s, want \"PK\"; write it with numpy.savez", words.Quote(string(head[:min(8, len(head))])))
	}
	if bytes.HasPrefix(head, []byte("\xff\xff\xff\xff")) {
		return "", fmt.Errorf("is a stream of Arrow messages; write it as a file, with pyarrow.ipc.new_file")
	}
	switch guess {
	case "parquet":
		return "", fmt.Errorf("is not a Parquet file: it begins with %s, want \"PAR1\"; write it with pandas.DataFrame.to_parquet", words.Quote(string(head[:min(8, len(head))])))
	case "arrow":
		return "", fmt.Errorf("is not an Arrow file: it begins with %s, want \"ARROW1\"; write it with pyarrow.feather.write_feather", words.Quote(string(head[:min(8, len(head))])))
	}
	if encoding := dialect.UTF16(head); encoding != "" {
		return "", fmt.Errorf("is %s text; save it as UTF-8", encoding)
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return "", fmt.Errorf("is neither text nor NPY, NPZ, MATLAB, Parquet or Arrow: it begins with %s", words.Quote(string(head[:min(8, len(head))])))
	}
	switch text := strings.ToLower(string(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))))); {
	case strings.HasPrefix(text, "<!doctype html"), strings.HasPrefix(text, "<html"), strings.HasPrefix(text, "<table"):
		return "", errors.New("is a web page; save the table itself")
	case strings.HasPrefix(text, "<?xml"):
		return "", errors.New("is XML; write it as CSV, with pandas.DataFrame.to_csv")
	case strings.HasPrefix(text, "@relation "):
		return "", errors.New("is an ARFF file; leave its lines that begin with % or @ out, and write missing values as NA instead of ?")
	case json.MatchString(text):
		return "", errors.New("is JSON; write it as CSV, with pandas.DataFrame.to_csv")
	}
	if guess == "mtx" {
		return "", fmt.Errorf("is not a file of Matrix Market: it begins with %s, want %s; write it with scipy.io.mmwrite", words.Quote(string(head[:min(8, len(head))])), words.Quote(sparsefile.Banner))
	}
	if guess == "svmlight" || guess == "" && pairs(string(head)) {
		return "svmlight", nil
	}
	if guess == "tsv" {
		return "tsv", nil
	}
	return "csv", nil
}
