// Package export writes tables of observations, and matrices, for other programs.
package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"symmom/internal/data/formats"
	"symmom/internal/moment/block"
	"symmom/internal/store/files"
	"symmom/internal/system/memory"
	"symmom/internal/text/words"
)

// Extensions are the supported file extensions.
func Extensions() (all []string) {
	for _, f := range formats.All {
		if f.Write == nil {
			continue
		}
		for _, ext := range f.Write.Extensions {
			if all = append(all, "."+ext); f.Write.Zipped {
				all = append(all, "."+ext+".gz")
			}
		}
	}
	return all
}

// Check returns an error if the name of a file asks for none of the formats.
func Check(path string) error {
	_, _, _, err := of(path)
	return err
}

// of returns how to write the format that the name of a file asks for, its name, and whether it is to be compressed.
func of(path string) (f *formats.Writing, ext string, zipped bool, err error) {
	name, zipped := strings.CutSuffix(strings.ToLower(files.Plain(path)), ".gz")
	ext = strings.TrimPrefix(filepath.Ext(name), ".")
	if f = formats.Written(ext); f != nil && (f.Zipped || !zipped) {
		if !slices.Contains(f.Extensions, ext) {
			ext = f.Extensions[0]
		}
		return f, ext, zipped, nil
	}
	all := Extensions()
	return nil, "", false, fmt.Errorf("the name says in which format to write; want one that ends in %s or %s", strings.Join(all[:len(all)-1], ", "), all[len(all)-1])
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

// Write writes the table to a file atomically. tell, unless
// nil, is called with the share of the observations that is written. Memory: up to
// 300 MB besides what a pass takes.
func Write(ctx context.Context, path string, t Table, tell func(share float64)) error {
	f, ext, zipped, err := of(path)
	if err != nil {
		return err
	}
	names, err := t.names(f)
	if err != nil {
		return err
	}
	p, _ := t.Shape()
	group := otherBytes
	if f.Gathered {
		group = groupBytes
		if err := memory.Check("writing "+ext, groupCopies*math.Min(groupBytes, 8*float64(p)*float64(t.columns())), 0, "write NPY or CSV, which need less"); err != nil {
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
		to, err := f.New(w, ext, names, p, t.columns(), t.Single)
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
func (t *Table) names(f *formats.Writing) ([]string, error) {
	if f.Names == formats.NoNames || f.Names == formats.SomeNames && t.Names == nil && !t.Weighted {
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
		case ok && f.Names == formats.AllNames:
			return nil, fmt.Errorf("columns %d and %d have the same name, %s, which other programs do not read in this format; choose one of them by number, or write CSV", first+1, j+1, words.Quote(name))
		}
		seen[name] = j
	}
	return names, nil
}

// pass hands all rows over, in groups of so many bytes.
func (t *Table) pass(ctx context.Context, to formats.Rows, bytes int, tell func(float64)) error {
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
