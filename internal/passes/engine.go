package passes

import (
	"context"
	"fmt"
	"sync"

	"symmom/internal/linalg"
	"symmom/internal/storage"
)

// Engine has workers make passes.
type Engine interface {
	// Name says where the passes are made, such as "Spark at host:15002".
	Name() string

	// Run has workers answer the message for the splits 0 to splits-1, in any order and
	// each as often as it likes, and hands on their lines, one at a time. done, unless
	// nil, is told how many splits are done. An error of answer ends the pass.
	Run(ctx context.Context, message string, splits int, done func(int), answer func(line string) error) error
}

// Local makes passes in this process.
type Local struct{ Threads int }

// Name returns "this machine".
func (Local) Name() string { return "this machine" }

// Run answers the splits on some goroutines.
func (l Local) Run(ctx context.Context, message string, splits int, done func(int), answer func(string) error) error {
	m, err := Decode(message)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var group sync.WaitGroup
	next, ended := 0, 0
	for range max(1, min(l.Threads, splits)) {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				mu.Lock()
				k := next
				next++
				stop := err != nil || k >= splits || ctx.Err() != nil
				mu.Unlock()
				if stop {
					return
				}
				line := Run(ctx, m, k, 1)
				mu.Lock()
				if err == nil && ctx.Err() == nil {
					ended++
					if err = answer(line); err == nil && done != nil {
						done(ended)
					}
				}
				mu.Unlock()
			}
		}()
	}
	group.Wait()
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// collect runs a message, and calls take with the answers in the order of the splits.
// Answers that come early wait. kernels, unless nil, gets the kernels of the workers.
func collect(ctx context.Context, e Engine, m *Message, seen func(float64), kernels map[string]bool, take func(answer, [][]float64) error) error {
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
	err = e.Run(ctx, line, splits, done, func(line string) error {
		var r reply
		var err error
		if r.data, err = unpack(line, &r.a); err != nil {
			return fmt.Errorf("%s: the answer of a worker %w", e.Name(), err)
		}
		if k := r.a.Split; k < 0 || k >= splits {
			return fmt.Errorf("%s: a worker answered for split %d of %d", e.Name(), k, splits)
		}
		if kernels != nil {
			kernels[r.a.Kernel] = true
		}
		if r.a.Error != "" && !(r.a.Empty && m.Pass.Kind == Survey) {
			return fmt.Errorf("%s%s (on %s)", r.a.Error, groups(m.Splits[r.a.Split]), e.Name())
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
			next++
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

// join adds the answer of the next split to those of splits before it.
func (m *Message) join(total, next []float64) {
	if m.Pass.Kind == storage.Each {
		storage.JoinEach(total, next)
		return
	}
	linalg.Axpy(1, next, total)
}

// sum returns the sum of the answers.
func sum(ctx context.Context, e Engine, m *Message, seen func(float64)) ([]float64, error) {
	var total []float64
	err := collect(ctx, e, m, seen, nil, func(a answer, data [][]float64) error {
		switch {
		case len(data) != 1 || total != nil && len(data[0]) != len(total):
			return fmt.Errorf("%s: the answer of a worker %w", e.Name(), errDamaged)
		case total == nil:
			total = data[0]
		default:
			m.join(total, data[0])
		}
		return nil
	})
	return total, err
}
