//go:build !js && !slim

package columnar

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// written is a file of the columns below root, each of the numbers 1 to 100.
func written(t *testing.T, root *schema.GroupNode, options ...parquet.WriterProperty) []byte {
	t.Helper()
	var b bytes.Buffer
	w := file.NewParquetWriter(&b, root, file.WithWriterProps(parquet.NewWriterProperties(options...)))
	group, err := w.AppendRowGroupChecked()
	if err != nil {
		t.Fatal(err)
	}
	for range group.NumColumns() {
		column, err := group.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		for i := range 100 {
			switch column := column.(type) {
			case *file.Int32ColumnChunkWriter:
				_, err = column.WriteBatch([]int32{int32(i + 1)}, nil, nil)
			case *file.Float64ColumnChunkWriter:
				_, err = column.WriteBatch([]float64{float64(i + 1)}, nil, nil)
			case *file.ByteArrayColumnChunkWriter:
				_, err = column.WriteBatch([]parquet.ByteArray{[]byte("eight by")}, nil, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(err, column.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(group.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func root(t *testing.T, fields ...schema.Node) *schema.GroupNode {
	t.Helper()
	n, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// firstColumn reads the first column of numbers.
func firstColumn(b []byte) ([]float64, File, error) {
	f, err := Open("parquet", bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, nil, err
	}
	place := make([]int, 0, len(f.Columns()))
	for _, c := range f.Columns() {
		for range c.Width {
			place = append(place, min(0, -len(place)))
		}
	}
	values := make([]float64, 100)
	return values, f, Read(context.Background(), f, 0, 0, 100, place, values, 1)
}

// A page of fewer values than it says is an error; the library asked it for ever. Of the
// crashers of apache/arrow-testing, crash-61d6204d481340860da54e30f1937b67234ad0f7 is one.
func TestPageOfFewerValues(t *testing.T) {
	b := written(t, root(t, schema.NewInt32Node("a", parquet.Repetitions.Required, -1)),
		parquet.WithDictionaryDefault(false), parquet.WithEncoding(parquet.Encodings.DeltaBinaryPacked))
	if values, _, err := firstColumn(b); err != nil || values[99] != 100 {
		t.Fatalf("%v, %v", values, err)
	}
	header := []byte{0x80, 0x01, 4, 100} // 128 values a block, 4 parts of it, 100 values
	at := bytes.Index(b, header)
	if at < 0 || bytes.Count(b, header) > 1 {
		t.Fatalf("the header of the page is not there once: %q", b)
	}
	for _, fewer := range []byte{0, 99} {
		b[at+3] = fewer
		done := make(chan error, 1)
		go func() { _, _, err := firstColumn(b); done <- err }()
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), "fewer values") {
				t.Errorf("%d values: %v", fewer, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%d values: no end", fewer)
		}
	}
}

// chunk is a reader of a column that may have more values.
type chunk struct {
	file.ColumnChunkReader
	more bool
}

func (c chunk) HasNext() bool { return c.more }
func (c chunk) Err() error    { return nil }

// Pages without values, as pyarrow writes them between others, are passed over.
func TestEmptyPages(t *testing.T) {
	entries := []int64{0, 0, 5, 0, 3}
	c := &parquetCursor{reader: chunk{more: true}, read: func(int64, []int16, []int16) (n int64, err error) {
		if len(entries) > 0 {
			n, entries = entries[0], entries[1:]
		}
		return n, nil
	}}
	for _, want := range []int{5, 3} {
		if err := c.more(); err != nil || c.entries != want {
			t.Errorf("%d entries, %v, want %d", c.entries, err, want)
		}
	}
	if err := c.more(); err == nil || !strings.Contains(err.Error(), "fewer values") {
		t.Errorf("a page that gives nothing: %v", err)
	}
	if c.reader = (chunk{}); c.more() != io.EOF {
		t.Error("no end")
	}
}

// Lists are read from any row on, also where they go on in the next page: from rows in the
// middle of a row group those of other rows came back. Pages of version 1, without an index of
// pages, are what pyarrow writes.
func TestListsFromTheMiddle(t *testing.T) {
	const rows, width = 700, 3
	var b bytes.Buffer
	w := file.NewParquetWriter(&b, root(t, schema.NewFloat64Node("v", parquet.Repetitions.Repeated, -1)), file.WithWriterProps(parquet.NewWriterProperties(
		parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(64), parquet.WithBatchSize(10), parquet.WithDataPageVersion(parquet.DataPageV1))))
	group, err := w.AppendRowGroupChecked()
	if err != nil {
		t.Fatal(err)
	}
	column, err := group.NextColumn()
	if err != nil {
		t.Fatal(err)
	}
	values, def, rep := make([]float64, rows*width), make([]int16, rows*width), make([]int16, rows*width)
	for i := range values {
		values[i], def[i] = float64(i), 1
		if i%width > 0 {
			rep[i] = 1
		}
	}
	if _, err := column.(*file.Float64ColumnChunkWriter).WriteBatch(values, def, rep); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(column.Close(), group.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := Open("parquet", bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range [][2]int{{0, 10}, {10, 333}, {333, 700}, {333, 340}, {5, 6}, {6, 699}, {699, 700}, {0, 700}} {
		lo, hi := part[0], part[1]
		got := make([]float64, (hi-lo)*width)
		if err := Read(t.Context(), f, 0, lo, hi, []int{0, 1, 2}, got, width); err != nil || !slices.Equal(got, values[lo*width:hi*width]) {
			t.Errorf("rows %d to %d: begin with %v, %v", lo, hi, got[:width], err)
		}
	}
}

// A record without fields must not move the columns behind it: s was read as x.
func TestRecordOfNothing(t *testing.T) {
	nothing, err := schema.NewGroupNode("nothing", parquet.Repetitions.Required, nil, -1)
	if err != nil {
		t.Fatal(err)
	}
	b := written(t, root(t, nothing, schema.NewFloat64Node("x", parquet.Repetitions.Required, -1), schema.NewByteArrayNode("s", parquet.Repetitions.Required, -1)))
	if values, _, err := firstColumn(b); err == nil || !strings.Contains(err.Error(), "no fields") {
		t.Errorf("%v, %v", values[:3], err)
	}
}

// An encrypted column is one that cannot be read, and not damaged; the others can.
func TestEncryptedColumn(t *testing.T) {
	key := "0123456789abcdef"
	b := written(t, root(t, schema.NewFloat64Node("secret", parquet.Repetitions.Required, -1), schema.NewFloat64Node("x", parquet.Repetitions.Required, -1)),
		parquet.WithEncryptionProperties(parquet.NewFileEncryptionProperties(key, parquet.WithPlaintextFooter(),
			parquet.WithEncryptedColumns(parquet.ColumnPathToEncryptionPropsMap{"secret": parquet.NewColumnEncryptionProperties("secret", parquet.WithKey(key))}))))
	values, f, err := firstColumn(b)
	if err != nil || values[0] != 1 || values[99] != 100 {
		t.Fatalf("%v, %v", values, err)
	}
	if c := f.Columns()[0]; c.Type != "encrypted" || c.Width != 0 {
		t.Errorf("%+v", c)
	}
}

// Pages without a byte are of no values in any compression, and LZ4 is read as Hadoop frames
// it and without frames. The bytes are written by hand: a block is 0x40 and four bytes as they
// are, or 0x1n, one byte, and how far back (2 bytes, the lowest first) n + 4 are copied from.
func TestCodecs(t *testing.T) {
	c := compress.Codecs
	for _, of := range []compress.Compression{c.Snappy, c.Gzip, c.Brotli, c.Zstd, c.Lz4Raw, c.Lz4} {
		codec, err := compress.GetCodec(of)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := compress.Decode(codec, nil, nil); err != nil || len(got) != 0 {
			t.Errorf("%s: %v, %v", of, got, err)
		}
	}
	lz4, err := compress.GetCodec(c.Lz4)
	if err != nil {
		t.Fatal(err)
	}
	abcd, efgh := []byte("\x40abcd"), []byte("\x40efgh")
	for _, test := range []struct {
		want   string
		pieces [][]byte
	}{
		{"abcd", [][]byte{{0, 0, 0, 4}, {0, 0, 0, 5}, abcd}},
		{"abcdefgh", [][]byte{{0, 0, 0, 8}, {0, 0, 0, 5}, abcd, {0, 0, 0, 5}, efgh}},               // two blocks in a frame
		{"abcdefgh", [][]byte{{0, 0, 0, 4}, {0, 0, 0, 5}, abcd, {0, 0, 0, 4}, {0, 0, 0, 5}, efgh}}, // two frames
		{"abcd", [][]byte{abcd}}, // no frame
	} {
		dst := make([]byte, len(test.want))
		got, err := compress.Decode(lz4, dst, slices.Concat(test.pieces...))
		if err != nil || string(got) != test.want || string(dst) != test.want {
			t.Errorf("%q: got %q, %v", test.pieces, got, err)
		}
	}
	for _, damaged := range []string{"\x00\x00\x00\x04", "\x00\x00\x00\x04\xff\xff\xff\xff\x40abcd", "\x7f\xff\xff\xff\x00\x00\x00\x05\x40abcd", "\x00"} {
		if got, err := compress.Decode(lz4, make([]byte, 4), []byte(damaged)); err == nil && len(got) == 4 {
			t.Errorf("%q: got %q", damaged, got)
		}
	}
}
