//go:build !js && !slim

package columnar

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// NewWriter begins a file of a format: "parquet", "arrow", or "feather",
// which is Arrow compressed by LZ4. Columns are float32 if single, else float64.
func NewWriter(w io.Writer, format string, names []string, single bool) (_ Writer, err error) {
	defer guard(&err)
	if format == "parquet" {
		return newParquetWriter(w, names, single)
	}
	return newArrowWriter(w, format, names, single)
}

// column copies column j of rows of n numbers.
func column[T float32 | float64](to []T, rows []float64, j, n int) []T {
	to = to[:0]
	for ; j < len(rows); j += n {
		to = append(to, T(rows[j]))
	}
	return to
}

type parquetWriter struct {
	w      *file.Writer
	n      int
	wide   []float64
	narrow []float32
}

func newParquetWriter(w io.Writer, names []string, single bool) (*parquetWriter, error) {
	of := parquet.Types.Double
	if single {
		of = parquet.Types.Float
	}
	fields := make(schema.FieldList, len(names))
	for j, name := range names {
		node, err := schema.NewPrimitiveNode(name, parquet.Repetitions.Required, of, -1, -1)
		if err != nil {
			return nil, err
		}
		fields[j] = node
	}
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		return nil, err
	}
	// A dictionary would hardly ever be smaller than numbers that were measured, and
	// takes -0 for 0.
	properties := parquet.NewWriterProperties(parquet.WithDictionaryDefault(false), parquet.WithCompression(compress.Codecs.Snappy), parquet.WithCreatedBy("symmom"))
	f, err := file.NewParquetWriterWithError(w, root, file.WithWriterProps(properties))
	return &parquetWriter{w: f, n: len(names)}, err
}

func (p *parquetWriter) Write(rows []float64) (err error) {
	defer guard(&err)
	group, err := p.w.AppendRowGroupChecked()
	if err != nil {
		return err
	}
	for j := range p.n {
		c, err := group.NextColumn()
		if err != nil {
			return err
		}
		switch c := c.(type) {
		case *file.Float64ColumnChunkWriter:
			p.wide = column(p.wide, rows, j, p.n)
			_, err = c.WriteBatch(p.wide, nil, nil)
		case *file.Float32ColumnChunkWriter:
			p.narrow = column(p.narrow, rows, j, p.n)
			_, err = c.WriteBatch(p.narrow, nil, nil)
		}
		if err != nil {
			return err
		}
		if err := c.Close(); err != nil {
			return err
		}
	}
	return group.Close()
}

func (p *parquetWriter) Close() (err error) {
	defer guard(&err)
	return p.w.Close()
}

type arrowWriter struct {
	w      *ipc.FileWriter
	schema *arrow.Schema
	single bool
}

func newArrowWriter(w io.Writer, format string, names []string, single bool) (*arrowWriter, error) {
	of := arrow.DataType(arrow.PrimitiveTypes.Float64)
	if single {
		of = arrow.PrimitiveTypes.Float32
	}
	fields := make([]arrow.Field, len(names))
	for j, name := range names {
		fields[j] = arrow.Field{Name: name, Type: of}
	}
	s := arrow.NewSchema(fields, nil)
	options := []ipc.Option{ipc.WithSchema(s), ipc.WithAllocator(memory.DefaultAllocator)}
	if format == "feather" {
		options = append(options, ipc.WithLZ4())
	}
	f, err := ipc.NewFileWriter(w, options...)
	return &arrowWriter{f, s, single}, err
}

func (a *arrowWriter) Write(rows []float64) (err error) {
	defer guard(&err)
	n := a.schema.NumFields()
	columns := make([]arrow.Array, n)
	for j := range n {
		if a.single {
			b := array.NewFloat32Builder(memory.DefaultAllocator)
			b.AppendValues(column(make([]float32, 0, len(rows)/n), rows, j, n), nil)
			columns[j] = b.NewArray()
		} else {
			b := array.NewFloat64Builder(memory.DefaultAllocator)
			b.AppendValues(column(make([]float64, 0, len(rows)/n), rows, j, n), nil)
			columns[j] = b.NewArray()
		}
	}
	batch := array.NewRecordBatch(a.schema, columns, int64(len(rows)/n))
	defer batch.Release()
	return a.w.Write(batch)
}

func (a *arrowWriter) Close() (err error) {
	defer guard(&err)
	return a.w.Close()
}
