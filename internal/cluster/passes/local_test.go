package passes

import (
	"context"
	"sync"
)

// Local is an engine in this process.
type Local struct{ Threads int }

// Name returns "this machine".
func (Local) Name() string { return "this machine" }

// Run answers the splits on some goroutines, and adds up none.
func (l Local) Run(ctx context.Context, message string, splits, _ int, done func(int), answer func(string) error) error {
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
