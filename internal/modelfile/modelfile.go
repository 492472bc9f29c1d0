// Package modelfile keeps mixtures, as JSON, and decompositions, as JSON or for other
// programs:
//
//   - .mat for MATLAB and Octave: lambda, and U, a cell array of the factor matrix once
//     for each mode, as ktensor(lambda, U) of the Tensor Toolbox takes them;
//   - .ktns, the text of export_data and import_data in the Tensor Toolbox and pyttb;
//   - .npz for NumPy, TensorLy and scikit-learn: weights, factors and order.
//
// All numbers come back as the same bits. The first and the last also keep the names of
// the variables, which moment the model is of, and where it came from.
package modelfile

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"symmom/internal/files"
	"symmom/internal/formats"
	"symmom/internal/matfile"
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

// Formats are the names that files end in, besides .json, which a name without a known
// ending stands for.
var Formats = []string{".mat", ".ktns", ".npz"}

// Format returns the format that the name of a file to write asks for: "mat", "ktns",
// "npz" or "json".
func Format(path string) string {
	if ext := files.Ext(path); slices.Contains(Formats, ext) {
		return ext[1:]
	}
	return "json"
}

// Sniff returns the format of a file that begins with data. Files of MATLAB's version
// 4 hold no cell arrays.
func Sniff(data []byte) string {
	found, err := formats.Sniff(data[:min(len(data), 64)], "")
	switch {
	case err == nil && (found == "npz" || found == "mat"):
		return found
	case bytes.HasPrefix(data, []byte(ktensor)):
		return "ktns"
	}
	return "json"
}

// Write writes the model in one of the formats except JSON.
func Write(w io.Writer, format string, m *Model) error {
	switch format {
	case "mat":
		return writeMAT(w, m)
	case "ktns":
		return writeText(w, m)
	case "npz":
		return writeNPZ(w, m)
	}
	return fmt.Errorf("unknown format %q", format)
}

// Read reads a model, whose numbers it does not judge. Memory: a few times that of data,
// or what compressed data grow to, which is bounded.
func Read(format string, data []byte) (*Model, error) {
	switch format {
	case "mat":
		return readMAT(data)
	case "ktns":
		return readText(data)
	case "npz":
		return readNPZ(data)
	}
	return nil, fmt.Errorf("unknown format %q", format)
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

func (m *Model) matrix() *matfile.Value {
	return matfile.Matrix(m.N, len(m.Lambda), func(i, j int) float64 { return m.component(j)[i] })
}

// Variables of a .mat; lambda and U are the names of the Tensor Toolbox.
const (
	matLambda = "lambda"
	matU      = "U"
	matNames  = "names"
	matCenter = "center"
	matScale  = "scale"
	matMoment = "moment"
	matOrigin = "origin"
)

func writeMAT(w io.Writer, m *Model) error {
	factor := m.matrix()
	modes := make([]*matfile.Value, m.Order)
	for k := range modes {
		modes[k] = factor
	}
	variables := []matfile.Named{
		{Name: matLambda, Value: matfile.Matrix(len(m.Lambda), 1, func(j, _ int) float64 { return m.Lambda[j] })},
		{Name: matU, Value: matfile.Cells(modes...)},
	}
	if m.Names != nil {
		names := make([]*matfile.Value, len(m.Names))
		for i, s := range m.Names {
			names[i] = matfile.Text(s)
		}
		variables = append(variables, matfile.Named{Name: matNames, Value: matfile.Cells(names...)})
	}
	for _, v := range []struct {
		name   string
		values []float64
	}{{matCenter, m.Center}, {matScale, m.Scale}} {
		if v.values != nil {
			variables = append(variables, matfile.Named{Name: v.name, Value: matfile.Matrix(m.N, 1, func(i, _ int) float64 { return v.values[i] })})
		}
	}
	for _, v := range []struct {
		name string
		text []byte
	}{{matMoment, m.Moment}, {matOrigin, m.Origin}} {
		if v.text != nil {
			variables = append(variables, matfile.Named{Name: v.name, Value: matfile.Text(string(v.text))})
		}
	}
	return matfile.Write(w, variables)
}

func readMAT(data []byte) (*Model, error) {
	f, err := matfile.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	values, room := map[string]*matfile.Value{}, room(data)
	for _, v := range f.Variables {
		switch v.Name {
		case matLambda, matU, matNames, matCenter, matScale, matMoment, matOrigin:
			if values[v.Name], err = f.Value(v, room); err != nil {
				return nil, err
			}
		}
	}
	lambda, modes := values[matLambda], values[matU]
	switch {
	case lambda == nil || modes == nil:
		return nil, fmt.Errorf("want the variables lambda and U, as of K = ktensor(lambda, U)")
	case !lambda.Vector():
		return nil, fmt.Errorf("lambda is %s, want a vector", lambda)
	case len(modes.Cells) == 0:
		return nil, fmt.Errorf("the variable U is %s, want a cell array of factor matrices", modes)
	}
	m := &Model{Order: len(modes.Cells), Lambda: lambda.Numbers}
	for k, c := range modes.Cells {
		if len(c.Numbers) == 0 || c.Dims[1] != len(m.Lambda) {
			return nil, fmt.Errorf("the cell U{%d} is %s, want a matrix of %d columns, one for each lambda", k+1, c, len(m.Lambda))
		}
		if k == 0 {
			m.N, m.Factors = c.Dims[0], c.Numbers
		} else if !same(m.Factors, c.Numbers) || c.Dims[0] != m.N {
			return nil, different(k)
		}
	}
	if center := values[matCenter]; center != nil {
		m.Center = center.Numbers
	}
	if scale := values[matScale]; scale != nil {
		m.Scale = scale.Numbers
	}
	if names := values[matNames]; names != nil {
		for _, c := range names.Cells {
			m.Names = append(m.Names, c.Text)
		}
	}
	if moment := values[matMoment]; moment != nil && moment.Text != "" {
		m.Moment = []byte(moment.Text)
	}
	if origin := values[matOrigin]; origin != nil {
		m.Origin = []byte(origin.Text)
	}
	return m, nil
}

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
