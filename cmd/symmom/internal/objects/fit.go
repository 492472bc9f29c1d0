package objects

import (
	"errors"

	"symmom/symmom"

	"gonum.org/v1/gonum/mat"
)

// Fit is the output of decompose.
type Fit struct {
	Schema            string           `json:"schema"` // docs/reference/output.schema.json
	Order             int              `json:"order"`
	Distinct          bool             `json:"distinct,omitempty"` // --distinct
	N                 int              `json:"n"`
	Observations      int              `json:"observations"`
	Rank              int              `json:"rank"`
	Form              string           `json:"form"`
	Solver            string           `json:"solver"`
	Seed              uint64           `json:"seed"`
	ObjectiveShifted  Number           `json:"objective_shifted"`
	NormSquared       Number           `json:"norm_squared"`
	NormSquaredStdErr Number           `json:"norm_squared_stderr"`
	RelativeError     Number           `json:"relative_error"`
	GradientNorm      Number           `json:"gradient_norm"`
	Cosine            Number           `json:"cosine"`
	Sigma             *Number          `json:"sigma,omitempty"` // of the noise that --debias removed
	SigmaStdErr       *Number          `json:"sigma_stderr,omitempty"`
	Lambda            []Number         `json:"lambda"`
	Factors           [][]Number       `json:"factors"`
	StandardErrors    *fitErrors       `json:"standard_errors,omitempty"`
	Score             *Number          `json:"score"`
	Status            string           `json:"status"`
	Evaluations       int              `json:"evaluations"`
	DataPasses        int              `json:"data_passes"`
	Seconds           Number           `json:"seconds"`
	Phases            map[string]phase `json:"phases"`
	Starts            []start          `json:"starts"`
	Optima            []optimum        `json:"optima"`     // where starts ended, best first
	Shares            []Number         `json:"shares"`     // of the components in ||M||^2
	Condition         Number           `json:"condition"`  // of [A'A]^d
	Degenerate        [][2]int         `json:"degenerate"` // pairs of components that nearly cancel, from 1
	Warnings          []string         `json:"warnings"`
}

type phase struct {
	Seconds Number `json:"seconds"`
	Passes  int    `json:"passes"`
}

type optimum struct {
	ObjectiveShifted Number `json:"objective_shifted"`
	Starts           int    `json:"starts"`
}

type start struct {
	ObjectiveShifted Number `json:"objective_shifted"`
	Iterations       int    `json:"iterations"`
	Evaluations      int    `json:"evaluations"`
	Seconds          Number `json:"seconds"`
	Status           string `json:"status"`
	AtBest           bool   `json:"at_best"`
	Unverified       bool   `json:"unverified,omitempty"` // f is an estimate
}

// fitErrors holds standard errors, in the shapes of the estimates.
type fitErrors struct {
	Draws   int        `json:"draws"`
	Lambda  []Number   `json:"lambda"`
	Factors [][]Number `json:"factors"`
	Seconds Number     `json:"seconds"`
}

// NewFit returns the object of a fit, with its score and its standard errors unless they are nil,
// and with the warnings that were printed.
func NewFit(f *symmom.Fit, score *symmom.Score, spread *symmom.FitErrors, warnings []string) Fit {
	out := Fit{Schema: "decompose/4", Warnings: warnings,
		Order: f.Order, Distinct: distinct(f.Model.Kind), N: f.N, Observations: f.Observations, Rank: f.Rank,
		Form: f.Form, Solver: f.Solver, Seed: f.Seed,
		ObjectiveShifted: Number(f.ObjectiveShifted),
		NormSquared:      Number(f.NormSquared.Value), NormSquaredStdErr: Number(f.NormSquared.StdErr),
		RelativeError: Number(f.RelativeError), GradientNorm: Number(f.GradientNorm), Cosine: Number(f.Cosine),
		Lambda: Numbers(f.Model.Lambda), Score: scoreOf(score), Status: f.Status,
		Evaluations: f.Evaluations, DataPasses: f.DataPasses, Seconds: Number(f.Elapsed.Seconds()), Phases: map[string]phase{}, Starts: []start{}, Factors: [][]Number{},
		Degenerate: [][2]int{}, Optima: []optimum{},
	}
	for _, p := range f.Phases {
		out.Phases[p.Phase] = phase{Number(p.Elapsed.Seconds()), p.Passes}
	}
	d := f.Model.Diagnostics()
	out.Shares, out.Condition = Numbers(d.Shares), Number(d.Condition)
	for _, p := range d.Degenerate {
		out.Degenerate = append(out.Degenerate, [2]int{p.I + 1, p.J + 1})
	}
	for _, o := range f.Optima {
		out.Optima = append(out.Optima, optimum{Number(o.ObjectiveShifted), o.Starts})
	}
	if f.Sigma > 0 {
		sigma, stderr := Number(f.Sigma), Number(f.SigmaStdErr)
		out.Sigma, out.SigmaStdErr = &sigma, &stderr
	}
	for j := range f.Rank {
		out.Factors = append(out.Factors, Numbers(mat.Col(nil, j, f.Model.Factors)))
	}
	if spread != nil && spread.Draws > 0 {
		s := &fitErrors{Draws: spread.Draws, Lambda: Numbers(spread.Lambda), Seconds: Number(spread.Elapsed.Seconds())}
		for j := range f.Rank {
			s.Factors = append(s.Factors, Numbers(mat.Col(nil, j, spread.Factors)))
		}
		out.StandardErrors = s
	}
	for _, s := range f.Starts {
		out.Starts = append(out.Starts, start{Number(s.ObjectiveShifted), s.Iterations, s.Evaluations, Number(s.Elapsed.Seconds()), s.Status, s.AtBest, s.Unverified})
	}
	return out
}

// distinct reports whether a moment is one over distinct indices.
func distinct(k *symmom.MomentKind) bool { return k != nil && k.Distinct }

func scoreOf(s *symmom.Score) *Number {
	if s == nil {
		return nil
	}
	x := Number(s.Value)
	return &x
}

// Evaluation is the output of evaluate for a model. If ||X||^2 is an estimate, its standard
// error is in a second key, which an exact value lacks.
type Evaluation struct {
	Schema            string   `json:"schema"`
	Order             int      `json:"order"`
	Distinct          bool     `json:"distinct,omitempty"`
	Rank              int      `json:"rank"`
	Observations      int      `json:"observations"`
	ObjectiveShifted  Number   `json:"objective_shifted"`
	NormSquared       Number   `json:"norm_squared"`
	NormSquaredStdErr *Number  `json:"norm_squared_stderr,omitempty"`
	RelativeError     Number   `json:"relative_error"`
	GradientNorm      Number   `json:"gradient_norm"`
	Score             *Number  `json:"score"`
	Warnings          []string `json:"warnings"`
}

// NewEvaluation is NewFit for a model that was evaluated.
func NewEvaluation(e *symmom.Evaluation, score *symmom.Score, warnings []string) Evaluation {
	return Evaluation{Schema: "evaluate/2", Warnings: warnings, Order: e.Order, Distinct: distinct(e.Kind), Rank: e.Rank, Observations: e.Observations,
		ObjectiveShifted: Number(e.ObjectiveShifted),
		NormSquared:      Number(e.NormSquared.Value), NormSquaredStdErr: ifEstimate(e.NormSquared, e.NormSquared.StdErr),
		RelativeError: Number(e.RelativeError), GradientNorm: Number(e.GradientNorm), Score: scoreOf(score)}
}

// Sweep is the output of sweep and report. Status is present if the sweep was interrupted,
// the standard error if ||X||^2 is an estimate.
type Sweep struct {
	Schema   string   `json:"schema"`
	Order    int      `json:"order"`
	Distinct bool     `json:"distinct,omitempty"`
	Results  []result `json:"results"`
	Status   string   `json:"status,omitempty"`
	Warnings []string `json:"warnings"`
}

type result struct {
	Rank                int     `json:"rank"`
	RelativeError       Number  `json:"relative_error"`
	RelativeErrorStdErr *Number `json:"relative_error_stderr,omitempty"`
	Score               Number  `json:"score"` // NaN, written as null, without a truth
	Seconds             Number  `json:"seconds"`
	Evaluations         int     `json:"evaluations"`
}

// NewSweep is NewFit for several ranks.
func NewSweep(s *symmom.Sweep, warnings []string) Sweep {
	out := Sweep{Schema: "sweep/2", Warnings: warnings, Order: s.Order, Distinct: distinct(s.Kind), Results: []result{}}
	if errors.Is(s.Err(), symmom.ErrInterrupted) {
		out.Status = "interrupted"
	}
	for i, r := range s.Fits {
		norm := r.NormSquared
		_, stderr := norm.Relative(r.ObjectiveShifted)
		out.Results = append(out.Results, result{Rank: r.Rank, RelativeError: Number(r.RelativeError),
			RelativeErrorStdErr: ifEstimate(norm, stderr),
			Score:               Number(s.Scores[i]), Seconds: Number(r.Elapsed.Seconds()), Evaluations: r.Evaluations})
	}
	return out
}

// Rank is the output of rank.
type Rank struct {
	Schema       string     `json:"schema"`
	Order        int        `json:"order"`
	N            int        `json:"n"`
	Observations int        `json:"observations"`
	Max          int        `json:"max"`
	Rank         *int       `json:"rank"` // null: unsure
	Conclusion   string     `json:"conclusion"`
	Evidence     []evidence `json:"evidence"`
	Status       string     `json:"status,omitempty"` // "interrupted"
	Seconds      Number     `json:"seconds"`
	Warnings     []string   `json:"warnings"`
}

type evidence struct {
	Kind    string   `json:"kind"`
	Rank    *int     `json:"rank"` // null: undecided
	Or      *int     `json:"or"`   // another that it may be as well
	Sure    string   `json:"sure"`
	Text    string   `json:"text"`
	Ranks   []int    `json:"ranks"`
	Numbers []Number `json:"numbers"` // one for each of ranks
}

// NewRank is NewFit for what speaks for a rank.
func NewRank(s *symmom.RankSuggestion, warnings []string) Rank {
	out := Rank{Schema: "rank/3", Warnings: warnings, Order: s.Order, N: s.N, Observations: s.Observations, Max: s.Max, Rank: orNull(s.Rank),
		Conclusion: s.Conclusion, Evidence: []evidence{}, Seconds: Number(s.Elapsed.Seconds())}
	if errors.Is(s.Err(), symmom.ErrInterrupted) {
		out.Status = "interrupted"
	}
	for _, e := range s.Evidence {
		ranks := append([]int{}, e.Ranks...) // [], not null
		out.Evidence = append(out.Evidence, evidence{e.Kind, orNull(e.Rank), orNull(e.Or), e.Sure, e.Text, ranks, Numbers(e.Numbers)})
	}
	return out
}

// orNull returns a rank for JSON: null if there is none.
func orNull(rank int) *int {
	if rank == 0 {
		return nil
	}
	return &rank
}
