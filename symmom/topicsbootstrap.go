package symmom

import (
	"cmp"
	"fmt"
	"time"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/estimate/topics"
	"symmom/internal/math/linalg"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// TopicsErrors are standard errors of topics, in the shapes of what they are of. Those of an
// interrupted bootstrap come from the draws that were done, at least two.
type TopicsErrors struct {
	Result // Err, String and HTML

	Draws         int          // that were done
	Words         *NamedMatrix // n x K; shown beside the probabilities
	Weights       []float64    // K
	Concentration float64      // 0 if it was given
	Elapsed       time.Duration
}

// Bootstrap estimates standard errors of the topics: the documents are resampled, each Poisson(1)
// times, the polish continues from the topics on them, and the errors are the standard deviations
// over the draws (Efron 1979). Draws start from the topics and keep their order; that another
// search might have found others is not part of the errors.
//
// draws is the number of resamples, 0 means 100; seed 0 is seed 1. The bootstrap takes the
// options of the search and reports to its Progress: StartsDone of Starts draws.
//
// Cost: some ten passes per draw.
func (t *Topics) Bootstrap(draws int, seed uint64) *TopicsErrors {
	began := time.Now()
	e := made(&TopicsErrors{Words: noMatrix(nil)})
	s := t.session
	draws, seed = cmp.Or(draws, DefaultDraws), cmp.Or(seed, DefaultSeed)
	switch {
	case draws < 2:
		e.err = &ArgumentError{Argument: "draws", Value: draws, Want: fmt.Sprintf("at least 2 (0 means the default, %d)", DefaultDraws)}
	case t.Components == 0 && t.err != nil:
		e.err = t.err
	case t.Components == 0 || s == nil:
		e.err = &ArgumentError{Argument: "topics", Value: "loaded ones, without documents", Want: "topics that Session.Topics found"}
	case t.Iterations == 0:
		e.err = &ArgumentError{Argument: "topics", Value: "those of the moments", Want: "polished ones: the bootstrap repeats the polish"}
	case s.data.Forgotten() != nil:
		e.err = fmt.Errorf("bootstrap: %w", s.data.Forgotten())
	case s.far():
		e.err = errDrawsFar(s)
	}
	if e.err != nil {
		return e
	}
	o := t.options
	o.Seed = seed
	b := topics.NewBootstrap(s.data.Storage, t.model.Topics, t.Weights, t.Concentration, t.Prior, o)
	ctx, tell := s.context(), s.watcher(t.progress)
	for k := range draws {
		if err := b.Draw(ctx, uint64(k)); err != nil {
			e.err = interrupted("bootstrap", err)
			break
		}
		if tell != nil {
			tell(bootstrapping(t.Components, b.Done, draws, began))
		}
	}
	e.Elapsed = time.Since(began)
	if b.Done >= 2 {
		e.fill(t, b)
	}
	return e
}

// fill takes the errors over.
func (e *TopicsErrors) fill(t *Topics, b *topics.Bootstrap) {
	mu, weights, concentration := b.Errors()
	e.Draws, e.Weights = b.Done, weights
	if t.options.Concentration == 0 {
		e.Concentration = concentration * t.Concentration
	}
	own := *t.Words
	e.Words = &own
	e.Words.of = t.Words.Dense
	e.Words.Dense = mat.NewDense(t.N, t.Components, nil)
	linalg.Transpose(e.Words.Dense.RawMatrix().Data, t.Components, mu, t.N, t.Components)
	e.Words.above = [][]string{{"share"}}
	for j, w := range t.Weights {
		e.Words.above[0] = append(e.Words.above[0], fmt.Sprintf("%.3f", w)+words.PlusMinus(weights[j]))
	}
}

// shown describes the errors in a few lines.
func (e *TopicsErrors) shown() shown {
	if e.Draws == 0 {
		return &htmltext.Facts{Title: errorLine("bootstrap", e.err)}
	}
	t := &htmltext.Facts{Title: fmt.Sprintf("Standard errors from %s, in %s", words.Plural(e.Draws, "bootstrap draw"), words.Duration(e.Elapsed))}
	if e.Concentration > 0 {
		t.Add("concentration", "%.2g", e.Concentration)
	}
	return parts{htmltext.Beside[Warning](t, nil, e.err), e.Words}
}
