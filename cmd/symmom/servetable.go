package main

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"symmom/charts/live"
	columnnames "symmom/internal/columns"
	"symmom/internal/words"
	"symmom/symmom"
)

// tableChoice is what is chosen of the table.
type tableChoice struct {
	columns []int // their places, counted from 0; nil: all
	weights int   // readWeights, equalWeights, or columnWeights and the place of a column
}

const (
	readWeights = iota
	equalWeights
	columnWeights
)

// taken is a table as it was chosen.
type taken struct {
	key     string
	session *symmom.Session // shaped
	summary *symmom.Summary
}

// named returns the columns that a text lists, by their places, counted from 0; nil for
// all.
func (v *serveCommand) named(text string) ([]int, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	r := csv.NewReader(strings.NewReader(text))
	r.TrimLeadingSpace = true
	r.LazyQuotes = true
	parts, err := r.Read()
	if err != nil {
		return nil, errors.New("want names, numbers or ranges, with commas between them")
	}
	names := v.base.Columns()
	known := columnnames.PlacesOf(names)
	var at []int
	for _, part := range parts {
		from, to, err := columnnames.Resolve(v.base.Source(), "column", strings.TrimSpace(part), names, known, len(names))
		if err != nil {
			return nil, err
		}
		for j := from; j <= to; j++ {
			if slices.Contains(at, j) {
				return nil, fmt.Errorf("%s is named twice", words.Quote(names[j]))
			}
			at = append(at, j)
		}
	}
	return at, nil
}

var numbered = regexp.MustCompile(`^column (\d+)$`)

// inTable returns what Session.Select calls the columns at places: by their names, or
// those without one of their own by number.
func (v *serveCommand) inTable(at []int) (list []string) {
	names := v.base.Columns()
	count := map[string]int{}
	for _, name := range names {
		count[name]++
	}
	for _, j := range at {
		if name := names[j]; !numbered.MatchString(name) && count[name] == 1 {
			list = append(list, name)
		} else {
			list = append(list, strconv.Itoa(j+1))
		}
	}
	return list
}

// inFile returns what --columns calls them: those without a name by number.
func (v *serveCommand) inFile(at []int) (list []string) {
	names := v.base.Columns()
	for _, j := range at {
		list = append(list, unnumbered(names[j]))
	}
	return list
}

// unnumbered returns the number of a column that is called so, "column 3", or the name.
func unnumbered(name string) string {
	if m := numbered.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

// chosen returns what the controls say of the table.
func (v *serveCommand) chosen() (tableChoice, error) {
	at, err := v.named(v.columnsOf.Value().(string))
	if err != nil {
		return tableChoice{}, &live.ChoiceError{Control: "columns", Err: err}
	}
	c := tableChoice{columns: at}
	switch w := v.weightsOf.Value().(string); w {
	case asRead:
	case allEqual:
		c.weights = equalWeights
	default:
		j := slices.Index(v.base.Columns(), w)
		c.weights = columnWeights + j
		if slices.Contains(at, j) {
			return c, &live.ChoiceError{Control: "columns", Err: fmt.Errorf("%s holds the weights: leave it out, or choose other weights", words.Quote(w))}
		}
		for k := range v.base.N() {
			if at == nil && k != j {
				c.columns = append(c.columns, k)
			}
		}
	}
	return c, nil
}

// take returns the table that was chosen, shaped, and looks at it.
func (v *serveCommand) take(ctx context.Context, c tableChoice) (taken, error) {
	key := fmt.Sprint(c)
	if v.last.key == key {
		return v.last, nil
	}
	v.last = taken{} // its memory is for the next one
	s, err := v.pick(ctx, c)
	if err != nil {
		return taken{}, err
	}
	t := taken{key: key, session: v.shaped(s)}
	if t.session.Err() != nil {
		return taken{}, t.session.Err()
	}
	t.summary = t.session.WithContext(ctx).Summary()
	if t.summary.Err() != nil {
		return taken{}, t.summary.Err()
	}
	v.last = t
	return t, nil
}

// pick takes columns and weights: of data in memory by a copy, of a stream by opening
// it again.
func (v *serveCommand) pick(ctx context.Context, c tableChoice) (*symmom.Session, error) {
	if c.columns == nil && c.weights == readWeights {
		return v.base, nil
	}
	if v.stream {
		return v.reopen(ctx, c)
	}
	s := v.base.WithContext(ctx)
	var w []float64
	switch c.weights {
	case readWeights:
	case equalWeights:
		w = slices.Repeat([]float64{1}, s.Observations())
	default:
		column := s.Select(v.inTable([]int{c.weights - columnWeights})...)
		if column.Err() != nil {
			return nil, &live.ChoiceError{Control: "weights", Err: column.Err()}
		}
		w = column.Matrix().RawMatrix().Data
	}
	if c.columns != nil {
		if s = s.Select(v.inTable(c.columns)...); s.Err() != nil {
			return nil, &live.ChoiceError{Control: "columns", Err: s.Err()}
		}
	}
	if w != nil {
		if s = s.WithWeights(w); s.Err() != nil {
			return nil, &live.ChoiceError{Control: "weights", Err: s.Err()}
		}
	}
	return s, nil
}

// reopen opens a stream with other columns and weights.
func (v *serveCommand) reopen(ctx context.Context, c tableChoice) (*symmom.Session, error) {
	d, at := v.dataFlags, "columns"
	d.load.Columns = v.columnFlag(c)
	if c.weights != readWeights {
		d.load.WeightsFile, d.load.Weights, at = "", "", "weights"
	}
	if c.weights >= columnWeights {
		d.load.Weights = v.inFile([]int{c.weights - columnWeights})[0]
	}
	s, err := d.table(ctx, v.path)
	if err != nil {
		return nil, &live.ChoiceError{Control: at, Err: err}
	}
	return s, nil
}

// columnFlag returns what --columns is for a choice, nil for all.
func (v *serveCommand) columnFlag(c tableChoice) []string {
	switch {
	case c.columns != nil:
		return v.inFile(c.columns)
	case v.load.Columns == nil && v.load.Weights != "" && c.weights == equalWeights: // or the weights were a variable
		var all []int
		for j := range v.base.N() {
			all = append(all, j)
		}
		return v.inFile(all)
	}
	return v.load.Columns
}
