package paper

import (
	"fmt"
	"math"

	"symmom/datasets"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// massiveRecord is a row of table stoch, with the trace of its best start for
// figure stoch-traces.
type massiveRecord struct {
	Method   string `json:"method"`
	Samples  int    `json:"samples"` // 0: standard
	N        int    `json:"n"`
	P        int    `json:"p"`
	R        int    `json:"r"`
	DataSeed uint64 `json:"data_seed"`
	fitRecord
	Trace []tracePoint `json:"trace"`
	// Estimated means that f in the trace is from 1,000 observations.
	Estimated bool `json:"estimated"`
}

type tracePoint struct {
	Seconds     float64 `json:"seconds"`
	F           number  `json:"f"`
	Evaluations int     `json:"evaluations"`
}

// sizes are the dimensions of the massive problem.
type sizes struct{ n, r, p int }

func massiveSizes(s Settings) sizes {
	z := sizes{publishedVariables, 10, 500_000}
	if s.Quick {
		z = sizes{100, 5, 10_000}
	}
	if s.Observations > 0 {
		z.p = s.Observations
	}
	return z
}

func massiveMixture(s Settings) datasets.MixtureOptions {
	z := massiveSizes(s)
	return datasets.MixtureOptions{N: z.n, Components: z.r, PerComponent: z.p / z.r, Sigma: .1, Congruence: publishedCongruence, Seed: dataSeed(s, z.r, 3)}
}

func massiveKey(s Settings, method string, samples int) string {
	z := massiveSizes(s)
	return fmt.Sprintf("massive/2 d=3 n=%d r=%d p=%d sigma=0.1 samples=%d", z.n, z.r, z.p, samples) + s.suffix(method, s.starts(publishedStarts, 4))
}

func massiveJobs(s Settings) []job {
	var jobs []job
	z := massiveSizes(s)
	pass := 4 * float64(z.p) * float64(z.n*z.r)
	for _, method := range s.methods() {
		for _, row := range publishedMassive {
			weight := pass * 25 // drawing the data, evaluating the solutions
			if row.samples == 0 && method == MethodPaper {
				weight = pass * 150 * float64(s.starts(publishedStarts, 4))
			}
			about := fmt.Sprintf("standard, %s", method)
			if row.samples > 0 {
				about = fmt.Sprintf("Adam s=%d, %s", row.samples, method)
			}
			jobs = append(jobs, job{
				key: massiveKey(s, method, row.samples), about: about, weight: weight,
				run: func(r *runner) (any, error) { return r.massive(method, row.samples) },
			})
		}
	}
	return jobs
}

func (r *runner) massive(method string, samples int) (any, error) {
	g := massiveMixture(r.settings)
	data, err := r.mixture(g)
	if err != nil {
		return nil, err
	}
	m := form(data.Session.WithContext(r.ctx).Moment(3), method)
	o := r.settings.options(method, r.settings.starts(publishedStarts, 4), mixtureTolerance)
	if samples > 0 {
		m = m.Sampled(samples)
		o.Solver = symmom.SolverAuto // Adam
	}
	fit, err := r.decompose(m, o, g.Components)
	if err != nil {
		return nil, err
	}
	rec := massiveRecord{Method: method, Samples: samples, N: g.N, P: fit.Observations, R: g.Components, DataSeed: g.Seed}
	if rec.fitRecord, err = r.recordOf(fit, data.Means); err != nil {
		return nil, err
	}
	best := fit.Starts[fit.Best]
	rec.Estimated = best.Estimated
	for _, t := range best.Trace {
		rec.Trace = append(rec.Trace, tracePoint{t.Elapsed.Seconds(), number(t.Objective), t.Evaluations})
	}
	return rec, nil
}

// massiveRows returns the rows of a method, in the order of the table.
func (s *shown) massiveRows(method string) (rows []massiveRecord) {
	for _, p := range publishedMassive {
		if rec, ok := get[massiveRecord](s.store, massiveKey(s.settings, method, p.samples)); ok {
			rows = append(rows, rec)
		}
	}
	return rows
}

// rowName returns the name of a row in the table and the legend.
func (r massiveRecord) rowName() string {
	if r.Samples == 0 {
		return "standard"
	}
	return fmt.Sprintf("Adam s=%d", r.Samples)
}

func showMassive(s *shown) {
	t := Table{Caption: "Best of all starts; published values in parentheses", Words: 2,
		Header: []string{"method", "row", "f (shifted)", "score", "s, all starts", "paper / here", "CPU s", "CPU s per start", "evaluations", "starts at best", "||X||^2"}}
	var all []massiveRecord
	for _, method := range s.settings.methods() {
		rows := s.massiveRows(method)
		for _, rec := range rows {
			var p stochastic
			for _, row := range publishedMassive {
				if row.samples == rec.Samples {
					p = row
				}
			}
			n := float64(len(rec.Starts.F))
			norm := digits(float64(rec.NormSquared))
			if rec.NormStdErr > 0 {
				norm += " ± " + digits(float64(rec.NormStdErr))
			}
			t.Rows = append(t.Rows, []string{method, rec.rowName(), fmt.Sprintf("%.6f (%.4f)", rec.F, p.f), fmt.Sprintf("%.5f (%.4f)", rec.Score, p.score),
				fmt.Sprintf("%s (%s)", digits(float64(rec.Seconds)), digits(p.tenSeconds)), over(p.tenSeconds, float64(rec.Seconds)), digits(float64(rec.CPU)), digits(float64(rec.CPU) / n),
				words.Count(rec.Evaluations), fmt.Sprintf("%d of %.0f", rec.Starts.within(rec.F), n), norm})
			if p.samples == rec.Samples {
				s.compareF(method, rec, p)
			}
			s.warnings(rec.Warnings)
		}
		all = append(all, rows...)
		if len(rows) == len(publishedMassive) {
			share := float64(rows[3].CPU / rows[0].CPU)
			s.claim(method, "section extend-probl-with", "Adam (s = 1000) takes a tiny fraction of the time of the standard method (CPU)", digits(publishedMassive[3].tenSeconds/publishedMassive[0].tenSeconds), digits(share), share, share < .25)
		}
	}
	s.Tables = append(s.Tables, t)
	if len(all) > 0 {
		s.Figures = append(s.Figures, massiveFigure(all))
	}
	s.data = all
	s.massiveConventions()
}

// compareF compares f and the score of a row with the table. The data are a
// different draw: f of the global fit varies by some thousandths between draws.
func (s *shown) compareF(method string, rec massiveRecord, p stochastic) {
	ratio := number(float64(rec.F) / p.f)
	s.Claims = append(s.Claims, Claim{Method: method, Says: rec.rowName() + ": best f (shifted)", Where: "table stoch", Published: fmt.Sprintf("%.4f", p.f),
		Measured: fmt.Sprintf("%.4f", rec.F), Value: rec.F, Ratio: &ratio, Agrees: float64(rec.F) <= p.f+.005})
	s.Claims = append(s.Claims, Claim{Method: method, Says: rec.rowName() + ": score", Where: "table stoch", Published: fmt.Sprintf("%.4f", p.score),
		Measured: fmt.Sprintf("%.4f", rec.Score), Value: rec.Score, Agrees: float64(rec.Score) >= p.score-.001})
}

func (s *shown) massiveConventions() {
	z := massiveSizes(s.settings)
	s.convention("p = %s, n = %d, r = rank = %d, sigma = .1, d = 3. f is shifted: alpha is not in it. ||X||^2 is an estimate with its standard error; finding it, and drawing the data, is not in the time.", words.Count(z.p), z.n, z.r)
	s.convention("f and score here are of all observations for every row; the paper's f of Adam may be its estimate from 1,000. Adam's starts are drawn from 4,096 observations each, not from all, so they are not the standard method's; the paper has the same ten for all.")
	s.convention("Seconds: all starts by the clock, side by side on the cores of this machine; CPU seconds: their processor time. Both have one exact evaluation of each of Adam's solutions.")
}

func showTraces(s *shown) {
	t := Table{Caption: "Traces of the best starts", Words: 2, Header: []string{"method", "row", "points", "first f", "last f", "s to within .001 of its end", "s"}}
	var all []massiveRecord
	for _, method := range s.settings.methods() {
		rows := s.massiveRows(method)
		for _, rec := range rows {
			if len(rec.Trace) == 0 {
				continue
			}
			last := rec.Trace[len(rec.Trace)-1]
			near := last.Seconds
			for i := len(rec.Trace) - 1; i >= 0 && math.Abs(float64(rec.Trace[i].F-last.F)) <= .001; i-- {
				near = rec.Trace[i].Seconds
			}
			t.Rows = append(t.Rows, []string{method, rec.rowName(), fmt.Sprint(len(rec.Trace)), fmt.Sprintf("%.4f", rec.Trace[0].F), fmt.Sprintf("%.4f", last.F), digits(near), digits(last.Seconds)})
		}
		all = append(all, rows...)
		if len(rows) > 0 {
			s.Figures = append(s.Figures, traceFigure(method, rows))
		}
		if len(rows) == len(publishedMassive) {
			s.claim(method, "figure stoch-traces", "Adam ends long before the standard method does (seconds of the best start, s = 1000 over standard)", "tiny fraction", digits(end(rows[3])/end(rows[0])), end(rows[3])/end(rows[0]), end(rows[3]) < .25*end(rows[0]))
		}
	}
	s.Tables = append(s.Tables, t)
	s.data = all
	s.convention("The traces are those of the best starts of table3, whose cells these are. A point is an iteration with f exact, or for Adam an epoch of 100 iterations with f estimated from 1,000 observations. Seconds count from the start's own beginning.")
	if s.settings.Method != MethodPaper {
		s.note("Of the method \"best\" the standard row is the compressed form: its iterations run in the coordinates of leading eigenvectors and end with the polish on all observations; finding the eigenvectors is not in a start's seconds.")
	}
}

// end returns the last time of a trace in seconds.
func end(r massiveRecord) float64 { return r.Trace[len(r.Trace)-1].Seconds }
