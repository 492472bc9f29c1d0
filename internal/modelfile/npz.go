package modelfile

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/npy"
)

// writeNPZ writes weights (r), factors (n x r) and order; names, center, scale, moment
// and origin if there are any.
func writeNPZ(w io.Writer, m *Model) error {
	z := zip.NewWriter(w)
	array := func(name string, write func(io.Writer) error) error {
		to, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err == nil {
			err = write(to)
		}
		return err
	}
	vector := func(v []float64) func(io.Writer) error {
		return func(w io.Writer) error { return npy.Write(w, mat.NewVecDense(len(v), v)) }
	}
	texts := func(s []string) func(io.Writer) error {
		return func(w io.Writer) error { return npy.WriteTexts(w, s) }
	}
	factors := mat.NewDense(len(m.Lambda), m.N, m.Factors).T()
	err := array("weights", vector(m.Lambda))
	if err == nil {
		err = array("factors", func(w io.Writer) error { return npy.Write(w, factors) })
	}
	if err == nil {
		err = array("order", func(w io.Writer) error { return npy.WriteInt(w, int64(m.Order)) })
	}
	if err == nil && m.Names != nil {
		err = array("names", texts(m.Names))
	}
	if err == nil && m.Center != nil {
		err = array("center", vector(m.Center))
	}
	if err == nil && m.Scale != nil {
		err = array("scale", vector(m.Scale))
	}
	if err == nil && m.Moment != nil {
		err = array("moment", texts([]string{string(m.Moment)}))
	}
	if err == nil && m.Origin != nil {
		err = array("origin", texts([]string{string(m.Origin)}))
	}
	if err == nil {
		err = z.Close()
	}
	return err
}

// array is what an archive holds under a name.
type array struct {
	npy.Header
	data []byte
}

func readNPZ(data []byte) (*Model, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	arrays, room := map[string]array{}, room(data)
	for _, name := range []string{"weights", "factors", "order", "names", "center", "scale", "moment", "origin"} {
		f, err := z.Open(name + ".npy")
		if err != nil {
			continue
		}
		a, err := readArray(f, room)
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("array %s: %w", name, err)
		}
		arrays[name] = a
	}
	for _, name := range []string{"weights", "factors", "order"} {
		if _, ok := arrays[name]; !ok {
			return nil, fmt.Errorf("has no array %s, want weights (r), factors (n x r) and order", name)
		}
	}
	weights, factors, order := arrays["weights"], arrays["factors"], arrays["order"]
	if len(weights.Shape) != 1 || len(factors.Shape) != 2 || len(order.Shape) > 1 || factors.Shape[1] != weights.Shape[0] {
		return nil, fmt.Errorf("want the arrays weights (r), factors (n x r) and order, got shapes %v, %v and %v", weights.Shape, factors.Shape, order.Shape)
	}
	m := &Model{N: factors.Shape[0]}
	if m.Lambda, err = weights.numbers(); err != nil {
		return nil, fmt.Errorf("array weights: %w", err)
	}
	d, err := order.numbers()
	if err != nil || len(d) != 1 || d[0] != float64(int(d[0])) {
		return nil, fmt.Errorf("array order: got %v, want a whole number", d)
	}
	m.Order = int(d[0])
	byRows, err := factors.numbers()
	if err != nil {
		return nil, fmt.Errorf("array factors: %w", err)
	}
	if m.Factors = byRows; !factors.Fortran {
		m.Factors = make([]float64, 0, len(byRows))
		for j := range m.Lambda {
			for i := range m.N {
				m.Factors = append(m.Factors, byRows[i*len(m.Lambda)+j])
			}
		}
	}
	for name, to := range map[string]*[]float64{"center": &m.Center, "scale": &m.Scale} {
		if a, ok := arrays[name]; ok {
			if *to, err = a.numbers(); err != nil {
				return nil, fmt.Errorf("array %s: %w", name, err)
			}
		}
	}
	if a, ok := arrays["names"]; ok {
		m.Names = a.texts()
	}
	for name, to := range map[string]*[]byte{"moment": &m.Moment, "origin": &m.Origin} {
		if a, ok := arrays[name]; ok {
			if t := a.texts(); len(t) == 1 {
				*to = []byte(t[0])
			}
		}
	}
	return m, nil
}

// readArray reads as much as the archive really holds.
func readArray(r io.Reader, room func(bytes, _ int) error) (a array, err error) {
	if a.Header, err = npy.ReadHeader(r); err != nil {
		return a, err
	}
	const piece = 1 << 20
	var data bytes.Buffer
	for {
		if err := room(16*piece, 0); err != nil && data.Len() > 0 {
			return a, err
		}
		_, err := io.CopyN(&data, r, piece)
		a.data = data.Bytes()
		if err == io.EOF {
			return a, nil
		}
		if err != nil {
			return a, err
		}
	}
}

// count is how many elements the shape announces; -1 if more than there are bytes.
func (a *array) count() int {
	n := 1
	for _, k := range a.Shape {
		if k > 0 && n > len(a.data)/k {
			return -1
		}
		n *= k
	}
	return n
}

func (a *array) numbers() ([]float64, error) {
	d, err := npy.NewDtype(a.Descr)
	if err != nil {
		return nil, err
	}
	n := a.count()
	if n < 0 || n*d.Size != len(a.data) {
		return nil, fmt.Errorf("its shape is %s, and %d bytes of elements are there", a.ShapeString(), len(a.data))
	}
	v := make([]float64, n)
	d.Convert(v, a.data)
	return v, nil
}

// texts returns nil if the elements are no text.
func (a *array) texts() (s []string) {
	t, ok := npy.NewText(a.Descr)
	n := a.count()
	if !ok || t.Size == 0 || n < 0 || n*t.Size != len(a.data) {
		return nil
	}
	for k := range n {
		s = append(s, string(t.Append(nil, a.data[k*t.Size:(k+1)*t.Size])))
	}
	return s
}
