package modelfile

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/npy"
)

// writeNPZ writes weights (r), factors (n x r) and order; names and the parts of the model if
// there are any.
func writeNPZ(w io.Writer, m *Model) error {
	z := zip.NewWriter(w)
	var err error
	array := func(name string, write func(io.Writer) error) {
		var to io.Writer
		if err == nil {
			to, err = z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		}
		if err == nil {
			err = write(to)
		}
	}
	matrix := func(name string, x mat.Matrix) {
		array(name, func(w io.Writer) error { return npy.Write(w, x) })
	}
	texts := func(name string, s []string) {
		for _, t := range s {
			if strings.HasSuffix(t, "\x00") && err == nil {
				err = fmt.Errorf("a text of %s ends in a NUL, %q, which NumPy would drop; save it as .json or .mat", name, t)
			}
		}
		array(name, func(w io.Writer) error { return npy.WriteTexts(w, s) })
	}
	matrix("weights", mat.NewVecDense(len(m.Lambda), m.Lambda))
	matrix("factors", mat.NewDense(len(m.Lambda), m.N, m.Factors).T())
	array("order", func(w io.Writer) error { return npy.WriteInt(w, int64(m.Order)) })
	if m.Names != nil {
		texts("names", m.Names)
	}
	for _, p := range m.vectors() {
		if v := *p.value; v != nil {
			matrix(p.name, mat.NewVecDense(len(v), v))
		}
	}
	for _, p := range m.texts() {
		if *p.value != nil {
			texts(p.name, []string{string(*p.value)})
		}
	}
	if err == nil {
		err = z.Close()
	}
	return err
}

// array is a named array of an archive.
type array struct {
	npy.Header
	data []byte
}

func readNPZ(data []byte) (*Model, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	m, room := &Model{}, room(data)
	// open returns the array of a name, nil if there is none.
	open := func(name string) (*array, error) {
		f, err := z.Open(name + ".npy")
		if err != nil {
			return nil, nil
		}
		defer f.Close()
		a, err := readArray(f, room)
		if err != nil {
			return nil, fmt.Errorf("array %s: %w", name, err)
		}
		return &a, nil
	}
	if err := m.ofArrays(open); err != nil {
		return nil, err
	}
	names, err := open("names")
	if err != nil {
		return nil, err
	}
	if names != nil {
		m.Names = names.texts()
	}
	for _, p := range m.vectors() {
		a, err := open(p.name)
		if err == nil && a != nil {
			*p.value, err = a.numbersOf(p.name)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, p := range m.texts() {
		a, err := open(p.name)
		if err != nil {
			return nil, err
		}
		if a != nil {
			if t := a.texts(); len(t) == 1 {
				*p.value = []byte(t[0])
			}
		}
	}
	return m, nil
}

// ofArrays takes over the arrays without which there is no model.
func (m *Model) ofArrays(open func(name string) (*array, error)) error {
	arrays := map[string]*array{}
	for _, name := range []string{"weights", "factors", "order"} {
		a, err := open(name)
		if err != nil {
			return err
		}
		if a == nil {
			return fmt.Errorf("has no array %s, want weights (r), factors (n x r) and order", name)
		}
		arrays[name] = a
	}
	weights, factors, order := arrays["weights"], arrays["factors"], arrays["order"]
	if len(weights.Shape) != 1 || len(factors.Shape) != 2 || len(order.Shape) > 1 || factors.Shape[1] != weights.Shape[0] {
		return fmt.Errorf("want the arrays weights (r), factors (n x r) and order, got shapes %v, %v and %v", weights.Shape, factors.Shape, order.Shape)
	}
	var err error
	if m.Lambda, err = weights.numbersOf("weights"); err != nil {
		return err
	}
	d, err := order.numbers()
	if err != nil || len(d) != 1 || d[0] != float64(int(d[0])) {
		return fmt.Errorf("array order: got %v, want a whole number", d)
	}
	m.N, m.Order = factors.Shape[0], int(d[0])
	if m.Factors, err = factors.numbersOf("factors"); err != nil || factors.Fortran {
		return err
	}
	byRows := m.Factors
	m.Factors = make([]float64, 0, len(byRows))
	for j := range m.Lambda {
		for i := range m.N {
			m.Factors = append(m.Factors, byRows[i*len(m.Lambda)+j])
		}
	}
	return nil
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

// numbersOf is numbers, with the name of the array in the error.
func (a *array) numbersOf(name string) ([]float64, error) {
	v, err := a.numbers()
	if err != nil {
		return nil, fmt.Errorf("array %s: %w", name, err)
	}
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
