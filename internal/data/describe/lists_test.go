package describe

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"symmom/internal/data/load"
)

// A column of lists of several lengths is described, as are those beside it.
func TestUnevenLists(t *testing.T) {
	list := arrow.ListOf(arrow.PrimitiveTypes.Float64)
	schema := arrow.NewSchema([]arrow.Field{{Name: "even", Type: list}, {Name: "uneven", Type: list}, {Name: "x", Type: arrow.PrimitiveTypes.Float64}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for row, lengths := range [][2]int{{2, 3}, {2, 3}, {2, 1}} {
		for k, n := range lengths {
			lists := b.Field(k).(*array.ListBuilder)
			lists.Append(true)
			for range n {
				lists.ValueBuilder().(*array.Float64Builder).Append(float64(row))
			}
		}
		b.Field(2).(*array.Float64Builder).Append(float64(row))
	}
	path := filepath.Join(t.TempDir(), "t.arrow")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := ipc.NewFileWriter(f, ipc.WithSchema(schema))
	if err != nil {
		t.Fatal(err)
	}
	record := b.NewRecordBatch()
	defer record.Release()
	if err := errors.Join(w.Write(record), w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	d, err := File(t.Context(), path, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var kinds, holds []string
	for _, c := range d.Columns {
		kinds, holds = append(kinds, c.Kind), append(holds, c.Holds())
	}
	if !reflect.DeepEqual(kinds, []string{Number, Other, Number}) || !reflect.DeepEqual(holds, []string{"0 to 2", "a list of another length than the first in row 3", "0 to 2"}) {
		t.Errorf("%q, %q", kinds, holds)
	}
	columns, left := Finite(d)
	if !reflect.DeepEqual(columns, []string{"1-2", "6"}) || len(left) != 1 {
		t.Errorf("%q, %v", columns, left)
	}
}
