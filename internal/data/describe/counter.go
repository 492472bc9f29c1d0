package describe

import (
	"math"
	"strings"

	"symmom/internal/data/columns"
	"symmom/internal/data/delimited"
	"symmom/internal/data/numerals"
	"symmom/internal/text/diag"
)

// counter counts the kinds of fields in a column.
type counter struct {
	Column
	numbers, texts, times int
	firstText             sighting
	firstNumber           sighting
	firstNotFinite        sighting
	seen                  map[string]bool
	clock                 clock
	coded                 *columns.Columns
	place                 int // of the codes of the column
	suspects              columns.Suspects
}

// sighting is a value and where it is: its line in a text table, or its row.
type sighting struct {
	value string
	place int
}

func (s *sighting) note(value string, place int) {
	if s.place == 0 {
		*s = sighting{strings.Clone(value), place}
	}
}

func newCounter(c Column, coded *columns.Columns, place int) *counter {
	c.Min, c.Max = math.Inf(1), math.Inf(-1)
	return &counter{Column: c, coded: coded, place: place}
}

func (c *counter) number(v float64) {
	c.numbers++
	c.suspects.Add(v)
	c.Min, c.Max = math.Min(c.Min, v), math.Max(c.Max, v)
}

func (c *counter) notFinite(value string, place int) {
	c.numbers++
	c.NotFinite++
	c.firstNotFinite.note(value, place)
}

// text takes a value that is no number.
func (c *counter) text(value string) {
	if len(c.seen) == MostDistinct || c.seen[value] {
		return
	}
	value = strings.Clone(value)
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[value] = true
	const first = 3
	if len(c.First) < first {
		c.First = append(c.First, diag.Short(diag.OneLine(value)))
	}
}

// column returns the result of the counter.
func (c *counter) column() Column {
	if c.Min > c.Max {
		c.Min, c.Max = math.NaN(), math.NaN()
	}
	c.Distinct = len(c.seen)
	if c.Kind == Number && c.Width == 1 {
		c.Suspects = c.suspects.Found()
	}
	return c.Column
}

func (c *counter) field(field string, line int, style numerals.Style) {
	kind, v := style.Parse(field)
	switch kind, v = c.coded.Field(c.place, field, kind, v); kind {
	case numerals.Missing:
		c.Missing++
	case numerals.Text:
		field = strings.TrimSpace(field)
		c.texts++
		c.firstText.note(field, line)
		if delimited.IsTime(field) {
			c.times++
			c.clock.add(field)
		}
		c.text(field)
	case numerals.Number:
		c.number(v)
		c.firstNumber.note(field, line)
	case numerals.Infinite, numerals.TooLarge:
		c.notFinite(strings.TrimSpace(field), line)
		c.firstNumber.note(field, line)
	default: // a number of which the value is in doubt
		c.numbers++
		c.firstNumber.note(field, line)
	}
}

// kind is the kind of a field in a text table.
func (c *counter) kind() Column {
	switch {
	case c.numbers+c.texts == 0:
		c.Kind = Empty
	case c.texts == 0:
		c.Kind = Number
		c.OddLine, c.OddValue = c.firstNotFinite.place, c.firstNotFinite.value
	case c.numbers > 0:
		c.Kind = Mixed
		odd := c.firstText
		if c.texts > c.numbers && !strings.ContainsAny(odd.value, "0123456789") { // else it is what other commands refuse
			odd = c.firstNumber
		}
		c.OddLine, c.OddValue = odd.place, diag.Short(diag.OneLine(odd.value))
	case c.times == c.texts:
		c.Kind = Time
		c.From, c.To = c.clock.span()
	default:
		c.Kind = Text
	}
	c.Type = c.Kind
	return c.column()
}
