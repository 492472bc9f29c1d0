// Package formats detects the format of a table, by its name and its first bytes.
package formats

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"symmom/internal/data/delimited"
	"symmom/internal/data/matfile"
	"symmom/internal/data/npy"
	"symmom/internal/data/sparsefile"
	"symmom/internal/text/words"
)

// Gzip begins what gzip compressed.
const Gzip = "\x1f\x8b"

// Of returns the format of a path's extension; "": unknown.
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

// query is one of svmlight.
var query = regexp.MustCompile(`^qid:\d+$`)

// pair is an index and a value of svmlight; a time looks like some of them.
var pair, clock = regexp.MustCompile(`^(\d+):[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$`), regexp.MustCompile(`^\d\d?:\d\d$`)

// pairs reports whether text begins as svmlight does, whose files often have no extension: after
// comments, a number and two pairs or more, by their indices, and they cannot all be times.
func pairs(head string) bool {
	line, rest, whole := strings.Cut(head, "\n")
	line, _, commented := strings.Cut(line, "#")
	if whole && strings.TrimSpace(line) == "" {
		return pairs(rest)
	}
	whole = whole || commented
	fields := strings.Fields(line)
	fields = slices.DeleteFunc(fields, func(f string) bool { return query.MatchString(f) })
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

// Head is how much of a file Sniff looks at, to find what follows comments; and signature is
// where signatures and bytes that no text has are looked for.
const Head, signature = 4096, 64

// Sniff says what begins with head; guess is what the name or the caller says. Its errors follow
// the name of a file.
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
	case bytes.HasPrefix(head, []byte(matfile.Magic)), matfile.IsLevel4(head[:min(len(head), signature)]):
		return "mat", nil
	}
	if err := isForeign(head); err != nil {
		return "", err
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
	first := head[:min(len(head), signature)]
	if encoding := delimited.UTF16(first); encoding != "" {
		return "", fmt.Errorf("is %s text; save it as UTF-8", encoding)
	}
	if bytes.IndexByte(first, 0) >= 0 {
		return "", fmt.Errorf("is neither text nor NPY, NPZ, MATLAB, Parquet or Arrow: it begins with %s; write the table in one of these formats, or as CSV", words.Quote(string(head[:min(8, len(head))])))
	}
	if err := isWorded(head); err != nil {
		return "", err
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
