//go:build !js && !slim

package columnar

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"

	"symmom/internal/data/npy"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// arrowCursor reads a column of a record batch.
type arrowCursor struct {
	column  Column
	above   []arrow.Array // the column and the records it is in, which may be null
	lists   array.ListLike
	numbers []float64 // of the column or of all its lists, where they are float64
	number  func(i int) float64
	null    func(i int) bool // of a number
	rows    int
	row     int // next
	first   int // number of the first row of the batch in the file
}

func (a *arrowFile) cursor(part, column, lo int) (cursor, error) {
	batch, err := a.load(part)
	if err != nil {
		return nil, err
	}
	c := newArrowCursor(batch, a.leaves[column], lo)
	c.column = a.columns[column]
	for _, rows := range a.parts[:part] {
		c.first += rows
	}
	return c, nil
}

func newArrowCursor(batch arrow.RecordBatch, path leaf, lo int) *arrowCursor {
	c := &arrowCursor{rows: int(batch.NumRows()), row: lo}
	column := plain(batch.Column(path[0]))
	c.above = append(c.above, column)
	for _, i := range path[1:] {
		column = plain(column.(*array.Struct).Field(i))
		c.above = append(c.above, column)
	}
	values := column
	if lists, ok := column.(array.ListLike); ok {
		c.lists, values = lists, plain(lists.ListValues())
	}
	c.numbers, c.number, c.null = numbersOf(values)
	return c
}

// plain looks through extension types.
func plain(a arrow.Array) arrow.Array {
	for {
		e, ok := a.(array.ExtensionArray)
		if !ok {
			return a
		}
		a = e.Storage()
	}
}

func (c *arrowCursor) close() {}

// valid reports whether neither the column nor a record around it is null in a row.
func (c *arrowCursor) valid(i int) bool {
	for _, a := range c.above {
		if a.IsNull(i) {
			return false
		}
	}
	return true
}

// next fills to with rows; a list that is null or empty is a row of missing
// values.
func (c *arrowCursor) next(to []float64) error {
	if c.lists == nil {
		if c.numbers != nil && c.whole() {
			c.row += copy(to, c.numbers[c.row:c.row+len(to)])
			return nil
		}
		for i := range to {
			to[i] = missing
			if c.valid(c.row) && !c.null(c.row) {
				to[i] = c.number(c.row)
			}
			c.row++
		}
		return nil
	}
	for width := c.column.Width; len(to) > 0; to = to[width:] {
		i := c.row
		c.row++
		from, end := c.lists.ValueOffsets(i)
		if !c.valid(i) || from == end {
			for e := range width {
				to[e] = missing
			}
			continue
		}
		if end-from != int64(width) {
			return c.column.uneven(c.first+i+1, int(min(end-from, math.MaxInt)))
		}
		for e := range width {
			to[e] = missing
			if at := int(from) + e; !c.null(at) {
				to[e] = c.number(at)
			}
		}
	}
	return nil
}

// whole reports whether nothing is null.
func (c *arrowCursor) whole() bool {
	for _, a := range c.above {
		if a.NullN() > 0 {
			return false
		}
	}
	return true
}

// numbersOf returns what an array holds as numbers: all of them where they are
// float64, and a function in any case.
func numbersOf(values arrow.Array) (all []float64, number func(i int) float64, null func(i int) bool) {
	null = values.IsNull
	switch a := values.(type) {
	case *array.Float64:
		return a.Float64Values(), a.Value, null
	case *array.Float32:
		return nil, at(a.Float32Values()), null
	case *array.Float16:
		return nil, func(i int) float64 { return npy.Half(a.Value(i).Uint16()) }, null
	case *array.Int8:
		return nil, at(a.Int8Values()), null
	case *array.Int16:
		return nil, at(a.Int16Values()), null
	case *array.Int32:
		return nil, at(a.Int32Values()), null
	case *array.Int64:
		return nil, at(a.Int64Values()), null
	case *array.Uint8:
		return nil, at(a.Uint8Values()), null
	case *array.Uint16:
		return nil, at(a.Uint16Values()), null
	case *array.Uint32:
		return nil, at(a.Uint32Values()), null
	case *array.Uint64:
		return nil, at(a.Uint64Values()), null
	case *array.Boolean:
		return nil, func(i int) float64 {
			if a.Value(i) {
				return 1
			}
			return 0
		}, null
	case *array.Decimal32:
		decimal := decimals(decimalScale(a.DataType()))
		return nil, func(i int) float64 { return decimal(big.NewInt(int64(a.Value(i)))) }, null
	case *array.Decimal64:
		decimal := decimals(decimalScale(a.DataType()))
		return nil, func(i int) float64 { return decimal(big.NewInt(int64(a.Value(i)))) }, null
	case *array.Decimal128:
		decimal := decimals(decimalScale(a.DataType()))
		return nil, func(i int) float64 {
			v := a.Value(i)
			return decimal(wide(v.LowBits(), uint64(v.HighBits())))
		}, null
	case *array.Decimal256:
		decimal := decimals(decimalScale(a.DataType()))
		return nil, func(i int) float64 {
			v := a.Value(i).Array()
			return decimal(wide(v[:]...))
		}, null
	case *array.Dictionary:
		_, value, none := numbersOf(plain(a.Dictionary()))
		return nil, func(i int) float64 { return value(a.GetValueIndex(i)) },
			func(i int) bool { return a.IsNull(i) || none(a.GetValueIndex(i)) }
	}
	return nil, func(int) float64 { return missing }, null // nulls only
}

func at[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32](values []T) func(i int) float64 {
	return func(i int) float64 { return float64(values[i]) }
}

// wide returns the number of some words in two's complement, the lowest first. The library's
// BigInt is wrong where int has 32 bits.
func wide(words ...uint64) *big.Int {
	b := make([]byte, 0, 32)
	for _, w := range slices.Backward(words) {
		b = binary.BigEndian.AppendUint64(b, w)
	}
	return signed(b)
}

func decimalScale(t arrow.DataType) int { return int(t.(arrow.DecimalType).GetScale()) }
