//go:build !js && !slim

package columnar

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	flatbuffers "github.com/google/flatbuffers/go"
)

// arrowFile is an open file of Arrow's interprocess format, which Feather is too.
type arrowFile struct {
	near
	columns []Column
	leaves  []leaf // of the columns
	parts   []int

	mu     sync.Mutex
	reader *ipc.FileReader
	part   int // that batch is; -1: none
	batch  arrow.RecordBatch
}

// leaf says where in a record batch a column is: the numbers of fields, from the
// outermost record in.
type leaf []int

// openArrow reads the footer of a file and how many rows each record batch has.
func openArrow(r io.ReaderAt, size int64) (f File, err error) {
	defer guard(&err)
	a := &arrowFile{part: -1}
	if a.parts, err = batchRows(r, size); err != nil {
		return nil, damaged(err)
	}
	reader, err := ipc.NewFileReader(io.NewSectionReader(r, 0, size), ipc.WithAllocator(newLimited(size)))
	if err != nil {
		return nil, damaged(err)
	}
	a.reader = reader
	if len(a.parts) != reader.NumRecords() {
		return nil, fmt.Errorf("the file is damaged (%d record batches of %d)", len(a.parts), reader.NumRecords())
	}
	for i, field := range reader.Schema().Fields() {
		if err := a.add(field.Name, leaf{i}, field.Type); err != nil {
			return nil, err
		}
	}
	return a, nil
}

func (a *arrowFile) Columns() []Column { return a.columns }
func (a *arrowFile) Parts() []int      { return a.parts }

// add appends a field: a column, those of a record, or a column of lists.
func (a *arrowFile) add(name string, path leaf, t arrow.DataType) error {
	c := Column{Name: name}
	switch t := storage(t).(type) {
	case *arrow.StructType:
		for i, field := range t.Fields() {
			if err := a.add(name+"."+field.Name, append(path[:len(path):len(path)], i), field.Type); err != nil {
				return err
			}
		}
		return nil
	case *arrow.MapType:
		c.Type = "map"
	case *arrow.FixedSizeListType:
		c.Type = "list of " + typeName(t.Elem())
		if isNumber(t.Elem()) {
			c.List, c.Width = true, int(t.Len())
		}
	case *arrow.ListType, *arrow.LargeListType, *arrow.ListViewType, *arrow.LargeListViewType:
		elem := t.(arrow.ListLikeType).Elem()
		c.Type = "list of " + typeName(elem)
		if c.List = isNumber(elem); c.List {
			var err error
			if c.Width, err = a.length(path); err != nil {
				return err
			}
		}
	default:
		c.Type, c.Text = typeName(t), isText(t)
		if isNumber(t) {
			c.Width = 1
		}
	}
	a.columns, a.leaves = append(a.columns, c), append(a.leaves, path)
	return nil
}

// storage looks through extension types.
func storage(t arrow.DataType) arrow.DataType {
	for {
		e, ok := t.(arrow.ExtensionType)
		if !ok {
			return t
		}
		t = e.StorageType()
	}
}

// typeName names a type in messages.
func typeName(t arrow.DataType) string {
	t = storage(t)
	if d, ok := t.(*arrow.DictionaryType); ok {
		return typeName(d.ValueType)
	}
	switch t.ID() {
	case arrow.STRING, arrow.LARGE_STRING, arrow.STRING_VIEW:
		return "text"
	case arrow.TIMESTAMP, arrow.TIME32, arrow.TIME64:
		return "time"
	case arrow.DATE32, arrow.DATE64:
		return "date"
	case arrow.FLOAT16:
		return "float16"
	case arrow.FLOAT32:
		return "float32"
	case arrow.FLOAT64:
		return "float64"
	}
	return strings.ToLower(t.Name())
}

func isNumber(t arrow.DataType) bool {
	t = storage(t)
	if d, ok := t.(*arrow.DictionaryType); ok {
		t = storage(d.ValueType)
	}
	id := t.ID()
	if arrow.IsDecimal(id) {
		scale := decimalScale(t)
		return -mostScale <= scale && scale <= mostScale
	}
	return id == arrow.BOOL || arrow.IsInteger(id) || arrow.IsFloating(id)
}

// isText tells what has a text for each value: neither lists nor records.
func isText(t arrow.DataType) bool {
	if d, ok := t.(*arrow.DictionaryType); ok {
		return isText(storage(d.ValueType))
	}
	return !arrow.IsNested(t.ID())
}

// length returns the length of the first list of a column that is not empty, 0 for none.
func (a *arrowFile) length(path leaf) (int, error) {
	for part := range a.parts {
		batch, err := a.load(part)
		if err != nil {
			return 0, err
		}
		c := newArrowCursor(batch, path, 0)
		for i := range c.rows {
			if from, to := c.lists.ValueOffsets(i); to > from && c.valid(i) {
				return int(min(to-from, math.MaxInt)), nil
			}
		}
	}
	return 0, nil
}

// load returns a record batch; the one of the last call is kept.
func (a *arrowFile) load(part int) (arrow.RecordBatch, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.part != part {
		batch, err := a.reader.RecordBatchAt(part)
		if err != nil {
			return nil, damaged(err)
		}
		if int(batch.NumRows()) != a.parts[part] {
			return nil, fmt.Errorf("the file is damaged (record batch %d has %d rows, want %d)", part+1, batch.NumRows(), a.parts[part])
		}
		a.part, a.batch = part, batch
	}
	return a.batch, nil
}

// batchRows reads how many rows each record batch has, without reading the
// batches: the library reports it only for batches that were read. It checks
// the lengths of vectors on the way.
func batchRows(r io.ReaderAt, size int64) ([]int, error) {
	const magic = 6
	tail := make([]byte, 4+magic)
	if _, err := r.ReadAt(tail, size-int64(len(tail))); err != nil {
		return nil, err
	}
	length := int64(binary.LittleEndian.Uint32(tail))
	if length > size-int64(len(tail)) {
		return nil, io.ErrUnexpectedEOF
	}
	footer := make([]byte, length)
	if _, err := r.ReadAt(footer, size-int64(len(tail))-length); err != nil {
		return nil, err
	}
	t := table(footer)
	if err := verifyFooter(t); err != nil {
		return nil, err
	}
	n, _ := vector(t, footerBatches, blockSize)
	if n == 0 {
		return nil, nil
	}
	blocks := t.Vector(flatbuffers.UOffsetT(t.Offset(footerBatches)))
	parts := make([]int, n)
	for i := range parts {
		block := blocks + flatbuffers.UOffsetT(i*blockSize)
		rows, err := messageRows(r, size, t.GetInt64(block), t.GetInt32(block+8), t.GetInt64(block+16))
		if err != nil {
			return nil, err
		}
		parts[i] = rows
	}
	return parts, nil
}

// messageRows reads the number of rows in the head of a record batch, and checks
// the lengths of its vectors.
func messageRows(r io.ReaderAt, size, offset int64, length int32, body int64) (int, error) {
	if offset < 0 || length < 8 || body < 0 || offset > size-int64(length) || body > size-int64(length)-offset {
		return 0, io.ErrUnexpectedEOF
	}
	head := make([]byte, length)
	if _, err := r.ReadAt(head, offset); err != nil {
		return 0, err
	}
	if binary.LittleEndian.Uint32(head) == 0xffffffff { // since version 0.15
		head = head[4:]
	}
	message := table(head[4:])
	batch, ok := inner(message, messageHeader)
	if !ok {
		return 0, fmt.Errorf("a message without a header")
	}
	for _, v := range []struct {
		table       flatbuffers.Table
		field, size int
	}{{message, messageMetadata, 4}, {batch, batchNodes, 16}, {batch, batchBuffers, 16}, {batch, batchCounts, 8}} {
		if _, err := vector(v.table, v.field, v.size); err != nil {
			return 0, err
		}
	}
	rows := batch.GetInt64Slot(batchRowCount, 0)
	if rows < 0 || int64(int(rows)) != rows {
		return 0, fmt.Errorf("a record batch of %d rows", rows)
	}
	return int(rows), nil
}

// table returns the root of a flat buffer.
func table(b []byte) flatbuffers.Table {
	return flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}
}
