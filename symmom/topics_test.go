package symmom_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/symmom"
)

// twoTopics are documents about three words each, mixed, and the topics.
func twoTopics(documents int) (rows [][]float64, truth *mat.Dense) {
	truth = mat.NewDense(6, 2, []float64{.5, 0, .3, 0, .2, 0, 0, .6, 0, .3, 0, .1})
	rng := rand.New(rand.NewPCG(58, 1))
	for range documents {
		row, share := make([]float64, 6), rng.Float64()*rng.Float64()
		if rng.IntN(2) == 1 {
			share = 1 - share
		}
		for range 15 {
			j, u := 0, rng.Float64()
			if rng.Float64() > share {
				j = 1
			}
			w := 0
			for ; u > truth.At(w, j); w++ {
				u -= truth.At(w, j)
			}
			row[w]++
		}
		rows = append(rows, row)
	}
	return rows, truth
}

// Topics of sparse, dense, single precision and streamed counts are the same; a saved one does what it did
// before.
func TestTopicsHoweverStored(t *testing.T) {
	rows, truth := twoTopics(800)
	s := symmom.FromRows(rows)
	first := s.Topics(2)
	if score := first.Score(truth); first.Err() != nil || !(score.Distance < .1) || !(score.Value > .99) || score.Err() != nil {
		t.Fatal(first, score)
	}
	path := filepath.Join(t.TempDir(), "counts.csv")
	if err := s.Save(path); err != nil {
		t.Fatal(err)
	}
	for name, other := range map[string]*symmom.Session{"sparse": s.Sparse(), "single": symmom.Load(path, symmom.LoadOptions{Float32: true}), "stream": symmom.Stream(path)} {
		found := other.Topics(2)
		if found.Err() != nil || !mat.EqualApprox(found.Words, first.Words, 1e-9) || math.Abs(found.Concentration-first.Concentration) > 1e-8 {
			t.Errorf("%s: %v", name, found)
		}
	}
	saved := filepath.Join(t.TempDir(), "topics.json")
	if err := first.Save(saved); err != nil {
		t.Fatal(err)
	}
	again, err := symmom.LoadTopics(saved)
	if err != nil || !mat.Equal(again.Words, first.Words) || !slices.Equal(again.Weights, first.Weights) || again.String() == "" {
		t.Fatal(err, again)
	}
	one, _ := first.Shares(s)
	two, err := again.Shares(s)
	if err != nil || !mat.Equal(one, two) {
		t.Error(err, "shares differ")
	}
	if total := mat.Sum(one); math.Abs(total-800) > 1e-9 {
		t.Errorf("shares sum to %g in all", total)
	}
	p, _ := first.Perplexity(s)
	q, err := again.Perplexity(s)
	if err != nil || p != q || !(p > 1) || !(p < 6) {
		t.Errorf("perplexity %g and %g, %v", p, q, err)
	}
}

// Without a number there are as many topics as the documents show.
func TestTopicsOpen(t *testing.T) {
	rows, truth := twoTopics(2000)
	s := symmom.FromRows(rows)
	open, two := s.Topics(0), s.Topics(2)
	if open.Components != 2 || !mat.EqualApprox(open.Words, two.Words, 1e-6) || !(open.Score(truth).Distance < .1) {
		t.Errorf("%v\n%v", open, two)
	}
	if same := symmom.FromRows(slices.Repeat([][]float64{{1, 1, 1, 1}}, 100)).Topics(0); same.Components > 1 {
		t.Errorf("documents that are all the same have %d topics", same.Components)
	}
}

// An observation of weight 2 is a document that is there twice.
func TestTopicsOfWeightedDocuments(t *testing.T) {
	rows, _ := twoTopics(300)
	weights := slices.Repeat([]float64{1}, 300)
	twice := slices.Clone(rows)
	for l := range 100 {
		weights[l] = 2
		twice = append(twice, rows[l])
	}
	o := symmom.TopicsOptions{Concentration: 1, MomentsOnly: true}
	a, b := symmom.FromRows(rows).WithWeights(weights).Topics(2, o), symmom.FromRows(twice).Topics(2, o)
	if a.Err() != nil || !mat.EqualApprox(a.Words, b.Words, 1e-9) {
		t.Errorf("%v\n%v", a, b)
	}
}

func TestTopicsRefuse(t *testing.T) {
	rows, _ := twoTopics(50)
	s := symmom.FromRows(rows)
	for _, c := range []struct {
		found *symmom.Topics
		want  string
	}{
		{s.Topics(-1), "topics: got -1, want 1 to 6, the number of words, or 0"},
		{s.Topics(7), "topics: got 7, want 1 to 6"},
		{s.Center().Topics(2), "centered variables"},
		{s.Topics(2, symmom.TopicsOptions{Concentration: -1}), "Concentration: got -1"},
		{s.Topics(2, symmom.TopicsOptions{Concentration: 1e200}), "Concentration: got 1e+200, want a number from 1e-6 to 1e6"},
		{s.Topics(2, symmom.TopicsOptions{Tolerance: math.NaN()}), "Tolerance"},
		{symmom.FromRows([][]float64{{1, 2, 1}, {2, .5, 1}}).Topics(1), `row 2, column 2: got "0.5", want a count of a word, a whole number`},
		{symmom.FromRows([][]float64{{1, 1}, {1, 0}}).Topics(1), "no document has three words or more"},
		{symmom.FromRows([][]float64{{3, 0, 0}, {4, 0, 0}, {5, 0, 0}}).Topics(2), "show no more"},
	} {
		if err := c.found.Err(); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(c.found.String(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
		if c.found.Save("x.json") == nil || c.found.Score(mat.NewDense(6, 2, nil)).Err() == nil || c.found.Top(3) != nil {
			t.Error("what failed does more")
		}
		if _, err := c.found.Shares(s); err == nil {
			t.Error("what failed has shares")
		}
	}
	if _, err := s.Topics(2).Shares(symmom.FromRows([][]float64{{1, 2}})); err == nil {
		t.Error("shares of other words")
	}
}

// What would take more memory than there is, or is allowed, is refused before it begins.
func TestTopicsTooLarge(t *testing.T) {
	s := symmom.FromCSR(60_000, []int{0, 2, 4}, []int{0, 59_999, 0, 59_998}, []float64{3, 2, 1, 2})
	if found := s.Topics(50_000); !errors.Is(found.Err(), symmom.ErrTooLarge) || !slices.Contains(symmom.Help(found.Err()), "topics") {
		t.Error(found)
	}
}

func TestTopicsInterrupted(t *testing.T) {
	rows, truth := twoTopics(500)
	ctx, cancel := context.WithCancel(t.Context())
	found := symmom.FromRows(rows).WithContext(ctx).Topics(2, symmom.TopicsOptions{Progress: func(p symmom.Progress) {
		if p.Iterations == 2 {
			cancel()
		}
	}})
	if !errors.Is(found.Err(), symmom.ErrInterrupted) || found.Components != 2 || !(found.Score(truth).Distance < .3) {
		t.Error(found)
	}
}

func ExampleTopicsOptions() {
	// Documents of nearly one topic each, without the polish.
	rows, _ := twoTopics(300)
	topics := symmom.FromRows(rows).Topics(2, symmom.TopicsOptions{Concentration: .1, MomentsOnly: true})
	fmt.Println(topics.Components, topics.Concentration, topics.Iterations)
	// Output:
	// 2 0.1 0
}

// A bootstrap has errors in the shapes of the topics; what cannot be resampled is refused.
func TestTopicsBootstrap(t *testing.T) {
	rows, _ := twoTopics(300)
	found := symmom.FromRows(rows).Topics(2)
	e := found.Bootstrap(5, 0)
	n, k := e.Words.Dims()
	if e.Err() != nil || e.Draws != 5 || n != 6 || k != 2 || !(e.Weights[0] > 0) || !(e.Concentration > 0) || !strings.Contains(e.String(), "±") {
		t.Fatal(e)
	}
	if again := found.Bootstrap(5, 1); !mat.Equal(again.Words, e.Words) {
		t.Error("the same seed gives other errors")
	}
	path := filepath.Join(t.TempDir(), "topics.json")
	if err := found.Save(path); err != nil {
		t.Fatal(err)
	}
	loaded, _ := symmom.LoadTopics(path)
	moments := symmom.FromRows(rows).Topics(2, symmom.TopicsOptions{MomentsOnly: true})
	for what, refused := range map[string]*symmom.TopicsErrors{"one draw": found.Bootstrap(1, 0), "loaded": loaded.Bootstrap(5, 0), "moments": moments.Bootstrap(5, 0)} {
		if refused.Err() == nil || refused.Draws != 0 {
			t.Errorf("%s: %v", what, refused)
		}
	}
}

func ExampleTopicsErrors() {
	rows, _ := twoTopics(1000)
	spread := symmom.FromRows(rows).Topics(2).Bootstrap(10, 1)
	fmt.Println(spread.Draws, spread.Weights[0] < .05)
	// Output: 10 true
}

func ExampleTopics() {
	counts := [][]float64{ // of ball, goal, team, vote, law, party in five documents
		{4, 2, 3, 0, 0, 0}, {3, 3, 2, 0, 1, 0}, {5, 1, 2, 0, 0, 1},
		{0, 0, 0, 4, 3, 2}, {1, 0, 0, 3, 4, 1},
	}
	topics := symmom.FromRows(counts).Topics(2, symmom.TopicsOptions{Concentration: .2})
	for j, share := range topics.Weights {
		fmt.Printf("%.1f: %s\n", share, topics.Top(3)[j])
	}
	// Output:
	// 0.6: [column 1 column 3 column 2]
	// 0.4: [column 4 column 5 column 6]
}

// Words that are frequent, or in no document, are no reason for caution.
func TestTopicsDoNotAdviseToStandardize(t *testing.T) {
	rows, _ := twoTopics(300)
	for l := range rows {
		rows[l][0] *= 5000
		rows[l] = append(rows[l], 0)
	}
	s := symmom.FromRows(rows)
	if found := s.Topics(2); found.Err() != nil || slices.ContainsFunc(found.Warnings, func(w symmom.Warning) bool { return w.Code == symmom.WarnScales || w.Code == symmom.WarnConstant }) {
		t.Error(found)
	}
	if all := s.Warnings(); len(all) < 2 {
		t.Error(all)
	}
	texts := symmom.Texts("texts", symmom.TextOptions{Documents: []string{strings.Repeat("often ", 20000) + "rare", "rare", "often"}, Vocabulary: []string{"often", "rare", "never"}})
	if all := texts.Warnings(); texts.Err() != nil || len(all) > 0 {
		t.Error(texts.Err(), all)
	}
}
