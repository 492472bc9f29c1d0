package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"symmom/internal/data/draw"
	"symmom/internal/estimate/topics"
)

// aboveRuns is the number of random kinds of documents, aboveExtra how many topics too many are asked for.
const (
	aboveRuns  = 30
	aboveExtra = 5
)

// topicsAbove asks for more topics than were drawn, and counts how many stand out from the noise.
func (b *bench) topicsAbove() (*section, error) {
	s := &section{title: "Topics that stand out from the noise", header: []string{"topics", "documents", "of words", "vocabulary", "a0", "prior", "stand out"}}
	s.note("documents of random topic models, asked for %d topics more than were drawn; the number that the second moment tells from noise, as symmom's warning counts it; weights of topics from 1 to 4", aboveExtra)
	rng := rand.New(rand.NewPCG(58, 30))
	between := func(least, most float64) float64 { return least * math.Pow(most/least, rng.Float64()) }
	exact, below, above, missed := 0, 0, 0, 0
	runs := aboveRuns
	if b.quick {
		runs = 5
	}
	for i := range runs {
		g := draw.Documents{Topics: 2 + rng.IntN(19), Documents: int(between(500, 10000)), Words: int(between(200, 3000)), Length: int(between(20, 200)),
			Concentration: between(.2, 5), Prior: between(.02, .5), Seed: uint64(i + 1)}
		for range g.Topics {
			g.Weights = append(g.Weights, between(1, 4))
		}
		start, word, count, _, _, err := g.Draw(b.ctx)
		if err != nil {
			return nil, err
		}
		x := (&corpus{g.Words, start, word, count}).source()
		d, err := topics.Survey(b.ctx, x)
		if err != nil {
			return nil, err
		}
		r, err := topics.Find(b.ctx, d, topics.Options{Topics: g.Topics + aboveExtra, Concentration: g.Concentration, Starts: 1, Seed: 1, MomentsOnly: true, Threads: 1})
		if err != nil {
			return nil, err
		}
		if r.Weights == nil {
			s.row(fmt.Sprint(g.Topics), fmt.Sprint(g.Documents), fmt.Sprint(g.Length), fmt.Sprint(g.Words), digits(g.Concentration), digits(g.Prior), fmt.Sprintf("none: %d shown", r.Shown))
			missed++
			continue
		}
		switch {
		case r.Above == g.Topics:
			exact++
		case r.Above < g.Topics:
			below++
		default:
			above++
		}
		s.row(fmt.Sprint(g.Topics), fmt.Sprint(g.Documents), fmt.Sprint(g.Length), fmt.Sprint(g.Words), digits(g.Concentration), digits(g.Prior), fmt.Sprint(r.Above))
		progress("%d topics, %d stand out", g.Topics, r.Above)
	}
	s.note("of %d: as many as were drawn %d, fewer %d, more %d; without topics %d", runs, exact, below, above, missed)
	return s, nil
}
