//go:build !js && !slim

package columnar

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// parquetFile is an open Parquet file.
type parquetFile struct {
	reader  *file.Reader
	groups  []*file.RowGroupReader // kept: each, once made, looks at all its columns for an index of pages
	columns []Column
	leaves  []*schema.Column // of the columns; nil where they have neither numbers nor text
	indexes []int            // of the leaves
	parts   []int
	source  io.ReaderAt
	ahead   *ahead // nil: the file is on this machine

	durations map[string]bool // columns whose integers are these

	mu   sync.Mutex
	left map[int]*parquetCursor  // of columns of lists, where somebody stopped reading
	sums map[[2]int]func() error // what checkSums found, by row group and column
}

// openParquet reads the footer of a file, and the first rows of columns of lists,
// which show how long the lists are.
func openParquet(r io.ReaderAt, size int64) (f File, err error) {
	defer guard(&err)
	properties := parquet.NewReaderProperties(newLimited(size))
	properties.BufferedStreamEnabled = true // page after page, not a row group at once
	p := &parquetFile{source: r}
	if remote, ok := r.(interface{ BlockSize() int }); ok {
		properties.BufferSize = int64(remote.BlockSize())
		p.ahead = &ahead{ReaderAt: r, size: size}
		r = p.ahead
	}
	reader, err := file.NewParquetReader(io.NewSectionReader(r, 0, size), file.WithReadProps(properties))
	if err != nil {
		return nil, damaged(err)
	}
	p.reader = reader
	for g := range reader.NumRowGroups() {
		group := reader.RowGroup(g)
		p.groups = append(p.groups, group)
		rows := group.NumRows()
		if rows < 0 {
			return nil, fmt.Errorf("the file is damaged (a row group of %d rows)", rows)
		}
		p.parts = append(p.parts, int(rows))
	}
	if p.durations, err = durations(reader.MetaData().KeyValueMetadata()); err != nil {
		return nil, err
	}
	// The library takes a record without fields for a column, and those behind it for others.
	if schema := reader.MetaData().Schema; len(p.parts) > 0 && p.groups[0].NumColumns() != schema.NumColumns() {
		return nil, fmt.Errorf("a record has no fields, or the file is damaged (%d columns of data, %d in the schema)", p.groups[0].NumColumns(), schema.NumColumns())
	}
	root := reader.MetaData().Schema.Root()
	for i := range root.NumFields() {
		if err := p.add(root.Field(i)); err != nil {
			return nil, err
		}
	}
	return p, p.check()
}

func (p *parquetFile) Columns() []Column { return p.columns }
func (p *parquetFile) Parts() []int      { return p.parts }

// add appends a field: a column, those of a record, or a column of lists.
func (p *parquetFile) add(node schema.Node) error {
	c := Column{Name: strings.Join(parquet.ColumnPathFromString(node.Path()), ".")}
	group, isGroup := node.(*schema.GroupNode)
	repeated := node.RepetitionType() == parquet.Repetitions.Repeated
	switch {
	case !isGroup && !repeated:
		var numbers bool
		leaf, index := p.leaf(node)
		if c.Type, numbers = p.kind(c, leaf); numbers {
			c.Width = 1
		}
		c.Text = true
		return p.append(c, leaf, index)
	case !isGroup:
		return p.list(c, node)
	case node.LogicalType().Equals(schema.NewListLogicalType()):
		inner := schema.Node(group)
		for {
			outer, ok := inner.(*schema.GroupNode)
			if !ok || outer.NumFields() != 1 {
				break
			}
			inner = outer.Field(0)
		}
		if _, ok := inner.(*schema.PrimitiveNode); ok {
			if leaf, _ := p.leaf(inner); leaf.MaxRepetitionLevel() == 1 {
				return p.list(c, inner)
			}
		}
		c.Type = "list of records or lists"
		return p.append(c, nil, 0)
	case repeated:
		c.Type = "list of records"
		return p.append(c, nil, 0)
	case node.LogicalType().Equals(schema.MapLogicalType{}), node.ConvertedType() == schema.ConvertedTypes.MapKeyValue:
		c.Type = "map"
		return p.append(c, nil, 0)
	}
	for i := range group.NumFields() {
		if err := p.add(group.Field(i)); err != nil {
			return err
		}
	}
	return nil
}

func (p *parquetFile) append(c Column, leaf *schema.Column, index int) error {
	p.columns, p.leaves, p.indexes = append(p.columns, c), append(p.leaves, leaf), append(p.indexes, index)
	return nil
}

func (p *parquetFile) leaf(node schema.Node) (*schema.Column, int) {
	s := p.reader.MetaData().Schema
	i := s.ColumnIndexByNode(node)
	return s.Column(i), i
}

// kind is parquetType of a column or of the elements of its lists.
func (p *parquetFile) kind(c Column, leaf *schema.Column) (what string, numbers bool) {
	if p.durations[c.Name] {
		return "duration", false
	}
	return parquetType(leaf)
}

// list appends a column of lists: the first that is not empty says how long they
// are.
func (p *parquetFile) list(c Column, node schema.Node) error {
	leaf, index := p.leaf(node)
	what, numbers := p.kind(c, leaf)
	c.Type = "list of " + what
	if !numbers {
		return p.append(c, nil, 0)
	}
	c.List = true
	for part := range p.parts {
		reader, err := p.open(c, leaf, index, part)
		if err != nil {
			return err
		}
		c.Width, err = reader.firstList()
		if reader.close(); err != nil {
			return err
		}
		if c.Width > 0 {
			break
		}
	}
	return p.append(c, leaf, index)
}

// check compares what the footer says of columns with one value a row.
func (p *parquetFile) check() error {
	for g, rows := range p.parts {
		for k, leaf := range p.leaves {
			if leaf == nil || leaf.MaxRepetitionLevel() > 0 || p.columns[k].Width == 0 {
				continue
			}
			chunk, err := p.groups[g].MetaData().ColumnChunk(p.indexes[k])
			if err != nil && strings.Contains(err.Error(), "decrypt") || err == nil && chunk.CryptoMetadata() != nil {
				p.columns[k], p.leaves[k] = Column{Name: p.columns[k].Name, Type: "encrypted"}, nil
				continue
			}
			if err != nil {
				return &Error{Column: p.columns[k].Name, Text: damaged(err).Error(), Cause: err}
			}
			if n := chunk.NumValues(); n != int64(rows) {
				return &Error{Column: p.columns[k].Name, Text: fmt.Sprintf("the file is damaged (%d values for %d rows of row group %d)", n, rows, g+1)}
			}
		}
	}
	return nil
}

// parquetType describes the values of a column, and reports whether they are
// numbers.
func parquetType(leaf *schema.Column) (what string, numbers bool) {
	switch t := leaf.LogicalType().(type) {
	case schema.IntLogicalType:
		return integer(t), true
	case *schema.IntLogicalType:
		return integer(*t), true
	case schema.DecimalLogicalType, *schema.DecimalLogicalType:
		scale := scaleOf(leaf)
		return "decimal", -mostScale <= scale && scale <= mostScale
	case schema.Float16LogicalType:
		return "float16", true
	case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
		return "text", false
	case schema.DateLogicalType:
		return "date", false
	case schema.TimeLogicalType, schema.TimestampLogicalType, *schema.TimeLogicalType, *schema.TimestampLogicalType:
		return "time", false
	case schema.NoLogicalType, schema.UnknownLogicalType, nil:
	default:
		what, _, _ = strings.Cut(t.String(), "(") // a geometry goes on with what its coordinates mean
		return strings.ToLower(what), false
	}
	switch leaf.PhysicalType() {
	case parquet.Types.Boolean:
		return "bool", true
	case parquet.Types.Int32:
		return "int32", true
	case parquet.Types.Int64:
		return "int64", true
	case parquet.Types.Float:
		return "float32", true
	case parquet.Types.Double:
		return "float64", true
	case parquet.Types.Int96:
		return "time", false
	}
	return "bytes", false
}

func integer(t schema.IntLogicalType) string {
	if t.IsSigned() {
		return fmt.Sprintf("int%d", t.BitWidth())
	}
	return fmt.Sprintf("uint%d", t.BitWidth())
}
