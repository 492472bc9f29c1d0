package repl

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"symmom/repl/internal/gofront"
)

// halfCells are beginnings of cells, for completion at any place.
var halfCells = []string{
	"data.T().Di", "x := data.Di\nx.", "for i := range xs { xs[i].", "strings.Rep", "import \"str", "image.Point{X",
	"func f(p point) { p.", "type T struct { point }\nvar t T\nt.", "%lo", "?math.Sqrt", "x := map[string]func(int) ([]point){}\nx[\"a\"](", "größe := 3\ngröß",
	"switch v := any(1).(type) { case int: v", "`raw", "\"\\u00", "/* comment", "a.b.c.d.e(", "mat.NewDense(2, 2, nil).A", "go func() { de",
}

// FuzzComplete asks for completion and inspection with the cursor anywhere: they
// answer in time, within the source, and leave the session as it was.
func FuzzComplete(f *testing.F) {
	for _, source := range halfCells {
		for _, cursor := range []int{len(source), len(source) / 2, 0, -1, len(source) + 1} {
			f.Add(source, cursor)
		}
	}
	var s *testSession
	f.Fuzz(func(t *testing.T, source string, cursor int) {
		if len(source) > 5000 {
			return
		}
		if s == nil {
			s = newSession(t)
			s.must(t, "import (\"strings\"; \"image\")\ntype point struct{ X, Y int }\nfunc (p point) Sum() int { return p.X + p.Y }\nxs := []point{{1, 2}}\ndata := mat.NewDense(2, 2, nil)\nn := 7")
		}
		begin := time.Now()
		c := s.Complete(source, cursor)
		if c.Start < 0 || c.Start > c.End || c.End > len(source) {
			t.Errorf("completion of %d to %d in %d bytes", c.Start, c.End, len(source))
		} else if utf8.ValidString(source) && !utf8.ValidString(source[:c.Start]+source[c.End:]) {
			t.Errorf("completion of %d to %d cuts a character", c.Start, c.End)
		}
		for detail := range 2 {
			if i, is := s.Inspect(source, cursor, detail); is && i.Text() == "" {
				t.Error("there is something, and nothing to say of it")
			}
		}
		s.Completeness(source)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("it took %v", took)
		}
		if got := s.must(t, "n"); got != "7" {
			t.Fatalf("n is %s", got)
		}
	})
}

// worldly are the words of cells that reach out of the session: what is made up
// at random must not write files or use the network.
var worldly = regexp.MustCompile(`(?m)^\s*[%!?]|import|symmom|charts|display|\bos\b|1e|<<|[0-9]{5}|0x|make`)

// FuzzCell runs cells. They end, at the latest when they are interrupted, in a
// result or an error of the cell, and the session goes on.
func FuzzCell(f *testing.F) {
	for _, source := range append([]string{
		"a, b := 1, \"x\"; fmt.Println(a, b)", "func f(n int) int { if n < 2 { return n }; return f(n-1) + f(n-2) }\nf(10)",
		"type T[E any] struct{ e E }\nfunc (t T[E]) Get() E { return t.e }\nT[int]{3}.Get()", "m := map[string][]int{\"a\": {1}}\nfor k, v := range m { fmt.Println(k, v) }",
		"defer func() { fmt.Println(recover()) }()\npanic(1)", "var p *int\n*p", "ch := new(chan int)\n<-*ch", "for { }", "L: for { for { break L } }",
		"x := []int{1,2,3}\nx[1:2:3]\nx[7]", "switch x := any(3).(type) { case int: fmt.Println(x); fallthrough }", "go panic(1)", "select {}",
		"func() (a int, err error) { defer func() { a = 7 }(); return 1, nil }()", "var e error\ne.Error()", "goto x\nx:", "math.Sqrt(-1) == math.NaN()", "type T[E any] struct{}\nfunc (t T[E]) f() int",
	}, halfCells...) {
		f.Add(source)
	}
	var s *testSession
	var left int
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 2000 || worldly.MatchString(source) {
			return
		}
		if left--; left < 0 { // what a thousand cells declare is enough
			s, left = newSession(t), 1000
		}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		begin := time.Now()
		_, err := s.Eval(ctx, source)
		var e *gofront.Error
		var exit *ExitError
		if err != nil && !errors.As(err, &e) && !errors.As(err, &exit) && !errors.Is(err, ErrInterrupted) {
			t.Errorf("%q: %v is not an error of a cell", source, err)
		}
		if e != nil && strings.Contains(e.Message, "internal error") {
			t.Errorf("%q: %v", source, e.Report())
		}
		if got, err := s.Eval(t.Context(), "40 + 2"); err != nil || got.String() != "42" {
			t.Fatalf("%q: then 40 + 2 is %v, %v", source, got, err)
		}
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%q took %v", source, took)
		}
	})
}
