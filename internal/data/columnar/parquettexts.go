//go:build !js && !slim

package columnar

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"time"

	"symmom/internal/data/npy"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// parquetTexts reads a column as text.
type parquetTexts struct {
	*parquetCursor
	text    func(to []byte, i int) []byte // value i of those read
	scratch []byte
}

func (p *parquetFile) texts(part, column, lo int) (texts, error) {
	c, err := p.cursor(part, column, lo)
	if err != nil {
		return nil, err
	}
	t := &parquetTexts{parquetCursor: c.(*parquetCursor)}
	t.readsText()
	return t, nil
}

func (t *parquetTexts) next() ([]byte, bool, error) {
	c := t.parquetCursor
	if c.at == c.entries {
		if err := c.more(); err == io.EOF {
			return nil, false, c.fails(io.ErrUnexpectedEOF)
		} else if err != nil {
			return nil, false, err
		}
	}
	most := c.leaf.MaxDefinitionLevel()
	there := most == 0 || c.def[c.at] == most
	c.at++
	c.row++
	if !there {
		return nil, false, nil
	}
	t.scratch = t.text(t.scratch[:0], c.value)
	c.value++
	return t.scratch, true, nil
}

// texted reads by r and writes values as text.
func texted[T any](t *parquetTexts, r batches[T], write func(to []byte, v T) []byte) {
	buffer := make([]T, len(t.def))
	n := 0
	t.read = func(many int64, def, rep []int16) (entries int64, err error) {
		entries, n, err = r.ReadBatchInPage(many, buffer, def, rep)
		return entries, err
	}
	t.text = func(to []byte, i int) []byte { return write(to, buffer[:n][i]) }
}

// readsText sets what reads the values of the column.
func (t *parquetTexts) readsText() {
	kind := t.column.Type
	unsigned := strings.HasPrefix(kind, "uint")
	moment, layout := momentOf(t.leaf)
	decimal := func(to []byte, x *big.Int) []byte {
		return append(to, new(big.Rat).SetFrac(x, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(0, scaleOf(t.leaf)))), nil)).FloatString(max(0, scaleOf(t.leaf)))...)
	}
	if scale := scaleOf(t.leaf); kind == "decimal" && (scale < 0 || scale > mostScale) {
		kind = "bytes"
	}
	whole := func(to []byte, v int64) []byte {
		switch {
		case moment != nil:
			return appendTime(to, moment(v), layout)
		case kind == "decimal":
			return decimal(to, big.NewInt(v))
		}
		return strconv.AppendInt(to, v, 10)
	}
	raw := func(to, v []byte) []byte {
		switch {
		case kind == "decimal":
			return decimal(to, signed(v))
		case kind == "text":
			return append(to, v...)
		}
		return hex.AppendEncode(to, v)
	}
	switch r := t.reader.(type) {
	case *file.Float64ColumnChunkReader:
		texted(t, r, func(to []byte, v float64) []byte { return appendFloat(to, v, 64) })
	case *file.Float32ColumnChunkReader:
		texted(t, r, func(to []byte, v float32) []byte { return appendFloat(to, float64(v), 32) })
	case *file.BooleanColumnChunkReader:
		texted(t, r, func(to []byte, v bool) []byte { return strconv.AppendBool(to, v) })
	case *file.Int32ColumnChunkReader:
		texted(t, r, func(to []byte, v int32) []byte {
			if unsigned {
				return strconv.AppendUint(to, uint64(uint32(v)), 10)
			}
			return whole(to, int64(v))
		})
	case *file.Int64ColumnChunkReader:
		texted(t, r, func(to []byte, v int64) []byte {
			if unsigned {
				return strconv.AppendUint(to, uint64(v), 10)
			}
			return whole(to, v)
		})
	case *file.Int96ColumnChunkReader:
		texted(t, r, func(to []byte, v parquet.Int96) []byte { return appendTime(to, v.ToTime(), TimeLayout) })
	case *file.ByteArrayColumnChunkReader:
		texted(t, r, func(to []byte, v parquet.ByteArray) []byte { return raw(to, v) })
	case *file.FixedLenByteArrayColumnChunkReader:
		texted(t, r, func(to []byte, v parquet.FixedLenByteArray) []byte {
			if kind == "float16" {
				return appendFloat(to, npy.Half(binary.LittleEndian.Uint16(v)), 32)
			}
			return raw(to, v)
		})
	default:
		t.read = func(int64, []int16, []int16) (int64, error) {
			return 0, fmt.Errorf("a column of %s", t.leaf.PhysicalType())
		}
	}
}

// momentOf returns the times encoded by the integers of a column, and their
// layout; nil for other columns.
func momentOf(leaf *schema.Column) (func(v int64) time.Time, string) {
	of := func(unit schema.TimeUnitType) func(v int64) time.Time {
		switch unit {
		case schema.TimeUnitMillis:
			return time.UnixMilli
		case schema.TimeUnitMicros:
			return time.UnixMicro
		}
		return func(v int64) time.Time { return time.Unix(0, v) }
	}
	switch t := leaf.LogicalType().(type) {
	case schema.DateLogicalType, *schema.DateLogicalType:
		return func(v int64) time.Time { return time.Unix(v*24*60*60, 0) }, DateLayout
	case schema.TimestampLogicalType:
		return of(t.TimeUnit()), TimeLayout
	case *schema.TimestampLogicalType:
		return of(t.TimeUnit()), TimeLayout
	case schema.TimeLogicalType:
		return of(t.TimeUnit()), ClockLayout
	case *schema.TimeLogicalType:
		return of(t.TimeUnit()), ClockLayout
	}
	return nil, ""
}
