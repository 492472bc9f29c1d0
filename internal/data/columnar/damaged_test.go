package columnar

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/compress"
)

// A panic in a library is reported as an error about the file.
func TestDamaged(t *testing.T) {
	var slice []int
	var missing *Column
	at := 7
	for _, c := range []struct {
		f    func() error
		want string
	}{
		{func() error { return nil }, ""},
		{func() error { return fmt.Errorf("%d", slice[at]) }, "the file is damaged (its parts contradict each other)"},
		{func() error { return errors.New(missing.Name) }, "the file is damaged (its parts contradict each other)"},
		{func() error { panic("no such encoding") }, "the file is damaged (no such encoding)"},
		{func() error { panic(fmt.Errorf("page: %w", io.ErrUnexpectedEOF)) }, "the file is cut off (page: unexpected EOF)"},
		{func() error {
			_, err := compress.GetCodec(compress.Codecs.Lzo)
			return damaged(fmt.Errorf("parquet: unable to initialize page reader: %w", err))
		}, "the file is compressed by LZO, which symmom does not read; write it with zstd, snappy or gzip"},
		{func() error { return damaged(errors.New("compression for <UNSET> unimplemented")) }, "the file is damaged (compression for <UNSET> unimplemented)"},
		{func() error {
			return damaged(errors.New("arrow/ipc: reading: runtime error: slice bounds out of range [:9]"))
		},
			"the file is damaged (arrow/ipc: reading: its parts contradict each other)"},
	} {
		got := ""
		if err := func() (err error) {
			defer guard(&err)
			return c.f()
		}(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
