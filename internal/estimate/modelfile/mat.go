package modelfile

import (
	"bytes"
	"fmt"
	"io"

	"symmom/internal/data/matfile"
)

// Variables of a .mat, besides the parts of a model: those of the Tensor Toolbox, and names.
const (
	matLambda = "lambda"
	matU      = "U"
	matNames  = "names"
)

func writeMAT(w io.Writer, m *Model) error {
	factor := matfile.Matrix(m.N, len(m.Lambda), func(i, j int) float64 { return m.component(j)[i] })
	modes := make([]*matfile.Value, m.Order)
	for k := range modes {
		modes[k] = factor
	}
	var variables []matfile.Named
	add := func(name string, v *matfile.Value) {
		variables = append(variables, matfile.Named{Name: name, Value: v})
	}
	vector := func(v []float64) *matfile.Value {
		return matfile.Matrix(len(v), 1, func(i, _ int) float64 { return v[i] })
	}
	if m.Names != nil {
		names := make([]*matfile.Value, len(m.Names))
		for i, s := range m.Names {
			names[i] = matfile.Text(s)
		}
		add(matNames, matfile.Cells(names...))
	}
	for _, p := range m.vectors() {
		if v := *p.value; v != nil {
			add(p.name, vector(v))
		}
	}
	for _, p := range m.texts() {
		if *p.value != nil {
			add(p.name, matfile.Text(string(*p.value)))
		}
	}
	// What every model has comes last: the format does not say how many variables there are, and
	// a file that was cut off between two of them is no model then, instead of another one.
	add(matLambda, vector(m.Lambda))
	add(matU, matfile.Cells(modes...))
	return matfile.Write(w, variables)
}

func readMAT(data []byte) (*Model, error) {
	f, err := matfile.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	m := &Model{}
	wanted := map[string]bool{matLambda: true, matU: true, matNames: true}
	for _, p := range m.vectors() {
		wanted[p.name] = true
	}
	for _, p := range m.texts() {
		wanted[p.name] = true
	}
	values, room := map[string]*matfile.Value{}, room(data)
	for _, v := range f.Variables {
		if wanted[v.Name] {
			if values[v.Name], err = f.Value(v, room); err != nil {
				return nil, err
			}
		}
	}
	if err := m.ofKtensor(values[matLambda], values[matU]); err != nil {
		return nil, err
	}
	if names := values[matNames]; names != nil {
		for _, c := range names.Cells {
			m.Names = append(m.Names, c.Text)
		}
	}
	for _, p := range m.vectors() {
		if v := values[p.name]; v != nil {
			*p.value = v.Numbers
		}
	}
	for _, p := range m.texts() {
		if v := values[p.name]; v != nil && v.Text != "" {
			*p.value = []byte(v.Text)
		}
	}
	return m, nil
}

// ofKtensor takes over what K = ktensor(lambda, U) is made of.
func (m *Model) ofKtensor(lambda, modes *matfile.Value) error {
	switch {
	case lambda == nil || modes == nil:
		return fmt.Errorf("want the variables lambda and U, as of K = ktensor(lambda, U)")
	case !lambda.Vector():
		return fmt.Errorf("lambda is %s, want a vector", lambda)
	case len(modes.Cells) == 0:
		return fmt.Errorf("the variable U is %s, want a cell array of factor matrices", modes)
	}
	m.Order, m.Lambda = len(modes.Cells), lambda.Numbers
	for k, c := range modes.Cells {
		if len(c.Numbers) == 0 || c.Dims[1] != len(m.Lambda) {
			return fmt.Errorf("the cell U{%d} is %s, want a matrix of %d columns, one for each lambda", k+1, c, len(m.Lambda))
		}
		if k == 0 {
			m.N, m.Factors = c.Dims[0], c.Numbers
		} else if !same(m.Factors, c.Numbers) || c.Dims[0] != m.N {
			return different(k)
		}
	}
	return nil
}
