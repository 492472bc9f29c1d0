package columnar

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// guard makes an error of a panic of a library that trusts its input.
func guard(err *error) {
	switch p := recover().(type) {
	case nil:
	case error:
		*err = damaged(p)
	default:
		*err = damaged(fmt.Errorf("%v", p))
	}
}

// damaged returns the error for a file that a library refuses. The text of a panic is about
// the library's slices, whose bounds another part of the file gave, and means nothing to a
// user.
func damaged(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file is cut off (%w)", err)
	}
	switch text := err.Error(); {
	case strings.Contains(text, "decrypt"):
		return errors.New("the column is encrypted; write it without encryption")
	case strings.Contains(text, "invalid logical type"):
		return errors.New("a column has a type that symmom does not know, a new one perhaps, and must be left out")
	case strings.HasSuffix(text, "exceeds INT32 range"):
		return errors.New("numbers of 32 bits lie too far apart for their encoding, as DuckDB writes them for PARQUET_VERSION V2, which symmom does not read; write them with V1, or as numbers of 64 bits")
	}
	if _, codec, is := strings.Cut(err.Error(), "compression for "); is && codec[0] != '<' {
		return fmt.Errorf("the file is compressed by %s, which symmom does not read; write it with zstd, snappy or gzip", strings.TrimSuffix(codec, " unimplemented"))
	}
	if by, _, panicked := strings.Cut(err.Error(), "runtime error: "); panicked {
		err = errors.New(by + "its parts contradict each other")
	}
	return fmt.Errorf("the file is damaged (%w)", err)
}
