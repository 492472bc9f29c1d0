package symmom

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// Sessions, moments and fits may be used by many goroutines at once: whatever
// they do, the results of those that are not cancelled are the same. Run under
// the race detector by make race.
func TestManyGoroutines(t *testing.T) {
	x, truth := shuffled(t, 12, 2, 150, .2)
	base := FromMatrix(x.Slice(0, 200, 0, 12))
	o := Options{Starts: 2, Threads: 2}
	want := mustFit(t, FromMatrix(x.Slice(0, 200, 0, 12)).Moment(3).With(o).Decompose(2))
	shared, fed := base.Moment(3).With(o), base.Append(x.Slice(200, 300, 0, 12)).Moment(3).With(o)
	jobs := []func(ctx context.Context) error{
		func(context.Context) error {
			f := shared.Decompose(2)
			if f.Err() == nil && (f.ObjectiveShifted != want.ObjectiveShifted || f.NormSquared != want.NormSquared) {
				return errors.New("another fit")
			}
			f.Score(truth.Means)
			_ = f.String()
			return f.Err()
		},
		func(context.Context) error {
			w := shared.Sweep(1, 2)
			_ = w.String()
			return w.Err()
		},
		func(context.Context) error { return shared.Evaluate(want.Model).Err() },
		func(context.Context) error { _, err := fed.NormSquared(); return err },
		func(context.Context) error { return fed.Decompose(2).Err() },
		func(ctx context.Context) error {
			s := base.WithContext(ctx).Append(x.Slice(200, 230, 0, 12))
			f := s.Moment(3).With(o).Accumulated(4).Decompose(2)
			if s.Err() == nil && f.Err() == nil {
				f.Score(truth.Means)
			}
			if errors.Is(f.Err(), ErrInterrupted) {
				return nil
			}
			return f.Err()
		},
		func(context.Context) error { base.Fingerprint(); base.Summary(); return nil },
	}
	var all sync.WaitGroup
	for round := range 3 {
		for i, job := range jobs {
			all.Add(1)
			go func() {
				defer all.Done()
				ctx, cancel := context.WithTimeout(context.Background(), time.Duration(round*i)*time.Millisecond)
				defer cancel()
				if err := job(ctx); err != nil {
					t.Errorf("job %d: %v", i, err)
				}
			}()
		}
	}
	all.Wait()
}
