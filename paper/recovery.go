package paper

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/text/words"
)

// recoveryRecord is a panel of figure gmm-solns.
type recoveryRecord struct {
	Method   string      `json:"method"`
	Rank     int         `json:"rank"`
	TrueRank int         `json:"true_rank"`
	DataSeed uint64      `json:"data_seed"`
	Factors  [][]float64 `json:"factors"` // the columns of A, of unit norm
	Cosines  []float64   `json:"cosines"` // of each true mean with its match, or with the nearest mean if it has none
	fitRecord
}

// closeBy is the cosine above which a mean counts as detected.
const closeBy = .95

var recoveryRanks = []int{3, 4, 5, 6, 7}

func recoveryKey(s Settings, method string, rank int) string {
	o := pictureOf(s).options
	return fmt.Sprintf("recovery/3 d=3 n=%d r=5 per=%d sigma=%g rank=%d", o.N, o.PerComponent, o.Sigma, rank) + s.suffix(method, s.starts(publishedStarts, 4))
}

func recoveryJobs(s Settings) []job {
	jobs := pictureJobs(s)
	for _, method := range s.methods() {
		for _, rank := range recoveryRanks {
			o := pictureOf(s).options
			evaluations := map[string]float64{MethodPaper: 250, MethodBest: 12}[method]
			jobs = append(jobs, job{
				key:    recoveryKey(s, method, rank),
				about:  fmt.Sprintf("rank %d, %s", rank, method),
				weight: evaluations * float64(s.starts(publishedStarts, 4)) * 4 * float64(5*o.PerComponent*o.N*rank),
				run:    func(r *runner) (any, error) { return r.recovery(method, rank) },
			})
		}
	}
	return jobs
}

func (r *runner) recovery(method string, rank int) (any, error) {
	g := pictureOf(r.settings).options
	data, err := r.mixture(g)
	if err != nil {
		return nil, err
	}
	o := r.settings.options(method, r.settings.starts(publishedStarts, 4), mixtureTolerance)
	fit, err := r.decompose(form(data.Session.WithContext(r.ctx).Moment(3), method), o, rank)
	if err != nil {
		return nil, err
	}
	rec := recoveryRecord{Method: method, Rank: rank, TrueRank: g.Components, DataSeed: g.Seed,
		Cosines: make([]float64, g.Components)}
	for j := range rank {
		rec.Factors = append(rec.Factors, mat.Col(nil, j, fit.Model.Factors))
	}
	if rec.fitRecord, err = r.recordOf(fit, data.Means); err != nil {
		return nil, err
	}
	score := fit.Score(data.Means)
	for j := range rec.Cosines {
		for k := range rank {
			rec.Cosines[j] = math.Max(rec.Cosines[j], score.Cosines.At(j, k))
		}
	}
	for _, p := range score.Pairs {
		rec.Cosines[p.Truth] = p.Cosine
	}
	return rec, score.Err()
}

func showRecovery(s *shown) {
	var all []recoveryRecord
	t := Table{Caption: "Cosines of the five true means with what was found", Words: 1, Header: []string{"method", "rank", "score", "cosines", "means with cosine > .95", "relative error", "CPU s, all starts"}}
	for _, method := range s.settings.methods() {
		byRank := map[int]recoveryRecord{}
		for _, rank := range recoveryRanks {
			rec, ok := get[recoveryRecord](s.store, recoveryKey(s.settings, method, rank))
			if !ok {
				continue
			}
			byRank[rank] = rec
			all = append(all, rec)
			s.warnings(rec.Warnings)
			cosines := ""
			for _, c := range rec.Cosines {
				cosines += fmt.Sprintf(" %.3f", c)
			}
			t.Rows = append(t.Rows, []string{method, fmt.Sprint(rank), fmt.Sprintf("%.5f", rec.Score), cosines[1:], fmt.Sprintf("%d of 5", detected(rec)), digits(float64(rec.RelativeError)), digits(float64(rec.CPU))})
		}
		if len(byRank) < len(recoveryRanks) {
			continue
		}
		s.Figures = append(s.Figures, recoveryFigure(s.settings, method, all[len(all)-len(byRank):]))
		const where = "figure gmm-solns"
		below := fmt.Sprintf("%d and %d", detected(byRank[3]), detected(byRank[4]))
		s.claim(method, where, "ranks 3 and 4: it is close to detecting two of the means (those with cosine > .95)", "2 and 2", below, float64(detected(byRank[3])), detected(byRank[3]) >= 2 && detected(byRank[4]) >= 2)
		at := float64(byRank[5].Score)
		s.claim(method, where, "rank = r: the recovery is very good, score", "very good", fmt.Sprintf("%.5f", at), at, at >= .98)
		more := math.Min(float64(byRank[6].Score), float64(byRank[7].Score))
		s.claim(method, where, "a higher rank does not detract from finding the means, score of ranks 6 and 7, least", "no", fmt.Sprintf("%.5f", more), more, more >= at-.01)
	}
	s.Tables = append(s.Tables, t)
	s.data = all
	s.convention("The data are those of figure gmm-picture, all %s of them, and so is the projection. Recovered means are the columns of A, of unit norm as the true means are.", words.Plural(5*pictureOf(s.settings).options.PerComponent, "observation"))
}

// detected counts the true means with a cosine above closeBy.
func detected(rec recoveryRecord) int {
	n := 0
	for _, c := range rec.Cosines {
		if c > closeBy {
			n++
		}
	}
	return n
}
