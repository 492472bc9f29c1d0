//go:build !js && !slim

package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"symmom/internal/data/npy"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// mostEntries are read of a column at once: values, null or not.
const mostEntries = 8192

// parquetCursor reads a column of numbers, or of lists of them.
type parquetCursor struct {
	column Column
	leaf   *schema.Column
	reader file.ColumnChunkReader
	row    int // read, from the beginning of the file

	// read appends the next values that are not null to values.
	read     func(many int64, def, rep []int16) (entries int64, err error)
	def, rep []int16
	values   []float64
	entries  int
	at       int // in the entries
	value    int // in values

	leave  func() bool // keeps it for the rows after these; nil: nobody does
	failed bool
}

func (p *parquetFile) cursor(part, column, lo int) (cursor, error) {
	before := 0
	for _, rows := range p.parts[:part] {
		before += rows
	}
	lists := p.leaves[column].MaxRepetitionLevel() > 0
	if lists && lo > 0 {
		p.mu.Lock()
		c := p.left[column]
		delete(p.left, column)
		p.mu.Unlock()
		switch {
		case c != nil && c.row == before+lo:
			return c, nil
		case c != nil:
			_ = c.reader.Close()
		}
	}
	c, err := p.open(p.columns[column], p.leaves[column], p.indexes[column], part)
	if err != nil {
		return nil, err
	}
	c.row = before + lo
	switch {
	case lists:
		c.leave = func() bool { return p.leave(c, column, before+p.parts[part]) }
		err = c.skip(lo)
	case lo > 0:
		if err = c.reader.SeekToRow(int64(lo)); err != nil {
			err = c.fails(err)
		}
	}
	if err != nil {
		c.failed = true
		c.close()
		return nil, err
	}
	return c, nil
}

// leave keeps a cursor that has not come to the end, for who goes on from there, and reports
// whether it does.
func (p *parquetFile) leave(c *parquetCursor, column, end int) bool {
	if c.failed || c.row == end {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left == nil {
		p.left = map[int]*parquetCursor{}
	}
	p.left[column] = c
	return true
}

// skip passes over the lists of rows. The library's SeekToRow takes the values of pages of
// version 1 for rows, and a list that goes on in the next page for one that ends.
func (c *parquetCursor) skip(rows int) error {
	most, begun := c.leaf.MaxDefinitionLevel(), false
	for rows > 0 {
		if c.at == c.entries {
			if err := c.more(); err == io.EOF {
				return c.fails(io.ErrUnexpectedEOF)
			} else if err != nil {
				return err
			}
		}
		for ; c.at < c.entries; c.at++ {
			if c.rep[c.at] == 0 && begun {
				rows--
			}
			if rows == 0 {
				break
			}
			begun = true
			if c.def[c.at] == most {
				c.value++
			}
		}
	}
	return nil
}

func (p *parquetFile) open(column Column, leaf *schema.Column, index, part int) (*parquetCursor, error) {
	c := &parquetCursor{column: column, leaf: leaf}
	err := p.checkSums(part, index)
	if err == nil {
		c.reader, err = p.groups[part].Column(index)
	}
	if err != nil {
		return nil, c.fails(err)
	}
	many := mostEntries
	if leaf.MaxRepetitionLevel() == 0 { // of many small files, the buffers would be most of the work
		many = max(1, min(many, p.parts[part]))
	}
	c.def, c.rep = make([]int16, many), make([]int16, many)
	c.values = make([]float64, 0, many)
	c.read = c.reads()
	return c, nil
}

func (c *parquetCursor) close() {
	if c.leave == nil || !c.leave() {
		_ = c.reader.Close() // nothing was written
	}
}

func (c *parquetCursor) fails(err error) error {
	return &Error{Column: c.column.Name, Text: damaged(err).Error(), Cause: err}
}

// mostEmpty bounds how often a page without values is passed over.
const mostEmpty = 100

// more reads entries. Its error is io.EOF when there are none.
func (c *parquetCursor) more() error {
	c.values, c.at, c.value, c.entries = c.values[:0], 0, 0, 0
	for range mostEmpty {
		n, err := c.read(int64(len(c.def)), c.def, c.rep)
		if err == nil {
			err = c.reader.Err()
		}
		if err != nil {
			return c.fails(err)
		}
		if c.entries = int(n); n > 0 {
			return nil
		}
	}
	if c.reader.HasNext() {
		return c.fails(errors.New("a page has fewer values than it says"))
	}
	return io.EOF
}

// next fills to with rows.
func (c *parquetCursor) next(to []float64) error {
	if c.leaf.MaxRepetitionLevel() > 0 {
		err := c.lists(to)
		c.failed = err != nil
		return err
	}
	for len(to) > 0 {
		if c.at == c.entries {
			if err := c.more(); err == io.EOF {
				return c.fails(io.ErrUnexpectedEOF)
			} else if err != nil {
				return err
			}
		}
		n := min(len(to), c.entries-c.at)
		if most := c.leaf.MaxDefinitionLevel(); most == 0 || len(c.values) == c.entries { // none is null
			copy(to[:n], c.values[c.at:])
		} else {
			for i, level := range c.def[c.at : c.at+n] {
				if level < most {
					to[i] = missing
					continue
				}
				to[i] = c.values[c.value]
				c.value++
			}
		}
		to, c.at, c.row = to[n:], c.at+n, c.row+n
	}
	return nil
}

// present is the least definition level of an element of a list, which may be
// null; what is below is a list that is null or empty.
func (c *parquetCursor) present() int16 {
	level := c.leaf.MaxDefinitionLevel()
	if c.leaf.SchemaNode().RepetitionType() == parquet.Repetitions.Optional {
		level--
	}
	return level
}

// firstList returns the length of the first list that is not empty, 0 for none.
func (c *parquetCursor) firstList() (length int, err error) {
	for {
		if err := c.more(); err == io.EOF {
			return length, nil
		} else if err != nil {
			return 0, err
		}
		for i, rep := range c.rep[:c.entries] {
			if rep == 0 && length > 0 {
				return length, nil
			}
			if c.def[i] >= c.present() {
				length++
			}
		}
	}
}

// lists fills to with rows of lists, all of one length; one that is null or empty
// is a row of missing values.
func (c *parquetCursor) lists(to []float64) error {
	most, least, width := c.leaf.MaxDefinitionLevel(), c.present(), c.column.Width
	for ; len(to) > 0; to = to[width:] {
		c.row++
		length := 0
		for {
			if c.at == c.entries {
				err := c.more()
				if err == io.EOF {
					c.entries = 0
					if length == 0 {
						return c.fails(io.ErrUnexpectedEOF)
					}
					break
				}
				if err != nil {
					return err
				}
			}
			if c.rep[c.at] == 0 && length > 0 {
				break // the next row
			}
			if c.rep[c.at] > 0 && length == 0 {
				return c.fails(fmt.Errorf("row %d begins within a list", c.row))
			}
			level := c.def[c.at]
			c.at++
			if level < least {
				for length = range width {
					to[length] = missing
				}
				length++
				break
			}
			v := missing
			if level == most {
				v = c.values[c.value]
				c.value++
			}
			if length < width {
				to[length] = v
			}
			length++
		}
		if length != width {
			return c.column.uneven(c.row, length)
		}
	}
	return nil
}

// batches is a reader of one physical type. It reads page by page: over several it would go on
// for ever where one has fewer values than it says.
type batches[T any] interface {
	ReadBatchInPage(many int64, values []T, def, rep []int16) (entries int64, read int, err error)
}

// converted reads by r and converts.
func converted[T any](c *parquetCursor, r batches[T], number func(T) float64) func(int64, []int16, []int16) (int64, error) {
	buffer := make([]T, len(c.def))
	return func(many int64, def, rep []int16) (int64, error) {
		entries, n, err := r.ReadBatchInPage(many, buffer, def, rep)
		for _, v := range buffer[:n] {
			c.values = append(c.values, number(v))
		}
		return entries, err
	}
}

// reads returns what reads the values of the column as numbers.
func (c *parquetCursor) reads() func(int64, []int16, []int16) (int64, error) {
	kind := strings.TrimPrefix(c.column.Type, "list of ")
	unsigned := strings.HasPrefix(kind, "uint")
	decimal := decimals(scaleOf(c.leaf))
	switch r := c.reader.(type) {
	case *file.Float64ColumnChunkReader:
		return func(many int64, def, rep []int16) (int64, error) {
			entries, n, err := r.ReadBatchInPage(many, c.values[:many], def, rep)
			c.values = c.values[:n]
			return entries, err
		}
	case *file.Float32ColumnChunkReader:
		return converted(c, r, func(v float32) float64 { return float64(v) })
	case *file.BooleanColumnChunkReader:
		return converted(c, r, func(v bool) float64 {
			if v {
				return 1
			}
			return 0
		})
	case *file.Int32ColumnChunkReader:
		switch {
		case kind == "decimal":
			return converted(c, r, func(v int32) float64 { return decimal(big.NewInt(int64(v))) })
		case unsigned:
			return converted(c, r, func(v int32) float64 { return float64(uint32(v)) })
		}
		return converted(c, r, func(v int32) float64 { return float64(v) })
	case *file.Int64ColumnChunkReader:
		switch {
		case kind == "decimal":
			return converted(c, r, func(v int64) float64 { return decimal(big.NewInt(v)) })
		case unsigned:
			return converted(c, r, func(v int64) float64 { return float64(uint64(v)) })
		}
		return converted(c, r, func(v int64) float64 { return float64(v) })
	case *file.ByteArrayColumnChunkReader:
		return converted(c, r, func(v parquet.ByteArray) float64 { return decimal(signed(v)) })
	case *file.FixedLenByteArrayColumnChunkReader:
		if kind == "float16" {
			return converted(c, r, func(v parquet.FixedLenByteArray) float64 { return npy.Half(binary.LittleEndian.Uint16(v)) })
		}
		return converted(c, r, func(v parquet.FixedLenByteArray) float64 { return decimal(signed(v)) })
	}
	return func(int64, []int16, []int16) (int64, error) {
		return 0, fmt.Errorf("a column of %s", c.leaf.PhysicalType())
	}
}

// scaleOf returns the scale of a decimal, 0 for other types.
func scaleOf(leaf *schema.Column) int {
	switch t := leaf.LogicalType().(type) {
	case schema.DecimalLogicalType:
		return int(t.Scale())
	case *schema.DecimalLogicalType:
		return int(t.Scale())
	}
	return 0
}

// signed returns the number of big-endian bytes in two's complement.
func signed(b []byte) *big.Int {
	x := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return x
}

// mostScale is beyond every decimal that a float64 can distinguish from 0.
const mostScale = 400

// decimals returns x / 10^scale for any x, rounded once.
func decimals(scale int) func(x *big.Int) float64 {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil)
	if scale < 0 {
		return func(x *big.Int) float64 {
			f, _ := new(big.Float).SetInt(new(big.Int).Mul(power, x)).Float64()
			return f
		}
	}
	return func(x *big.Int) float64 {
		f, _ := new(big.Rat).SetFrac(x, power).Float64()
		return f
	}
}
