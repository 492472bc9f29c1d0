package tables

import (
	"context"
	"fmt"
	"maps"
)

// Forget returns the table without its observations: only what Append keeps up to date
// is left. A compressed fit must have fixed a basis before. The table itself does not
// change.
func (t *Table) Forget(ctx context.Context) (*Table, error) {
	learned := maps.Clone(t.Learned())
	if len(learned) == 0 {
		return nil, fmt.Errorf("forget: %s: there is no basis yet: make a compressed fit of enough observations first", t.Source)
	}
	base, _, err := t.growing(ctx)
	if err != nil {
		return nil, err
	}
	for d, c := range learned {
		if learned[d], err = c.measured(ctx, base.totals); err != nil {
			return nil, err
		}
	}
	k := *base
	totals := *base.totals
	k.totals, k.disk = &totals, false
	if totals.fingerprint, err = t.Fingerprint(ctx); err != nil {
		return nil, err
	}
	info := *t.Info
	info.Labels = nil
	return &Table{Info: &info, Storage: t.gone(&k, t.P), learned: learned}, nil
}

// gone represents p forgotten observations like those of t.
func (t *Table) gone(k *kept, p int) *forgotten { return &forgotten{k, p, t.N, t.Source} }
