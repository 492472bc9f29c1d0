// Package modelfile saves mixtures, as JSON, and decompositions, as JSON or for other
// programs:
//
//   - .mat for MATLAB and Octave: lambda, and U, a cell array of the factor matrix once
//     for each mode, as ktensor(lambda, U) of the Tensor Toolbox takes them;
//   - .npz for NumPy, TensorLy and scikit-learn: weights, factors and order;
//   - .ktns, the text of export_data and import_data in the Tensor Toolbox and pyttb;
//   - .csv, a row for each component: order, lambda, and the factor with the names of the
//     variables. It is not read again.
//
// All numbers round-trip exactly. The first two also store the names of the variables,
// the moment of the model, and its origin.
package modelfile

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"symmom/internal/data/formats"
)

// Model is sum_j lambda_j a_j^(x d).
type Model struct {
	Order   int       // d
	N       int       // variables
	Lambda  []float64 // r
	Factors []float64 // n x r, one component after the other
	Names   []string  // of the variables, or nil
	Center  []float64 // n, or nil
	Scale   []float64 // n, or nil
	Moment  []byte    // which one it is of, as JSON; or nil
	Origin  []byte    // where it came from, as JSON; or nil
}

// part is an optional part of a model, by its name in files.
type part[T any] struct {
	name  string
	value *[]T
}

// vectors and texts are the parts of a model in the order in which they are written.
func (m *Model) vectors() []part[float64] {
	return []part[float64]{{"center", &m.Center}, {"scale", &m.Scale}}
}

func (m *Model) texts() []part[byte] {
	return []part[byte]{{"moment", &m.Moment}, {"origin", &m.Origin}}
}

// format is one that models are written in for other programs.
type format struct {
	ext   string // what names of files end in
	holds string // what a file of such a name should be
	media string // its type on the web
	write func(io.Writer, *Model) error
	// read does not judge the numbers. Memory: a few times that of data, or what compressed
	// data grow to, which is bounded.
	read func(data []byte) (*Model, error)
}

const binary = "application/octet-stream"

var formatsOfOthers = []format{
	{".mat", "a MATLAB file", binary, writeMAT, readMAT},
	{".npz", "an archive of NumPy", binary, writeNPZ, readNPZ},
	{".ktns", "the text of a ktensor", "text/plain; charset=utf-8", writeText, readText},
	{".csv", "a table of components", "text/csv; charset=utf-8", writeCSV, readCSV},
}

// Extensions are those of the formats for other programs. A name with another end, or
// none, is JSON.
func Extensions() (all []string) {
	for _, f := range formatsOfOthers {
		all = append(all, f.ext)
	}
	return all
}

// MediaType is that of a file that ends in ext, "" if no model is written so.
func MediaType(ext string) string {
	if ext == ".json" {
		return "application/json"
	}
	if f := named(ext); f != nil {
		return f.media
	}
	return ""
}

// named returns the format of files that end in ext; nil for JSON.
func named(ext string) *format {
	for i := range formatsOfOthers {
		if f := &formatsOfOthers[i]; f.ext == ext {
			return f
		}
	}
	return nil
}

// sniff returns the format of a file that begins with data; nil for JSON. Files of MATLAB's
// version 4 hold no cell arrays.
func sniff(data []byte) *format {
	if bytes.HasPrefix(data, []byte(ktensor)) {
		return named(".ktns")
	}
	if bytes.HasPrefix(data, []byte(strings.Join(csvHead, ",")+",")) {
		return named(".csv")
	}
	found, err := formats.Sniff(data[:min(len(data), formats.Head)], nil)
	if err != nil || found.Name == "csv" { // as any text may be
		return nil
	}
	return named("." + found.Name)
}

// room bounds what compressed data grow to.
func room(data []byte) func(bytes, _ int) error {
	left := float64(512<<20) + 64*float64(len(data))
	return func(bytes, _ int) error {
		if left -= float64(bytes); left < 0 {
			return fmt.Errorf("its compressed data grow to more than 64 times their size; decompress them first")
		}
		return nil
	}
}

// component is a column of the factor matrix.
func (m *Model) component(j int) []float64 { return m.Factors[j*m.N : (j+1)*m.N] }

func same(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if v != b[i] && (v == v || b[i] == b[i]) {
			return false
		}
	}
	return true
}

// different is the error of a ktensor that is not symmetric; k counts from 0.
func different(k int) error {
	return fmt.Errorf("the factor matrices of modes 1 and %d differ; a moment is symmetric: in the Tensor Toolbox, symktensor(K) makes it so", k+1)
}
