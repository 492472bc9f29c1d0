package main

import (
	"context"
	"fmt"
	"time"
)

// entrant is one of the programs measured in turns.
type entrant struct {
	name string
	run  func() (seconds float64, err error)
}

// turns runs all entrants one after the other, rounds times, so that a temporary
// disturbance of the machine affects all of them. It returns their times, in the
// order of the entrants; value i of each is from the same round.
func turns(ctx context.Context, rounds int, entrants []entrant) ([]sample, error) {
	times := make([]sample, len(entrants))
	for range rounds {
		for i, e := range entrants {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			s, err := e.run()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.name, err)
			}
			times[i] = append(times[i], s)
		}
	}
	return times, nil
}

// perCall returns the seconds that a call of f takes: the mean over about that many
// seconds, after one call to warm up, like the peer's "time".
func perCall(seconds float64, f func()) float64 {
	began := time.Now()
	f()
	calls := max(1, int(seconds/max(time.Since(began).Seconds(), 1e-9)))
	began = time.Now()
	for range calls {
		f()
	}
	return time.Since(began).Seconds() / float64(calls)
}

// stopwatch returns the seconds that f takes.
func stopwatch(f func() error) (float64, error) {
	began := time.Now()
	err := f()
	return time.Since(began).Seconds(), err
}

// fastest returns the sample with the smallest median, and its index.
func fastest(samples []sample) (sample, int) {
	best := 0
	for i, s := range samples {
		if s.median() < samples[best].median() {
			best = i
		}
	}
	return samples[best], best
}
