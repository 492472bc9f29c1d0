package symmom

import (
	"context"
	"errors"
	"symmom/internal/savedfile"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/linalg"
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

// Save writes the model to path as JSON. The file appears whole or not at all: if
// writing fails, an older file of that name is left as it was.
func (m *Model) Save(path string) error {
	if m.Rank() == 0 {
		return &SaveError{path, errors.New("the model is empty")}
	}
	if !linalg.Finite(m.Lambda...) {
		return &SaveError{path, errors.New("lambda overflowed in the data's units; divide the data by a constant")}
	}
	f := modelFile{Head: modelFiles.Head(), Order: m.Order, N: m.N(), Rank: m.Rank(),
		Lambda: m.Lambda, Names: m.Names, Center: m.Center, Origin: m.Origin}
	for j := range m.Rank() {
		f.Factors = append(f.Factors, mat.Col(nil, j, m.Factors))
	}
	return saved(path, modelFiles.Write(path, f))
}

// LoadModel reads a model that Save wrote, with lambda and factors exactly as they
// are there.
func LoadModel(path string) (*Model, error) { return noEnvironment.LoadModel(path) }

func loadModel(ctx context.Context, path string) (*Model, error) {
	var f modelFile
	if err := modelFiles.Read(ctx, path, &f, &f.Head); err != nil {
		return nil, err
	}
	bad := func(format string, args ...any) (*Model, error) { return nil, modelFiles.Bad(path, format, args...) }
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
