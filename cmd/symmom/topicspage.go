package main

import (
	"fmt"
	"strings"

	"symmom/charts"
	"symmom/cmd/symmom/internal/objects"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// page returns the page of --html.
func (c *topicsCommand) page(s *symmom.Session, found objects.TopicsResult) *charts.Report {
	t := found.Topics
	r := charts.NewReport("Topics")
	r.Subtitle, r.Footer = dataLine(s), footer(c.options.Seed)
	numbers := []string{"topics", words.Count(t.Components), "concentration", concentrationOf(found)}
	if found.Perplexity > 0 {
		numbers = append(numbers, "perplexity, held out", fmt.Sprintf("%.5g", found.Perplexity))
	}
	if found.Recovered != nil {
		numbers = append(numbers, "error", fmt.Sprintf("%.3f", found.Recovered.Distance))
	}
	r.Facts(append(numbers, "iterations", words.Count(t.Iterations), "time", words.Duration(t.Elapsed))...)
	addDoubts(r, t.Err(), "set of topics", t.Warnings)
	if t.Components > 2 {
		r.Add(charts.TopicMap(t))
	}
	return r.Add(charts.Topics(t)).Table("Coherence", topicsHeader, topicRows(found))
}

// concentrationOf returns the concentration, with its standard error if there is one.
func concentrationOf(r objects.TopicsResult) string {
	text := words.Brief(r.Topics.Concentration)
	if e := r.Spread; e != nil && e.Draws > 0 && e.Concentration > 0 {
		text += words.PlusMinus(e.Concentration)
	}
	return text
}

var topicsHeader = []string{"topic", "share", "coherence", "words"}

// topicRows are the rows of a table of topics.
func topicRows(r objects.TopicsResult) (rows [][]string) {
	for j, top := range r.Top {
		share, coherence := fmt.Sprintf("%.3f", r.Topics.Weights[j]), "-"
		if e := r.Spread; e != nil && e.Draws > 0 {
			share += words.PlusMinus(e.Weights[j])
		}
		if j < len(r.Coherence) {
			coherence = fmt.Sprintf("%.2f", r.Coherence[j])
		}
		rows = append(rows, []string{fmt.Sprint(j + 1), share, coherence, strings.Join(top, ", ")})
	}
	return rows
}
