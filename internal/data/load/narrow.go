package load

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"symmom/internal/data/columns"
	"symmom/internal/data/formats"
	"symmom/internal/math/linalg"
)

// Row returns observation i as float64: where it is, or converted to *scratch,
// which grows to N numbers, when the values are stored as float32.
func (s *Set) Row(i int, scratch *[]float64) []float64 {
	if s.Values32 == nil {
		return s.Values[i*s.N : (i+1)*s.N]
	}
	return s.widened(i, scratch)
}

func (s *Set) widened(i int, scratch *[]float64) []float64 {
	if len(*scratch) != s.N {
		*scratch = make([]float64, s.N)
	}
	linalg.Widen(*scratch, s.Values32[i*s.N:(i+1)*s.N])
	return *scratch
}

// at is variable j of observation i.
func (s *Set) at(i, j int) float64 {
	if s.Values32 == nil {
		return s.Values[i*s.N+j]
	}
	return float64(s.Values32[i*s.N+j])
}

// put stores observation i, a Row that was changed.
func (s *Set) put(i int, row []float64) {
	if s.Values32 != nil {
		linalg.Narrow(s.Values32[i*s.N:(i+1)*s.N], row)
	}
}

// Float64 returns a copy of all values, as float64.
func (s *Set) Float64() []float64 {
	if s.Values32 == nil {
		return slices.Clone(s.Values)
	}
	v := make([]float64, len(s.Values32))
	linalg.Widen(v, s.Values32)
	return v
}

// Bytes is the memory that the values take.
func (s *Set) Bytes() int {
	if x := s.Sparse; x != nil {
		return 8*len(x.Start) + 4*len(x.Index) + 8*len(x.V) + 4*len(x.V32)
	}
	return 8*len(s.Values) + 4*len(s.Values32)
}

// overflows32 says that v is finite and too large for a float32.
func overflows32(v float64) bool {
	return math.IsInf(float64(float32(v)), 0) && !math.IsInf(v, 0)
}

// wantFloat32 is what an error wants instead of such a value.
var wantFloat32 = fmt.Sprintf("a number that a float32 can hold (up to %.2g); keep the values as float64, or change the column's unit", math.MaxFloat32)

// narrow moves the values, rows without a place in values32 yet, to its end.
func (t *table) narrow() error {
	t.codes.Recode(t.values, t.n)
	from := len(t.values32)
	var err error
	if t.values32, err = room(t.budget, t.values32, len(t.values)); err != nil {
		return err
	}
	t.values32 = t.values32[:from+len(t.values)]
	linalg.Narrow(t.values32[from:], t.values)
	for i, v := range t.values32[from:] {
		if v-v == 0 || !overflows32(t.values[i]) {
			continue
		}
		j, name := (from+i)%t.n, ""
		if j < len(t.names) {
			name = t.names[j]
		}
		column := j + 1
		if t.columns != nil {
			column = t.columns[j]
		}
		e := t.place((from+i)/t.n, column, name, t.values[i])
		e.Want = wantFloat32
		return e
	}
	t.values = t.values[:0]
	return nil
}

// room returns v with room for more numbers.
func room[T float32 | float64](b formats.Budget, v []T, more int) ([]T, error) {
	if len(v)+more <= cap(v) {
		return v, nil
	}
	size, err := b.Grown(len(v), more, int(unsafe.Sizeof(T(0))))
	if err != nil {
		return v, err
	}
	return formats.Grow(v, size), nil
}

// read32 reads the elements of an array in C order, those of the columns that
// the options select, as float32, through 512 kB. A selection is for a source that surely
// has the data.
func (t *table) read32(a *formats.Array, o Options) error {
	if a.Total() == 0 {
		return nil
	}
	const piece = 1 << 16 // elements
	all, wide, step := true, t.n, piece
	var sel columns.Selection
	if o.wanted().Selects() {
		var err error
		if sel, err = columns.Select(t.source, t.names, t.n, o.wanted()); err != nil {
			return err
		}
		t.codes = sel.Codes
		if all = sel.Identity(t.n); !all {
			step = max(1, piece/wide) * wide
			t.choose(sel)
		}
	}
	if a.Known {
		t.values32 = make([]float32, 0, t.p*t.n)
		linalg.LargePages(t.values32[:cap(t.values32)])
	}
	buf := make([]float64, min(step, a.Total()))
	for left := a.Total(); left > 0; left -= step {
		step = min(step, left)
		t.values = buf[:step]
		if err := a.Next(t.values); err != nil {
			return err
		}
		if !all {
			if err := t.take(sel, wide); err != nil {
				return err
			}
		}
		if err := t.narrow(); err != nil {
			return err
		}
	}
	t.values32 = slices.Clip(t.values32)
	return nil
}
