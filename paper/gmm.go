package paper

import (
	"fmt"
	"math"

	"symmom/datasets"
	"symmom/internal/text/words"
)

// gmmRecord is a cell of figures gmm3 and gmm4.
type gmmRecord struct {
	Method   string  `json:"method"`
	D        int     `json:"d"`
	TrueRank int     `json:"true_rank"`
	Rank     int     `json:"rank"`
	Sigma    float64 `json:"sigma"`
	P        int     `json:"p"`
	DataSeed uint64  `json:"data_seed"`
	fitRecord
	AtBest int `json:"at_best"` // starts within .01 of the best f
}

// gmmCell identifies one of the cells.
type gmmCell struct {
	d, trueRank, rank int
	sigma             int // index
	method            string
}

// gmmSizes returns the true ranks, and the mixture without its rank.
func gmmSizes(s Settings) ([]int, datasets.MixtureOptions) {
	o := datasets.MixtureOptions{N: publishedVariables, PerComponent: publishedPer, Congruence: publishedCongruence}
	if s.Quick {
		o.N, o.PerComponent = 60, 80
		return []int{3, 4}, o
	}
	return []int{3, 5, 10}, o
}

// gmmCells returns the cells of an order; cells of the same data are adjacent.
func gmmCells(s Settings, d int) (cells []gmmCell) {
	ranks, _ := gmmSizes(s)
	for _, r := range ranks {
		for i := range sigmas {
			for _, method := range s.methods() {
				for rank := r - 2; rank <= r+2; rank++ {
					cells = append(cells, gmmCell{d, r, rank, i, method})
				}
				if method == MethodPaper && d%2 == 1 {
					cells = append(cells, gmmCell{d, r, r, i, methodTurned})
				}
			}
		}
	}
	return cells
}

func gmmKey(s Settings, c gmmCell) string {
	_, o := gmmSizes(s)
	return fmt.Sprintf("gmm/2 d=%d n=%d r=%d per=%d sigma=%g rank=%d", c.d, o.N, c.trueRank, o.PerComponent, sigmas[c.sigma], c.rank) +
		s.suffix(c.method, s.starts(publishedStarts, 4))
}

func gmmJobs(d int) func(Settings) []job {
	return func(s Settings) []job {
		var jobs []job
		for _, c := range gmmCells(s, d) {
			_, o := gmmSizes(s)
			o.Components, o.Sigma, o.Seed = c.trueRank, sigmas[c.sigma], dataSeed(s, c.trueRank, c.sigma)
			evaluations := map[string]float64{MethodPaper: 250, methodTurned: 80, MethodBest: 12}[c.method]
			jobs = append(jobs, job{
				key:    gmmKey(s, c),
				about:  fmt.Sprintf("r=%d sigma=%g rank %d, %s", c.trueRank, o.Sigma, c.rank, c.method),
				weight: evaluations * float64(s.starts(publishedStarts, 4)) * 4 * float64(c.trueRank*o.PerComponent*o.N*c.rank),
				run:    func(r *runner) (any, error) { return r.gmm(c, o) },
			})
		}
		return jobs
	}
}

func (r *runner) gmm(c gmmCell, g datasets.MixtureOptions) (any, error) {
	data, err := r.mixture(g)
	if err != nil {
		return nil, err
	}
	o := r.settings.options(c.method, r.settings.starts(publishedStarts, 4), mixtureTolerance)
	fit, err := r.decompose(form(data.Session.WithContext(r.ctx).Moment(c.d), c.method), o, c.rank)
	if err != nil {
		return nil, err
	}
	rec := gmmRecord{Method: c.method, D: c.d, TrueRank: c.trueRank, Rank: c.rank, Sigma: g.Sigma, P: c.trueRank * g.PerComponent, DataSeed: g.Seed}
	if rec.fitRecord, err = r.recordOf(fit, data.Means); err != nil {
		return nil, err
	}
	rec.AtBest = rec.Starts.within(rec.F)
	return rec, nil
}

func showGMM(d int) func(*shown) { return func(s *shown) { s.gmm(d) } }

func (s *shown) gmm(d int) {
	all := map[gmmCell]gmmRecord{}
	var list []gmmRecord
	for _, c := range gmmCells(s.settings, d) {
		if rec, ok := get[gmmRecord](s.store, gmmKey(s.settings, c)); ok {
			all[c] = rec
			list = append(list, rec)
			s.warnings(rec.Warnings)
		}
	}
	s.data = list
	short := Table{Caption: "Rank of the approximation = true rank", Words: 1, Header: []string{"method", "r", "sigma", "relative error", "score", "starts at best", "evaluations", "s, all starts", "CPU s", "CPU s per start"}}
	long := Table{Caption: "All ranks", Words: 1, Header: []string{"method", "r", "sigma", "rank", "relative error", "score", "starts at best", "evaluations", "s, all starts", "CPU s"}, PageOnly: true}
	for _, rec := range list {
		n := len(rec.Starts.F)
		atBest := fmt.Sprintf("%d of %d", rec.AtBest, n)
		long.Rows = append(long.Rows, []string{rec.Method, fmt.Sprint(rec.TrueRank), digits(rec.Sigma), fmt.Sprint(rec.Rank), digits(float64(rec.RelativeError)),
			fmt.Sprintf("%.5f", rec.Score), atBest, words.Count(rec.Evaluations), digits(float64(rec.Seconds)), digits(float64(rec.CPU))})
		if rec.Rank == rec.TrueRank {
			short.Rows = append(short.Rows, []string{rec.Method, fmt.Sprint(rec.TrueRank), digits(rec.Sigma), digits(float64(rec.RelativeError)),
				fmt.Sprintf("%.5f", rec.Score), atBest, words.Count(rec.Evaluations), digits(float64(rec.Seconds)), digits(float64(rec.CPU)), digits(float64(rec.CPU) / float64(n))})
		}
	}
	s.Tables = append(s.Tables, short, long, s.gmmTimes(all))
	for _, method := range s.settings.methods() {
		s.gmmClaims(d, method, all)
		s.Figures = append(s.Figures, gmmFigures(s.settings, d, method, all)...)
	}
	_, o := gmmSizes(s.settings)
	s.convention("d=3 and d=4 see the same observations, %d of each component, %d variables; each r and sigma has its own draw.", o.PerComponent, o.N)
	s.convention("\"paper\": implicit form, L-BFGS, plain range finder, lambda at ones, tolerance 1e-4 on the problem as it is, alpha = ||X||^2 not in f. \"best\": symmom's default; its starts are the range finder with columns turned so that X a^d > 0 for odd orders. \"turned\": \"paper\" with such starts.")
	s.convention("A start is at the best when its f is at most .01 above the best f of its cell, absolutely.")
}

// gmmTimes compares the seconds with the axes of the paper's figures.
func (s *shown) gmmTimes(all map[gmmCell]gmmRecord) Table {
	t := Table{Caption: "CPU seconds of ten starts, the longest over ranks and sigmas, and where the axis of the paper's figure ends", Words: 1, Header: []string{"method", "r", "here", "end of the paper's axis"}}
	ranks, _ := gmmSizes(s.settings)
	for _, method := range s.settings.methods() {
		for _, r := range ranks {
			longest := 0.
			for c, rec := range all {
				if c.method == method && c.trueRank == r {
					longest = math.Max(longest, float64(rec.CPU))
				}
			}
			end := "-"
			if v, ok := publishedTimeAxis[r]; ok {
				end = digits(v)
			}
			t.Rows = append(t.Rows, []string{method, fmt.Sprint(r), digits(longest), end})
		}
	}
	return t
}

// gmmClaims compares the cells of a method with the text.
func (s *shown) gmmClaims(d int, method string, all map[gmmCell]gmmRecord) {
	where := fmt.Sprintf("figure gmm%d", d)
	ranks, _ := gmmSizes(s.settings)
	drop, stay, above, worst, low := math.Inf(1), 0., 0., 1., 1.
	over1, starts, atBest, cells := 1., 0, 0, 0
	for _, r := range ranks {
		for i, sigma := range sigmas {
			at := func(rank int) float64 {
				rec, ok := all[gmmCell{d, r, rank, i, method}]
				if !ok {
					return math.NaN()
				}
				return float64(rec.RelativeError)
			}
			score := func(rank int) float64 { return float64(all[gmmCell{d, r, rank, i, method}].Score) }
			if sigma <= 1e-2 {
				drop = math.Min(drop, at(r-1)/at(r))
				stay = math.Max(stay, at(r)/at(r+2))
				worst = math.Min(worst, score(r))
			} else {
				above = math.Max(above, at(r-1)/at(r))
				low = math.Min(low, score(r))
				over1 = math.Min(over1, math.Min(score(r+1), score(r+2)))
			}
		}
	}
	for c, rec := range all {
		if c.method == method {
			starts += len(rec.Starts.F)
			atBest += rec.AtBest
			cells++
		}
	}
	if cells < 5*len(ranks)*len(sigmas) {
		return // unfinished
	}
	s.claim(method, where, "sigma <= 1e-2: the error drops significantly at rank = r (error at r-1 over that at r, least)", "significantly", digits(drop), drop, drop > 10)
	s.claim(method, where, "sigma <= 1e-2: it stays fairly constant for rank > r (error at r over that at r+2, most)", "constant", digits(stay), stay, stay < 10)
	s.claim(method, where, "sigma = .1: the difference between ranks is barely noticeable (error at r-1 over that at r, most)", "barely", digits(above), above, above < 1.5)
	s.claim(method, where, "sigma <= 1e-2: score at rank = r, least", "1 in the figure", fmt.Sprintf("%.5f", worst), worst, worst >= .9998)
	s.claim(method, where, "sigma = .1: score at rank = r, least", "near 1 in the figure", fmt.Sprintf("%.5f", low), low, low >= .97)
	s.claim(method, where, "sigma = .1: the means are found even if the rank is overestimated, score at r+1 and r+2, least", "successful", fmt.Sprintf("%.5f", over1), over1, over1 >= .97)
	share := 10 * float64(atBest) / float64(starts)
	s.compare(method, "section numer-estim-rank", fmt.Sprintf("starts within .01 of the best, of 10, all cells of d=%d", d), publishedAtBest, share, 1.25)
	switch {
	case d == 4:
		s.gmmBoth(method, all)
	case method == MethodPaper:
		s.gmmTurned(all)
	}
}

// gmmTurned shows the effect of turned columns on the paper's method.
func (s *shown) gmmTurned(all map[gmmCell]gmmRecord) {
	worst, atBest, starts := 1., 0, 0
	for c, rec := range all {
		if c.method == methodTurned {
			starts += len(rec.Starts.F)
			atBest += rec.AtBest
			if rec.Sigma <= 1e-2 {
				worst = math.Min(worst, float64(rec.Score))
			}
		}
	}
	if starts == 0 {
		return
	}
	s.claim(methodTurned, "figure gmm3", "sigma <= 1e-2: score at rank = r, least", "1 in the figure", fmt.Sprintf("%.5f", worst), worst, worst >= .9998)
	s.compare(methodTurned, "section numer-estim-rank", "starts within .01 of the best, of 10, cells of rank = r", publishedAtBest, 10*float64(atBest)/float64(starts), 1.25)
}

// gmmBoth compares the orders, if those of the third are finished too.
func (s *shown) gmmBoth(method string, fourth map[gmmCell]gmmRecord) {
	var seconds, scores [2]float64
	farthest, atBest, starts := 0., 0, 0
	for c, rec := range fourth {
		if c.method != method {
			continue
		}
		c.d = 3
		third, ok := get[gmmRecord](s.store, gmmKey(s.settings, c))
		if !ok {
			return
		}
		atBest += third.AtBest + rec.AtBest
		starts += len(third.Starts.F) + len(rec.Starts.F)
		seconds[0] += float64(third.CPU)
		seconds[1] += float64(rec.CPU)
		scores[0] += float64(third.Score)
		scores[1] += float64(rec.Score)
		if c.rank >= c.trueRank {
			farthest = math.Max(farthest, math.Abs(math.Log(math.Max(publishedAxis, float64(third.RelativeError))/math.Max(publishedAxis, float64(rec.RelativeError)))))
		}
	}
	n := float64(len(fourth)) / float64(len(s.settings.methods()))
	where := "section numer-estim-rank"
	s.compare(method, where, "starts within .01 of the best, of 10, all cells of d=3 and d=4", publishedAtBest, 10*float64(atBest)/float64(starts), 1.25)
	s.claim(method, where, "the time for d=4 is less than for d=3 (all cells, one over the other)", "< 1", digits(seconds[1]/seconds[0]), seconds[1]/seconds[0], seconds[1] < seconds[0])
	s.claim(method, where, "the scores for d=4 are superior to those for d=3 (mean of all cells, d=4 - d=3)", "> 0", fmt.Sprintf("%+.4f", (scores[1]-scores[0])/n), (scores[1]-scores[0])/n, scores[1] > scores[0])
	s.claim(method, where, "there is little difference between the errors of d=3 and d=4 (greatest ratio at ranks >= r, as the figures show it, down to 9e-9)", "little", digits(math.Exp(farthest)), math.Exp(farthest), farthest < math.Log(10))
}
