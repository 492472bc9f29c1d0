package main

import (
	"symmom/datasets"
	"symmom/internal/text/diag"
	"symmom/symmom"
)

// ofTopics is advice about topics of documents.
func ofTopics() []advice {
	type options = symmom.TopicsOptions
	documents := func(k int, concentration float64, seed uint64) *datasets.Documents {
		return datasets.TopicDocuments(datasets.DocumentsOptions{Topics: k, Documents: 600, Words: 80, Length: 40, Concentration: concentration, Seed: seed})
	}
	found := func(d *datasets.Documents, k int, o options) func() result {
		return func() result {
			t := d.Session.Topics(k, o)
			if t.Err() != nil {
				return result{err: t.Err()}
			}
			return result{t.Warnings, t.Score(d.Topics).Distance, nil}
		}
	}
	const figure = "distance from the true topics"
	return []advice{
		{diag.Rank, "topics", "out from the noise", "as many as stand out", figure, -1, .02, 0, func(seed uint64) table {
			d := documents(3, .5, seed)
			return table{seeded("documents of three topics", seed), found(d, 6, options{}), found(d, 3, options{})}
		}},
		{diag.Degenerate, "topics", "nearly the same", "one topic", "", 0, 0, 0, func(seed uint64) table {
			d := datasets.TopicDocuments(datasets.DocumentsOptions{Topics: 1, Documents: 40, Words: 6, Length: 2000, Seed: seed})
			return table{seeded("long documents of one topic", seed), found(d, 2, options{Concentration: 1}), found(d, 1, options{Concentration: 1})}
		}},
		{diag.Estimates, "Concentration", "do not tell the concentration", "Concentration .1", "", 0, 0, 0, func(seed uint64) table {
			d := documents(1, 1, seed)
			return table{seeded("documents of one topic", seed), found(d, 2, options{}), found(d, 2, options{Concentration: .1})}
		}},
		{diag.NotConverged, "MaxIterations", "the polish stopped", "the default", figure, -1, .02, 0, func(seed uint64) table {
			d := documents(3, 2, seed)
			return table{seeded("documents of three topics", seed), found(d, 3, options{MaxIterations: 1}), found(d, 3, options{})}
		}},
	}
}
