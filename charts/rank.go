package charts

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	values "symmom/charts/internal/numbers"
	"symmom/internal/estimate/ranks"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// RankEvidence draws the evidence behind a suggested rank: eigenvalues of the
// second moment, relative errors of a sweep, the congruence of components between
// two halves of the observations, and BIC of Gaussian mixtures above its minimum,
// each with the rank that it suggests as a dashed line. The figure is a go-echarts
// Line chart for each kind of evidence with numbers; the series is "line-0", and a
// point is [rank, value], or [rank, log10(value)] if the values span nine decades.
func RankEvidence(s *symmom.RankSuggestion) *Figure {
	const title = "Evidence of the rank"
	if s == nil || s.Conclusion == "" {
		err := errors.New("the suggestion is nil")
		if s != nil {
			err = cmp.Or(s.Err(), errors.New("the suggestion is empty"))
		}
		return failed(title, fmt.Errorf("charts: rank evidence: %w", err))
	}
	f := &Figure{Title: title, Caption: sentence(s.Conclusion)}
	for _, e := range s.Evidence {
		row, numbers := evidenceRow(e)
		if e.Kind == symmom.EvidenceReplicability {
			var none []string
			for i, x := range numbers {
				if x == 0 { // no component has one of like weight in the other half
					numbers[i] = math.NaN()
					none = append(none, strconv.Itoa(e.Ranks[i]))
				}
			}
			if len(none) > 0 {
				f.Notes = append(f.Notes, fmt.Sprintf("Replicability of %s %s is not drawn: the two halves have a component without one of like weight in the other.",
					words.Verb(len(none), "rank", "ranks"), strings.Join(none, ", ")))
			}
		}
		if most := s.Max + 6; e.Kind == symmom.EvidenceSpectrum && len(numbers) > most {
			f.Notes = append(f.Notes, fmt.Sprintf("The leading %s of %s are drawn.", words.Count(most), words.Plural(len(numbers), "eigenvalue")))
			numbers = numbers[:most]
		}
		row.of = func(SweepLine) []float64 { return numbers }
		c, notes := row.chart([]SweepLine{{Ranks: e.Ranks[:len(numbers)]}}, e.Rank)
		if c == nil {
			f.Notes = append(f.Notes, sentence(fmt.Sprintf("%s is not drawn: %s", e.Kind, e.Text)))
			continue
		}
		if e.Kind == symmom.EvidenceReplicability && len(numbers) <= s.Max { // of Max + 1
			f.Notes = append(f.Notes, sentence(e.Kind+": "+e.Text))
		}
		if e.Kind == symmom.EvidenceReplicability {
			c.YAxisList[0].Min, c.YAxisList[0].Max = 0, 1 // high ones alone differ by little
		}
		f.charts, f.Notes = append(f.charts, c), append(f.Notes, notes...)
	}
	if len(f.charts) == 0 {
		return failed(title, errors.New("charts: rank evidence: there are no numbers to draw"))
	}
	f.summary = s.Conclusion
	return f
}

// evidenceRow returns how a piece of evidence is drawn, and its numbers.
func evidenceRow(e symmom.RankEvidence) (row sweepRow, numbers []float64) {
	row, numbers = sweepRow{title: title(e.Kind), logFrom: math.Inf(1), mark: (*ranks.Evidence)(&e).Says() + ", " + e.Sure}, slices.Clone(e.Numbers[:min(len(e.Numbers), len(e.Ranks))])
	switch e.Kind {
	case symmom.EvidenceSpectrum:
		row.name, row.logFrom, row.axis = "eigenvalue", 30, "number"
	case symmom.EvidenceStagnation:
		row.name, row.logFrom = relativeErrorAxis, 1.5
	case symmom.EvidenceReplicability:
		row.name = "congruence of two halves"
	default:
		row.name, numbers = "BIC above its lowest", values.AboveLowest(e.Numbers)
		if len(numbers) > 0 && slices.Max(numbers) >= 1e4 {
			row.name += ", thousands"
			for i := range numbers {
				numbers[i] /= 1e3
			}
		}
	}
	return row, numbers
}

// title returns text with a capital letter at the beginning.
func title(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}

// sentence returns a title with a full stop at the end.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return title(text) + "."
}

// AddRank adds a suggested rank: the conclusion, the evidence in words, and its
// picture.
func (r *Report) AddRank(s *symmom.RankSuggestion) *Report {
	f := RankEvidence(s)
	if f.Err() != nil && (s == nil || s.Conclusion == "") {
		return r.Add(f)
	}
	answer := "unsure"
	if s.Rank > 0 {
		answer = strconv.Itoa(s.Rank)
	}
	r.Facts("rank", answer, "order", strconv.Itoa(s.Order), "ranks considered", fmt.Sprintf("1 to %d", s.Max), "time", words.Duration(s.Elapsed))
	r.Text(sentence(s.Conclusion))
	for _, w := range s.Warnings {
		r.Text("Warning: " + w.Text)
	}
	for _, e := range s.Evidence {
		text := e.Kind + ": " + e.Text
		if e.Rank > 0 {
			text = fmt.Sprintf("%s: %s, %s: %s", e.Kind, (*ranks.Evidence)(&e).Says(), e.Sure, e.Text)
		}
		r.Text(sentence(text))
	}
	return r.Add(f)
}
