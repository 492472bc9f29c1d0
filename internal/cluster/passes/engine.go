package passes

import (
	"context"
	"fmt"

	"symmom/internal/text/diag"
)

// Engine has workers make passes.
type Engine interface {
	// Name says where the passes are made, such as "Spark at host:15002".
	Name() string

	// Run has workers answer the message for the splits 0 to splits-1, in any order and
	// each any number of times, and passes their lines to answer, one at a time. If fan is
	// not 0, the answers of workers (Serve) for the splits 0 to fan-1, fan to 2 fan - 1
	// and so on go to a worker in this order, and its answers are passed on instead. done,
	// unless nil, is called with the number of splits that are done. An error of answer
	// ends the pass.
	Run(ctx context.Context, message string, splits, fan int, done func(int), answer func(line string) error) error
}

// collect runs a message, and calls take with the answers in the order of the splits.
// Answers that come early wait. kernels, unless nil, gets the kernels of the workers. An
// answer with Parts is the sum of theirs.
func collect(ctx context.Context, e Engine, m *Message, seen func(float64), kernels map[string]bool, take func(answer, [][]float64) error) error {
	fan := 0
	if m.merges() {
		c, t := *m, m.tree()
		c.Tree = &t
		m, fan = &c, t.Fan
	}
	line, err := m.Encode()
	if err != nil {
		return err
	}
	type reply struct {
		a    answer
		data [][]float64
	}
	splits := len(m.Splits)
	early := map[int]reply{}
	next := 0
	var done func(int)
	if seen != nil {
		done = func(k int) { seen(float64(k) / float64(splits)) }
	}
	err = e.Run(ctx, line, splits, fan, done, func(line string) error {
		var r reply
		var err error
		if r.data, err = unpack(line, &r.a); err != nil {
			return fmt.Errorf("%s: the answer of a worker %w", e.Name(), err)
		}
		if k := r.a.Split; k < 0 || k >= splits {
			return fmt.Errorf("%s: a worker answered for split %d of %d", e.Name(), k, splits)
		}
		if len(r.a.Parts) > splits-r.a.Split {
			return fmt.Errorf("%s: the answer of a worker %w", e.Name(), errDamaged)
		}
		if kernels != nil {
			kernels[r.a.Kernel] = true
			for _, part := range r.a.Parts {
				kernels[part.Kernel] = true
			}
		}
		if r.a.Error != "" && !(r.a.Empty && m.Pass.Kind == Survey) {
			return diag.Helped(fmt.Errorf("%s%s (on %s)", r.a.Error, groups(m.Splits[r.a.Split]), e.Name()), r.a.Help...)
		}
		if r.a.Split < next {
			return nil // tried again
		}
		early[r.a.Split] = r
		for {
			r, ok := early[next]
			if !ok {
				return nil
			}
			delete(early, next)
			next += max(1, len(r.a.Parts))
			if err := take(r.a, r.data); err != nil {
				return err
			}
		}
	})
	if err == nil && next < splits {
		err = fmt.Errorf("%s: there are answers for only %d of %d splits", e.Name(), next, splits)
	}
	return err
}

// groups names the row groups of a split, if it has only some.
func groups(s Split) string {
	switch lo, hi := s.Groups[0], s.Groups[1]; {
	case hi == 0:
		return ""
	case hi == lo+1:
		return fmt.Sprintf(", row group %d", lo+1)
	default:
		return fmt.Sprintf(", row groups %d to %d", lo+1, hi)
	}
}

// grouped runs a message, and calls take with what each group of splits answers and with
// the sum of their numbers, in the order of the splits.
func grouped(ctx context.Context, e Engine, m *Message, seen func(float64), kernels map[string]bool, take func([]answer, []float64) error) error {
	t := m.tree()
	var now *group
	return collect(ctx, e, m, seen, kernels, func(a answer, data [][]float64) error {
		damaged := fmt.Errorf("%s: the answer of a worker %w", e.Name(), errDamaged)
		if a.Parts != nil {
			if now != nil || t.first(a.Split) != a.Split || len(a.Parts) != t.size(a.Split) || len(data) != 1 {
				return damaged
			}
			return take(a.Parts, data[0])
		}
		if now == nil {
			now = &group{tree: t, first: a.Split}
		}
		if now.add(a, data) != nil {
			return damaged
		}
		if !now.complete() {
			return nil
		}
		g := now
		now = nil
		return take(g.parts, g.numbers())
	})
}

// sum returns the sum of the answers.
func sum(ctx context.Context, e Engine, m *Message, seen func(float64)) ([]float64, error) {
	t := m.tree()
	var total []float64
	err := grouped(ctx, e, m, seen, nil, func(_ []answer, sum []float64) error {
		switch {
		case total == nil:
			total = sum
		case len(sum) != len(total):
			return fmt.Errorf("%s: the answer of a worker %w", e.Name(), errDamaged)
		default:
			t.join(total, sum)
		}
		return nil
	})
	return total, err
}
