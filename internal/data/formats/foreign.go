package formats

import (
	"bytes"
	"fmt"
	"regexp"
	"unicode"
)

const (
	unpack        = "unpack it, and give the table in it"
	toCSV         = "write it as CSV, with pandas.DataFrame.to_csv"
	writeVariable = `write the variable as NPY: python3 -c "import xarray, numpy; numpy.save('X.npy', xarray.open_dataset('FILE')['X'])"`
	writeSamples  = `write its samples as NPY: python3 -c "import numpy, scipy.io.wavfile as wav; numpy.save('X.npy', wav.read('FILE.wav')[1])"`
)

// foreign are formats that people have and this package does not read, with the
// way out. Longest signature first where two share a beginning. A text may begin with those
// of letters and digits alone, which count where bytes that no text has follow.
var foreign = []struct{ magic, what, hint string }{
	{"\x1f\x8b", "gzip inside gzip", "decompress it once"},
	{"\x28\xb5\x2f\xfd", "zstd-compressed", "decompress it, or compress with gzip"},
	{"\x04\x22\x4d\x18", "LZ4-compressed", "decompress it, or compress with gzip"},
	{"Obj\x01", "an Avro file", "write it as Parquet"},
	{"ORC", "an ORC file", "write it as Parquet"},
	{"<stata_dta>", "a Stata file", toCSV},
	{"\x71\x02\x01", "a Stata file", toCSV},
	{"\x72\x02\x01", "a Stata file", toCSV},
	{"\x73\x02\x01", "a Stata file", toCSV},
	{"$FL2@(#)", "an SPSS file", toCSV},
	{"$FL3@(#)", "an SPSS file", toCSV},
	{"ASCII SPSS PORT FILE", "an SPSS file", toCSV},
	{"HEADER RECORD*******", "a SAS transport file", toCSV},
	{"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60", "a SAS file", toCSV},
	{"\x00\x01\x00\x00Standard ", "an Access database", "write the table as CSV"},
	{"RDX2\n", "a file of R's save", "write the table with write.csv"},
	{"RDX3\n", "a file of R's save", "write the table with write.csv"},
	{"X\n\x00\x00\x00", "a file of R's saveRDS", "write the table with write.csv"},
	{"RDA2\nA\n", "a file of R's save", "write the table with write.csv"},
	{"RDA3\nA\n", "a file of R's save", "write the table with write.csv"},
	{"# Created by Octave", "Octave's text", "save it with save -v7"},
	{"Octave-1-", "a file of Octave's save -binary", "save it with save -v7"},
	{"BZh", "bzip2-compressed", "decompress it, or compress with gzip"},
	{"\xfd7zXZ\x00", "xz-compressed", "decompress it, or compress with gzip"},
	{"\x89HDF\r\n\x1a\n", "an HDF5 file",
		`write the array as NPY: python3 -c "import h5py, numpy; numpy.save('X.npy', h5py.File('FILE')['X'][()])"`},
	{"CDF\x01", "a NetCDF file", writeVariable},
	{"CDF\x02", "a NetCDF file", writeVariable},
	{"CDF\x05", "a NetCDF file", writeVariable},
	{"SIMPLE  =", "a FITS file", `write the array as NPY: python3 -c "import astropy.io.fits, numpy; numpy.save('X.npy', astropy.io.fits.getdata('FILE'))"`},
	{"GRIB", "a GRIB file", writeVariable},
	{"MATLAB 7.3", "a MATLAB file of version 7.3, which is HDF5",
		`save it with -v7 in MATLAB, or write the variable as NPY: python3 -c "import h5py, numpy; numpy.save('X.npy', h5py.File('FILE.mat')['X'][()].T)"`},
	{"PARE", "an encrypted Parquet file", "write it without encryption"},
	{"FEA1", "a Feather file of version 1", "write it with pyarrow.feather.write_feather, or as Parquet"},
	{"\xd0\xcf\x11\xe0", "an old Excel workbook", "save the sheet as CSV"},
	{"%PDF", "a PDF document", "give a table of numbers"},
	{"\x89PNG", "a picture", "give a table of its pixels"},
	{"\xff\xd8\xff", "a picture", "give a table of its pixels"},
	{"GIF8", "a picture", "give a table of its pixels"},
	{"II*\x00", "a picture", "give a table of its pixels"},
	{"MM\x00*", "a picture", "give a table of its pixels"},
	{"BM", "a picture", "give a table of its pixels"},
	{"7z\xbc\xaf'\x1c", "a 7-Zip archive", unpack},
	{"Rar!\x1a\x07", "a RAR archive", unpack},
	{"\x1f\x9d", "compressed by compress", "decompress it, or compress with gzip"},
	{"RIFF", "a sound file (WAV)", writeSamples},
	{"RF64", "a sound file (WAV)", writeSamples},
	{"fLaC", "a sound file (FLAC)", "convert it to WAV, and " + writeSamples},
	{"OggS", "a sound file (Ogg)", "convert it to WAV, and " + writeSamples},
	{"SQLite format 3\x00", "an SQLite database", "take the rows of a query: symmom.Query, or --query"},
	{"]q\x00", "a Python pickle", "save the array with numpy.save"},
	{"}q\x00", "a Python pickle", "save the array with numpy.save"},
	{"\x80\x02", "a Python pickle", "save the array with numpy.save"},
	{"\x80\x03", "a Python pickle", "save the array with numpy.save"},
	{"\x80\x04", "a Python pickle", "save the array with numpy.save"},
	{"\x80\x05", "a Python pickle", "save the array with numpy.save"},
	{"\xff\xff\xff\xff", "a stream of Arrow messages", "write it as a file, with pyarrow.ipc.new_file"},
	{"\xff\xfe\x00\x00", "UTF-32 text", "save it as UTF-8"},
	{"\x00\x00\xfe\xff", "UTF-32 text", "save it as UTF-8"},
	{"\xff\xfe", "UTF-16 text", "save it as UTF-8"},
	{"\xfe\xff", "UTF-16 text", "save it as UTF-8"},
}

// within are those known by what is further on.
var within = []struct {
	at                int
	magic, what, hint string
}{
	{257, "ustar", "a tar archive", unpack},
	{8, "DUCK", "a DuckDB database", "write the rows as Parquet: COPY (SELECT ...) TO 'FILE.parquet'"},
	{7, "\x00{\"", "a safetensors file", "save the array with numpy.save"},
}

// worded are those of text alone, by more than tables could begin with.
var worded = []struct {
	begins     *regexp.Regexp
	what, hint string
}{
	{regexp.MustCompile(`^A\n[23]\n\d{6}\n(131840|197888)\n`), "a file of R's saveRDS", "write the table with write.csv"},
	{regexp.MustCompile(`^(\([ld]p0\n|c[a-z_.]+\n_?[A-Za-z_]+\np0\n)`), "a Python pickle", "save the array with numpy.save"},
	{regexp.MustCompile(`^(?i)((%[^\n]*|\s*)\n)*@relation\s`), "an ARFF file", "leave its lines that begin with % or @ out, and write missing values as NA instead of ?"},
	{regexp.MustCompile(`^(\{\s*"|\[\s*[\[{"])`), "JSON", toCSV}, // an object, or an array of more than numbers
	{regexp.MustCompile(`^(?i)(<!doctype html|<html|<table)`), "a web page", "save the table itself"},
	{regexp.MustCompile(`^(?i)<\?xml`), "XML", toCSV},
}

var word = regexp.MustCompile(`^[A-Za-z0-9]+$`)

// noText reports whether a character is a control that tables of text do not have.
func noText(c rune) bool { return c < ' ' && !unicode.IsSpace(c) }

// isForeign says what begins with head, if it is foreign by its signature. Its errors follow the
// name of a file.
func isForeign(head []byte) error {
	first := head[:min(len(head), signatureBytes)]
	for _, f := range foreign {
		if bytes.HasPrefix(first, []byte(f.magic)) && (!word.MatchString(f.magic) || bytes.ContainsFunc(first, noText)) {
			return fmt.Errorf("is %s; %s", f.what, f.hint)
		}
	}
	for _, f := range within {
		if len(head) > f.at && bytes.HasPrefix(head[f.at:], []byte(f.magic)) && bytes.IndexByte(first, 0) >= 0 {
			return fmt.Errorf("is %s; %s", f.what, f.hint)
		}
	}
	return nil
}

// isWorded says what text is, if it is foreign.
func isWorded(head []byte) error {
	text := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
	for _, f := range worded {
		if f.begins.Match(text) {
			return fmt.Errorf("is %s; %s", f.what, f.hint)
		}
	}
	return nil
}
