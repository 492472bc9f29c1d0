package texts

import (
	"context"
	"sync"
)

// inOrder has put called with jobs, works on them on several goroutines, and takes the results
// in the order of the jobs. It returns the first error.
func inOrder[J, R any](ctx context.Context, threads int, jobs func(ctx context.Context, put func(J) error) error, work func(context.Context, J) R, take func(R) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type task struct {
		job  J
		done chan R
	}
	order, queue := make(chan task, threads), make(chan task)
	var all sync.WaitGroup
	all.Go(func() {
		defer close(order)
		defer close(queue)
		if err := jobs(ctx, func(j J) error {
			t := task{j, make(chan R, 1)}
			for _, to := range []chan task{order, queue} {
				select {
				case to <- t:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		}); err != nil {
			cancel(err) // the first cause stays
		}
	})
	for range threads {
		all.Go(func() {
			for t := range queue {
				t.done <- work(ctx, t.job)
			}
		})
	}
	for t := range order {
		select {
		case r := <-t.done:
			if ctx.Err() != nil {
				continue
			}
			if err := take(r); err != nil {
				cancel(err)
			}
		case <-ctx.Done(): // nobody may have taken it
		}
	}
	all.Wait()
	return context.Cause(ctx)
}
