package live

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"symmom/internal/data/columns"
	"symmom/internal/text/words"
	"symmom/symmom"
)

// Weights that are no column.
const (
	AsRead   = "as read"
	AllEqual = "all equal"
)

// What a table is brought to, besides AsRead.
const (
	Center      = "center"
	Standardize = "standardize"
)

var shaped = map[string]string{Center: "centered", Standardize: "standardized"}

// TableChoice is the selection from a table, in the names of files and options.
type TableChoice struct {
	Columns []string // nil: all
	Weights string   // AsRead (or ""), AllEqual, or a column
	Shape   string   // AsRead (or ""), Center or Standardize

	places []int // of the columns in the base, counted from 0; nil: all
	weight int   // place of the weights' column
}

// taken is a table as it was chosen, the last one, since most choices have the same.
type taken struct {
	key     string
	session *symmom.Session // shaped
	summary *symmom.Summary
}

// List writes names as a person lists them: with commas, in quotes where need be.
func List(names []string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.Write(names) // a strings.Builder never fails
	w.Flush()
	return strings.TrimSpace(b.String())
}

// named returns the columns that a text lists, by their places; nil for all.
func (d *Desk) named(text string) ([]int, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	r := csv.NewReader(strings.NewReader(text))
	r.TrimLeadingSpace, r.LazyQuotes = true, true
	parts, err := r.Read()
	if err != nil {
		return nil, errors.New("want names, numbers or ranges, with commas between them")
	}
	names := d.Base.Columns()
	known := columns.PlacesOf(names)
	var at []int
	for _, part := range parts {
		if part = strings.TrimSpace(part); part == "" {
			return nil, errors.New("want a name, a number or a range before and after each comma")
		}
		from, to, err := columns.Resolve(d.Base.Source(), "column", part, names, known, len(names))
		if err != nil {
			return nil, cmp.Or(errors.Unwrap(err), err) // without the name of the table, which the page has
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
func (d *Desk) inTable(at []int) (list []string) {
	names := d.Base.Columns()
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

// inFile returns what options call them.
func (d *Desk) inFile(at []int) (list []string) {
	names := d.Base.Columns()
	for _, j := range at {
		list = append(list, names[j])
	}
	return list
}

// chosenTable returns the controls' choice of the table.
func (d *Desk) chosenTable() (TableChoice, error) {
	at, err := d.named(d.columns.Value().(string))
	if err != nil {
		return TableChoice{}, &ChoiceError{"columns", err}
	}
	c := TableChoice{places: at, Weights: d.weights.Value().(string), Shape: d.shape.Value().(string)}
	if c.Weights != AsRead && c.Weights != AllEqual {
		c.weight = slices.Index(d.Base.Columns(), c.Weights)
		if slices.Contains(at, c.weight) {
			return c, &ChoiceError{"columns", fmt.Errorf("%s holds the weights: leave it out, or choose other weights", words.Quote(c.Weights))}
		}
		c.Weights = d.inFile([]int{c.weight})[0]
		for k := range d.Base.N() {
			if at == nil && k != c.weight {
				c.places = append(c.places, k)
			}
		}
	}
	if c.places != nil {
		c.Columns = d.inFile(c.places)
	} else if c.Weights == AllEqual && d.WeightsApart { // or the weights were a variable
		for j := range d.Base.N() {
			c.Columns = append(c.Columns, d.inFile([]int{j})[0])
		}
	}
	return c, nil
}

// take returns the table that was chosen, shaped, and looks at it.
func (d *Desk) take(ctx context.Context, c TableChoice) (taken, error) {
	key := fmt.Sprintf("%v %q %q", c.places, cmp.Or(c.Weights, AsRead), cmp.Or(c.Shape, AsRead))
	if d.last.key == key {
		return d.last, nil
	}
	d.last = taken{} // its memory is for the next one
	s, err := d.pick(ctx, c)
	if err != nil {
		return taken{}, err
	}
	t := taken{key: key, session: d.Shape(s, cmp.Or(c.Shape, AsRead))}
	if t.session.Err() != nil {
		return taken{}, t.session.Err()
	}
	t.summary = t.session.WithContext(ctx).Summary()
	if t.summary.Err() != nil {
		return taken{}, t.summary.Err()
	}
	d.last = t
	return t, nil
}

// pick takes columns and weights: of data in memory by a copy, of others by opening them
// again.
func (d *Desk) pick(ctx context.Context, c TableChoice) (*symmom.Session, error) {
	asRead := c.Weights == "" || c.Weights == AsRead
	if c.places == nil && asRead {
		return d.Base, nil
	}
	at := "columns"
	if !asRead {
		at = "weights"
	}
	if d.Stream || d.Reread {
		s, err := d.Reopen(ctx, c)
		if err != nil {
			return nil, &ChoiceError{at, err}
		}
		return s, nil
	}
	s := d.Base.WithContext(ctx)
	var w []float64
	switch {
	case asRead:
	case c.Weights == AllEqual:
		w = slices.Repeat([]float64{1}, s.Observations())
	default:
		column := s.Select(d.inTable([]int{c.weight})...)
		if column.Err() != nil {
			return nil, &ChoiceError{"weights", column.Err()}
		}
		w = column.Matrix().RawMatrix().Data
	}
	if c.places != nil {
		if s = s.Select(d.inTable(c.places)...); s.Err() != nil {
			return nil, &ChoiceError{"columns", s.Err()}
		}
	}
	if w != nil {
		if s = s.WithWeights(w); s.Err() != nil {
			return nil, &ChoiceError{"weights", s.Err()}
		}
	}
	return s, nil
}
