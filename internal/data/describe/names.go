package describe

import (
	"context"

	"symmom/internal/data/load"
	"symmom/internal/text/diag"
)

// Names returns the names of the columns as File gives them. Of a text table it reads the first lines
// only, of a columnar file and an array what precedes the values; other formats are read whole.
func Names(ctx context.Context, path string, o load.Options) ([]string, error) {
	if once(path) {
		return nil, errOnce(path)
	}
	c, err := load.OpenContents(ctx, path, o)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	var names []string
	switch {
	case c.Text != nil:
		names = textNames(c.Text)
	case c.Columnar != nil:
		for k, column := range c.Columnar.Columns() {
			names = append(names, named(diag.Name(column.Name), k))
		}
	case c.Array != nil:
		for j := range c.Array.Columns {
			names = append(names, named("", j))
		}
	default:
		t, err := File(ctx, path, o)
		if err != nil {
			return nil, err
		}
		for _, column := range t.Columns {
			names = append(names, column.Name)
		}
	}
	return names, nil
}

func textNames(text *load.TextTable) []string {
	names := make([]string, text.Fields)
	for j := range names {
		if text.Names != nil {
			names[j] = diag.Name(text.Names[j])
		}
		names[j] = named(names[j], j)
	}
	return names
}
