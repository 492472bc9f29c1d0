// Package export writes tables of observations, and matrices, for other programs.
package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"

	"symmom/internal/data/columnar"
	"symmom/internal/data/npy"
	"symmom/internal/moment/block"
	"symmom/internal/store/files"
	"symmom/internal/system/memory"
	"symmom/internal/text/words"
)

// kind is how a format holds a table.
type kind int

const (
	lines  kind = iota // of text, which can be compressed, under names if there are any
	array              // without names
	fields             // columns with different names, in groups of rows
)

// format is one that tables are written in.
type format struct {
	name, also string // what names of files end in
	kind       kind
	delimiter  byte // of lines
}

var formats = []format{
	{"csv", "", lines, ','},
	{"tsv", "tab", lines, '\t'},
	{"npy", "", array, 0},
	{"parquet", "pq", fields, 0},
	{"arrow", "ipc", fields, 0},
	{"feather", "", fields, 0},
}

// Extensions are the supported file extensions.
func Extensions() (all []string) {
	for _, f := range formats {
		all = append(all, "."+f.name)
		if f.kind == lines {
			all = append(all, "."+f.name+".gz")
		}
	}
	return all
}

// Check returns an error if the name of a file asks for none of the formats.
func Check(path string) error {
	_, _, err := of(path)
	return err
}

// of returns the format that the name of a file asks for, and whether it is to be
// compressed.
func of(path string) (f format, zipped bool, err error) {
	name, zipped := strings.CutSuffix(strings.ToLower(files.Plain(path)), ".gz")
	ext := strings.TrimPrefix(filepath.Ext(name), ".")
	for _, f := range formats {
		if ext != "" && (ext == f.name || ext == f.also) && (f.kind == lines || !zipped) {
			return f, zipped, nil
		}
	}
	all := Extensions()
	return f, false, fmt.Errorf("the name says in which format to write; want one that ends in %s or %s", strings.Join(all[:len(all)-1], ", "), all[len(all)-1])
}

// Table is the table to write.
type Table struct {
	block.Source
	Names    []string // of the variables; nil: they have none
	Label    func(j int) string
	Weighted bool // the weights are written as a last column
	Single   bool // as float32, where the format has it
}

// The amount gathered for a row group or a record batch, and for other formats, which
// need no more and take seconds to compress as much.
const (
	groupBytes = 32 << 20
	otherBytes = 1 << 20
	// groupCopies is how often a group is in memory, as columns, as they are encoded and
	// compressed, and as what is no longer needed.
	groupCopies = 8
)

// rows takes whole rows.
type rows interface {
	Write(rows []float64) error
	Close() error
}

// Write writes the table to a file atomically. tell, unless
// nil, is called with the share of the observations that is written. Memory: up to
// 300 MB besides what a pass takes.
func Write(ctx context.Context, path string, t Table, tell func(share float64)) error {
	f, zipped, err := of(path)
	if err != nil {
		return err
	}
	names, err := t.names(f)
	if err != nil {
		return err
	}
	group := otherBytes
	if f.kind == fields {
		group = groupBytes
		p, _ := t.Shape()
		if err := memory.Check("writing "+f.name, groupCopies*math.Min(groupBytes, 8*float64(p)*float64(t.columns())), 0, "write NPY or CSV, which need less"); err != nil {
			return err
		}
	}
	return files.WriteFunc(ctx, path, func(file io.Writer) error {
		b := bufio.NewWriterSize(file, 1<<20)
		w := io.Writer(b)
		var z *gzip.Writer
		if zipped {
			z = gzip.NewWriter(b)
			w = z
		}
		to, err := t.writer(w, f, names)
		if err == nil {
			err = t.pass(ctx, to, group, tell)
		}
		if err == nil {
			err = to.Close()
		}
		if err == nil && z != nil {
			err = z.Close()
		}
		if err == nil {
			err = b.Flush()
		}
		return err
	})
}

// columns is how many there are to write.
func (t *Table) columns() int {
	_, n := t.Shape()
	if t.Weighted {
		n++
	}
	return n
}

// WeightName is the name of the column of weights.
const WeightName = "weights"

// names returns the names of the columns in the file; nil: none.
func (t *Table) names(f format) ([]string, error) {
	if f.kind == array || f.kind == lines && t.Names == nil && !t.Weighted {
		return nil, nil
	}
	_, n := t.Shape()
	names := make([]string, 0, n+1)
	for j := range n {
		if j < len(t.Names) && t.Names[j] != "" {
			names = append(names, t.Names[j])
		} else {
			names = append(names, t.Label(j))
		}
	}
	if t.Weighted {
		names = append(names, WeightName)
	}
	seen := make(map[string]int, len(names))
	for j, name := range names {
		switch first, ok := seen[name]; {
		case ok && t.Weighted && j == n:
			return nil, fmt.Errorf("column %d is called %s, as the last column, of the weights, would be; leave it out, or write NPY, which has no names", first+1, words.Quote(name))
		case ok && f.kind == fields:
			return nil, fmt.Errorf("columns %d and %d have the same name, %s, which other programs do not read in this format; choose one of them by number, or write CSV", first+1, j+1, words.Quote(name))
		}
		seen[name] = j
	}
	return names, nil
}

func (t *Table) writer(w io.Writer, f format, names []string) (rows, error) {
	switch f.kind {
	case lines:
		return newText(w, f.delimiter, names, t.columns())
	case array:
		p, _ := t.Shape()
		return npy.NewWriter(w, p, t.columns(), t.Single), nil
	}
	return columnar.NewWriter(w, f.name, names, t.Single)
}

// pass hands all rows over, in groups of so many bytes.
func (t *Table) pass(ctx context.Context, to rows, bytes int, tell func(float64)) error {
	p, n := t.Shape()
	width := t.columns()
	size := max(1, min(p, bytes/(8*width)))
	group := make([]float64, 0, size*width)
	done := 0
	flush := func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := to.Write(group)
		group = group[:0]
		if tell != nil {
			tell(float64(done) / float64(p))
		}
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var scratch []float64
	ok := t.Pass(ctx, func(b block.Block) {
		for l := 0; l < b.Rows && ctx.Err() == nil; l++ {
			group = append(group, b.Values(l, l+1, n, &scratch)...)
			if t.Weighted {
				w := t.Share()
				if b.Nu != nil {
					w *= b.Nu[l]
				}
				group = append(group, w)
			}
			if done++; len(group) == size*width {
				if err := flush(); err != nil {
					cancel(err)
				}
			}
		}
	})
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if !ok {
		return block.Stopped(ctx, t.Source)
	}
	if len(group) > 0 {
		return flush()
	}
	return nil
}
