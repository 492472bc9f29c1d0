package symmom

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"symmom/internal/data/columns"
	"symmom/internal/text/htmltext"
	"symmom/internal/text/words"
)

// Labels name the groups of observations, as LoadOptions.Labels, Session.WithLabels or
// Session.Append gave them. They are beside the data and in no moment.
type Labels struct {
	Result // Err, String and HTML

	Name   string   // of the column
	Groups []string // numbers by value before text by alphabet; "(missing)" comes last
	Of     []int    // the group of each observation, counted from 0
	Counts []int    // observations in each group

	// Missing is the group of the observations without a label, -1 if all have one.
	Missing int
}

// Labels returns the labels of the observations; without any, Err says so.
func (s *Session) Labels() *Labels {
	if err := s.Err(); err != nil {
		return made(&Labels{Missing: -1, Result: Result{err: err}})
	}
	c := s.data.Labels
	if c == nil {
		return made(&Labels{Missing: -1, Result: Result{err: fmt.Errorf("%s: %w", s.data.Source, ErrNoLabels)}})
	}
	l := made(&Labels{Name: c.Name, Groups: slices.Clone(c.Names), Of: make([]int, len(c.Codes)), Counts: c.Counts(), Missing: c.MissingGroup()})
	for i, g := range c.Codes {
		l.Of[i] = int(g)
	}
	return l
}

// ErrNoLabels is returned, mostly wrapped, if observations have no labels.
var ErrNoLabels = errors.New("the observations have no labels; name their column in LoadOptions.Labels, or give them to WithLabels")

// WithLabels returns the session with a label for each observation, "" for none. name
// is their name: "species".
func (s *Session) WithLabels(name string, labels []string) *Session {
	if s.Err() != nil {
		return s
	}
	column, err := columnOf(labels, s.data.P)
	if err != nil {
		return s.with(nil, err)
	}
	column.Name = name
	c := *s
	c.data = s.data.Labelled(column)
	return &c
}

// columnOf returns labels of p observations.
func columnOf(of []string, p int) (*columns.Column, error) {
	if len(of) != p {
		return nil, &ArgumentError{Argument: "labels", Value: words.Plural(len(of), "label"), Want: fmt.Sprintf("%d, one an observation", p)}
	}
	column, l, err := columns.Of(of)
	if err != nil {
		return nil, &ArgumentError{Argument: "labels", Value: fmt.Sprintf("%s (observation %d)", words.Quote(of[l]), l+1), Want: err.Error()}
	}
	return column, nil
}

// shown lists the groups with their sizes, the first of many.
func (l *Labels) shown() shown {
	if l.err != nil {
		return &htmltext.Facts{Title: errorLine("labels", l.err)}
	}
	const most = 10
	var parts []string
	for g, name := range l.Groups {
		if g == most && len(l.Groups) > most+1 {
			parts = append(parts, fmt.Sprintf("and %d more", len(l.Groups)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%s %s", name, words.Count(l.Counts[g])))
	}
	return &htmltext.Facts{Title: fmt.Sprintf("labels %s: %s: %s", l.Name, words.Plural(len(l.Groups), "group"), strings.Join(parts, ", "))}
}
