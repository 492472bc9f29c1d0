package repl

import (
	"os"
	"slices"
	"strings"
	"testing"

	"symmom/repl/internal/assist"
)

// complete completes at the bar in source.
func (s *testSession) complete(t *testing.T, source string) (assist.Completions, []string) {
	t.Helper()
	cursor := strings.Index(source, "|")
	out := s.Complete(source[:cursor]+source[cursor+1:], cursor)
	var texts []string
	for _, c := range out.Items {
		texts = append(texts, c.Text)
	}
	return out, texts
}

func TestCompletion(t *testing.T) {
	s := newSession(t)
	s.must(t, `import "strings"
type point struct { X, y float64; Name string }
func (p *point) Norm() float64 { return p.X*p.X + p.y*p.y }
func scale(p point, by float64) *point { return &p }
const limit = 3
p := point{X: 1}
builder := &strings.Builder{}
data := datasets.Uniform(3, 100, 1)
fit := data.Moment(3).Decompose(2)
truth, _ := symmom.LoadMatrix("none.npy")
table := map[string][]point{"a": {p}}
var matrix mat.Matrix`)
	s.must(t, "func (p point) Double() point { return p }")
	for _, c := range []struct{ source, want, kind string }{
		{"fit.Sc|", "Score", "method"},
		{"fit.Score(truth).|", "String", "method"},
		{"x := fit.Score(truth).|", "HTML", "method"},
		{"symmom.Lo|", "Load", "function"},
		{"symmom.lo|", "Load", "function"}, // in another case
		{"symmom.Load(\"a\").Moment(3).With(symmom.Options{Toler|", "Tolerance", "field"},
		{"symmom.Options{Tolerance: 1, Max|}", "MaxIterations", "field"},
		{"o := &symmom.Options{|", "Seed", "field"},
		{"p.|", "Norm", "method"},
		{"p.|", "X", "field"},
		{"p.|", "y", "field"},
		{"p.|", "Double", "method"},
		{"scale(p, 2).Na|", "Name", "field"},
		{"table[\"a\"][0].N|", "Name", "field"},
		{"for _, row := range table { for _, q := range row { q.|", "Norm", "method"},
		{"func f(local point) { local.|", "X", "field"},
		{"func f(local point) { if loc|", "local", "variable"},
		{"func f(q *poi|", "point", "type"},
		{"q := p\nq.|", "X", "field"},
		{"q := p\nq.|\nfmt.Println(q)", "X", "field"},
		{"if p.|", "X", "field"},
		{"for i := range p.|", "X", "field"},
		{"for i := 0; i < lim|", "limit", "constant"},
		{"switch lim|", "limit", "constant"},
		{"switch p.X { case p.|", "X", "field"},
		{"go p.|", "Norm", "method"},
		{"defer p.|", "Norm", "method"},
		{"func() { defer p.|", "Norm", "method"},
		{"var z = p.|", "X", "field"},
		{"var z symmom.Opt|", "Options", "type"},
		{"type t struct { o symmom.Opt|", "Options", "type"},
		{"[]symmom.Opt|", "Options", "type"},
		{"f(p.|, 3)", "X", "field"},
		{"[]point{{X|", "X", "field"},
		{"builder.Wr|", "WriteString", "method"},
		{"matrix.D|", "Dims", "method"},
		{"mat.NewD|", "NewDense", "function"},
		{"strings.Bui|", "Builder", "type"},
		{"sor|", "", ""},
		{"bui|", "builder", "variable"},
		{"sym|", "symmom", "package"},
		{"ret|", "return", "keyword"},
		{"pan|", "panic", "function"},
		{"fl|", "float64", "type"},
		{"%ti|", "%time", "command"},
		{"%|", "%help", "command"},
		{"%time fit.Sc|", "Score", "method"},
		{"%%time\nfit.Sc|", "Score", "method"},
		{"?fit.Sc|", "Score", "method"},
		{"%who fi|", "fit", "variable"},
		{"%help ti|", "time", "command"},
		{"x := 10 %lim|", "limit", "constant"},
		{"import \"ma|", "math", "package"},
		{"import (\n\"fmt\"\n\"gonum.org/v1/gonum/st|", "gonum.org/v1/gonum/stat", "package"},
		{"rand.Ne|", "New", "function"}, // of a package that is not imported
		{"func g[T any](x T) T { return x }\ng(p).|", "X", "field"},
	} {
		out, texts := s.complete(t, c.source)
		if c.want == "" {
			continue
		}
		i := slices.Index(texts, c.want)
		if i < 0 {
			t.Errorf("%s: %s is not among %v", c.source, c.want, texts)
			continue
		}
		if out.Items[i].Kind != c.kind {
			t.Errorf("%s: %+v, want kind %s", c.source, out.Items[i], c.kind)
		}
		plain := strings.Replace(c.source, "|", "", 1)
		if got := plain[out.Start:out.End]; !strings.EqualFold(got, c.want[:len(got)]) {
			t.Errorf("%s: %s would replace %q", c.source, c.want, got)
		}
	}
}

func TestCompletionDetails(t *testing.T) {
	s := newSession(t)
	s.must(t, "rows := datasets.Uniform(3, 100, 1)")
	out, texts := s.complete(t, "symmom.Load|")
	i := slices.Index(texts, "Load")
	if i < 0 || !strings.HasPrefix(out.Items[i].Signature, "func(path string") || !strings.HasPrefix(out.Items[i].Doc, "Load reads a table from a file") {
		t.Errorf("%+v", out.Items)
	}
	out, _ = s.complete(t, "row|")
	if len(out.Items) != 1 || out.Items[0] != (assist.Completion{Text: "rows", Kind: "variable", Signature: "*symmom.Session"}) {
		t.Errorf("%+v", out.Items)
	}
	// Nothing is proposed in comments, numbers and strings of other kinds.
	for _, source := range []string{"// fi|", "x := 1|", "1.|", `x := "dat|`, "/* dat|", "'a|", "symmom.Load(`x`).Err().Error(`|", "rows.Moment(3).Nothing.|", "nothing.|"} {
		if out, texts := s.complete(t, source); len(texts) > 0 {
			t.Errorf("%s: %v (%+v)", source, texts, out)
		}
	}
	// It survives whatever is typed.
	text := "for i, v := range []map[string]func(int) symmom.Options{{\"a\": func(x int) symmom.Options { return symmom.Options{Tolerance: float64(x)} }}} { if x := v[`b`](i); x.Seed > 0 { switch y := any(x).(type) { case symmom.Options: y. } } }"
	for i := range len(text) + 1 {
		s.Complete(text[:i], i)
		s.Complete(text, i)
		s.Inspect(text, i, 1)
	}
}

func TestCompletionOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"data.npy", "dense/", "Dictionary.csv", ".hidden"} {
		var err error
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(name+"inner", 0o755)
		} else {
			err = os.WriteFile(name, make([]byte, 1500), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	s := newSession(t)
	s.must(t, `import "os"; load := symmom.Load`)
	for source, want := range map[string]string{
		`symmom.Load("d|`: "data.npy dense/", `symmom.Load("dense/|`: "inner/", `symmom.Load("|")`: "data.npy dense/ Dictionary.csv",
		`symmom.Load("Di|")`: "Dictionary.csv", `symmom.Load("di|")`: "Dictionary.csv", `symmom.Stream("d|`: "data.npy dense/",
		`m, err := symmom.LoadMatrix("da|`: "data.npy", "symmom.Load(`da|": "data.npy", `load("da|`: "data.npy",
		`os.ReadFile("da|`: "data.npy", `os.Getenv("da|`: "", `symmom.Load(".h|`: ".hidden", `%cd de|`: "dense/", `%load da|`: "data.npy",
		`symmom.Load("none/|`: "", `symmom.Load("data.npy").Moment("|`: "",
	} {
		if _, texts := s.complete(t, source); strings.Join(texts, " ") != want {
			t.Errorf("%s: %q, want %q", source, texts, want)
		}
	}
	out, _ := s.complete(t, `symmom.Load("dense/../da|`)
	if len(out.Items) != 1 || out.Items[0] != (assist.Completion{Text: "data.npy", Kind: "file", Signature: "1.5 kB"}) || out.Start != len(`symmom.Load("dense/../`) {
		t.Errorf("%+v", out)
	}
}

// Completion and inspection do not wait for a cell that runs.
func TestCompletionWhileACellRuns(t *testing.T) {
	s := newSession(t)
	s.must(t, "type point struct{ X int }; p := point{1}; ready := make(chan bool); stop := make(chan bool)")
	s.env.Progress = nil
	stop := s.interp.Globals()["stop"]
	done := make(chan error)
	go func() {
		_, err := s.Eval(t.Context(), "<-stop; p.X++")
		done <- err
	}()
	for s.evaluating.TryLock() { // until the cell runs
		s.evaluating.Unlock()
	}
	if _, texts := s.complete(t, "p.|"); len(texts) != 1 {
		t.Errorf("completion: %v", texts)
	}
	if i, ok := s.Inspect("p", 1, 0); !ok || i.Signature != "var p point" {
		t.Errorf("inspection: %+v", i)
	}
	stop.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestInspection(t *testing.T) {
	s := newSession(t)
	s.must(t, `// point is a place.
type point struct {
	X float64 // to the right
	y float64
}
// Norm is its length.
func (p *point) Norm() float64 { return p.X }
// twice doubles.
func twice(x int) int {
	return 2 * x // not much
}
const limit = 3
p := point{X: 1}
data := datasets.Uniform(3, 100, 1)
fit := data.Moment(3).Decompose(2)`)
	for _, c := range []struct {
		source string // the cursor is at the bar
		detail int
		want   []string
	}{
		{"symmom.Lo|ad(", 0, []string{"func Load(path string", "function in symmom/symmom", "Load reads a table"}},
		{"fit.Score|(truth)", 0, []string{"func (f *Fit) Score(", "method in symmom/symmom"}},
		{"fit.Score(|truth)", 0, []string{"func (f *Fit) Score("}},
		{"fit.Score(truth, |", 0, []string{"func (f *Fit) Score("}},
		{"fit.Score(truth).Str|ing()", 0, []string{"func (s *Score) String() string"}},
		{"fi|t.Score", 0, []string{"var fit *symmom.Fit", "Fit of rank 2", "Methods: ", "Decompose"}},
		{"symmom.Options{Toler|ance: 1}", 0, []string{"Options.Tolerance float64", "field in symmom/symmom"}},
		{"symmom.Opt|ions{Tolerance: 1}", 0, []string{"type Options struct {", "Tolerance"}},
		{"sym|mom.Load", 0, []string{`import "symmom/symmom"`, "Functions: Describe, ", "Load, LoadMatrix", "Types: ", "Constants: "}},
		{"Decompose|", 0, []string{"func (m *Moment) Decompose(", "method in symmom/symmom"}},
		{"p|", 0, []string{"var p point", "{1 0}", "point is a place."}},
		{"p.No|rm()", 0, []string{"func (p *point) Norm() float64", "Norm is its length."}},
		{"p.X|", 0, []string{"point.X float64", "to the right"}},
		{"tw|ice(3)", 1, []string{"func twice(x int) int", "twice doubles.", "return 2 * x // not much"}},
		{"poi|nt{}", 1, []string{"type point struct", "point is a place."}},
		{"lim|it", 0, []string{"const limit untyped int = 3"}},
		{"mat.NewDe|nse", 0, []string{"func NewDense(r, c int, data []float64) *Dense"}},
		{"math.P|i", 0, []string{"const math.Pi untyped float = 3.14159", "package math"}},
		{"app|end(x", 0, []string{"append", "appends elements to the end of a slice"}},
		{"%ti|me x", 0, []string{"%time STATEMENT", "processor time"}},
		{"x := twice(1)\ny := tw|ice(x)", 0, []string{"func twice(x int) int"}},
		{"q := p\nq.No|rm()", 0, []string{"func (p *point) Norm() float64"}},
		{"fit.Score|", 1, []string{"func (f *Fit) Score(", "return"}},
		{"symmom.Load(`x`).Moment(3).Decom|pose(2).Score(nil)", 0, []string{"func (m *Moment) Decompose("}},
	} {
		cursor := strings.Index(c.source, "|")
		i, ok := s.Inspect(strings.Replace(c.source, "|", "", 1), cursor, c.detail)
		if !ok {
			t.Errorf("%s: nothing is known", c.source)
			continue
		}
		text, markdown := i.Text(), i.Markdown()
		for _, want := range c.want {
			if want == "package math" { // is not imported
				continue
			}
			if !strings.Contains(text, want) || !strings.Contains(strings.ReplaceAll(markdown, "\\", ""), want) {
				t.Errorf("%s: no %q in\n%s\n%s", c.source, want, text, markdown)
			}
		}
		if c.detail == 0 && i.Source != "" {
			t.Errorf("%s: source %q", c.source, i.Source)
		}
	}
	for _, source := range []string{"nothing", "p.nothing", "", "  ", "for", "1 + 2", "symmom.Nothing"} {
		if i, ok := s.Inspect(source, len(source), 0); ok {
			t.Errorf("%q: %+v", source, i)
		}
	}
}

func BenchmarkComplete(b *testing.B) {
	s := newSession(b)
	s.must(b, "data := datasets.Uniform(3, 100, 1)")
	source := "fit := data.Moment(3).Decompose(2)\nfit."
	for b.Loop() {
		if out := s.Complete(source, len(source)); len(out.Items) < 10 {
			b.Fatal(out)
		}
	}
}
