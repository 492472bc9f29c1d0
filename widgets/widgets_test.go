package widgets_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"symmom/widgets"
)

func TestValues(t *testing.T) {
	for _, c := range []struct {
		control *widgets.Control
		set     any
		want    any // the value, or the error
	}{
		{widgets.Slider("rank", 2, 10, 1), 7, 7},
		{widgets.Slider("rank", 2, 10, 1), 7.0, 7},
		{widgets.Slider("rank", 2, 10, 1), 11, `widgets: slider "rank" cannot be 11: want 2 to 10 by 1`},
		{widgets.Slider("rank", 2, 10, 1), 2.5, `widgets: slider "rank" cannot be 2.5: want 2 to 10 by 1`},
		{widgets.Slider("rank", 2, 10, 1), "7", `widgets: slider "rank" cannot be "7": want 2 to 10 by 1`},
		{widgets.Slider("rank", 2, 10, 1), math.NaN(), `widgets: slider "rank" cannot be NaN: want 2 to 10 by 1`},
		{widgets.Slider("rank", 2, 10, 1), nil, `widgets: slider "rank" cannot be nothing: want 2 to 10 by 1`},
		{widgets.Slider("sigma", 0, 1, .1), 0.1 + 0.2, 0.3},
		{widgets.Slider("sigma", -.5, 1, .25), -.25, -.25},
		{widgets.Slider("sigma", 0, 1, .3), 1, 1.0}, // the end, where no step ends
		{widgets.Slider("sigma", 0, 1, .3), .9, .9},
		{widgets.Slider("tiny", 1e-7, 1e-6, 1e-7), 3e-7, 3e-7},
		{widgets.Play("frame", 0, 100, 10), 50, 50},
		{widgets.Select("solver", "auto", "lbfgs"), "lbfgs", "lbfgs"},
		{widgets.Select("solver", "auto", "lbfgs"), "adam", `widgets: select "solver" cannot be "adam": want auto, lbfgs`},
		{widgets.Select("order", 3, 4), 4, 4},
		{widgets.Select("order", 3, 4), 5, `widgets: select "order" cannot be 5: want 3, 4`},
		{widgets.Select("sigma", .01, .1), .1, .1},
		{widgets.Check("whiten", false), true, true},
		{widgets.Check("whiten", false), 1, `widgets: check "whiten" cannot be 1: want true or false`},
		{widgets.Text("columns", nil), " a, b ", "a, b"},
		{widgets.Text("columns", nil), 3, `widgets: text "columns" cannot be 3: want a line of text`},
		{widgets.Text("columns", nil), "a\nb", `widgets: text "columns" cannot be "a\nb": want a line of text`},
		{widgets.Text("columns", func(string) error { return errors.New("want a name") }), "x", `widgets: text "columns" cannot be "x": want a name`},
		{widgets.Button("go"), 3, 3},
		{widgets.Button("go"), -1, `widgets: button "go" cannot be -1: want a number of presses`},
	} {
		before := c.control.Value()
		var got any = c.control.Value()
		if err := c.control.Set(c.set); err != nil {
			got = err.Error()
			if c.control.Value() != before {
				t.Errorf("%v changed to %v although %v is refused", c.control, c.control.Value(), c.set)
			}
		} else {
			got = c.control.Value()
		}
		if got != c.want {
			t.Errorf("%v set to %v: %v (%T), want %v (%T)", c.control, c.set, got, got, c.want, c.want)
		}
	}
}

func TestWrongControls(t *testing.T) {
	for _, c := range []struct {
		control *widgets.Control
		want    string
	}{
		{widgets.Slider("rank", 10, 2, 1), `widgets: slider "rank": from 10 to 2: want the lower end first`},
		{widgets.Slider("rank", 2, 2, 1), `widgets: slider "rank": from 2 to 2: want two ends that differ`},
		{widgets.Slider("rank", 2, 10, 0), `widgets: slider "rank": a step of 0: want one above 0`},
		{widgets.Slider("rank", 2, 10, -1), `widgets: slider "rank": a step of -1: want one above 0`},
		{widgets.Slider("rank", 2, 10, 9), `widgets: slider "rank": a step of 9 from 2 to 10: want one that fits between them`},
		{widgets.Slider("rank", 2, math.NaN(), 1), `widgets: slider "rank": from 2 to NaN by 1: want finite numbers`},
		{widgets.Play("frame", 0, math.Inf(1), 1), `widgets: play "frame": from 0 to +Inf by 1: want finite numbers`},
		{widgets.Slider("x", 0, 1, 1e-12), `widgets: slider "x": from 0 to 1 by 1e-12: want at most a billion steps`},
		{widgets.Slider("x", -math.MaxFloat64, math.MaxFloat64, 1), `widgets: slider "x": from -1.7976931348623157e+308 to 1.7976931348623157e+308 by 1: want at most a billion steps`},
		{widgets.Slider("", 2, 10, 1), `widgets: slider "": the name is "": want one line of text`},
		{widgets.Slider("rank", 2, 10, 1).At(11), `widgets: slider "rank" cannot be 11: want 2 to 10 by 1`},
		{widgets.Select("solver"), `widgets: select "solver": no options: want at least one`},
		{widgets.Select("solver", "a", "a"), `widgets: select "solver": option "a" is given twice`},
		{widgets.Select("solver", true), `widgets: select "solver": option 1 is a bool: want strings or numbers`},
		{widgets.Play("frame", 0, 9, 1).Every(1e-6), `widgets: play "frame": 1e-06 seconds between steps: want .02 to 3600`},
		{widgets.Check("on", true).Every(1), `widgets: check "on": Every is for Play`},
	} {
		if err := c.control.Err(); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
		if got := c.control.String(); got != "error: "+c.want {
			t.Errorf("shown as %q", got)
		}
		if err := c.control.Set(1); err == nil {
			t.Errorf("%s: Set has no error", c.want)
		}
		x := widgets.Interact(func(any) any { t.Error("the function ran"); return nil }, c.control)
		if x.Err() == nil || x.Err().Error() != c.want {
			t.Errorf("Interact: %v, want %s", x.Err(), c.want)
		}
		if _, err := json.Marshal(c.control.State()); err != nil {
			t.Error(err)
		}
	}
}

func TestWrongFunctions(t *testing.T) {
	slider, real, choice := widgets.Slider("rank", 2, 10, 1), widgets.Slider("sigma", 0, 1, .1), widgets.Select("solver", "a", "b")
	for _, c := range []struct {
		f        any
		controls []any
		want     string
	}{
		{nil, nil, "argument 1 is <nil>, want a function"},
		{3, nil, "argument 1 is int, want a function"},
		{(func())(nil), nil, "argument 1 is a nil func(), want a function that is defined"},
		{func(...int) {}, []any{slider}, "the function takes any number of arguments: want one parameter for each control"},
		{func(int) {}, nil, "the function takes 1 parameter, and there are 0 controls: want one each"},
		{func(int) {}, []any{3}, "argument 2 is int, want a control such as widgets.Slider"},
		{func(int) {}, []any{(*widgets.Control)(nil)}, "argument 2 is *widgets.Control, want a control such as widgets.Slider"},
		{func(int, int) {}, []any{slider, slider}, `two controls have the name "rank": want one each`},
		{func(string) {}, []any{slider}, `parameter 1 is string, but slider "rank" gives no text: want widgets.Select there`},
		{func(bool) {}, []any{slider}, `parameter 1 is bool, but slider "rank" is not on or off: want widgets.Check there`},
		{func(int) {}, []any{real}, `parameter 1 is int, but slider "sigma" is not always a whole number (0 to 1 by 0.1): want float64 there`},
		{func(int) {}, []any{choice}, `parameter 1 is int, but select "solver" gives no numbers: want widgets.Slider there`},
		{func(int, float64) {}, []any{slider, choice}, `parameter 2 is float64, but select "solver" gives no numbers: want widgets.Slider there`},
		{func(float64) {}, []any{widgets.Check("on", true)}, `parameter 1 is float64, but check "on" gives no numbers: want widgets.Slider there`},
		{func(string) {}, []any{widgets.Select("d", "a", 3)}, `parameter 1 is string, but select "d" has the number 3 among its options: want text alone`},
		{func(uint) {}, []any{widgets.Slider("k", -1, 1, 1)}, `parameter 1 is uint, but slider "k" goes from -1 to 1: want int there`},
		{func(int8) {}, []any{widgets.Slider("k", 0, 1000, 1)}, `parameter 1 is int8, but slider "k" goes from 0 to 1000: want int there`},
		{func([]int) {}, []any{slider}, `parameter 1 is []int, but no control has such values: want int, float64, string, bool or any`},
	} {
		x := widgets.Interact(c.f, c.controls...)
		if x.Err() == nil || strings.TrimPrefix(x.Err().Error(), "widgets: Interact: ") != c.want {
			t.Errorf("%T: %v, want %s", c.f, x.Err(), c.want)
		}
		if x.Run() == nil || !strings.Contains(x.HTML(), "error: widgets") || !strings.HasPrefix(x.String(), "error: widgets: Interact: ") {
			t.Errorf("%T: shown as %s", c.f, x)
		}
	}
}

func TestInteract(t *testing.T) {
	rank, sigma := widgets.Slider("rank", 2, 10, 1).At(4), widgets.Slider("sigma", 0, 1, .1)
	var seen []string
	x := widgets.Interact(func(r int, s float64, solver string, on bool, n uint8, v any) (string, error) {
		seen = append(seen, strings.TrimSpace(fmt.Sprintln(r, s, solver, on, n, v)))
		if r == 9 {
			return "", errors.New("nine is too many")
		}
		return fmt.Sprintf("<%d of %.1f>", r, s), nil
	}, rank, sigma, widgets.Select("solver", "auto", "lbfgs"), widgets.Check("on", true), widgets.Button("again"), widgets.Select("d", 3, 4))
	calls := 0
	defer x.Watch(func() { calls++ })()
	if _, err := x.Set("rank", 7); err != nil {
		t.Fatal(err)
	}
	if err := sigma.Set(.3); err != nil {
		t.Fatal(err)
	}
	if err := sigma.Set(.3); err != nil { // no change, no run
		t.Fatal(err)
	}
	if got, want := strings.Join(seen, "; "), "4 0 auto true 0 3; 7 0 auto true 0 3; 7 0.3 auto true 0 3"; got != want || calls != 2 {
		t.Errorf("ran with %s, %d times, want %s", got, calls, want)
	}
	want := `rank   = 7      (2 to 10 by 1)
sigma  = 0.3    (0 to 1 by 0.1)
solver = auto   (auto, lbfgs)
on     = true   (true or false)
again  = 0      (a number of presses)
d      = 3      (3, 4)
To set one: x.Set("rank", 8), where x is this value, or _ right after it.

<7 of 0.3>`
	if got := x.String(); got != want {
		t.Errorf("shown as\n%s", got)
	}
	if page := x.HTML(); !strings.Contains(page, "rank <b>7</b>") || !strings.Contains(page, "&lt;7 of 0.3&gt;") {
		t.Error(page)
	}
	if _, err := x.Set("rnak", 3); err == nil || err.Error() != `widgets: there is no control "rnak" here: want rank, sigma, solver, on, again, d` {
		t.Error(err)
	}
	if _, err := x.Set("rank", 9); err != nil || !strings.Contains(x.String(), "error: nine is too many") {
		t.Errorf("%v, shown as\n%s", err, x)
	}
}

// A control of two interactions runs both.
func TestShared(t *testing.T) {
	rank := widgets.Slider("rank", 1, 9, 1)
	x := widgets.Interact(func(r int) int { return r }, rank)
	y := widgets.Interact(func(r int) int { return -r }, rank)
	if err := rank.Set(5); err != nil {
		t.Fatal(err)
	}
	if x.Text() != "5" || y.Text() != "-5" {
		t.Errorf("%s and %s, want 5 and -5", x.Text(), y.Text())
	}
}

// A function that sets its own control gets an error.
func TestRecursion(t *testing.T) {
	rank := widgets.Slider("rank", 1, 9, 1)
	x := widgets.Interact(func(r int) error { return rank.Set(r%9 + 1) }, rank)
	if _, err := x.Result(); err == nil || !strings.Contains(err.Error(), "may not set its own controls") {
		t.Error(err)
	}
}

func TestAccept(t *testing.T) {
	for _, c := range []struct {
		control *widgets.Control
		value   string
		want    any // nil: an error
	}{
		{widgets.Slider("rank", 2, 10, 1), "7", 7},
		{widgets.Slider("rank", 2, 10, 1), "7.4", 7},
		{widgets.Slider("rank", 2, 10, 1), "10.4", nil},
		{widgets.Slider("rank", 2, 10, 1), "1e999", nil},
		{widgets.Slider("rank", 2, 10, 1), `"7"`, nil},
		{widgets.Slider("rank", 2, 10, 1), "null", nil},
		{widgets.Slider("rank", 2, 10, 1), "", nil},
		{widgets.Slider("rank", 2, 10, 1), "[7]", nil},
		{widgets.Slider("sigma", 0, 1, .1), "0.30000000000000004", .3},
		{widgets.Slider("sigma", 0, 1, .1), "0.34", .3},
		{widgets.Select("solver", "auto", "lbfgs"), `"lbfgs"`, "lbfgs"},
		{widgets.Select("solver", "auto", "lbfgs"), `1`, nil},
		{widgets.Select("order", 3, 4), `"4"`, 4},
		{widgets.Check("on", false), "true", true},
		{widgets.Check("on", false), "1", nil},
		{widgets.Button("go"), "2", 2},
	} {
		calls := 0
		c.control.Watch(func() { calls++ })
		before := c.control.Value()
		changed, err := c.control.Accept(json.RawMessage(c.value))
		switch {
		case c.want == nil && (err == nil || changed || c.control.Value() != before || calls != 0):
			t.Errorf("%s accepts %s", c.control, c.value)
		case c.want != nil && (err != nil || !changed || c.control.Value() != c.want || calls != 1):
			t.Errorf("%s and %s: %v, %v, want %v", c.control, c.value, changed, err, c.want)
		}
	}
}

// A client can make each control from its state, and what it sends back is accepted.
func TestState(t *testing.T) {
	for _, c := range []struct {
		control *widgets.Control
		want    string
	}{
		{widgets.Slider("rank", 2, 10, 1).At(4), `{"name":"rank","kind":"slider","from":2,"to":10,"step":1,"whole":true,"digits":0,"options":null,"every":0,"value":4}`},
		{widgets.Play("frame", 0, 1, .5).Every(1), `{"name":"frame","kind":"play","from":0,"to":1,"step":0.5,"whole":false,"digits":1,"options":null,"every":1000,"value":0}`},
		{widgets.Select("order", 3, 4).At(4), `{"name":"order","kind":"select","from":0,"to":0,"step":0,"whole":true,"digits":0,"options":["3","4"],"every":0,"value":"4"}`},
		{widgets.Check("on", true), `{"name":"on","kind":"check","from":0,"to":0,"step":0,"whole":false,"digits":0,"options":null,"every":0,"value":true}`},
		{widgets.Button("go"), `{"name":"go","kind":"button","from":0,"to":0,"step":0,"whole":true,"digits":0,"options":null,"every":0,"value":0}`},
	} {
		data, err := json.Marshal(c.control.State())
		if err != nil || string(data) != c.want {
			t.Errorf("%s, %v, want %s", data, err, c.want)
		}
		value, _ := json.Marshal(c.control.State().Value)
		if changed, err := c.control.Accept(value); changed || err != nil {
			t.Errorf("%s: %v, %v", value, changed, err)
		}
	}
}

// A hundred requests during a run lead to one more run, which sees the last value.
func TestLatest(t *testing.T) {
	rank := widgets.Slider("rank", 0, 100, 1)
	begun, release := make(chan bool), make(chan bool)
	var seen []any
	l := widgets.NewLatest(func() {
		seen = append(seen, rank.Value())
		begun <- true
		<-release
	})
	l.Ask()
	<-begun
	for i := range 100 {
		if err := rank.Set(i + 1); err != nil {
			t.Fatal(err)
		}
		l.Ask()
	}
	release <- true
	<-begun
	release <- true
	l.Wait()
	if fmt.Sprint(seen) != "[0 100]" {
		t.Errorf("ran with %v, want 0 and 100", seen)
	}
}

// Requests from everywhere: the last run begins after the last request.
// A function that ends its goroutine ends only that: the next request runs it again.
func TestLatestGoexit(t *testing.T) {
	n := 0
	l := widgets.NewLatest(func() { n++; runtime.Goexit() })
	l.Ask()
	l.Wait()
	l.Ask()
	l.Wait()
	if n != 2 {
		t.Errorf("%d runs", n)
	}
}

func TestLatestFromEverywhere(t *testing.T) {
	var asked, seen, running atomic.Int64
	l := widgets.NewLatest(func() {
		if running.Add(1) != 1 {
			t.Error("two runs at a time")
		}
		seen.Store(asked.Load())
		running.Add(-1)
	})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				asked.Add(1)
				l.Ask()
			}
		})
	}
	all.Wait()
	l.Wait()
	if seen.Load() != 8000 {
		t.Errorf("the last run saw %d requests, want 8000", seen.Load())
	}
}

// Methods of zero values do not panic, with arguments that are zero values either.
func TestZeroValues(t *testing.T) {
	for _, zero := range []any{&widgets.Control{}, &widgets.Interaction{}, &widgets.Latest{}, widgets.NewLatest(nil)} {
		v := reflect.ValueOf(zero)
		for i := range v.NumMethod() {
			name := v.Type().Method(i).Name
			t.Run(v.Type().Elem().Name()+"/"+name, func(t *testing.T) {
				defer func() {
					if r := recover(); r != nil {
						t.Error("panics:", r)
					}
				}()
				var args []reflect.Value
				for k := range v.Method(i).Type().NumIn() {
					args = append(args, reflect.Zero(v.Method(i).Type().In(k)))
				}
				v.Method(i).Call(args)
			})
		}
	}
	if err := (&widgets.Interaction{}).Run(); err == nil || !strings.Contains(err.Error(), "no function") {
		t.Error(err)
	}
}

func ExampleInteract() {
	x := widgets.Interact(func(rank int, sigma float64) string {
		return fmt.Sprintf("%d components, noise %.1f", rank, sigma)
	}, widgets.Slider("rank", 2, 10, 1), widgets.Slider("sigma", 0, 1, .1))
	fmt.Println(x.Text())
	_, err := x.Set("rank", 5)
	fmt.Println(x.Text(), err)
	_, err = x.Set("rank", 50)
	fmt.Println(err)
	// Output:
	// 2 components, noise 0.0
	// 5 components, noise 0.0 <nil>
	// widgets: slider "rank" cannot be 50: want 2 to 10 by 1
}
