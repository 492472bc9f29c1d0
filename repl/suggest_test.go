package repl

import (
	"strings"
	"testing"
)

// An undefined name is reported with a suggestion, or with how to list the names.
func TestSuggestions(t *testing.T) {
	s := newSession(t)
	s.must(t, "data := symmom.Load(`missing.npy`)\ntype T struct{ Count int }\nfunc (t T) Method() {}\nvar value T")
	for _, c := range []struct{ source, message string }{
		{"data.Momnt(3)", "no field or method Momnt); did you mean Moment?"},
		{"data.Moment(3).Decompose(5).Scor(nil)", "did you mean Score?"},
		{"data.Moment(3).Decompose(5).Plot()", "no field or method Plot); symmom.Fit? lists what it has"},
		{"value.Metohd()", "did you mean Method?"},
		{"symmom.Options{Start: 3}", "unknown field Start in struct literal of type symmom.Options; did you mean Starts?"},
		{"symmom.Options{Form: 3}", "of type symmom.Options; symmom.Options? lists what it has"},
		{"T{Conut: 1}", "did you mean Count?"},
		{"symmom.Laod(`a`)", "undefined: symmom.Laod; did you mean Load?"},
		{"charts.Scatter(1)", "undefined: charts.Scatter; charts? lists what it has"},
		{"symom.Load(`a`)", "undefined: symom; did you mean symmom?"},
		{"strngs.ToUpper(`a`)", "undefined: strngs; did you mean strings?"},
		{"valeu", "undefined: valeu; did you mean value?"},
		{"q := 1; Q", "undefined: Q; did you mean q?"},
		{"abc := 1; abd", "undefined: abd; did you mean abc?"},
		{"func f(count int) int { return cuont }", "did you mean count?"},
		{"fresh = 3", "undefined: fresh; to declare it, write fresh := ..."},
		{"sqrt(2)", "undefined: sqrt (there is math.Sqrt)"},
		{"Load(`a`)", "undefined: Load (there is symmom.Load)"},
		{"mean(nil)", `undefined: mean (there is stat.Mean; write: import "gonum.org/v1/gonum/stat")`},
		{"x := 'abc'", "illegal rune literal; text stands in double quotes"},
		{"# text", "comments begin with //"},
		{"data.Moment(order=3)", "arguments have no names"},
		{"a := [1, 2, 3]", "; a list is written []float64{1, 2, 3}"},
		{"a := [1 2 3]", "; a list is written []float64{1, 2, 3}"},
		{"a := {1, 2}", "; a list is written []float64{1, 2, 3}"},
		{"for i in range(3): print(i)", "; a loop is written for i := range 10 { }"},
		{"for i = 1:10", "; a loop is written for i := range 10 { }"},
		{"true and false", "; && is and"},
		{"y := x'", "x.T() is the transpose"},
		{"2**3", "math.Pow(x, y)"},
		{"help(data)", "undefined: help; NAME? explains a name, and %help lists the commands"},
		{"whos", "%who lists the variables"},
		{"np.mean(data)", "undefined: np; package mat has matrices"},
		{"size(data)", "data have x.Observations() and x.N()"},
		{"plot(data)", "charts? lists its charts"},
		{"size = 3", "undefined: size; to declare it, write size := ..."},
	} {
		if e := s.fails(t, c.source); !strings.Contains(e.Message, c.message) {
			t.Errorf("%s: %q, want %q", c.source, e.Message, c.message)
		}
	}
	// Nothing is made up, and nothing is added to what go/types suggests.
	for source, message := range map[string]string{
		"other":           "undefined: other",
		"true order":      "expected ';', found order",
		"n := 3; *n":      "invalid operation: cannot indirect n (variable of type int)",
		"other + 1":       "undefined: other",
		"median(nil)":     "undefined: median",
		"T{count: 1}":     "unknown field count in struct literal of type T, but does have Count",
		"symmom.load(``)": "undefined: symmom.load (but have Load)",
	} {
		if e := s.fails(t, source); e.Message != message {
			t.Errorf("%s: %q, want %q", source, e.Message, message)
		}
	}
}
