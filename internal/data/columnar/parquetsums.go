//go:build !js && !slim

package columnar

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"sync"

	"github.com/apache/arrow-go/v18/parquet/metadata"
)

// chunkBytes returns where the pages of a column in a row group are.
func chunkBytes(chunk *metadata.ColumnChunkMetaData) (off, size int64) {
	off, size = chunk.DataPageOffset(), chunk.TotalCompressedSize()
	if at := chunk.DictionaryPageOffset(); chunk.HasDictionaryPage() && at > 0 {
		off = min(off, at)
	}
	return off, size
}

// checkSums compares the pages of a column in a row group with their checksums, once. Spark
// writes some, and the library does not look at them. A file that comes over a network is
// protected on its way, and would be read twice.
func (p *parquetFile) checkSums(part, index int) error {
	if p.far() {
		return nil
	}
	p.mu.Lock()
	if p.sums == nil {
		p.sums = map[[2]int]func() error{}
	}
	check := p.sums[[2]int{part, index}]
	if check == nil {
		check = sync.OnceValue(func() error {
			chunk, err := p.groups[part].MetaData().ColumnChunk(index)
			if err != nil {
				return nil // its reader says what is wrong
			}
			off, size := chunkBytes(chunk)
			return checkPages(bufio.NewReader(io.NewSectionReader(p.source, off, size)))
		})
		p.sums[[2]int{part, index}] = check
	}
	p.mu.Unlock()
	return check()
}

// checkPages reads pages as far as they are what they should be: the library says what is
// wrong with others. If the first has no checksum, no more is read.
func checkPages(r *bufio.Reader) error {
	for k := 1; ; k++ {
		size, sum, summed, err := pageHeader(r)
		if err != nil || !summed && k == 1 {
			return nil
		}
		of := crc32.NewIEEE()
		if _, err := io.CopyN(of, r, size); err != nil {
			return nil
		}
		if summed && of.Sum32() != sum {
			return fmt.Errorf("page %d has another checksum than is written there", k)
		}
	}
}

// Types of fields in Thrift's compact protocol.
const (
	thriftTrue, thriftFalse, thriftByte   = 1, 2, 3
	thriftInt16, thriftInt32, thriftInt64 = 4, 5, 6
	thriftDouble, thriftBinary            = 7, 8
	thriftStruct                          = 12
)

// pageHeader reads the header of a page, and returns how many bytes follow and their sum, if
// it has one.
func pageHeader(r *bufio.Reader) (size int64, sum uint32, summed bool, err error) {
	const sizeField, sumField = 3, 4
	for last := 0; ; {
		kind, id, err := thriftField(r, last)
		if err != nil || kind == 0 {
			return size, sum, summed, err
		}
		if last = id; kind != thriftInt32 || id != sizeField && id != sumField {
			if err := thriftSkip(r, kind, 0); err != nil {
				return 0, 0, false, err
			}
			continue
		}
		v, err := binary.ReadVarint(r)
		switch {
		case err != nil || id == sizeField && v < 0:
			return 0, 0, false, errors.Join(err, errThrift)
		case id == sizeField:
			size = v
		default:
			sum, summed = uint32(v), true
		}
	}
}

var errThrift = errors.New("no header of a page")

// thriftField reads the type and the number of a field of a struct, whose last one is known;
// the type is 0 at the end of the struct.
func thriftField(r *bufio.Reader, last int) (kind byte, id int, err error) {
	b, err := r.ReadByte()
	if err != nil || b == 0 {
		return 0, 0, err
	}
	if step := int(b >> 4); step > 0 {
		return b & 15, last + step, nil
	}
	v, err := binary.ReadVarint(r)
	return b & 15, int(v), err
}

// thriftSkip passes over a value of a type that headers of pages have.
func thriftSkip(r *bufio.Reader, kind byte, depth int) (err error) {
	const deepest = 8
	skipped := uint64(0)
	switch kind {
	case thriftTrue, thriftFalse:
	case thriftByte:
		skipped = 1
	case thriftInt16, thriftInt32, thriftInt64:
		_, err = binary.ReadUvarint(r)
	case thriftDouble:
		skipped = 8
	case thriftBinary:
		skipped, err = binary.ReadUvarint(r)
	case thriftStruct:
		for last := 0; ; {
			kind, id, err := thriftField(r, last)
			if err != nil || kind == 0 {
				return err
			}
			if depth == deepest {
				return errThrift
			}
			if err := thriftSkip(r, kind, depth+1); err != nil {
				return err
			}
			last = id
		}
	default:
		return errThrift
	}
	if err == nil && skipped > math.MaxInt32 {
		return errThrift
	}
	if err == nil {
		_, err = r.Discard(int(skipped))
	}
	return err
}
