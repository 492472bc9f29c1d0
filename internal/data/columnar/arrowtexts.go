//go:build !js && !slim

package columnar

import (
	"symmom/internal/data/npy"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// arrowTexts reads a column of a record batch as text.
type arrowTexts struct {
	*arrowCursor
	values  arrow.Array
	scratch []byte
}

func (a *arrowFile) texts(part, column, lo int) (texts, error) {
	c, err := a.cursor(part, column, lo)
	if err != nil {
		return nil, err
	}
	t := &arrowTexts{arrowCursor: c.(*arrowCursor)}
	t.values = t.above[len(t.above)-1]
	return t, nil
}

func (t *arrowTexts) next() ([]byte, bool, error) {
	i := t.row
	t.row++
	if !t.valid(i) {
		return nil, false, nil
	}
	var ok bool
	t.scratch, ok = appendText(t.scratch[:0], t.values, i)
	return t.scratch, ok, nil
}

// appendText appends a value as text; false: it is null.
func appendText(to []byte, values arrow.Array, i int) (_ []byte, ok bool) {
	if values.IsNull(i) {
		return to, false
	}
	switch a := plain(values).(type) {
	case *array.Dictionary:
		return appendText(to, plain(a.Dictionary()), a.GetValueIndex(i))
	case *array.String:
		return append(to, a.Value(i)...), true
	case *array.LargeString:
		return append(to, a.Value(i)...), true
	case *array.StringView:
		return append(to, a.Value(i)...), true
	case *array.Float64:
		return appendFloat(to, a.Value(i), 64), true
	case *array.Float32:
		return appendFloat(to, float64(a.Value(i)), 32), true
	case *array.Float16:
		return appendFloat(to, npy.Half(a.Value(i).Uint16()), 32), true
	case *array.Timestamp:
		unit := a.DataType().(*arrow.TimestampType).Unit
		return appendTime(to, a.Value(i).ToTime(unit), TimeLayout), true
	case *array.Date32:
		return appendTime(to, a.Value(i).ToTime(), DateLayout), true
	case *array.Date64:
		return appendTime(to, a.Value(i).ToTime(), DateLayout), true
	case *array.Time32:
		return appendTime(to, a.Value(i).ToTime(a.DataType().(*arrow.Time32Type).Unit), ClockLayout), true
	case *array.Time64:
		return appendTime(to, a.Value(i).ToTime(a.DataType().(*arrow.Time64Type).Unit), ClockLayout), true
	}
	return append(to, values.ValueStr(i)...), true
}
