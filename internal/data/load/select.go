package load

import (
	"cmp"
	"context"

	"symmom/internal/data/columns"
	"symmom/internal/data/profile"
)

// Select returns observations of some of the variables, in the order asked for,
// and which they are, counted from 0: names, 1-based numbers of variables or
// ranges of these, as Options.Columns; one without a name has its Label. It copies the
// values. It returns ctx's error if cancelled.
func (s *Set) Select(ctx context.Context, want []string) (*Set, []int, error) {
	names := make([]string, s.N)
	for j := range names {
		names[j] = cmp.Or(s.name(j), s.Label(j))
	}
	sel, err := columns.Select(s.Source, names, s.N, columns.Wanted{Columns: append([]string{}, want...)})
	if err != nil {
		return nil, nil, err
	}
	c := *s
	c.N, c.Names, c.Columns = len(sel.Variables), nil, nil
	for _, j := range sel.Variables {
		if s.Names != nil {
			c.Names = append(c.Names, s.Names[j])
		}
		c.Columns = append(c.Columns, s.Column(j))
	}
	if s.Sparse != nil {
		c.Sparse = s.Sparse.Select(sel.Variables, s.N)
		c.Warnings = c.Notes
		if c.Sparse.Scale == nil { // a profile is of stored values
			c.Warnings = append(profile.Sparse(c.Sparse, c.N).Warnings(c.profiled()), c.Notes...)
		}
		return &c, sel.Variables, nil
	}
	pr, err := c.fill(ctx, func(v []float64, row int) {
		for a, j := range sel.Variables {
			if s.Values32 == nil {
				v[a] = s.Values[row*s.N+j]
			} else {
				v[a] = float64(s.Values32[row*s.N+j])
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	c.Warnings = append(pr.Warnings(c.profiled()), c.Notes...)
	return &c, sel.Variables, nil
}
