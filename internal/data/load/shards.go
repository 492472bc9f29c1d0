package load

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"symmom/internal/data/columns"
	"symmom/internal/data/formats"
	"symmom/internal/data/profile"
	"symmom/internal/data/shards"
	"symmom/internal/moment/block"
	tables "symmom/internal/store/files"
	"symmom/internal/text/diag"
	"symmom/internal/text/words"
)

// Shard is a file of a table that several files make up.
type Shard struct {
	Name string
	Rows int

	columns []int // where the variables are in this file; nil: as in the first one
	weight  int   // likewise the weights; 0: as in the first one
}

// column is where a column of the first file is in this one.
func (s Shard) column(first *table, column int) int {
	if column == first.weight && s.weight > 0 {
		return s.weight
	}
	for j, c := range s.columns {
		if (&Info{Columns: first.columns}).Column(j) == column {
			return c
		}
	}
	return column
}

// loadShards reads files that are one table.
func loadShards(ctx context.Context, name string, files []string, o Options) (*Set, error) {
	all, err := joinShards(ctx, name, files, o)
	if errors.Is(err, errMixed) { // some files are better stored without their zeros
		o.Sparse = false
		all, err = joinShards(ctx, name, files, o)
	}
	if err != nil {
		return nil, err
	}
	return all.set(ctx, o)
}

var errMixed = errors.New("some tables are sparse and some are not")

// joinShards reads several files side by side, and joins them in order.
func joinShards(ctx context.Context, name string, files []string, o Options) (*table, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type result struct {
		t   *table
		err error
	}
	results := make([]chan result, len(files))
	for i := range results {
		results[i] = make(chan result, 1)
	}
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	go func() {
		for i, file := range files {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				results[i] <- result{err: formats.Named(tables.Name(file)).ReadError(ctx.Err())}
				continue
			}
			go func() {
				t, err := loadTable(ctx, file, o)
				results[i] <- result{t, err}
			}()
		}
	}()
	if err := alone(name, files); err != nil {
		return nil, err
	}
	all := &table{source: name, notes: shards.Unread(files), budget: formats.Budget{Name: name, Limit: o.MemoryLimit}}
	for i, file := range files {
		r := <-results[i]
		if r.err == nil {
			r.err = all.join(r.t, tables.Name(file), o)
		}
		switch {
		case errors.Is(r.err, ErrNoData):
			all.notes = append(all.notes, diag.New(diag.LeftOut, "%s has no observations", tables.Name(file)))
		case r.err != nil:
			return nil, r.err
		}
		<-slots
	}
	if all.shards == nil {
		return nil, empty(name, "none of %s has observations", words.Plural(len(files), "file"))
	}
	if s := all.ready; s != nil {
		s.Shards = all.shards
		s.Warnings = append(profile.Sparse(s.Sparse, s.N).Warnings(s.profiled()), all.notes...)
	}
	return all, nil
}

// alone refuses files of a format of which several are no table.
func alone(name string, files []string) error {
	if f := formats.Of(tables.Plain(files[0])); f != nil && f.Alone != "" {
		return fail(name, "%s", f.Alone)
	}
	return nil
}

// join appends the table of a file.
func (t *table) join(add *table, file string, o Options) error {
	if add.ready != nil || t.ready != nil {
		return t.joinSparse(add, file)
	}
	if add.p == 0 {
		return empty(file, "has no observations")
	}
	if err := add.picked(o); err != nil {
		return err
	}
	order, err := t.align(add, file, o.Codes)
	if err != nil {
		return err
	}
	t.also(add, order)
	shards.Reorder(add.values, order)
	shards.Reorder(add.values32, order)
	t.budget.Ways = add.budget.Ways
	size := 8*float64(len(t.values)+len(add.values)) + 4*float64(len(t.values32)+len(add.values32))
	if err := t.budget.Room(words.Plural(t.p+add.p, "observation"), 2*size, size); err != nil {
		return err
	}
	t.values, t.values32, t.weights = append(t.values, add.values...), append(t.values32, add.values32...), append(t.weights, add.weights...)
	return t.joined(add)
}

// align makes a file the next of the shards, whose columns the first one decides. order
// is that of shards.Reorder.
func (t *table) align(add *table, file string, list columns.List) (order []int, err error) {
	shard := Shard{Name: file, Rows: add.p}
	if t.shards == nil {
		t.n, t.names, t.columns, t.weight, t.heavy, t.labelled = add.n, add.names, add.columns, add.weight, add.heavy, add.labelled
		if add.labels != nil {
			t.labels = &columns.Reader{Name: add.labels.Name}
		}
		t.shards = append(t.shards, shard)
		return nil, nil
	}
	if other := t.differs(add); other != "" {
		return nil, fail(file, "has its %s in other columns than the first table (%s); choose columns by name, or put them in one order", other, t.shards[0].Name)
	}
	if order, err = shards.Order(t.names, add.names, t.n, add.n); err != nil {
		return nil, diag.Helped(fail(file, "%w (%s)", err, t.shards[0].Name), "Columns")
	}
	if order != nil && list.Numbered() {
		return nil, diag.Helped(fail(file, "has its columns in another order than the first table (%s); name the columns of codes of missing values", t.shards[0].Name), "NA")
	}
	shard.weight = add.weight
	for j := range add.n {
		at := j
		if order != nil {
			at = order[j]
		}
		shard.columns = append(shard.columns, (&Info{Columns: add.columns}).Column(at))
	}
	t.shards = append(t.shards, shard)
	return order, nil
}

// differs says which columns of a table come from other places than those of the first
// one, where names do not tell: where one of the two has none, and where a number chose
// the weights or the labels.
func (t *table) differs(add *table) string {
	named := t.names != nil && add.names != nil
	switch {
	case !named && t.n == add.n && !slices.Equal(t.columns, add.columns):
		return "numbers"
	case named && t.heavy != add.heavy, !named && t.weight != add.weight:
		return "weights"
	case t.labels != nil && add.labels != nil && (named && t.labels.Name != add.labels.Name || !named && t.labelled != add.labelled):
		return "labels"
	}
	return ""
}

// joined takes the rest of what the last of the shards says.
func (t *table) joined(add *table) error {
	last := t.shards[len(t.shards)-1]
	t.p += last.Rows
	t.notes = diag.Merge(t.notes, add.notes)
	for _, c := range add.coded {
		t.coded = columns.Add(t.coded, c)
	}
	if add.labels == nil {
		return nil
	}
	if err := t.labels.Append(add.labels); err != nil {
		return fail(last.Name, "want %w", err)
	}
	return nil
}

// joinSparse appends observations without their zeros.
func (t *table) joinSparse(add *table, file string) error {
	s := add.ready
	if s == nil || s.Weights != nil || t.ready == nil && t.shards != nil {
		return errMixed
	}
	if t.ready == nil {
		t.ready = &Set{Info: Info{N: s.N, Names: s.Names, Source: t.source, Columns: s.Columns}, Sparse: &block.Sparse{Start: []int{0}}}
	} else if order, err := shards.Order(t.ready.Names, s.Names, t.ready.N, s.N); err != nil {
		return diag.Helped(fail(file, "%w (%s)", err, t.shards[0].Name), "Columns")
	} else if order != nil {
		s.Sparse = s.Sparse.Select(order, s.N)
	}
	if err := t.budget.Room(words.Plural(t.ready.P+s.P, "observation"), 2*float64(t.ready.Bytes()+s.Bytes()), 0); err != nil {
		return err
	}
	var err error
	if t.ready.Labels, err = columns.Append(t.ready.Labels, t.ready.P, s.Labels, s.P); err != nil {
		return fail(file, "want %w", err)
	}
	t.ready.Sparse.Append(s.Sparse)
	t.ready.P += s.P
	t.shards = append(t.shards, Shard{Name: file, Rows: s.P})
	return t.joined(&table{notes: s.Notes})
}
