package modelfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"symmom/internal/files"
	"symmom/internal/linalg"
	"symmom/internal/npy"
	"symmom/internal/observations"
	"symmom/internal/savedfile"
	"symmom/internal/words"
)

var kind = savedfile.Kind{What: "model", Format: "symmom-model", Version: 1}

// file is a model as JSON.
type file struct {
	savedfile.Head
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
func CheckName(path string) error { return savedfile.CheckName(kind.What, path, Formats...) }

// Save writes a model in the format that the name asks for. The file appears whole or
// not at all. It refuses a lambda that overflowed or vanished.
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
	if format := Format(path); format != "json" {
		return files.WriteFunc(ctx, path, func(w io.Writer) error { return Write(w, format, m) })
	}
	f := file{Head: kind.Head(), Order: m.Order, N: m.N, Rank: len(m.Lambda), Lambda: m.Lambda, Names: m.Names, Center: m.Center, Scale: m.Scale, Moment: m.Moment, Origin: m.Origin}
	for j := range m.Lambda {
		f.Factors = append(f.Factors, m.component(j))
	}
	return kind.Write(ctx, path, f)
}

// contents are what the names of files promise, of those that are not JSON.
var contents = map[string]string{"mat": "a MATLAB file", "ktns": "the text of a ktensor", "npz": "an archive of NumPy"}

// Load reads a model in any of the formats, and checks that its parts belong together.
func Load(ctx context.Context, path string) (*Model, error) {
	data, err := observations.ReadFile(ctx, path, savedfile.Copies)
	if err != nil {
		return nil, err
	}
	m := &Model{}
	rank := 0
	if format := Sniff(data); format == "json" {
		var f file
		if err := kind.Decode(path, data, &f, &f.Head); err != nil {
			if want := contents[Format(path)]; want != "" && !json.Valid(data) {
				return nil, kind.Bad(path, "its name says that it is %s, which it is not; give a %s that symmom saved", want, kind.What)
			}
			if bytes.HasPrefix(data, []byte(npy.Magic)) {
				return nil, kind.Bad(path, "it is one array; write the factors with lambda and the order: numpy.savez('FILE.npz', weights=lambda_, factors=A, order=3)")
			}
			return nil, err
		}
		rank = f.Rank
		if len(f.Factors) != f.Rank {
			return nil, kind.Bad(path, "\"rank\" is %d, with %s and %s", f.Rank, words.Plural(len(f.Lambda), "weight"), words.Plural(len(f.Factors), "factor"))
		}
		// Checked before anything of size n x r is made: a file may lie about n.
		for j, a := range f.Factors {
			if len(a) != f.N {
				return nil, kind.Bad(path, "factor %d has %d entries, \"n\" is %d", j+1, len(a), f.N)
			}
			m.Factors = append(m.Factors, a...)
		}
		m.Order, m.N, m.Lambda, m.Names = f.Order, f.N, f.Lambda, f.Names
		m.Center, m.Scale, m.Moment, m.Origin = f.Center, f.Scale, f.Moment, f.Origin
	} else {
		if m, err = Read(format, data); err != nil {
			return nil, Bad(path, err)
		}
		rank = len(m.Lambda)
	}
	if m.N < 1 || rank < 1 || len(m.Lambda) != rank || len(m.Factors) != m.N*rank {
		return nil, kind.Bad(path, "\"rank\" is %d, with %s and %s", rank, words.Plural(len(m.Lambda), "weight"), words.Plural(len(m.Factors)/max(1, m.N), "factor"))
	}
	if err := checkVariables(m.N, m.Names, m.Center, m.Scale); err != nil {
		return nil, Bad(path, err)
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

// Bad says what is wrong with a file.
func Bad(path string, err error) error { return kind.Bad(path, "%v", err) }
