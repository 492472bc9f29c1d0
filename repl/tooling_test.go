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
	s.must(t, `import ("strings"; "image")
type point struct { X, y float64; Name string }
func (p *point) Norm() float64 { return p.X*p.X + p.y*p.y }
func scale(p point, by float64) *point { return &p }
const limit = 3
p := point{X: 1}
builder := &strings.Builder{}
table := map[string][]point{"a": {p}}
var matrix mat.Matrix`)
	s.must(t, "func (p point) Double() point { return p }")
	for _, c := range []struct{ source, want, kind string }{
		{"matrix.T().|", "Dims", "method"},
		{"x := matrix.T().|", "Dims", "method"},
		{"math.Sq|", "Sqrt", "function"},
		{"math.sq|", "Sqrt", "function"}, // in another case
		{"image.Rect(0, 0, 1, 1).Add(image.Point{X|", "X", "field"},
		{"image.Rectangle{Min: image.Point{}, Ma|}", "Max", "field"},
		{"o := &image.Rectangle{|", "Min", "field"},
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
		{"var z image.Poi|", "Point", "type"},
		{"type t struct { o image.Poi|", "Point", "type"},
		{"[]image.Poi|", "Point", "type"},
		{"f(p.|, 3)", "X", "field"},
		{"[]point{{X|", "X", "field"},
		{"builder.Wr|", "WriteString", "method"},
		{"matrix.D|", "Dims", "method"},
		{"mat.NewD|", "NewDense", "function"},
		{"strings.Bui|", "Builder", "type"},
		{"sor|", "", ""},
		{"bui|", "builder", "variable"},
		{"widg|", "widgets", "package"},
		{"ret|", "return", "keyword"},
		{"pan|", "panic", "function"},
		{"fl|", "float64", "type"},
		{"%ti|", "%time", "command"},
		{"%|", "%help", "command"},
		{"%time builder.Wr|", "WriteString", "method"},
		{"%%time\nbuilder.Wr|", "WriteString", "method"},
		{"?builder.Wr|", "WriteString", "method"},
		{"%who buil|", "builder", "variable"},
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
	s.must(t, "import \"image\"\nrows := mat.NewDense(3, 2, nil)")
	out, texts := s.complete(t, "math.Sqrt|")
	i := slices.Index(texts, "Sqrt")
	if i < 0 || !strings.HasPrefix(out.Items[i].Signature, "func(x float64) float64") || !strings.HasPrefix(out.Items[i].Doc, "Sqrt returns the square root") {
		t.Errorf("%+v", out.Items)
	}
	out, _ = s.complete(t, "row|")
	if len(out.Items) != 1 || out.Items[0] != (assist.Completion{Text: "rows", Kind: "variable", Signature: "*mat.Dense"}) {
		t.Errorf("%+v", out.Items)
	}
	// Nothing is proposed in comments, numbers and strings of other kinds.
	for _, source := range []string{"// fi|", "x := 1|", "1.|", `x := "dat|`, "/* dat|", "'a|", "rows.T().At(`|", "rows.T().Nothing.|", "nothing.|"} {
		if out, texts := s.complete(t, source); len(texts) > 0 {
			t.Errorf("%s: %v (%+v)", source, texts, out)
		}
	}
	// It survives whatever is typed.
	text := "for i, v := range []map[string]func(int) image.Point{{\"a\": func(x int) image.Point { return image.Point{X: x} }}} { if x := v[`b`](i); x.X > 0 { switch y := any(x).(type) { case image.Point: y. } } }"
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
	s.must(t, `import "os"; load := func(path string) {}`)
	for source, want := range map[string]string{
		`os.ReadFile("d|`: "data.npy dense/", `os.ReadFile("dense/|`: "inner/", `os.ReadFile("|")`: "data.npy dense/ Dictionary.csv",
		`os.ReadFile("Di|")`: "Dictionary.csv", `os.ReadFile("di|")`: "Dictionary.csv", `os.Open("d|`: "data.npy dense/",
		`f, err := os.Open("da|`: "data.npy", "os.ReadFile(`da|": "data.npy", `load("da|`: "data.npy",
		`os.Getenv("da|`: "", `os.ReadFile(".h|`: ".hidden", `%cd de|`: "dense/", `%load da|`: "data.npy",
		`os.ReadFile("none/|`: "", `fmt.Sprint("|`: "",
	} {
		if _, texts := s.complete(t, source); strings.Join(texts, " ") != want {
			t.Errorf("%s: %q, want %q", source, texts, want)
		}
	}
	out, _ := s.complete(t, `os.ReadFile("dense/../da|`)
	if len(out.Items) != 1 || out.Items[0] != (assist.Completion{Text: "data.npy", Kind: "file", Signature: "1.5 kB"}) || out.Start != len(`os.ReadFile("dense/../`) {
		t.Errorf("%+v", out)
	}
}

// Completion and inspection do not wait for a cell that runs.
func TestCompletionWhileACellRuns(t *testing.T) {
	s := newSession(t)
	s.must(t, "type point struct{ X int }; p := point{1}; ready := make(chan bool); stop := make(chan bool)")
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
	s.must(t, `import ("strings"; "image")
// point is a place.
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
builder := &strings.Builder{}`)
	for _, c := range []struct {
		source string // the cursor is at the bar
		detail int
		want   []string
	}{
		{"math.Sq|rt(", 0, []string{"func Sqrt(x float64) float64", "function in math", "Sqrt returns the square root"}},
		{"builder.WriteString|(x)", 0, []string{"func (b *Builder) WriteString(", "method in strings"}},
		{"builder.WriteString(|x)", 0, []string{"func (b *Builder) WriteString("}},
		{"builder.WriteString(x, |", 0, []string{"func (b *Builder) WriteString("}},
		{"mat.NewDense(1, 1, nil).T().Di|ms()", 0, []string{"func (Matrix) Dims() (r, c int)"}},
		{"buil|der.Len", 0, []string{"var builder *strings.Builder", "Methods: ", "WriteString"}},
		{"image.Rectangle{Mi|n: image.Point{}}", 0, []string{"Rectangle.Min Point", "field in image"}},
		{"image.Rect|angle{}", 0, []string{"type Rectangle struct {", "Min, Max Point"}},
		{"widg|ets.Slider", 0, []string{`import "symmom/widgets"`, "Functions: ", "Interact", "Types: "}},
		{"Kronecker|", 0, []string{"func (m *Dense) Kronecker(", "method in gonum.org/v1/gonum/mat"}},
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
		{"mat.NewDense(1, 1, nil).Gr|ow(2, 2).Dims()", 0, []string{"func (m *Dense) Grow("}},
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
	for _, source := range []string{"nothing", "p.nothing", "", "  ", "for", "1 + 2", "math.Nothing"} {
		if i, ok := s.Inspect(source, len(source), 0); ok {
			t.Errorf("%q: %+v", source, i)
		}
	}
}

func BenchmarkComplete(b *testing.B) {
	s := newSession(b)
	s.must(b, "data := mat.NewDense(3, 2, nil)")
	source := "x := data.Grow(1, 1)\ndata."
	for b.Loop() {
		if out := s.Complete(source, len(source)); len(out.Items) < 10 {
			b.Fatal(out)
		}
	}
}
