package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"symmom/datasets"
	"symmom/symmom"
)

// seconds measures the share of ||X||^2 in the time of a whole fit, on the paper's
// mixture with 60,000 observations of 500 variables.
func seconds() (string, error) {
	const p, n, components, turns = 60_000, 500, 10, 11
	x := datasets.GaussianMixture(datasets.MixtureOptions{N: n, Components: components, PerComponent: p / components, Sigma: .1, Congruence: .5})
	if x.Err() != nil {
		return "", x.Err()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "## Seconds\n\nTen starts on a mixture of %d observations of %d variables, d = 3, r = %d, medians of %d fits. The pass that finds the span of the data also finds the norms of the observations and the part of X within the leading directions; it is needed without ||X||^2, too, and is not counted with it.\n\n", p, n, components, turns)
	b.WriteString("| threads | whole fit s | of it \\|\\|X\\|\\|^2 s | share | target | |\n|---|---|---|---|---|---|\n")
	for _, threads := range []int{1, 2} {
		var whole, norm, shares []float64
		for range turns {
			var in time.Time // when the phase of the norm began
			var took time.Duration
			leave := func() {
				if !in.IsZero() {
					took += time.Since(in)
					in = time.Time{}
				}
			}
			phase := ""
			o := symmom.Options{Threads: threads, Starts: 10, Progress: func(q symmom.Progress) {
				if q.Done || q.Phase != phase {
					leave()
					if q.Phase == symmom.PhaseNorm && !q.Done {
						in = time.Now()
					}
					phase = q.Phase
				}
			}}
			began := time.Now()
			if err := x.Session.Moment(3).With(o).Decompose(components).Err(); err != nil {
				return "", err
			}
			all := time.Since(began).Seconds()
			whole, norm, shares = append(whole, all), append(norm, took.Seconds()), append(shares, took.Seconds()/all)
		}
		for _, v := range [][]float64{whole, norm, shares} {
			slices.Sort(v)
		}
		verdict := "pass"
		if shares[turns/2] > .15 {
			verdict = "**FAIL**"
		}
		fmt.Fprintf(&b, "| %d | %.3f | %.4f | %.3f | .15 | %s |\n", threads, whole[turns/2], norm[turns/2], shares[turns/2], verdict)
	}
	return b.String(), nil
}
