package widgets

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"symmom/internal/text/words"
)

// Interaction is a function with controls for its parameters, and what it returned
// last. Its methods may be called by several goroutines.
type Interaction struct {
	f        reflect.Value
	controls []*Control
	err      error

	running sync.Mutex // held by a run

	mu       sync.Mutex
	current  bool  // the values are those of the present controls
	values   []any // of the last run
	failed   error // with which it ended
	watchers watchers
}

// Interact runs f with the values of the controls, the first for its first parameter
// and so on, and again whenever one of them is set. Parameters are of type int, float64,
// string or bool, or any, and f may return any number of values; an error as the last
// one is shown as such. The first run is done before Interact returns.
//
// A mismatch of parameters and controls is an error, which is shown in place of the controls; see
// [Interaction.Err].
func Interact(f any, controls ...any) *Interaction {
	x := Prepare(f, controls...)
	if x.err == nil {
		x.err = x.Run()
	}
	return x
}

// Prepare is like [Interact] without the first run. It is for hosts: a notebook runs
// the function when it shows the controls, so that what the function prints is below
// them.
func Prepare(f any, controls ...any) *Interaction {
	x := &Interaction{f: reflect.ValueOf(f)}
	x.err = x.bind(f, controls)
	return x
}

// bind checks that the controls suit the parameters of the function.
func (x *Interaction) bind(f any, controls []any) error {
	names := map[string]bool{}
	for i, v := range controls {
		c, ok := v.(*Control)
		switch {
		case !ok || c == nil:
			return fmt.Errorf("widgets: Interact: argument %d is %T, want a control such as widgets.Slider", i+2, v)
		case c.err != nil:
			return c.err
		case names[c.name]:
			return fmt.Errorf("widgets: Interact: two controls have the name %s: want one each", words.Quote(c.name))
		}
		names[c.name] = true
		x.controls = append(x.controls, c)
	}
	switch {
	case x.f.Kind() != reflect.Func:
		return fmt.Errorf("widgets: Interact: argument 1 is %T, want a function", f)
	case x.f.IsNil():
		return fmt.Errorf("widgets: Interact: argument 1 is a nil %T, want a function that is defined", f)
	}
	t := x.f.Type()
	if t.IsVariadic() {
		return errors.New("widgets: Interact: the function takes any number of arguments: want one parameter for each control")
	}
	if t.NumIn() != len(x.controls) {
		return fmt.Errorf("widgets: Interact: the function takes %s, and there are %s: want one each", words.Plural(t.NumIn(), "parameter"), words.Plural(len(x.controls), "control"))
	}
	for i, c := range x.controls {
		if err := c.suits(t.In(i)); err != nil {
			return fmt.Errorf("widgets: Interact: parameter %d is %v, but %w", i+1, t.In(i), err)
		}
	}
	for _, c := range x.controls {
		c.mu.Lock()
		c.users = append(c.users, x)
		c.mu.Unlock()
	}
	return nil
}

// suits returns an error if some value of the control is not of type t.
func (c *Control) suits(t reflect.Type) error {
	is := fmt.Sprintf("%s %s", c.kind, words.Quote(c.name))
	numbers := c.kind != KindCheck && c.kind != KindText
	for _, o := range c.options {
		_, text := o.(string)
		numbers = numbers && !text
	}
	switch k := t.Kind(); {
	case k == reflect.Interface && t.NumMethod() == 0:
		return nil
	case k == reflect.Bool:
		if c.kind != KindCheck {
			return fmt.Errorf("%s is not on or off: want widgets.Check there", is)
		}
	case k == reflect.String:
		if c.kind == KindText {
			return nil
		}
		if c.kind != KindSelect || numbers {
			return fmt.Errorf("%s gives no text: want widgets.Select there", is)
		}
		for _, o := range c.options {
			if _, text := o.(string); !text {
				return fmt.Errorf("%s has the number %v among its options: want text alone", is, o)
			}
		}
	case k == reflect.Float64 || k == reflect.Float32:
		if !numbers {
			return fmt.Errorf("%s gives no numbers: want widgets.Slider there", is)
		}
	case k >= reflect.Int && k <= reflect.Uint64:
		if !numbers {
			return fmt.Errorf("%s gives no numbers: want widgets.Slider there", is)
		}
		if !c.Whole() {
			return fmt.Errorf("%s is not always a whole number (%s): want float64 there", is, c.want())
		}
		least, most := c.ends()
		v := reflect.New(t).Elem()
		if v.CanInt() && (v.OverflowInt(int64(least)) || v.OverflowInt(int64(most))) || v.CanUint() && (least < 0 || v.OverflowUint(uint64(most))) {
			return fmt.Errorf("%s goes from %v to %v: want int there", is, least, most)
		}
	default:
		return fmt.Errorf("no control has such values: want int, float64, string, bool or any")
	}
	return nil
}

// ends returns the least and the greatest number of a control.
func (c *Control) ends() (least, most float64) {
	if c.kind != KindSelect {
		return c.from, c.to
	}
	for i, o := range c.options {
		v, _ := number(o)
		if i == 0 {
			least, most = v, v
		}
		least, most = min(least, v), max(most, v)
	}
	return least, most
}

// errRuns is returned for a run during a run.
var errRuns = errors.New("widgets: the function of this interaction is running, and may not set its own controls")

// Run calls the function with the values of the controls, and keeps what it returns.
// The error is nil unless the function is already running; an error that the function
// returns is one of the results. A panic of the function is the caller's.
func (x *Interaction) Run() error {
	switch {
	case x.err != nil:
		return x.err
	case !x.f.IsValid():
		return errors.New("widgets: the interaction has no function: make it by Interact")
	case !x.running.TryLock():
		return errRuns
	}
	defer x.running.Unlock()
	values, err := x.call()
	x.Keep(values, err)
	return nil
}

// call calls the function.
func (x *Interaction) call() (values []any, err error) {
	args := make([]reflect.Value, len(x.controls))
	for i, c := range x.controls {
		t := x.f.Type().In(i)
		v := reflect.ValueOf(c.Value())
		if t.Kind() != reflect.Interface {
			v = v.Convert(t)
		}
		args[i] = v
	}
	out := x.f.Call(args)
	for i, o := range out {
		v := o.Interface()
		if i == len(out)-1 && o.Type() == reflect.TypeFor[error]() {
			err, _ = v.(error)
			continue
		}
		values = append(values, v)
	}
	return values, err
}

// Keep replaces the result of the last run, and tells the watchers. A host that runs
// the function in a way of its own calls it with the error of a run that was ended by
// a panic or an interrupt.
func (x *Interaction) Keep(values []any, err error) {
	x.mu.Lock()
	x.current, x.values, x.failed = true, values, err
	x.mu.Unlock()
	x.watchers.tell()
}

// Set sets the value of a control by its name, runs the function, and returns the
// interaction, so that a session shows it.
func (x *Interaction) Set(name string, value any) (*Interaction, error) {
	if x.err != nil {
		return x, x.err
	}
	var names []string
	for _, c := range x.controls {
		if c.name == name {
			return x, c.Set(value)
		}
		names = append(names, c.name)
	}
	return x, fmt.Errorf("widgets: there is no control %s here: want %s", words.Quote(name), strings.Join(names, ", "))
}

// Controls returns the controls.
func (x *Interaction) Controls() []*Control { return append([]*Control(nil), x.controls...) }

// States returns the states of the controls.
func (x *Interaction) States() []State {
	var all []State
	for _, c := range x.controls {
		all = append(all, c.State())
	}
	return all
}

// Result returns the function's last results, or the error with which the run
// ended.
func (x *Interaction) Result() ([]any, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]any(nil), x.values...), x.failed
}

// Current reports whether the function has run since a control was set.
func (x *Interaction) Current() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.current
}

// outdate notes that a control was set.
func (x *Interaction) outdate() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.current = false
}

// Err returns why there is no interaction, or nil.
func (x *Interaction) Err() error { return x.err }

// Watch has f called after every run, by the goroutine that runs the function, until
// stop is called.
func (x *Interaction) Watch(f func()) (stop func()) { return x.watchers.add(f) }
