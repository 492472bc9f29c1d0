package columnar

import (
	"context"
	"strconv"
	"time"
)

// texts reads the rows of one column in order, as text.
type texts interface {
	// next returns the text of a row, valid until the next call; false: it is null.
	next() (text []byte, ok bool, err error)
	close()
}

// Texts calls do with rows lo to hi of a part of a column (Column.Text) as text; ok is
// false where a value is null or NaN. Times are in UTC, as in layouts TimeLayout, DateLayout
// and ClockLayout.
func Texts(ctx context.Context, f File, part, column, lo, hi int, do func(text []byte, ok bool) error) (err error) {
	defer guard(&err)
	t, err := f.texts(part, column, lo)
	if err != nil {
		return err
	}
	defer t.close()
	number := f.Columns()[column].Width > 0
	for row := lo; row < hi; row++ {
		if (row-lo)%rowsAtOnce == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		text, ok, err := t.next()
		if err == nil {
			err = do(text, ok && !(number && string(text) == "NaN"))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Layouts of times as text.
const (
	TimeLayout  = "2006-01-02 15:04:05.999999999"
	DateLayout  = "2006-01-02"
	ClockLayout = "15:04:05.999999999"
)

func appendTime(to []byte, t time.Time, layout string) []byte {
	return t.UTC().AppendFormat(to, layout)
}

func appendFloat(to []byte, v float64, bits int) []byte {
	return strconv.AppendFloat(to, v, 'g', -1, bits)
}
