//go:build !js && !slim

package columnar

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// TestSameColumns: a table that Arrow's own library writes as Arrow and as Parquet has the
// same columns of numbers, durations are none of them, and lists are the same however they
// are laid out.
func TestSameColumns(t *testing.T) {
	table := func(duration arrow.DataType) *arrow.Schema {
		record := arrow.StructOf(arrow.Field{Name: "d", Type: duration}, arrow.Field{Name: "n", Type: arrow.PrimitiveTypes.Float64})
		return arrow.NewSchema([]arrow.Field{
			{Name: "d", Type: duration}, {Name: "t", Type: arrow.FixedWidthTypes.Time32s}, {Name: "n", Type: arrow.PrimitiveTypes.Int64},
			{Name: "r", Type: record}, {Name: "l", Type: arrow.ListOf(duration)},
		}, nil)
	}
	rows := func(schema *arrow.Schema) arrow.RecordBatch {
		rows, _, err := array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader(
			`[{"d": 1, "t": "00:00:01", "n": 1, "r": {"d": 1, "n": 1}, "l": [1]}, {"d": 2, "t": "00:00:02", "n": 2, "r": {"d": 2, "n": 2}, "l": [2]}]`))
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	durations, integers := table(arrow.FixedWidthTypes.Duration_s), table(arrow.PrimitiveTypes.Int64)
	want := []Column{
		{Name: "d", Type: "duration", Text: true}, {Name: "t", Type: "time", Text: true}, {Name: "n", Type: "int64", Width: 1, Text: true},
		{Name: "r.d", Type: "duration", Text: true}, {Name: "r.n", Type: "float64", Width: 1, Text: true}, {Name: "l", Type: "list of duration"},
	}
	checkColumns(t, "arrow", arrowOf(t, rows(durations)), want)
	checkColumns(t, "parquet", parquetOf(t, rows(integers), durations), want)
	// Without Arrow's schema nothing says that they are durations.
	for _, i := range []int{0, 3} {
		want[i].Type, want[i].Width = "int64", 1
	}
	want[5] = Column{Name: "l", Type: "list of int64", List: true, Width: 1}
	checkColumns(t, "parquet", parquetOf(t, rows(integers), nil), want)
	checkColumns(t, "parquet", parquetOf(t, rows(integers), integers), want)

	// Views of lists, which share their numbers and are in another order than these.
	numbers := array.NewFloat64Builder(memory.DefaultAllocator)
	numbers.AppendValues([]float64{1, 2, 3, 4, 5}, nil)
	at, sizes := arrow.Int32Traits.CastToBytes([]int32{3, 0, 2}), arrow.Int32Traits.CastToBytes([]int32{2, 2, 2})
	kind := arrow.ListViewOf(arrow.PrimitiveTypes.Float64)
	views := array.NewListViewData(array.NewData(kind, 3, []*memory.Buffer{nil, memory.NewBufferBytes(at), memory.NewBufferBytes(sizes)}, []arrow.ArrayData{numbers.NewArray().Data()}, 0, 0))
	data := arrowOf(t, array.NewRecordBatch(arrow.NewSchema([]arrow.Field{{Name: "v", Type: kind}}, nil), []arrow.Array{views}, 3))
	f := checkColumns(t, "arrow", data, []Column{{Name: "v", Type: "list of float64", List: true, Width: 2}})
	c, err := f.cursor(0, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 4)
	if err := c.next(got); err != nil || !slices.Equal(got, []float64{1, 2, 3, 4}) {
		t.Errorf("rows 2 and 3 are %v, %v", got, err)
	}
}

// A file may say that its lists are longer than anything: it is refused before room for a row
// is made.
func TestTooLongLists(t *testing.T) {
	const long = mostNumbers/2 + 1
	list := func() arrow.Field {
		return arrow.Field{Name: "v", Type: arrow.FixedSizeListOf(long, arrow.PrimitiveTypes.Float64)}
	}
	for names, fits := range map[string]bool{"v": true, "vw": false} {
		var fields []arrow.Field
		var columns []arrow.Array
		for _, name := range names {
			field := list()
			field.Name = string(name)
			fields = append(fields, field)
			columns = append(columns, array.NewFixedSizeListBuilder(memory.DefaultAllocator, long, arrow.PrimitiveTypes.Float64).NewArray())
		}
		data := arrowOf(t, array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, 0))
		_, err := Open("arrow", bytes.NewReader(data), int64(len(data)))
		if fits && err != nil || !fits && (err == nil || !strings.Contains(err.Error(), "column w: lists of 2,097,153 numbers, more variables than there can be")) {
			t.Errorf("%s: %v", names, err)
		}
	}
}

func arrowOf(t *testing.T, rows arrow.RecordBatch) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := ipc.NewFileWriter(&out, ipc.WithSchema(rows.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// parquetOf writes rows as Parquet, with the original Arrow schema as metadata, as pyarrow
// does: Arrow's library for Go writes no durations.
func parquetOf(t *testing.T, rows arrow.RecordBatch, original *arrow.Schema) []byte {
	t.Helper()
	var out, message bytes.Buffer
	w, err := pqarrow.NewFileWriter(rows.Schema(), &out, parquet.NewWriterProperties(), pqarrow.NewArrowWriterProperties())
	if err != nil {
		t.Fatal(err)
	}
	if original != nil {
		if err := ipc.NewWriter(&message, ipc.WithSchema(original)).Close(); err != nil {
			t.Fatal(err)
		}
		if err := w.AppendKeyValueMetadata("ARROW:schema", base64.StdEncoding.EncodeToString(message.Bytes())); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func checkColumns(t *testing.T, format string, data []byte, want []Column) File {
	t.Helper()
	f, err := Open(format, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Columns(); !slices.Equal(got, want) {
		t.Errorf("%s: got %+v, want %+v", format, got, want)
	}
	return f
}
