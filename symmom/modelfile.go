package symmom

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/atomicfile"
	"symmom/internal/linalg"
	"symmom/internal/modelfile"
	"symmom/internal/observations"
	"symmom/internal/savedfile"
	"symmom/internal/words"
)

var modelFiles = savedfile.Kind{What: "model", Writer: "Model.Save", Format: "symmom-model", Version: 1}

type modelFile struct {
	savedfile.Head
	Order   int         `json:"order"`
	N       int         `json:"n"`
	Rank    int         `json:"rank"`
	Lambda  []float64   `json:"lambda"`
	Factors [][]float64 `json:"factors"` // rank arrays of n
	Names   []string    `json:"names,omitempty"`
	Center  []float64   `json:"center,omitempty"`
	Origin  Origin      `json:"origin"`
}

// Save writes the model to a file, whose name says in which format:
//
//   - .mat for MATLAB and Octave: lambda, and U, a cell array of the factor matrix once
//     for each mode. load(path); K = ktensor(lambda, U) makes a tensor of the Tensor
//     Toolbox of it, S = symktensor(lambda, U{1}, numel(U)) a symmetric one;
//   - .ktns, the text that import_data of the Tensor Toolbox and pyttb read; it keeps
//     lambda and the factors alone;
//   - .npz for NumPy, TensorLy and scikit-learn: weights, factors and order;
//   - any other name: JSON.
//
// The file appears whole or not at all: if writing fails, an older file of that name is
// left as it was.
func (m *Model) Save(path string) error {
	if m.Rank() == 0 {
		return &SaveError{path, errors.New("the model is empty")}
	}
	if !linalg.Finite(m.Lambda...) {
		return &SaveError{path, errors.New("lambda overflowed in the data's units; divide the data by a constant")}
	}
	if format := modelfile.Format(path); format != "json" {
		return m.export(path, format)
	}
	f := modelFile{Head: modelFiles.Head(), Order: m.Order, N: m.N(), Rank: m.Rank(),
		Lambda: m.Lambda, Names: m.Names, Center: m.Center, Origin: m.Origin}
	for j := range m.Rank() {
		f.Factors = append(f.Factors, mat.Col(nil, j, m.Factors))
	}
	return saved(path, modelFiles.Write(path, f))
}

// export writes a model for other programs.
func (m *Model) export(path, format string) error {
	k := m.kruskal()
	out := &modelfile.Model{Order: k.D, N: k.N, Lambda: k.Lambda, Factors: k.A, Names: m.Names, Center: m.Center}
	origin, err := json.Marshal(m.Origin)
	if err == nil {
		if m.Origin != (Origin{}) {
			out.Origin = string(origin)
		}
		err = atomicfile.WriteFunc(path, func(w io.Writer) error { return modelfile.Write(w, format, out) })
	}
	return saved(path, err)
}

// LoadModel reads a model that Save wrote in any of its formats, found by content, or
// another program in these: in a .mat, lambda and U as of a ktensor whose factor
// matrices are the same. Lambda and the factors are exactly as they are there.
func LoadModel(path string) (*Model, error) { return noEnvironment.LoadModel(path) }

func loadModel(ctx context.Context, path string) (*Model, error) {
	data, err := observations.ReadFile(ctx, path, savedfile.Copies)
	if err != nil {
		return nil, err
	}
	bad := func(format string, args ...any) (*Model, error) { return nil, modelFiles.Bad(path, format, args...) }
	var f modelFile
	if format := modelfile.Sniff(data); format == "json" {
		err = modelFiles.Decode(path, data, &f, &f.Head)
	} else if err = f.importFrom(format, data); err != nil {
		return bad("%v", err)
	}
	if err != nil {
		return nil, err
	}
	if f.N < 1 || f.Rank < 1 || len(f.Factors) != f.Rank || len(f.Lambda) != f.Rank {
		return bad("\"rank\" is %d, with %s and %s", f.Rank, words.Plural(len(f.Lambda), "weight"), words.Plural(len(f.Factors), "factor"))
	}
	if len(f.Names) != 0 && len(f.Names) != f.N {
		return bad("%s for %s", words.Plural(len(f.Names), "name"), words.Plural(f.N, "variable"))
	}
	if len(f.Center) != 0 && len(f.Center) != f.N {
		return bad("a center of %d for %s", len(f.Center), words.Plural(f.N, "variable"))
	}
	// Checked before anything of size n x r is made: a file may lie about n.
	for j, a := range f.Factors {
		if len(a) != f.N {
			return bad("factor %d has %d entries, \"n\" is %d", j+1, len(a), f.N)
		}
	}
	a := mat.NewDense(f.N, f.Rank, nil)
	for j, col := range f.Factors {
		a.SetCol(j, col)
	}
	m, err := NewModel(f.Order, f.Lambda, a)
	if err != nil {
		return bad("%v", err)
	}
	m.Names, m.Center, m.Origin = f.Names, f.Center, f.Origin
	return m, nil
}

// importFrom takes over what a file of another format holds.
func (f *modelFile) importFrom(format string, data []byte) error {
	in, err := modelfile.Read(format, data)
	if err != nil {
		return err
	}
	f.Order, f.N, f.Rank, f.Lambda, f.Names, f.Center = in.Order, in.N, len(in.Lambda), in.Lambda, in.Names, in.Center
	if f.N > 0 {
		f.Factors = slices.Collect(slices.Chunk(in.Factors, f.N))
	}
	if in.Origin != "" {
		return json.Unmarshal([]byte(in.Origin), &f.Origin)
	}
	return nil
}
