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

// damaged says that what a library refuses is not as it should be. Go's words for a panic
// tell of the library's slices, which say nothing to those who have the file: it reads
// where another part of the file told it to.
func damaged(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file is cut off (%w)", err)
	}
	if _, codec, is := strings.Cut(err.Error(), "compression for "); is {
		return fmt.Errorf("the file is compressed by %s, which symmom does not read; write it with zstd, snappy or gzip", strings.TrimSuffix(codec, " unimplemented"))
	}
	if by, _, panicked := strings.Cut(err.Error(), "runtime error: "); panicked {
		err = errors.New(by + "its parts contradict each other")
	}
	return fmt.Errorf("the file is damaged (%w)", err)
}
