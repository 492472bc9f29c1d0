package widgets

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"symmom/internal/text/words"
)

// State describes a control and its value in plain types, for clients in any
// language.
type State struct {
	Name    string   `json:"name"`
	Kind    string   `json:"kind"`    // KindSlider, ...
	From    float64  `json:"from"`    // of a slider or play
	To      float64  `json:"to"`      // the same
	Step    float64  `json:"step"`    // the same
	Whole   bool     `json:"whole"`   // all values are whole numbers
	Digits  int      `json:"digits"`  // of the numbers, after the decimal point
	Options []string `json:"options"` // of a select
	Every   int64    `json:"every"`   // milliseconds between the steps of a play
	Value   any      `json:"value"`   // a number, true or false, or an option as text
}

// State returns the state of the control.
func (c *Control) State() State {
	s := State{Name: c.name, Kind: c.kind, From: c.from, To: c.to, Step: c.step, Whole: c.Whole(), Digits: c.digits,
		Options: slices.Clone(c.labels), Every: c.every.Milliseconds(), Value: c.Value()}
	if c.kind == KindSelect && c.err == nil {
		s.Value = c.labels[c.index()]
	}
	if c.err != nil { // the ends may be what JSON has no number for
		s.From, s.To, s.Step, s.Value = 0, 0, 0, nil
	}
	return s
}

// index returns the index of the chosen option.
func (c *Control) index() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return int(c.at)
}

// Accept takes a value that a client sends, in JSON of the form of State.Value, and
// reports whether the value of the control has changed. A number between two steps
// becomes the nearer one. What the control cannot be is an error, and changes nothing.
// It does not run the functions of interactions: a host does that when it has time.
func (c *Control) Accept(value json.RawMessage) (changed bool, err error) {
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return false, c.refuse(words.Quote(string(value)))
	}
	return c.put(v, true)
}

// Press counts one press of a button.
func (c *Control) Press() error {
	if c.kind != KindButton {
		return c.refuse("a press")
	}
	_, err := c.put(c.index()+1, false)
	return err
}

// ValueError is the error of a value that a control cannot have.
type ValueError struct {
	Control string // its kind and name, slider "rank"
	Value   string
	Err     error // what it can be, want 2 to 10 by 1, or what the check of a Text says
}

func (e *ValueError) Error() string {
	return fmt.Sprintf("widgets: %s cannot be %s: %v", e.Control, e.Value, e.Err)
}

func (e *ValueError) Unwrap() error { return e.Err }

func (c *Control) refuse(value string) error {
	return c.wrong(value, errors.New("want "+c.want()))
}

func (c *Control) wrong(value string, err error) error {
	return &ValueError{Control: c.kind + " " + words.Quote(c.name), Value: value, Err: err}
}

// find returns where the control is to stand for a value. With near, a number between
// two steps is rounded.
func (c *Control) find(value any, near bool) (at float64, err error) {
	shown := fmt.Sprintf("%v", value)
	if s, ok := value.(string); ok {
		shown = words.Quote(s)
	} else if value == nil {
		shown = "nothing"
	}
	switch c.kind {
	case KindCheck:
		on, ok := value.(bool)
		if !ok {
			return 0, c.refuse(shown)
		}
		if on {
			at = 1
		}
		return at, nil
	case KindSelect:
		label, ok := value.(string)
		if v, is := number(value); is {
			// An int means the option 3 of floats too.
			i := slices.IndexFunc(c.options, func(o any) bool { n, is := number(o); return is && n == v })
			if i >= 0 {
				return float64(i), nil
			}
		}
		i := slices.Index(c.labels, label)
		if !ok || i < 0 {
			return 0, c.refuse(shown)
		}
		return float64(i), nil
	}
	v, ok := number(value)
	if !ok || math.IsNaN(v) {
		return 0, c.refuse(shown)
	}
	if c.kind == KindButton {
		if v < 0 || v > 1<<53 || v != math.Trunc(v) {
			return 0, c.refuse(shown)
		}
		return v, nil
	}
	if at, ok = c.place(v, near); !ok {
		return 0, c.refuse(shown)
	}
	return at, nil
}

// place returns the step at v: as from+k*step is written in decimals, so that ten
// steps of .1 are 1. The upper end is a value even if no step ends there.
func (c *Control) place(v float64, near bool) (at float64, ok bool) {
	const slip = 1e-9 // of a step: what a client's own sum of steps may be off
	if v < c.from-slip*c.step || v > c.to+slip*c.step {
		return 0, false
	}
	k := math.Round((v - c.from) / c.step)
	at, err := strconv.ParseFloat(strconv.FormatFloat(c.from+k*c.step, 'f', c.digits, 64), 64)
	if err != nil {
		return 0, false
	}
	if at > c.to || math.Abs(v-c.to) < math.Abs(v-at) {
		at = c.to
	}
	return at, near || math.Abs(v-at) <= slip*c.step
}

// number returns a number of any type as a float64.
func number(v any) (float64, bool) {
	x := reflect.ValueOf(v)
	switch {
	case !x.IsValid():
		return 0, false
	case x.CanInt():
		return float64(x.Int()), true
	case x.CanUint():
		return float64(x.Uint()), true
	case x.CanFloat():
		return x.Float(), true
	}
	return 0, false
}
