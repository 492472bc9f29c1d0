package repl

import (
	"strings"
	"testing"
)

// An undefined name is reported with a suggestion, or with how to list the names.
func TestSuggestions(t *testing.T) {
	s := newSession(t)
	s.must(t, "import \"image\"\ndata := mat.NewDense(1, 1, nil)\ntype T struct{ Count int }\nfunc (t T) Method() {}\nvar value T")
	for _, c := range []struct{ source, message string }{
		{"data.Dimz()", "no field or method Dimz); did you mean Dims?"},
		{"data.T().Dimz()", "did you mean Dims?"},
		{"data.Plot()", "no field or method Plot); mat.Dense? lists what it has"},
		{"value.Metohd()", "did you mean Method?"},
		{"image.Rectangle{Mim: image.Point{}}", "unknown field Mim in struct literal of type image.Rectangle; did you mean Min?"},
		{"image.Rectangle{Form: 3}", "of type image.Rectangle; image.Rectangle? lists what it has"},
		{"T{Conut: 1}", "did you mean Count?"},
		{"math.Sqtr(2)", "undefined: math.Sqtr; did you mean Sqrt?"},
		{"widgets.Scatter(1)", "undefined: widgets.Scatter; widgets? lists what it has"},
		{"widgts.Slider(1)", "undefined: widgts; did you mean widgets?"},
		{"strngs.ToUpper(`a`)", "undefined: strngs; did you mean strings?"},
		{"valeu", "undefined: valeu; did you mean value?"},
		{"q := 1; Q", "undefined: Q; did you mean q?"},
		{"abc := 1; abd", "undefined: abd; did you mean abc?"},
		{"func f(count int) int { return cuont }", "did you mean count?"},
		{"fresh = 3", "undefined: fresh; to declare it, write fresh := ..."},
		{"sqrt(2)", "undefined: sqrt (there is math.Sqrt)"},
		{"NewDense(1, 1, nil)", "undefined: NewDense (there is mat.NewDense)"},
		{"mean(nil)", `undefined: mean (there is stat.Mean; write: import "gonum.org/v1/gonum/stat")`},
		{"x := 'abc'", "illegal rune literal; text stands in double quotes"},
		{"# text", "comments begin with //"},
		{"data.Grow(rows=3)", "arguments have no names"},
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
		{"size(data)", "; a matrix has x.Dims()"},
		{"size = 3", "undefined: size; to declare it, write size := ..."},
	} {
		if e := s.fails(t, c.source); !strings.Contains(e.Message, c.message) {
			t.Errorf("%s: %q, want %q", c.source, e.Message, c.message)
		}
	}
	// Nothing is made up, and nothing is added to what go/types suggests.
	for source, message := range map[string]string{
		"other":        "undefined: other",
		"true order":   "expected ';', found order",
		"n := 3; *n":   "invalid operation: cannot indirect n (variable of type int)",
		"other + 1":    "undefined: other",
		"median(nil)":  "undefined: median",
		"T{count: 1}":  "unknown field count in struct literal of type T, but does have Count",
		"math.sqrt(2)": "undefined: math.sqrt (but have Sqrt)",
		"plot(data)":   "undefined: plot",
	} {
		if e := s.fails(t, source); e.Message != message {
			t.Errorf("%s: %q, want %q", source, e.Message, message)
		}
	}
}
