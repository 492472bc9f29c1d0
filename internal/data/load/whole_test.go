package load

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	build "github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

const roundedText = "whole numbers from 2^53 on are rounded to the 16 digits or so of a float64, and may be equal then: "

// TestWholeNumbers warns of columns of integers that float64 rounds, and of no others.
func TestWholeNumbers(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	npy := func(descr string, v ...int64) []byte {
		var b bytes.Buffer
		binary.Write(&b, binary.LittleEndian, v)
		return npyFile("{'descr': '"+descr+"', 'fortran_order': False, 'shape': (2, 2), }", b.Bytes()...)
	}
	parquet := func(name string) string {
		schema := arrow.NewSchema([]arrow.Field{{Name: "id", Type: arrow.PrimitiveTypes.Int64}, {Name: "u", Type: arrow.PrimitiveTypes.Uint64}, {Name: "k", Type: arrow.PrimitiveTypes.Int64}, {Name: "x", Type: arrow.PrimitiveTypes.Float64}}, nil)
		b := build.NewRecordBuilder(memory.DefaultAllocator, schema)
		b.Field(0).(*build.Int64Builder).AppendValues([]int64{-9007199254740993, 1}, nil)
		b.Field(1).(*build.Uint64Builder).AppendValues([]uint64{18446744073709551615, 1}, nil)
		b.Field(2).(*build.Int64Builder).AppendValues([]int64{9007199254740991, 1}, nil)
		b.Field(3).(*build.Float64Builder).AppendValues([]float64{1e17, 1}, nil)
		var to bytes.Buffer
		w, err := pqarrow.NewFileWriter(schema, &to, nil, pqarrow.DefaultWriterProps())
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(b.NewRecordBatch()); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return put(name, to.Bytes())
	}
	many := strings.Repeat("1,2,3\n", 100)
	for _, c := range []struct{ path, want string }{
		{put("a.csv", []byte("id,x,y\n9007199254740993,1,2\n1,2,3\n"+many)), "id"},
		{put("end.csv", []byte("id,x,y\n"+many+"1,-9007199254740993,4\n")), "x"},
		{put("blanks.csv", []byte("id,x,y\n"+many+" 1 , +9007199254740993 ,4\n")), "x"},
		{put("quoted.csv", []byte("id,x,y\n"+many+"1,2,\"1"+strings.Repeat("0", 30)+"\"\n"+many)), "y"},
		{put("groups.csv", []byte("id;x;y\n1,5;2;9.007.199.254.740.993\n2,5;2;1.000\n")), "y"},
		{put("floats.csv", []byte("id,x,y\n9007199254740993.0,1e30,9.007199254740994e15\n"+many+"-9007199254740994.,2E17,9007199254740991\n")), ""},
		{put("two/1.csv", []byte("id,x,y\n"+many)), "x, y"},
		{put("i8.npy", npy("<i8", 1, 9007199254740992, 2, 3)), "column 2"},
		{put("u8.npy", npy("<u8", -1, 2, 3, 9007199254740991)), "column 1"},
		{put("small.npy", npy("<i8", -9007199254740991, 9007199254740991, 2, 3)), ""},
		{put("f8.npy", npy("<f8", 0x4340000000000001, 0x4540000000000000, 2, 3)), ""},
		{parquet("a.parquet"), "id, u"},
	} {
		if strings.HasSuffix(c.path, "two/1.csv") {
			put("two/2.csv", []byte("y,id,x\n9007199254740993,1,9007199254740993\n"+many)) // in another order
			c.path = filepath.Dir(c.path)
		}
		for _, o := range []Options{{}, {piece: 64}, {piece: -1}, {MemoryLimit: 1 << 30, Float32: true}} {
			if o.Float32 && strings.HasSuffix(c.path, "f8.npy") || o.Float32 && strings.HasSuffix(c.path, "floats.csv") {
				continue // too large for it
			}
			s, err := Load(t.Context(), c.path, o)
			if err != nil {
				t.Fatalf("%s: %v", c.path, err)
			}
			listed := ""
			for _, w := range texts(s.Notes) {
				if names, ok := strings.CutPrefix(w, roundedText); ok {
					listed += names
				}
			}
			if want := c.want; o.Float32 && listed != "" || !o.Float32 && listed != want { // who asks for float32 knows of fewer digits
				t.Errorf("%s, %+v: warns of %q, want %q", c.path, o, listed, want)
			}
			if !o.Float32 {
				checkStream(t, c.path, o, s)
			}
		}
	}
	// Columns that are not selected give no warnings.
	if s, err := Load(t.Context(), filepath.Join(dir, "a.parquet"), Options{Columns: []string{"x", "u"}}); err != nil || !strings.Contains(strings.Join(texts(s.Notes), "\n")+"\n", roundedText+"u\n") {
		t.Errorf("%v, %v", s, err)
	}
	if s, err := Load(t.Context(), filepath.Join(dir, "i8.npy"), Options{Columns: []string{"1"}}); err != nil || len(s.Notes) > 0 {
		t.Errorf("%v, %v", texts(s.Notes), err)
	}
}
