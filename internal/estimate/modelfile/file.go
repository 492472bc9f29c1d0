package modelfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"symmom/internal/data/load"
	"symmom/internal/data/npy"
	"symmom/internal/math/linalg"
	"symmom/internal/store/files"
	"symmom/internal/text/words"
)

var kind = Kind{What: "model", Format: "symmom-model", Version: 1}

// file is a model as JSON.
type file struct {
	Head
	Order   int             `json:"order"`
	N       int             `json:"n"`
	Rank    int             `json:"rank"`
	Lambda  []float64       `json:"lambda"`
	Factors [][]float64     `json:"factors"` // rank arrays of n
	Names   []string        `json:"names,omitempty"`
	Center  []float64       `json:"center,omitempty"`
	Scale   []float64       `json:"scale,omitempty"`
	Moment  json.RawMessage `json:"moment,omitempty"`
	Origin  json.RawMessage `json:"origin"`
}

// CheckName returns an error if the name of a file to write promises a format that no
// model is written in.
func CheckName(path string) error { return CheckJSONName(kind.What, path, Extensions()...) }

// Save writes a model in the format of the file's extension, atomically.
// It refuses a lambda that overflowed or vanished.
func Save(ctx context.Context, path string, m *Model) error {
	if err := CheckName(path); err != nil {
		return err
	}
	if err := checkVariables(m.N, m.Names, m.Center, m.Scale); err != nil {
		return err
	}
	if !linalg.Finite(m.Lambda...) {
		return errors.New("lambda overflowed in the data's units; divide the data by a constant")
	}
	if linalg.NormInf(m.Lambda) < 0x1p-1022 {
		return errors.New("lambda is 0, or so small that it vanished in the data's units; then multiply the data by a constant")
	}
	if format := named(files.Ext(path)); format != nil {
		return files.WriteFunc(ctx, path, func(w io.Writer) error { return format.write(w, m) })
	}
	f := file{Head: kind.Head(), Order: m.Order, N: m.N, Rank: len(m.Lambda), Lambda: m.Lambda, Names: m.Names, Center: m.Center, Scale: m.Scale, Moment: m.Moment, Origin: m.Origin}
	for j := range m.Lambda {
		f.Factors = append(f.Factors, m.component(j))
	}
	return kind.Write(ctx, path, f)
}

// Load reads a model in any of the formats, and checks that its parts belong together.
func Load(ctx context.Context, path string) (*Model, error) {
	data, err := load.ReadFile(ctx, path, Copies)
	if err != nil {
		return nil, err
	}
	var m *Model
	if format := sniff(data); format == nil {
		m, err = readJSON(path, data)
	} else if m, err = format.read(data); err != nil {
		err = Bad(path, err)
	}
	if err != nil {
		return nil, err
	}
	if rank := len(m.Lambda); m.N < 1 || rank < 1 || len(m.Factors) != m.N*rank {
		return nil, kind.Bad(path, "\"rank\" is %d, with %s and %s", rank, words.Plural(rank, "weight"), words.Plural(len(m.Factors)/max(1, m.N), "factor"))
	}
	if err := checkVariables(m.N, m.Names, m.Center, m.Scale); err != nil {
		return nil, Bad(path, err)
	}
	return m, nil
}

// readJSON reads a model that is JSON, or nothing that is known.
func readJSON(path string, data []byte) (*Model, error) {
	var f file
	if err := kind.Decode(path, data, &f, &f.Head); err != nil {
		if promised := named(files.Ext(path)); promised != nil && promised.ext != ".csv" && !json.Valid(data) {
			return nil, kind.Bad(path, "its name says that it is %s, which it is not; give a %s that symmom saved", promised.holds, kind.What)
		}
		if bytes.HasPrefix(data, []byte(npy.Magic)) {
			return nil, kind.Bad(path, "it is one array; write the factors with lambda and the order: numpy.savez('FILE.npz', weights=lambda_, factors=A, order=3)")
		}
		return nil, err
	}
	if len(f.Factors) != f.Rank || len(f.Lambda) != f.Rank {
		return nil, kind.Bad(path, "\"rank\" is %d, with %s and %s", f.Rank, words.Plural(len(f.Lambda), "weight"), words.Plural(len(f.Factors), "factor"))
	}
	m := &Model{Order: f.Order, N: f.N, Lambda: f.Lambda, Names: f.Names, Center: f.Center, Scale: f.Scale, Moment: f.Moment, Origin: f.Origin}
	// Checked before anything of size n x r is made: a file may lie about n.
	for j, a := range f.Factors {
		if len(a) != f.N {
			return nil, kind.Bad(path, "factor %d has %d entries, \"n\" is %d", j+1, len(a), f.N)
		}
		m.Factors = append(m.Factors, a...)
	}
	return m, nil
}

// checkVariables refuses names and coordinates of others than n variables.
func checkVariables(n int, names []string, center, scale []float64) error {
	variables := words.Plural(n, "variable")
	switch {
	case len(names) != 0 && len(names) != n:
		return fmt.Errorf("%s for %s", words.Plural(len(names), "name"), variables)
	case len(center) != 0 && len(center) != n:
		return fmt.Errorf("a center of %d for %s", len(center), variables)
	case len(scale) != 0 && len(scale) != n:
		return fmt.Errorf("a scale of %d for %s", len(scale), variables)
	case len(scale) != 0 && len(center) == 0:
		return fmt.Errorf("a scale without a center")
	}
	for _, s := range scale {
		if !(s > 0) {
			return fmt.Errorf("a scale of %g, want one above 0", s)
		}
	}
	return nil
}

// Bad describes an error in a file.
func Bad(path string, err error) error { return kind.Bad(path, "%v", err) }
