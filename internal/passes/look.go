package passes

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"symmom/internal/columnar"
	"symmom/internal/faults"
	"symmom/internal/files"
	"symmom/internal/formats"
)

// splitBytes is the least size, as numbers in memory, of the row groups that make one
// split: a process is started for each, and answers with sums of some megabytes. Only
// tests change it.
var splitBytes = 64 << 20

// looked returns the splits of files: columnar ones are divided at their row groups.
// That takes a look at what the files say of themselves, no pass over the data.
func looked(ctx context.Context, e Engine, m *Message) ([]Split, error) {
	if !columnarFile(m.Splits[0].Path) {
		return m.Splits, nil
	}
	ask := *m
	ask.Pass = kind(Look)
	var splits []Split
	err := collect(ctx, e, &ask, nil, nil, func(a answer, _ [][]float64) error {
		split := m.Splits[a.Split]
		from, rows := 0, 0
		for k, group := range a.Groups {
			rows += group
			if 8*rows*a.Width < splitBytes && k < len(a.Groups)-1 {
				continue
			}
			split.Groups = [2]int{from, k + 1}
			splits = append(splits, split)
			from, rows = k+1, 0
		}
		if from == 0 {
			splits = append(splits, split) // for the survey to say that it is empty
		}
		if last := len(splits) - 1; splits[last].Groups == [2]int{0, len(a.Groups)} {
			splits[last].Groups = [2]int{} // the whole file
		}
		return nil
	})
	return splits, err
}

func columnarFile(path string) bool {
	return slices.Contains([]string{"parquet", "arrow"}, formats.Of(files.Plain(path)))
}

// look finds the row groups.
func (x *reading) look(a *answer) error {
	name := files.Name(x.split.Path)
	f, err := files.Open(x.ctx, x.split.Path)
	if err != nil {
		return faults.Open(name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return faults.Open(name, err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: is not a regular file (%w)", name, fs.ErrInvalid)
	}
	c, err := columnar.Open(formats.Of(files.Plain(x.split.Path)), f, info.Size())
	if err != nil {
		return fmt.Errorf("%s: %w; write or copy the file again", name, err)
	}
	a.Groups = c.Parts()
	for _, column := range c.Columns() {
		a.Width += column.Width
	}
	return nil
}
