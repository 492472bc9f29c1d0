package objects

import "symmom/symmom"

// Topics is the output of topics.
type Topics struct {
	Schema         string        `json:"schema"`
	N              int           `json:"n"`
	Documents      int           `json:"documents"`
	Components     int           `json:"topics"`
	Weights        []Number      `json:"weights"`
	Concentration  Number        `json:"concentration"`
	Prior          *Number       `json:"prior,omitempty"` // not with --moments-only
	Words          [][]topWord   `json:"words"`           // --top of each topic
	Coherence      []Number      `json:"coherence"`
	Perplexity     *Number       `json:"perplexity,omitempty"`      // with --held-out
	Error          *Number       `json:"topic_error,omitempty"`     // with --truth
	StandardErrors *topicsErrors `json:"standard_errors,omitempty"` // with --bootstrap
	Short          int           `json:"short_documents"`
	Converged      bool          `json:"converged"`
	Iterations     int           `json:"iterations"`
	Seconds        Number        `json:"seconds"`
	Warnings       []string      `json:"warnings"`
}

type topicsErrors struct {
	Draws         int      `json:"draws"`
	Weights       []Number `json:"weights"`
	Concentration *Number  `json:"concentration,omitempty"` // unless it was given
	Seconds       Number   `json:"seconds"`
}

type topWord struct {
	Word        string `json:"word"`
	Probability Number `json:"probability"`
}

// TopicsResult are topics, the places of their most relevant words, and what was found out about them.
type TopicsResult struct {
	Topics     *symmom.Topics
	Top        [][]string
	Coherence  []float64
	Perplexity float64       // 0: not asked for
	Recovered  *symmom.Score // or nil
	Spread     *symmom.TopicsErrors
}

// NewTopics is NewFit for topics.
func NewTopics(r TopicsResult, warnings []string) Topics {
	t := r.Topics
	out := Topics{Schema: "topics/1", N: t.N, Documents: t.Documents, Components: t.Components, Weights: Numbers(t.Weights), Concentration: Number(t.Concentration),
		Coherence: Numbers(r.Coherence), Short: t.Short, Converged: t.Converged, Iterations: t.Iterations, Seconds: Number(t.Elapsed.Seconds()), Warnings: warnings}
	out.Prior = positive(t.Prior)
	out.Perplexity = positive(r.Perplexity)
	if r.Recovered != nil {
		x := Number(r.Recovered.Distance)
		out.Error = &x
	}
	if e := r.Spread; e.Draws > 0 {
		out.StandardErrors = &topicsErrors{e.Draws, Numbers(e.Weights), positive(e.Concentration), Number(e.Elapsed.Seconds())}
	}
	place := map[string]int{}
	for i, name := range t.Names {
		if _, twice := place[name]; !twice {
			place[name] = i
		}
	}
	for j, top := range r.Top {
		words := []topWord{}
		for _, w := range top {
			words = append(words, topWord{w, Number(t.Words.At(place[w], j))})
		}
		out.Words = append(out.Words, words)
	}
	return out
}

// positive returns a number above 0, or nil.
func positive(x float64) *Number {
	if !(x > 0) {
		return nil
	}
	v := Number(x)
	return &v
}
