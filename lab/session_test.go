package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"symmom/datasets"
	"symmom/internal/test/sessiontest"
	"symmom/lab/symbols"
	"symmom/repl"
	"symmom/symmom"
)

type session struct {
	*repl.Session
	out, err   sessiontest.Buffer
	onProgress func(repl.Progress)
}

func newSession(t testing.TB) *session {
	t.Helper()
	s := &session{}
	var err error
	s.Session, err = repl.New(repl.Config{Library: Library(), Stdin: strings.NewReader(""), Stdout: &s.out, Stderr: &s.err,
		Progress: func(p repl.Progress) {
			if s.onProgress != nil {
				s.onProgress(p)
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every function that a session can be given in place of the package's is: a constructor that
// is not bound would hear of no interrupt and show no progress.
func TestConstructorsAreBound(t *testing.T) {
	bound := bind(repl.Host{Context: t.Context})["symmom/symmom/symmom"]
	table := symbols.All()["symmom/symmom/symmom"]
	n := 0
	for name, f := range table {
		own := bound[name]
		switch {
		case f.Kind() != reflect.Func || f.Type().NumOut() == 0:
		case own.IsValid() && own.Type() == f.Type():
			n++
		case own.IsValid() || name != "Failed" && f.Type().Out(0) == reflect.TypeFor[*symmom.Session](), f.Type().IsVariadic() && f.Type().In(f.Type().NumIn()-1) == reflect.TypeFor[[]symmom.LoadOptions]():
			t.Errorf("symmom.%s is not bound to the session", name)
		}
	}
	if n != len(bound) || n < 10 {
		t.Errorf("%d functions of %d bound ones", n, len(bound))
	}
}

// must evaluates a cell that has no error.
func (s *session) must(t testing.TB, source string) string {
	t.Helper()
	r, err := s.Eval(t.Context(), source)
	if err != nil {
		t.Fatalf("%s\n%v", source, err)
	}
	return r.String()
}

func TestDecomposition(t *testing.T) {
	s := newSession(t)
	s.must(t, "m := datasets.GaussianMixture(datasets.MixtureOptions{N: 20, Components: 3, PerComponent: 100, Sigma: .01, Congruence: .5})")
	fit := s.must(t, "fit := m.Session.Moment(3).Implicit().Decompose(3)\nfit")
	if !strings.HasPrefix(fit, "Fit of rank 3 to the 3rd moment") {
		t.Errorf("shown as %q", fit)
	}
	r, err := s.Eval(t.Context(), "fit.Score(m.Means)")
	if err != nil || len(r.Values) != 1 {
		t.Fatal(r.Values, err)
	}
	// Sigma .01: the paper's runs reach .9998 and more.
	if score, ok := r.Values[0].(*symmom.Score); !ok || score.Value < .9998 {
		t.Errorf("score %v", r)
	}
}

// A value that carries an error ends its cell, with the place, unless the cell asks for the
// error, and no variable takes it.
func TestFailures(t *testing.T) {
	const none = `symmom.Load("none.npy")`
	for source, want := range map[string]string{
		"\n" + none + ".Moment(3).Decompose(2)":                                   "2:1: none.npy: file does not exist",
		"done = 1\ndata := " + none + "\ndone = 2":                                "2:1: none.npy:",
		"done = 1\nvar data = " + none + "\ndone = 2":                             "2:1: none.npy:",
		"done = 1\ngood, bad := datasets.Iris(), " + none + "\ndone = 2":          "2:1: none.npy:",
		"done = 1\n" + none + "\ndone = 2":                                        "2:1: none.npy:",
		"m := map[int]*symmom.Session{}\ndone = 1\nm[3] = " + none + "\ndone = 2": "3:1: none.npy:",
		"iris := datasets.Iris()\ndone = 1\niris.Save(\"none/x.npy\")\ndone = 2":  "3:1: save none/x.npy:",
		"iris := datasets.Iris()\niris.Save(\"none/x.npy\")":                      "2:1: save none/x.npy:",
		"iris := datasets.Iris()\nfit := iris.Moment(3).Decompose(0)":             "2:1: ",
		"data := " + none + "\nif data.Err() != nil { done = 1 }\ndata = nil":     "",
		"data := " + none + "\n_ = data":                                          "",
		"_ = " + none:                                                             "",
		"data := " + none + ".Err()":                                              "",
		none + ".Err()":                                                           "",
		"for range 3 { data := " + none + "; _ = data }":                          "",
		"_, err := os.Open(\"none.npy\")":                                         "",
	} {
		s := newSession(t)
		s.must(t, "import \"os\"\ndone := 0")
		_, err := s.Eval(t.Context(), source)
		switch {
		case err == nil && want != "" || err != nil && (want == "" || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%s\n%v, want %s", source, err, want)
		case want != "" && s.must(t, "done") == "2":
			t.Errorf("%s\nthe cell went on", source)
		}
		if strings.Contains(source, "data ") && want != "" {
			if _, err := s.Eval(t.Context(), "data"); err == nil || !strings.Contains(err.Error(), "undefined: data") {
				t.Errorf("%s\ndata is there, with %v", source, err)
			}
		}
	}
}

// A variable keeps a good value where the next one failed.
func TestFailuresKeepValues(t *testing.T) {
	const none = `symmom.Load("none.npy")`
	for _, source := range []string{
		"data := " + none,
		"data = " + none,
		"var data = " + none,
		"var data *symmom.Session = " + none,
		"other, data := datasets.Digits(), " + none,
		"data, n := " + none + ", 3",
		"n := 2.5\nn, data = 3, " + none,
		"func two() (int, *symmom.Session) { return 3, " + none + " }\nn, data := two()",
		"func two() (int, *symmom.Session) { return 3, " + none + " }\n_, data = two()",
		"func two() (int, *symmom.Session) { return 3, " + none + " }\nall[0], data = two()",
		"var x any = 3\nx, data = datasets.Digits(), " + none,
		"last := &data\n*last = " + none,
		"held.Data = " + none,
		"sessions[1] = " + none,
	} {
		s := newSession(t)
		s.must(t, "data := datasets.Iris()\nall := []int{1}\nsessions := []*symmom.Session{data, data}\nvar held struct{ Data *symmom.Session }\nheld.Data = data")
		_, err := s.Eval(t.Context(), source)
		if err == nil || !strings.Contains(err.Error(), "none.npy: file does not exist") {
			t.Errorf("%s\n%v", source, err)
		}
		if got := s.must(t, "fmt.Sprint(data.N(), held.Data.N(), sessions[1].N())"); got != "4 4 4" {
			t.Errorf("%s\nleaves %s", source, got)
		}
	}
}

// The packages are there without an import, but for paper, and importing them again is
// fine; a name that another of them has is proposed.
func TestPreloaded(t *testing.T) {
	s := newSession(t)
	for _, c := range [][2]string{
		{"datasets.Uniform(3, 10, 1).N()", "3"},
		{"import \"symmom/datasets\"\nlen(datasets.DigitLabels())", "1797"},
		{"import \"symmom/symmom\"\nsymmom.FromRows([][]float64{{1, 2}}).N()", "2"},
		{"import \"symmom/paper\"\nlen(paper.List()) > 3", "true"},
		{"%reset", "everything that was declared is forgotten"},
		{"datasets.Uniform(4, 10, 1).N()", "4"},
		{"fit := symmom.FromRows([][]float64{{1, 2}, {3, 5}}).Moment(3).Decompose(1)\n7", "7"},
		{"fit.Err()", "<nil>"}, // a nil error, for which a person asks
		{"func none() *symmom.Fit { return nil }\nnone()", "<nil>"},
	} {
		if got := s.must(t, c[0]); got != c[1] {
			t.Errorf("%s\nshows %q, want %q", c[0], got, c[1])
		}
	}
	for source, want := range map[string]string{
		"symmom.Digits()":     "1:8: undefined: symmom.Digits (there is datasets.Digits)",
		"Load(`a`)":           "1:1: undefined: Load (there is symmom.Load)",
		"symmom.load(``)":     "1:8: undefined: symmom.load (but have Load)",
		"import \"symmom\"":   "1:8: package symmom is available without an import",
		"import \"datasets\"": "1:8: package datasets is available without an import",
		"import \"a.org/b\"": "1:8: no package \"a.org/b\" in this session: it has most of the standard library, symmom, datasets, charts, widgets, paper, " +
			"and of gonum mat, stat, floats, optimize, distuv; to make a kernel with it: symmom kernel build --with a.org/b",
		"symmom.FromRows(nil).Moment(3).Decompose(5).Scor(nil)": "did you mean Score?",
		"symmom.FromRows(nil).Moment(3).Decompose(5).Plot()":    "no field or method Plot); symmom.Fit? lists what it has",
		"symmom.Options{Start: 3}":                              "unknown field Start in struct literal of type symmom.Options; did you mean Starts?",
		"truth := symmom.LoadMatrix(`truth.npy`)":               "write x, err :=",
		"symom.Load(`a`)":                                       "undefined: symom; did you mean symmom?",
		"plot(1)":                                               "undefined: plot; package charts draws: charts? lists its charts",
		"size(1)":                                               "undefined: size; a matrix has x.Dims(), data have x.Observations() and x.N()",
	} {
		if _, err := s.Eval(t.Context(), source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %s", source, err, want)
		}
	}
}

// Commands name the function that loads data, and list data and what is made of them.
func TestCommands(t *testing.T) {
	s := newSession(t)
	for _, c := range [][2]string{
		{"%data", `^no data is loaded; begin with data := symmom\.Load\("FILE"\)$`},
		{"%help", `explains a name: \?symmom\.Load`},
		{"data := datasets.Uniform(3, 100, 1)\nfit := data.Moment(3).Decompose(2)\nm := mat.NewDense(2, 2, nil)\nnone := symmom.Load(`none.npy`)\n_ = none\nvar nothing *symmom.Fit", ""},
		{"%data", `(?s)data +data +.*fit +fit +Fit of rank 2.*m +matrix +2 x 2`},
		{"%who", `(?s)data +variable +\*symmom.Session +100 x 3 .*fit +variable +\*symmom.Fit .*none +variable +\*symmom.Session +failed`},
		{"fit.Score?", `^func \(f \*Fit\) Score`},
		{"fit.Score??", `(?s)^func \(f \*Fit\) Score.*return`},
		{"?symmom", `(?s)import "symmom/symmom".*Functions: Describe, .*Load,\s+LoadMatrix.*Types: .*Constants: `},
		{"?Decompose", `(?s)^func \(m \*Moment\) Decompose\(.*method in symmom/symmom`},
		{"??widgets.Slider", `(?s)^func Slider\(.*return`}, // its source, too
		{"?fit", `(?s)var fit \*symmom.Fit.*Fit of rank 2.*Methods: Bootstrap, Err`},
		{"fit.Starts", `(?m)^ +0 `}, // a table
	} {
		if got := s.must(t, c[0]); !regexp.MustCompile(c[1]).MatchString(got) {
			t.Errorf("%s shows\n%s\nwant %s", c[0], got, c[1])
		}
	}
	const options = "symmom.Options{Tolerance: 1}"
	if i, _ := s.Inspect(options, strings.Index(options, "ance"), 0); !strings.HasPrefix(i.Text(), "Options.Tolerance float64") {
		t.Error(i.Text())
	}
	if _, err := s.Eval(t.Context(), "?none.such"); err == nil || !strings.HasSuffix(err.Error(), "such as ?symmom.Load") {
		t.Error(err)
	}
}

// Names, fields and methods of the library are completed, and files where it reads them.
func TestCompletion(t *testing.T) {
	t.Chdir("testdata")
	s := newSession(t)
	s.must(t, "fit := datasets.Uniform(3, 100, 1).Moment(3).Decompose(2)\ntruth, _ := symmom.LoadMatrix(`none.npy`)")
	for source, want := range map[string]string{
		"fit.Sc": "Score", "fit.Score(truth).": "String", "x := fit.Score(truth).": "HTML", "symmom.Lo": "Load", "symmom.lo": "Load",
		"symmom.Load(\"a\").Moment(3).With(symmom.Options{Toler": "Tolerance", "symmom.Options{Tolerance: 1, Max": "MaxIterations",
		"o := &symmom.Options{": "Seed", "[]symmom.Opt": "Options", "sym": "symmom", "%who fi": "fit",
		"symmom.Load(\"da": "data.csv", "symmom.Stream(\"da": "data.csv", "m, err := symmom.LoadMatrix(\"da": "data.csv",
	} {
		found := false
		for _, c := range s.Complete(source, len(source)).Items {
			found = found || c.Text == want
		}
		if !found {
			t.Errorf("%s: %s is not proposed", source, want)
		}
	}
	c := s.Complete("symmom.Load", len("symmom.Load"))
	if len(c.Items) == 0 || !strings.HasPrefix(c.Items[0].Signature, "func(path string") || !strings.HasPrefix(c.Items[0].Doc, "Load reads a table from a file") {
		t.Errorf("%+v", c.Items)
	}
}

// The interpreter's overhead in a chain of compiled calls.
func BenchmarkComposition(b *testing.B) {
	s := newSession(b)
	s.must(b, "data := datasets.Uniform(20, 200, 1)\nopts := symmom.Options{MaxIterations: 5, Starts: 1}")
	b.Run("cell", func(b *testing.B) {
		for b.Loop() {
			s.must(b, "data.Moment(3).Implicit().With(opts).Decompose(2)")
		}
	})
	data, opts := datasets.Uniform(20, 200, 1), symmom.Options{MaxIterations: 5, Starts: 1}
	b.Run("compiled", func(b *testing.B) {
		for b.Loop() {
			data.Moment(3).Implicit().With(opts).Decompose(2)
		}
	})
}

// Options that are strings are completed to what they can be.
func TestCompletionOfOptions(t *testing.T) {
	s := newSession(t)
	s.must(t, `o := symmom.MixtureOptions{}; fit := datasets.Uniform(3, 50, 1).Moment(3).Decompose(1)`)
	for source, want := range map[string]string{
		`symmom.MixtureOptions{Covariance: "|`:                                  "diag full spherical tied",
		`data.Mixture(3, symmom.MixtureOptions{Seed: 2, Covariance: "f|"})`:     "full",
		`symmom.Load("x.csv", symmom.LoadOptions{Columns: nil, Missing: "d|"})`: "drop",
		`o.Covariance = "t|`:               "tied",
		`if fit.Status == "conv|" { }`:     "converged",
		`symmom.Options{Solver: "|"}`:      "auto gaussnewton lbfgs",
		`symmom.MixtureOptions{Seed: "|"}`: "", // no string
		`x := "di|`:                        "",
	} {
		at := strings.Index(source, "|")
		var got []string
		for _, c := range s.Complete(source[:at]+source[at+1:], at).Items {
			got = append(got, c.Text)
			if c.Kind != "constant" || c.Signature == "" {
				t.Errorf("%s: %+v", source, c)
			}
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// Columns are named by the table that a cell is about: a variable's, or a file's.
func TestCompletionOfColumns(t *testing.T) {
	s := newSession(t)
	path := filepath.Join(t.TempDir(), "flowers.csv")
	if err := os.WriteFile(path, []byte("length,width,\"in \"\"cm\"\"\",kind\n1,2,3,a\n2,3,4,b\n5,4,9,a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.must(t, fmt.Sprintf(`data, path, none := datasets.Iris(), %q, 3`, path))
	for source, want := range map[string]string{
		`data.Select("|`:                                      "sepal_length sepal_width petal_length petal_width",
		`data.Select("sepal_width", "p|")`:                    "petal_length petal_width",
		`charts.Pairs(data.Standardize().Select("petal_w|"))`: "petal_width",
		`symmom.Load(path, symmom.LoadOptions{Labels: "|`:     "length width kind",
		fmt.Sprintf(`d := symmom.Load(%q, symmom.LoadOptions{Missing: "drop", Columns: []string{"length", "w|"}})`, path): "width",
		fmt.Sprintf(`symmom.Load(%q).Select("l|`, path):                                                                   "length",
		`symmom.Stream(path, symmom.LoadOptions{Weights: "w|`:                                                             "width",
		`symmom.Load(path, symmom.LoadOptions{Missing: "|`:                                                                "error drop mean", // as without names
		`symmom.Load("-", symmom.LoadOptions{Labels: "|`:                                                                  "target",          // as documented
		`symmom.Load("none.csv", symmom.LoadOptions{Labels: "|`:                                                           "target",
		`none.Select("|`: "",
		fmt.Sprintf("data := symmom.Load(%q)\ndata.Select(\"|", path):                      "length width kind", // not those of its old value
		fmt.Sprintf("data = symmom.Load(%q)\ndata = data.Center()\ndata.Select(\"|", path): "length width kind",
		fmt.Sprintf("var data, n = symmom.Load(%q), 3\ndata.Select(\"|", path):             "length width kind",
		"data, err := symmom.LoadMixture(path)\ndata.Predict(data).Select(\"|":             "",
		"data := symmom.Load(path)\nfunc g(data *symmom.Session) { data.Select(\"|":        "",
		"data := datasets.Wine()\ndata.Select(\"|":                                         "",
		"more := data.Center()\nmore.Select(\"sepal_w|":                                    "sepal_width",
		`func g(data *symmom.Session) { data.Select("|`:                                    "", // not that of the session
		`data.WithLabels("|`: "", // a new name
		`symmom.Load(path, symmom.LoadOptions{NA: []string{"|`: "",
	} {
		at := strings.Index(source, "|")
		var got []string
		for _, c := range s.Complete(source[:at]+source[at+1:], at).Items {
			got = append(got, c.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// An argument of another type is answered with what is wanted, or what of the session there is.
func TestOtherArguments(t *testing.T) {
	s := newSession(t)
	s.must(t, "data := datasets.Iris(); fit := data.Moment(3).Decompose(1); rows := [][]float64{{1}}")
	const components = "fit.Score; want the true components, a matrix with one in each column, or the means of groups, data.GroupMeans() of a table with labels"
	for source, want := range map[string]string{
		`fit.Score("species")`:                 components,
		`fit.Score(data.Labels())`:             components,
		`data.Mixture(2).Score("species")`:     "; want the true means, a matrix with one in each column; known groups are compared by mix.Agreement(data)",
		`data.Mixture(2).Agreement("species")`: "; try data",
		`data.Append(rows)`:                    "; want a matrix, such as fit.Model.Factors, data.Matrix() or mat.NewDense(2, 2, []float64{1, 2, 3, 4})",
		`symmom.FromMatrix(data)`:              "; try data.GroupMeans() or data.Matrix()",
		`symmom.FromMatrix(rows)`:              "; try symmom.FromRows",
		`charts.FactorsOf(fit)`:                "; try fit.Model.Factors or charts.Factors",
		`charts.Factors(3)`:                    "; try fit",
		`data.Mixture("3")`:                    "; try 3",
		`data.Select("a", 1)`:                  `; try "1"`,
		`data.Mixture(3, symmom.ICAOptions{})`: "; try symmom.MixtureOptions{}",
		`data.Mixture("three")`:                "data.Mixture", // nothing is made up
		`mine := func(s string) {}; mine(3)`:   "mine",
		`data.Mixture("2.5")`:                  "int value in argument to data.Mixture",
	} {
		_, err := s.Eval(t.Context(), source)
		if err == nil || !strings.HasSuffix(strings.SplitN(err.Error(), "\n", 2)[0], want) {
			t.Errorf("%s: %v, want %s", source, err, want)
		}
	}
}
