package symmom

import (
	"context"
	"encoding/json"
	"errors"

	"symmom/internal/estimate/modelfile"
	"symmom/internal/math/ktensor"
	"symmom/internal/math/linalg"
)

// Save writes the model to a file, in the format of its extension:
//
//   - .mat for MATLAB and Octave: lambda, and U, a cell array of the factor matrix once
//     for each mode. load(path); K = ktensor(lambda, U) makes a tensor of the Tensor
//     Toolbox of it, S = symktensor(lambda, U{1}, numel(U)) a symmetric one;
//   - .ktns, the text that import_data of the Tensor Toolbox and pyttb read; it keeps
//     only lambda and the factors, and not the Kind of the moment;
//   - .npz for NumPy, TensorLy and scikit-learn: weights, factors and order;
//   - .csv for spreadsheets: a row for each component; it is not read again;
//   - .json, or no known extension: JSON. The extension of another format is an error.
//
// The file is written atomically: if writing fails, an older file of that name is
// unchanged.
func (m *Model) Save(path string) error { return m.save(context.Background(), path) }

func (m *Model) save(ctx context.Context, path string) error {
	if m.Rank() == 0 {
		return &SaveError{path, errors.New("the model is empty")}
	}
	k := m.kruskal()
	err := checkOrder(m.Order)
	if err == nil && !linalg.Finite(k.A...) {
		err = errors.New("its factors are not finite")
	}
	if err == nil && m.Kind != nil {
		err = m.Kind.frame().Check(k.N)
	}
	var origin, moment []byte
	if err == nil {
		origin, err = json.Marshal(m.Origin)
	}
	if err == nil && m.Kind != nil {
		moment, err = json.Marshal(m.Kind)
	}
	if err == nil {
		err = modelfile.Save(ctx, path, &modelfile.Model{Order: k.D, N: k.N, Lambda: k.Lambda, Factors: k.A, Names: m.Names,
			Center: m.Center, Scale: m.Scale, Moment: moment, Origin: origin})
	}
	return saved(path, interrupted("save", err))
}

// LoadModel reads a model that Save wrote in any of its formats, found by content, or
// another program in these: in a .mat, lambda and U as of a ktensor whose factor
// matrices are the same. Lambda and the factors are exactly as they are there. With an
// error the model is empty. Of the options only Context is used.
func LoadModel(path string, options ...LoadOptions) (*Model, error) {
	ctx, err := contextOf(options)
	if err != nil {
		return &Model{}, err
	}
	m, err := loadModel(ctx, path)
	return m, loading(ctx, err)
}

func loadModel(ctx context.Context, path string) (*Model, error) {
	in, err := modelfile.Load(ctx, path)
	if err != nil {
		return &Model{}, err
	}
	m := modelOf(&ktensor.Kruskal{D: in.Order, N: in.N, R: len(in.Lambda), Lambda: in.Lambda, A: in.Factors})
	if m, err = NewModel(in.Order, in.Lambda, m.Factors); err == nil && in.Origin != nil {
		err = json.Unmarshal(in.Origin, &m.Origin)
	}
	if err == nil && in.Moment != nil {
		if err = json.Unmarshal(in.Moment, &m.Kind); err == nil && m.Kind != nil { // not null
			err = m.Kind.frame().Check(in.N)
		}
	}
	if err != nil {
		return &Model{}, modelfile.Bad(path, err)
	}
	m.named(in.Names)
	m.Center, m.Scale = in.Center, in.Scale
	return m, nil
}
