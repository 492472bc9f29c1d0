package datasets

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"symmom/internal/data/draw"
	"symmom/symmom"
)

// DocumentsOptions describe documents of a topic model. Topics and Documents must be given.
type DocumentsOptions struct {
	Topics        int       // K
	Documents     int       // p
	Words         int       // of the vocabulary; 0: 1000
	Length        int       // of each document, in words; 0: 100
	Concentration float64   // of the shares of topics in a document, sum of their Dirichlet parameters; 0: 1
	Prior         float64   // Dirichlet parameter of each word in a topic; 0: .05
	Weights       []float64 // of the topics; nil: equal
	Seed          uint64    // default 1
}

// Documents are counts of words in documents that were drawn from a topic model, with the truth.
type Documents struct {
	Session *symmom.Session
	Topics  *mat.Dense // words x K, columns of sum 1
	Shares  *mat.Dense // p x K, rows of sum 1
}

// Err returns the error of the draw, or nil.
func (d *Documents) Err() error { return d.Session.Err() }

// TopicDocuments draws documents from a topic model (Blei, Ng & Jordan 2003): each has shares of
// the topics that are Dirichlet distributed, and for each of its places draws a topic by these,
// and a word of the topic. The session stores what is not zero.
func TopicDocuments(o DocumentsOptions) *Documents {
	return TopicDocumentsContext(context.Background(), o)
}

// TopicDocumentsContext is TopicDocuments until ctx ends; the session then holds ErrInterrupted
// of package symmom.
func TopicDocumentsContext(ctx context.Context, o DocumentsOptions) *Documents {
	failed := func(err error) *Documents {
		return &Documents{Session: symmom.Failed(err), Topics: &mat.Dense{}, Shares: &mat.Dense{}}
	}
	o, err := o.withDefaults()
	if err == nil { // a place takes up to 20 bytes
		err = draw.CheckMemory(float64(o.Documents)*float64(o.Length+o.Topics)/8, 10)
	}
	if err != nil {
		return failed(err)
	}
	start, word, count, topics, shares, err := draw.Documents(o).Draw(ctx)
	if err != nil {
		return failed(errInterrupted)
	}
	return &Documents{Session: symmom.FromCSR(o.Words, start, word, count), Topics: mat.DenseCopyOf(mat.NewDense(o.Topics, o.Words, topics).T()), Shares: mat.NewDense(o.Documents, o.Topics, shares)}
}

func (o DocumentsOptions) withDefaults() (DocumentsOptions, error) {
	for _, w := range []struct {
		value    *int
		name     string
		standard int
	}{{&o.Topics, "Topics", 0}, {&o.Documents, "Documents", 0}, {&o.Words, "Words", 1000}, {&o.Length, "Length", 100}} {
		if *w.value == 0 {
			*w.value = w.standard
		}
		if *w.value < 1 {
			return o, &symmom.ArgumentError{Argument: w.name, Value: *w.value, Want: "at least 1"}
		}
	}
	for _, r := range []struct {
		value    *float64
		name     string
		standard float64
	}{{&o.Concentration, "Concentration", 1}, {&o.Prior, "Prior", .05}} {
		if *r.value == 0 {
			*r.value = r.standard
		}
		if !(*r.value > 0) || math.IsInf(*r.value, 0) {
			return o, &symmom.ArgumentError{Argument: r.name, Value: *r.value, Want: "a finite number above 0"}
		}
	}
	if o.Weights != nil && len(o.Weights) != o.Topics {
		return o, &symmom.ArgumentError{Argument: "Weights", Value: len(o.Weights), Want: fmt.Sprintf("%d of them, one a topic", o.Topics)}
	}
	for _, w := range o.Weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return o, &symmom.ArgumentError{Argument: "Weights", Value: w, Want: "finite numbers above 0"}
		}
	}
	return o, nil
}
