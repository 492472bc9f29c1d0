// Package columnar reads columnar files, Parquet and Arrow, as rows of numbers.
package columnar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"

	"symmom/internal/text/words"
)

// Writer writes a table, some rows at a time. These become a part of the file, so
// they should be many.
type Writer interface {
	Write(rows []float64) error
	Close() error
}

// Column is a column of a file.
type Column struct {
	Name  string // of a field in a record: outer.inner
	Type  string // in words, for messages
	List  bool   // its values are lists of numbers, all of one length
	Width int    // numbers in a row: 1, or the length of the lists; 0: it has no numbers
	Text  bool   // Texts can read it
}

// File is an open file. Its parts, row groups or record batches, are read one by
// one; a File may be read by several goroutines.
type File interface {
	// Columns in the order of the file.
	Columns() []Column
	// Parts returns the number of rows of each part.
	Parts() []int
	// cursor prepares to read the rows of a column from row lo of a part on.
	cursor(part, column, lo int) (cursor, error)
	// texts prepares to read them as text.
	texts(part, column, lo int) (texts, error)
	// far reports whether each read waits for a network.
	far() bool
	// fetch reads all that columns of a part take, if they are far, in as few requests
	// as may be. It is kept until done is called.
	fetch(part int, columns []job) (done func(), err error)
}

// near is a file that is read when it is decoded.
type near struct{}

func (near) far() bool { return false }

func (near) fetch(int, []job) (done func(), err error) { return func() {}, nil }

// ErrLeftOut is the error for all files in a browser and in a slim build.
var ErrLeftOut = leftOut(runtime.GOOS)

func leftOut(system string) error {
	if system == "js" {
		return errors.New("in a browser symmom neither reads nor writes Parquet, Arrow and Feather; where it is installed, symmom convert IN OUT makes CSV or NPY of such a file")
	}
	return errors.New("this build has no Parquet, Arrow and Feather; build symmom without the tag slim")
}

// mostNumbers bounds the numbers in a row of a file, which a damaged one may say are billions.
const mostNumbers = 1 << 22

// Open reads what a file of a format, "parquet" or "arrow", says of itself.
func Open(format string, r io.ReaderAt, size int64) (f File, err error) {
	if format == "arrow" {
		f, err = openArrow(r, size)
	} else {
		f, err = openParquet(r, size)
	}
	if err != nil {
		return nil, err
	}
	numbers := 0
	for _, c := range f.Columns() {
		if c.Width > mostNumbers-numbers {
			return nil, &Error{Column: c.Name, Text: fmt.Sprintf("lists of %s numbers, more variables than there can be (%s)", words.Count(c.Width), words.Count(mostNumbers))}
		}
		numbers += c.Width
	}
	return f, nil
}

// cursor reads the rows of one column in order.
type cursor interface {
	// next fills to, a whole number of rows, with NaN where a value is missing.
	next(to []float64) error
	close()
}

// Error describes an error in a column.
type Error struct {
	Column string
	Row    int // counted from 1; 0: not one row
	Text   string
	Cause  error // or nil

	// Uneven: the column has lists of several lengths. Options that Text names, if any.
	Uneven  bool
	Options []string
}

// uneven is the error of a list that is not as long as the first.
func (c Column) uneven(row, length int) error {
	text := fmt.Sprintf("a list of %s, want %d, as the first row has; choose other columns", words.Plural(length, "number"), c.Width)
	return &Error{Column: c.Name, Row: row, Text: text, Uneven: true, Options: []string{"Columns"}}
}

// Help returns Options.
func (e *Error) Help() []string { return e.Options }

// Error names the place.
func (e *Error) Error() string {
	place := ""
	switch {
	case e.Column != "" && e.Row > 0:
		place = fmt.Sprintf("row %d, column %s: ", e.Row, e.Column)
	case e.Column != "":
		place = fmt.Sprintf("column %s: ", e.Column)
	}
	return place + e.Text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

const (
	columnsAtOnce = 8   // whose values fill a line of the cache
	rowsAtOnce    = 512 // of these, so that they stay in it
	farAtOnce     = 8   // requests to a network, which mostly wait
)

// Read writes rows lo to hi of a part to the rows of to, stride numbers apart.
// place has an entry for each number in a row of the file, all columns one after
// the other: where it goes in a row of to, or -1. Columns that go nowhere are not
// read. The columns are shared out to as many goroutines as there are processors, or
// more over a network.
func Read(ctx context.Context, f File, part, lo, hi int, place []int, to []float64, stride int) error {
	var jobs [][]job
	at := 0
	for k, c := range f.Columns() {
		wanted := false
		for _, p := range place[at : at+c.Width] {
			wanted = wanted || p >= 0
		}
		if wanted {
			// Wide columns are a job each.
			if n := len(jobs); n == 0 || len(jobs[n-1]) == columnsAtOnce || c.Width > 1 {
				jobs = append(jobs, nil)
			}
			jobs[len(jobs)-1] = append(jobs[len(jobs)-1], job{k, c.Width, place[at : at+c.Width]})
		}
		at += c.Width
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan []job)
	var workers sync.WaitGroup
	most := runtime.GOMAXPROCS(0)
	if f.far() {
		most = max(most, farAtOnce)
	}
	for range min(len(jobs), most) {
		workers.Go(func() {
			for columns := range queue {
				if err := readColumns(ctx, f, part, lo, hi, columns, to, stride); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, columns := range jobs {
		if ctx.Err() != nil {
			break
		}
		queue <- columns
	}
	close(queue)
	workers.Wait()
	return context.Cause(ctx)
}

// job is a column to read, and where its numbers go.
type job struct {
	column, width int
	place         []int
}

// readColumns reads a few columns side by side.
func readColumns(ctx context.Context, f File, part, lo, hi int, columns []job, to []float64, stride int) (err error) {
	defer guard(&err)
	if lo == 0 && hi == f.Parts()[part] { // else some of it is not for now
		done, err := f.fetch(part, columns)
		if err != nil {
			return err
		}
		defer done()
	}
	cursors := make([]cursor, 0, len(columns))
	defer func() {
		for _, c := range cursors {
			c.close()
		}
	}()
	width := 0
	for _, c := range columns {
		cursor, err := f.cursor(part, c.column, lo)
		if err != nil {
			return err
		}
		cursors = append(cursors, cursor)
		width += c.width
	}
	rows := max(1, rowsAtOnce/max(1, width/columnsAtOnce))
	buffer := make([]float64, rows*width)
	for ; lo < hi; lo += rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := min(rows, hi-lo)
		rest := buffer
		for i, c := range columns {
			if err := cursors[i].next(rest[:k*c.width]); err != nil {
				return err
			}
			rest = rest[k*c.width:]
		}
		rest = buffer
		for at := 0; at < len(columns); at++ {
			c := columns[at]
			if neighbours(columns[at:]) {
				weave(to[c.place[0]:], rest, k, stride)
				rest = rest[k*columnsAtOnce:]
				at += columnsAtOnce - 1
				continue
			}
			scatter(to, rest, c, k, stride)
			rest = rest[k*c.width:]
		}
		to = to[min(len(to), k*stride):]
	}
	return nil
}

// neighbours reports whether the first columnsAtOnce columns go to one place after the
// other.
func neighbours(columns []job) bool {
	if len(columns) < columnsAtOnce {
		return false
	}
	for i, c := range columns[:columnsAtOnce] {
		if c.width != 1 || c.place[0] != columns[0].place[0]+i {
			return false
		}
	}
	return true
}

// weave writes k rows of columnsAtOnce columns to the beginnings of the rows of to.
func weave(to, from []float64, k, stride int) {
	a, b, c, d := from[:k], from[k:2*k], from[2*k:3*k], from[3*k:4*k]
	e, f, g, h := from[4*k:5*k], from[5*k:6*k], from[6*k:7*k], from[7*k:8*k]
	for i := range k {
		row := (*[columnsAtOnce]float64)(to[i*stride:])
		row[0], row[1], row[2], row[3] = a[i], b[i], c[i], d[i]
		row[4], row[5], row[6], row[7] = e[i], f[i], g[i], h[i]
	}
}

// scatter writes k rows of a column to the rows of to.
func scatter(to, from []float64, c job, k, stride int) {
	if c.width == 1 {
		to := to[c.place[0]:]
		for i, v := range from[:k] {
			to[i*stride] = v
		}
		return
	}
	for i := range k {
		row := to[i*stride:]
		for e, p := range c.place {
			if p >= 0 {
				row[p] = from[i*c.width+e]
			}
		}
	}
}

var missing = math.NaN()
