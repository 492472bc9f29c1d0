package paper

import (
	"fmt"
	"math"

	"symmom/datasets"
	"symmom/symmom"
)

// sigmas of the mixtures.
var sigmas = []float64{1e-4, 1e-3, 1e-2, 1e-1}

// initWay is a way to draw starts, with the tolerance of its runs.
type initWay struct {
	name      string
	init      string // of symmom.Options
	tolerance float64
}

// initWays are the bars of the figure; the first two differ in what the paper
// leaves open.
var initWays = []initWay{
	{"range finder, 1e-4", symmom.InitPlain, 1e-4},
	{"turned, 1e-4", symmom.InitRRF, 1e-4},
	{"Gaussian, 1e-4", symmom.InitGaussian, 1e-4},
	{"Gaussian, 1e-6", symmom.InitGaussian, 1e-6},
	{"Gaussian, 1e-8", symmom.InitGaussian, 1e-8},
	{"Gaussian, 1e-10", symmom.InitGaussian, 1e-10},
}

// Indices of initWays.
const (
	wayPlain = iota
	wayTurned
	wayLoose
	wayTight
)

// initRecord is a bar of figure init-compare.
type initRecord struct {
	Method    string  `json:"method"`
	Way       string  `json:"way"`
	Tolerance float64 `json:"tolerance"`
	Sigma     float64 `json:"sigma"`
	DataSeed  uint64  `json:"data_seed"`
	fitRecord
	Successes int `json:"successes"` // set once all bars of a sigma are finished
}

func initSizes(s Settings) datasets.MixtureOptions {
	o := datasets.MixtureOptions{N: publishedVariables, Components: 3, PerComponent: publishedPer, Congruence: publishedCongruence}
	if s.Quick {
		o.N, o.PerComponent = 60, 80
	}
	return o
}

func initKey(s Settings, method string, w initWay, sigma float64) string {
	o := initSizes(s)
	return fmt.Sprintf("init/3 d=3 n=%d r=3 per=%d sigma=%g way=%s", o.N, o.PerComponent, sigma, w.name) + s.suffix(method, s.starts(publishedInitRuns, 10))
}

func initJobs(s Settings) []job {
	var jobs []job
	for i, sigma := range sigmas {
		for _, method := range s.methods() {
			for _, w := range initWays {
				o := initSizes(s)
				o.Sigma, o.Seed = sigma, dataSeed(s, 3, i)
				evaluations := map[string]float64{MethodPaper: 150, MethodBest: 60}[method]
				jobs = append(jobs, job{
					key:    initKey(s, method, w, sigma),
					about:  fmt.Sprintf("sigma=%g, %s, %s", sigma, w.name, method),
					weight: evaluations * float64(s.starts(publishedInitRuns, 10)) * 4 * float64(3*o.PerComponent*o.N*3),
					run:    func(r *runner) (any, error) { return r.initBar(o, method, w) },
				})
			}
		}
	}
	return jobs
}

func (r *runner) initBar(g datasets.MixtureOptions, method string, w initWay) (any, error) {
	data, err := r.mixture(g)
	if err != nil {
		return nil, err
	}
	o := r.settings.options(method, r.settings.starts(publishedInitRuns, 10), w.tolerance)
	o.Tolerance, o.Init = w.tolerance, w.init
	fit, err := r.decompose(form(data.Session.WithContext(r.ctx).Moment(3), method), o, 3)
	if err != nil {
		return nil, err
	}
	rec := initRecord{Method: method, Way: w.name, Tolerance: w.tolerance, Sigma: g.Sigma, DataSeed: g.Seed}
	rec.fitRecord, err = r.recordOf(fit, data.Means)
	return rec, err
}

// initBars returns the bars of a method, by sigma, then way, with successes counted
// against the best of all ways at that sigma.
func (s *shown) initBars(method string) [][]initRecord {
	var out [][]initRecord
	for _, sigma := range sigmas {
		var bars []initRecord
		best := number(math.Inf(1))
		for _, w := range initWays {
			if rec, ok := get[initRecord](s.store, initKey(s.settings, method, w, sigma)); ok {
				bars = append(bars, rec)
				best = min(best, rec.F)
			}
		}
		for i := range bars {
			bars[i].Successes = bars[i].Starts.within(best)
		}
		if len(bars) == len(initWays) {
			out = append(out, bars)
		}
	}
	return out
}

func showInit(s *shown) {
	runs := s.settings.starts(publishedInitRuns, 10)
	var all []initRecord
	for _, method := range s.settings.methods() {
		bars := s.initBars(method)
		t := Table{Caption: fmt.Sprintf("Successful runs of %d, and CPU seconds of all %d, %s", runs, runs, methodName(method)), Header: []string{"sigma"}}
		for _, w := range initWays {
			t.Header = append(t.Header, w.name)
		}
		successes, slower := make([]int, len(initWays)), 0.
		for _, row := range bars {
			cells := []string{digits(row[0].Sigma)}
			for i, b := range row {
				cells = append(cells, fmt.Sprintf("%d, %s s", b.Successes, digits(float64(b.CPU))))
				successes[i] += b.Successes
			}
			t.Rows = append(t.Rows, cells)
			all = append(all, row...)
			slower += float64(row[wayTight].CPU/row[wayPlain].CPU) / float64(len(bars))
		}
		s.Tables = append(s.Tables, t)
		if len(bars) == 0 {
			continue
		}
		s.Figures = append(s.Figures, initFigure(method, bars, runs))
		total := runs * len(bars)
		const where = "figure init-compare"
		claim := func(says, published string, way int, agrees bool) {
			s.claim(method, where, says, published, fmt.Sprintf("%d of %d", successes[way], total), float64(successes[way])/float64(total), agrees)
		}
		claim("the vast majority of range finder runs are successful: plain range finder", "vast majority", wayPlain, 5*successes[wayPlain] >= 4*total)
		claim("the same, columns turned so that X a^d > 0", "vast majority", wayTurned, 5*successes[wayTurned] >= 4*total)
		claim("Gaussian starts at 1e-4 are much less successful than the range finder", "less", wayLoose, successes[wayLoose] < successes[wayPlain])
		claim("a tolerance of 1e-6 makes them more successful", "more", wayTight, successes[wayTight] > successes[wayLoose])
		s.claim(method, where, "and takes 2 to 3 times as long as the range finder", fmt.Sprintf("%d to %d", publishedTightLow, publishedTightHigh), digits(slower), slower, slower >= publishedTightLow && slower <= publishedTightHigh)
	}
	s.data = all
	s.convention("A run is successful when its f is at most .01 above the best f of all runs of the same method at that sigma, absolutely, as the paper says; ||X||^2 is about .42 here.")
	s.convention("The paper leaves open whether the columns of a start are turned. With lambda at ones and d odd, a column with X a^d < 0 must shrink through zero or stay: the plain range finder has each column so with probability 1/2.")
	s.convention("Random starts have columns of unit norm; lambda starts at ones for all. The rule of relative decrease (factr = 1e7) stays on and may end a run before the tolerances of 1e-8 and 1e-10 do. The paper's legend has these two, its figure does not.")
	s.note("Seconds are processor time, the sum over all runs as in the paper, whatever else the machine did.")
}
