package describe

import (
	"slices"
	"time"

	"symmom/internal/data/columnar"
)

// layouts of times in text tables. Where two of them read the same value differently
// there is no telling.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05.999999999", columnar.TimeLayout, "2006-01-02 15:04:05.999999999-07:00", "2006-01-02 15:04", columnar.DateLayout,
	"2006/01/02", "2006/01/02 15:04:05", "2.1.2006", "2.1.2006 15:04", "2.1.2006 15:04:05", "1/2/2006", "2/1/2006", "1/2/2006 15:04", "2/1/2006 15:04",
	columnar.ClockLayout, "15:04", "20060102",
}

// clock finds the first and the last of times in text.
type clock struct {
	readings []reading // by the layouts that read all values
	begun    bool
}

type reading struct {
	layout   string
	from, to time.Time
}

func (c *clock) add(value string) {
	if !c.begun {
		c.begun = true
		for _, l := range layouts {
			if at, err := time.Parse(l, value); err == nil {
				c.readings = append(c.readings, reading{l, at, at})
			}
		}
		return
	}
	c.readings = slices.DeleteFunc(c.readings, func(r reading) bool {
		_, err := time.Parse(r.layout, value)
		return err != nil
	})
	for i := range c.readings {
		r := &c.readings[i]
		at, _ := time.Parse(r.layout, value)
		if at.Before(r.from) {
			r.from = at
		}
		if at.After(r.to) {
			r.to = at
		}
	}
}

// span is the first and the last time, "" where they are not known for sure.
func (c *clock) span() (from, to string) {
	if len(c.readings) == 0 {
		return "", ""
	}
	first := c.readings[0]
	for _, r := range c.readings {
		if !r.from.Equal(first.from) || !r.to.Equal(first.to) {
			return "", ""
		}
	}
	layout := columnar.TimeLayout
	switch {
	case first.layout == columnar.ClockLayout || first.layout == "15:04":
		layout = columnar.ClockLayout
	case first.from.Equal(first.from.Truncate(24*time.Hour)) && first.to.Equal(first.to.Truncate(24*time.Hour)):
		layout = columnar.DateLayout
	}
	return first.from.UTC().Format(layout), first.to.UTC().Format(layout)
}
