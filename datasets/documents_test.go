package datasets_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"symmom/datasets"
	"symmom/symmom"
)

// Drawn documents have the length, the shares and the words that were asked for.
func TestTopicDocuments(t *testing.T) {
	o := datasets.DocumentsOptions{Topics: 3, Documents: 4000, Words: 50, Length: 30, Concentration: 2, Weights: []float64{2, 1, 1}, Seed: 5}
	d := datasets.TopicDocuments(o)
	if d.Err() != nil || d.Session.Observations() != 4000 || d.Session.N() != 50 || d.Session.Density() > .5 {
		t.Fatal(d.Err(), d.Session)
	}
	counts := d.Session.Matrix()
	for l := range 4000 {
		if s := mat.Sum(counts.RowView(l)); s != 30 {
			t.Fatalf("document %d has %g words", l, s)
		}
		if s := mat.Sum(d.Shares.RowView(l)); math.Abs(s-1) > 1e-12 {
			t.Fatalf("shares of document %d sum to %g", l, s)
		}
	}
	// The shares have mean 1/2 and variance .25/3 = alpha (a0-alpha)/(a0^2 (a0+1)); five standard errors.
	var mean, square float64
	for l := range 4000 {
		x := d.Shares.At(l, 0)
		mean += x / 4000
		square += (x - .5) * (x - .5) / 4000
	}
	if math.Abs(mean-.5) > .023 || math.Abs(square-.25/3) > .006 {
		t.Errorf("shares of mean %.4f and variance %.4f", mean, square)
	}
	// Words occur as often as topics and shares say, within chance.
	var want mat.Dense
	want.Mul(d.Shares, d.Topics.T())
	for w := range 50 {
		expected := 30 * mat.Sum(want.ColView(w))
		if got := mat.Sum(counts.ColView(w)); math.Abs(got-expected) > 6*math.Sqrt(expected)+1 {
			t.Errorf("word %d occurs %g times, want about %g", w, got, expected)
		}
	}
	if again := datasets.TopicDocuments(o); !mat.Equal(again.Session.Matrix(), counts) {
		t.Error("the same seed gives other documents")
	}
}

func TestTopicDocumentsRefuses(t *testing.T) {
	for _, o := range []datasets.DocumentsOptions{{}, {Topics: 2}, {Topics: 2, Documents: -1}, {Topics: 2, Documents: 3, Concentration: -1},
		{Topics: 2, Documents: 3, Prior: math.Inf(1)}, {Topics: 2, Documents: 3, Weights: []float64{1}}, {Topics: 2, Documents: 3, Weights: []float64{1, 0}}} {
		if d := datasets.TopicDocuments(o); !errors.As(d.Err(), new(*symmom.ArgumentError)) {
			t.Errorf("%+v: %v", o, d.Err())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if d := datasets.TopicDocumentsContext(ctx, datasets.DocumentsOptions{Topics: 2, Documents: 1000}); !errors.Is(d.Err(), symmom.ErrInterrupted) {
		t.Error(d.Err())
	}
}

func ExampleDocuments() {
	d := datasets.TopicDocuments(datasets.DocumentsOptions{Topics: 4, Documents: 2000, Words: 300})
	topics := d.Session.Topics(4)
	fmt.Printf("error below .1: %v\n", topics.Score(d.Topics).Distance < .1)
	// Output: error below .1: true
}

func ExampleDocumentsOptions() {
	// Short documents of one topic each, nearly, and one topic that is twice as frequent.
	d := datasets.TopicDocuments(datasets.DocumentsOptions{Topics: 3, Documents: 1000, Length: 20, Concentration: .1, Weights: []float64{2, 1, 1}})
	fmt.Println(d.Session.Observations(), d.Session.N())
	// Output: 1000 1000
}
