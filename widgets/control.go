package widgets

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"symmom/internal/text/words"
)

// The kinds of controls, as in [State].
const (
	KindSlider = "slider"
	KindPlay   = "play"
	KindSelect = "select"
	KindCheck  = "check"
	KindButton = "button"
)

// Control is a value that the user sets. Its methods may be called by several
// goroutines. A control that cannot be, such as a slider without a range, has an
// error, which is shown in its place.
type Control struct {
	name           string
	kind           string
	from, to, step float64 // of Slider and Play
	digits         int     // after the decimal point
	options        []any   // of Select
	labels         []string
	every          time.Duration      // between the steps of Play
	check          func(string) error // of Text, or nil
	err            error

	mu       sync.Mutex
	at       float64 // the value: a number, the index of an option, 1 for a set check, or a number of presses
	written  string  // the value of Text
	watchers watchers
	users    []*Interaction
}

// Slider returns a control for a number: from, from+step, ... up to to. It begins at
// from; see [Control.At].
func Slider(name string, from, to, step float64) *Control {
	return ranged(KindSlider, name, from, to, step)
}

// Play returns a control like [Slider], which also goes from one number to the next
// by itself, two a second; see [Control.Every].
func Play(name string, from, to, step float64) *Control {
	c := ranged(KindPlay, name, from, to, step)
	c.every = 500 * time.Millisecond
	return c
}

// Select returns a control for one of some options, strings or numbers. It begins at
// the first.
func Select(name string, options ...any) *Control {
	c := &Control{name: name, kind: KindSelect, options: slices.Clone(options)}
	seen := map[string]bool{}
	if len(options) == 0 {
		c.fail("no options: want at least one")
	}
	for i, o := range options {
		label, ok := o.(string)
		if !ok {
			if _, ok = number(o); !ok {
				c.fail("option %d is a %T: want strings or numbers", i+1, o)
			}
			label = fmt.Sprint(o)
		}
		if label == "" {
			c.fail("option %d is empty: want some text", i+1)
		}
		if seen[label] {
			c.fail("option %s is given twice", words.Quote(label))
		}
		seen[label] = true
		c.labels = append(c.labels, label)
	}
	return c.named()
}

// Check returns a control that is on or off.
func Check(name string, on bool) *Control {
	c := &Control{name: name, kind: KindCheck}
	if on {
		c.at = 1
	}
	return c.named()
}

// Button returns a push button. Its value is the number of presses.
func Button(name string) *Control { return (&Control{name: name, kind: KindButton}).named() }

func ranged(kind, name string, from, to, step float64) *Control {
	c := &Control{name: name, kind: kind, from: from, to: to, step: step, at: from}
	for _, v := range []float64{from, to, step} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			c.fail("from %v to %v by %v: want finite numbers", from, to, step)
		}
	}
	switch {
	case from > to:
		c.fail("from %v to %v: want the lower end first", from, to)
	case from == to:
		c.fail("from %v to %v: want two ends that differ", from, to)
	case step <= 0:
		c.fail("a step of %v: want one above 0", step)
	case step > to-from:
		c.fail("a step of %v from %v to %v: want one that fits between them", step, from, to)
	case math.IsInf(to-from, 0) || (to-from)/step > 1e9:
		c.fail("from %v to %v by %v: want at most a billion steps", from, to, step)
	}
	c.digits = max(decimals(from), decimals(step))
	return c.named()
}

// named checks the name.
func (c *Control) named() *Control {
	if strings.TrimSpace(c.name) == "" || strings.ContainsAny(c.name, "\r\n") {
		c.fail("the name is %q: want one line of text", c.name)
	}
	return c
}

// fail records the first error.
func (c *Control) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("widgets: %s %s: %s", c.kind, words.Quote(c.name), fmt.Sprintf(format, args...))
	}
}

// decimals returns how many digits follow the decimal point of v.
func decimals(v float64) int {
	_, after, _ := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
	return len(after)
}

// At sets the value that a control begins with, and returns the control.
func (c *Control) At(value any) *Control {
	if c.kind == KindText && c.err == nil {
		_, c.err = c.write(value)
	} else if c.err == nil {
		at, err := c.find(value, false)
		c.err = err
		c.mu.Lock()
		defer c.mu.Unlock()
		if err == nil {
			c.at = at
		}
	}
	return c
}

// Every sets the seconds between two steps of Play, at least .02, and returns the
// control.
func (c *Control) Every(seconds float64) *Control {
	switch {
	case c.kind != KindPlay:
		c.fail("Every is for Play")
	case !(seconds >= .02 && seconds <= 3600):
		c.fail("%v seconds between steps: want .02 to 3600", seconds)
	default:
		c.every = time.Duration(seconds * float64(time.Second))
	}
	return c
}

// Name returns the name of the control.
func (c *Control) Name() string { return c.name }

// Err returns the error of the control, or nil.
func (c *Control) Err() error { return c.err }

// Whole reports whether all values are whole numbers.
func (c *Control) Whole() bool {
	whole := func(v float64) bool { return v == math.Trunc(v) && math.Abs(v) <= 1<<53 }
	switch c.kind {
	case KindSlider, KindPlay:
		return whole(c.from) && whole(c.to) && whole(c.step)
	case KindSelect:
		for _, o := range c.options {
			if v, ok := number(o); !ok || !whole(v) {
				return false
			}
		}
		return true
	}
	return c.kind == KindButton
}

// Value returns the value: an int if the control has whole numbers, else a float64, of
// Slider and Play; the option of Select; a bool of Check; a string of Text; an int of Button.
func (c *Control) Value() any {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.value(c.at)
}

func (c *Control) value(at float64) any {
	switch {
	case c.kind == KindCheck:
		return at != 0
	case c.kind == KindText:
		return c.written
	case c.kind == KindSelect && c.err == nil:
		return c.options[int(at)]
	case c.Whole():
		return int(at)
	}
	return at
}

// Set sets the value and runs the functions of the interactions that use the control.
// A value that the control cannot have is an error, and changes nothing.
func (c *Control) Set(value any) error {
	changed, err := c.put(value, false)
	if err != nil || !changed {
		return err
	}
	for _, x := range c.Users() {
		if err := x.Run(); err != nil {
			return err
		}
	}
	return nil
}

// put sets the value and tells the watchers if it changes.
func (c *Control) put(value any, near bool) (changed bool, err error) {
	if c.err != nil {
		return false, c.err
	}
	if c.kind == KindText {
		changed, err = c.write(value)
	} else {
		var at float64
		if at, err = c.find(value, near); err == nil {
			c.mu.Lock()
			changed, c.at = c.at != at, at
			c.mu.Unlock()
		}
	}
	if err != nil {
		return false, err
	}
	if changed {
		for _, x := range c.Users() {
			x.outdate()
		}
		c.watchers.tell()
	}
	return changed, nil
}

// Users returns the interactions that use the control.
func (c *Control) Users() []*Interaction {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]*Interaction(nil), c.users...)
}

// Watch has f called after every change of the value, by the goroutine that changes
// it, until stop is called.
func (c *Control) Watch(f func()) (stop func()) { return c.watchers.add(f) }

// want describes the values in words.
func (c *Control) want() string {
	switch c.kind {
	case KindSelect:
		most := min(len(c.labels), 10)
		text := strings.Join(c.labels[:most], ", ")
		if most < len(c.labels) {
			text += fmt.Sprintf(" or one of %d others", len(c.labels)-most)
		}
		return text
	case KindCheck:
		return "true or false"
	case KindButton:
		return "a number of presses"
	case KindText:
		return "a line of text"
	}
	return fmt.Sprintf("%s to %s by %s", c.text(c.from), c.text(c.to), c.text(c.step))
}

// text writes a number of the control, a large one as people write it.
func (c *Control) text(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) >= 1e5 && math.Abs(v) < 1e15 {
		return words.Count(int(v))
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// label returns the value as text.
func (c *Control) label() string { return fmt.Sprint(c.Value()) }

// String describes the control: its name, its value and what it can be.
func (c *Control) String() string {
	if c.err != nil {
		return "error: " + c.err.Error()
	}
	return fmt.Sprintf("%s = %s   (%s)", c.name, c.label(), c.want())
}
