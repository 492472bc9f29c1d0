package spark

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// lines hands on the texts of a batch of one column, an Arrow IPC stream. What is not
// such a stream is an error.
func lines(data []byte, answer func(string) error) (err error) {
	defer func() { // arrow-go panics on some damaged streams
		if e := recover(); e != nil {
			err = fmt.Errorf("%w (%v)", errBatch, e)
		}
	}()
	r, err := ipc.NewReader(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("%w (%w)", errBatch, err)
	}
	defer r.Release()
	for r.Next() {
		batch := r.RecordBatch()
		if batch.NumCols() != 1 {
			return errBatch
		}
		var value func(int) string
		switch c := batch.Column(0).(type) {
		case *array.String:
			value = c.Value
		case *array.LargeString:
			value = c.Value
		default:
			return errBatch
		}
		for i := range int(batch.NumRows()) {
			if err := answer(value(i)); err != nil {
				return err
			}
		}
	}
	if r.Err() != nil {
		return fmt.Errorf("%w (%w)", errBatch, r.Err())
	}
	return nil
}

var errBatch = errors.New("the answer of Spark is not a column of text: check that the server is Spark 3.5 or later")
