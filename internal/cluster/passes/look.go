package passes

import (
	"context"
	"fmt"
	"io/fs"

	"symmom/internal/data/formats"
	"symmom/internal/store/files"
	"symmom/internal/text/diag"
)

// splitBytes is the least size, as numbers in memory, of the row groups that make one
// split: a process is started for each, and answers with sums of some megabytes. Only
// tests change it.
var splitBytes = 64 << 20

// mostSplits bounds how many splits row groups make: splits are larger then.
const mostSplits = 1024

// looked returns the splits of files: columnar ones are divided at their row groups.
// That takes a look at what the files say of themselves, no pass over the data. The
// splits depend on the files alone, so sums do not depend on the cluster.
func looked(ctx context.Context, e Engine, m *Message) ([]Split, error) {
	if f := formats.Of(files.Plain(m.Splits[0].Path)); f == nil || !f.Parts {
		return m.Splits, nil
	}
	ask := *m
	ask.Pass = kind(Look)
	var all []answer
	total := 0.
	err := collect(ctx, e, &ask, nil, nil, func(a answer, _ [][]float64) error {
		for _, rows := range a.Groups {
			total += 8 * float64(rows) * float64(a.Width)
		}
		all = append(all, a)
		return nil
	})
	if err != nil {
		return nil, err
	}
	least := max(float64(splitBytes), total/mostSplits)
	var splits []Split
	for i, split := range m.Splits {
		splits = append(splits, divided(split, all[i], least)...)
	}
	return splits, nil
}

// divided returns the splits of a file, of at least so many bytes except for the last.
func divided(file Split, a answer, least float64) (splits []Split) {
	from, rows := 0, 0
	for k, group := range a.Groups {
		rows += group
		if k < len(a.Groups)-1 && 8*float64(rows)*float64(a.Width) < least {
			continue
		}
		file.Groups = [2]int{from, k + 1}
		splits = append(splits, file)
		from, rows = k+1, 0
	}
	if len(splits) < 2 { // the whole file, or an empty one, of which the survey says so
		file.Groups = [2]int{}
		return []Split{file}
	}
	return splits
}

// look finds the row groups.
func (x *reading) look(a *answer) error {
	name := files.Name(x.split.Path)
	f, err := files.Open(x.ctx, x.split.Path)
	if err != nil {
		return diag.Open(name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return diag.Open(name, err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: is not a regular file (%w)", name, fs.ErrInvalid)
	}
	of := formats.Of(files.Plain(x.split.Path))
	c, err := of.Open(x.ctx, formats.NewInput(x.ctx, f, name, 0), f, formats.Choice{})
	if err != nil {
		return err
	}
	a.Groups = c.Columnar.Parts()
	for _, column := range c.Columnar.Columns() {
		a.Width += column.Width
	}
	return nil
}
