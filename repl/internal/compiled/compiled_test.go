package compiled

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"symmom/internal/store/interruptible"
	"symmom/internal/test/slow"
)

// compile compiles functions, in the order in which they are called by number.
func compile(t testing.TB, w io.Writer, source string, names ...string) *Program {
	t.Helper()
	p, err := New(t.Context(), "\n"+source, names, Session{Context: t.Context, Stdout: w, Room: func(float64) {},
		Where: func(line int) string { return "line " + string(rune('0'+line)) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Stop)
	return p
}

func function[F any](p *Program, i int) F { return p.Func(i, reflect.TypeFor[F]()).Interface().(F) }

// failure returns the error with which f panics.
func failure(t *testing.T, f func()) (err error) {
	t.Helper()
	defer func() {
		if err, _ = recover().(error); err == nil {
			t.Error("no panic")
			err = errors.New("")
		}
	}()
	f()
	return nil
}

const several = `import ("errors"; "fmt"; "os"; "runtime"; "strings"; "time")

var count int

func Next() int { count++; return count }
func At(x []int, i int) int {
	x[0] = 7
	return x[i]
}
func Quotient(a, b int) (int, error) {
	if b == 0 { return 0, errors.New("division by zero") }
	return a / b, nil
}
func Text(err error) string { return fmt.Sprint(err) }
func Total(first float64, more ...float64) (s float64) {
	for _, x := range more { s += x }
	return first + s
}
func Print(n int) { fmt.Print(strings.Repeat("0123456789abcde\n", n)); println("end") }
func Exit(code int) { fmt.Println("leaves"); os.Exit(code) }
func Goexit() { runtime.Goexit() }
func Crash() { go func() { panic("in a goroutine") }(); time.Sleep(time.Hour) }
func CrashLater() { go func() { time.Sleep(10*time.Millisecond); panic("later") }() }
func Raw() { os.NewFile(1, "").Write(make([]byte, 100)) }
func Stdin() (n int) { fmt.Scan(&n); return n }
func Environment() string { return strings.Join(os.Environ(), "\n") }
`

func TestCalls(t *testing.T) {
	slow.Test(t)
	t.Setenv("SYMMOM_TEST", "seen")
	if os.Stdout == os.Stderr {
		t.Error("streams of the session are those of the program")
	}
	var out bytes.Buffer
	names := []string{"Next", "At", "Quotient", "Text", "Total", "Print", "Exit", "Goexit", "Crash", "CrashLater", "Raw", "Stdin", "Environment"}
	p := compile(t, &out, several, names...)
	i := map[string]int{}
	for k, name := range names {
		i[name] = k
	}
	next := function[func() int](p, i["Next"])
	if a, b := next(), next(); a != 1 || b != 2 {
		t.Errorf("%d, %d", a, b)
	}
	x := []int{1, 2, 3}
	at := function[func([]int, int) int](p, i["At"])
	if y := at(x, 2); y != 3 || x[0] != 7 {
		t.Errorf("%d, %v", y, x)
	}
	x[0] = 1
	if err := failure(t, func() { at(x, 5) }); err.Error() != "runtime error: index out of range [5] with length 3, in line 9" || x[0] != 7 {
		t.Errorf("%v, %v", err, x)
	}
	quotient := function[func(int, int) (int, error)](p, i["Quotient"])
	if q, err := quotient(7, 2); q != 3 || err != nil {
		t.Errorf("%d, %v", q, err)
	}
	if _, err := quotient(7, 0); err == nil || err.Error() != "division by zero" {
		t.Error(err)
	}
	text := function[func(error) string](p, i["Text"])
	if a, b := text(nil), text(io.EOF); a != "<nil>" || b != "EOF" {
		t.Errorf("%s, %s", a, b)
	}
	total := function[func(float64, ...float64) float64](p, i["Total"])
	if a, b := total(1), total(1, 2, 3); a != 1 || b != 6 {
		t.Errorf("%g, %g", a, b)
	}
	const lines = 100_000
	function[func(int)](p, i["Print"])(lines)
	if want := strings.Repeat("0123456789abcde\n", lines) + "end\n"; out.String() != want {
		t.Errorf("%d bytes of output, want %d", out.Len(), len(want))
	}
	out.Reset()
	if n := function[func() int](p, i["Stdin"])(); n != 0 {
		t.Errorf("read %d", n)
	}
	if env := function[func() string](p, i["Environment"])(); strings.Contains(env, "seen") || !strings.Contains(env, "PATH=") {
		t.Error(env)
	}
	if err := failure(t, function[func()](p, i["Goexit"])); err.Error() != "the function has called runtime.Goexit" {
		t.Error(err)
	}
	if n := next(); n != 3 {
		t.Errorf("%d: the program has not survived", n)
	}
	for _, c := range []struct{ name, err, out string }{
		{"Exit", "the compiled program has ended (exit status 3) in a call of Exit", "leaves\n"},
		{"Crash", "the compiled program has ended (exit status 2) in a call of Crash", "panic: in a goroutine"},
		{"Raw", "the compiled program has ended", ""},
	} {
		out.Reset()
		call := func() {
			if c.name == "Exit" {
				function[func(int)](p, i["Exit"])(3)
			} else {
				function[func()](p, i[c.name])()
			}
		}
		if err := failure(t, call); !strings.HasPrefix(err.Error(), c.err) || !strings.HasPrefix(out.String(), c.out) {
			t.Errorf("%s: %v, output %s", c.name, err, &out)
		}
		if n := next(); n != 1 { // started again
			t.Errorf("%s: %d", c.name, n)
		}
	}
	out.Reset()
	function[func()](p, i["CrashLater"])()
	<-p.running.Load().ended
	if n := next(); n != 1 || !strings.Contains(out.String(), "panic: later") {
		t.Errorf("%d, %s", n, &out)
	}
}

func TestInterrupt(t *testing.T) {
	slow.Test(t)
	ctx, cancel := context.WithCancel(t.Context())
	p, err := New(ctx, "\nvar n int\nfunc Next() int { n++; return n }\nfunc Forever() { for { n++ } }", []string{"Next", "Forever"},
		Session{Context: func() context.Context { return ctx }, Stdout: io.Discard, Room: func(float64) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	x := p.running.Load()
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := failure(t, function[func()](p, 1)); err != interruptible.Err {
		t.Error(err)
	}
	<-x.ended
	if err := failure(t, func() { function[func() int](p, 0)() }); err != interruptible.Err {
		t.Error(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	if n := function[func() int](p, 0)(); n != 1 {
		t.Errorf("%d after an interrupt", n)
	}
}

// The program ends with the session, by Stop or because its input ends, also while it computes.
func TestEnds(t *testing.T) {
	slow.Test(t)
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	source := "func Forever() { for { } }"
	for _, end := range []func(p *Program, x *process){
		func(p *Program, _ *process) { p.Stop() },
		func(_ *Program, x *process) { x.pipes[0].Close() },
	} {
		p := compile(t, io.Discard, source, "Forever")
		x := p.running.Load()
		if left, _ := filepath.Glob(dir + "/*"); runtime.GOOS != "windows" && len(left) > 0 {
			t.Errorf("%s are left while it runs", left)
		}
		called := make(chan error)
		go func() { called <- failure(t, function[func()](p, 0)) }()
		time.Sleep(50 * time.Millisecond)
		end(p, x)
		if err := <-called; !strings.HasPrefix(err.Error(), "the compiled program has ended") {
			t.Error(err)
		}
		<-x.ended
		if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 {
			t.Errorf("%s are left", left)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	slow.Test(t)
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for source, want := range map[string]string{
		"func F() int {\n\treturn x\n}":                                              "3:9: undefined: x",
		"func F() int {\n\tx := 3\n\treturn 0\n}":                                    "3:2: declared and not used: x",
		"import \"os\"\nfunc F() {}":                                                 `2:8: "os" imported and not used`,
		"import \"gonum.org/v1/gonum/mat\"\nfunc F() { mat.X() }":                    "2:8: a compiled cell can import the standard library only, and package gonum.org/v1/gonum/mat is not in it",
		"import \"symmom/symmom\"\nfunc F() { symmom.Load() }":                       "2:8: a compiled cell can import the standard library only, and package symmom/symmom is not in it",
		"func F() {}\nfunc _compiled_run() {}":                                       "_compiled_run already declared",
		"func F() {}\nfunc init() { panic(1) }":                                      "the compiled program has ended (exit status 2) before its functions could be called",
		"import \"os\"\nfunc F() {}\nfunc init() { os.Exit(4) }":                     "(exit status 4) before",
		"func F() []int {\n\treturn []string{}\n}\nfunc G() int { return \"text\" }": "3:9: cannot use []string{}",
	} {
		p, err := New(t.Context(), "\n"+source, []string{"F"}, Session{Stdout: io.Discard})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %s", source, err, want)
		}
		p.Stop()
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := New(ctx, "\nfunc Interrupted() {}", []string{"Interrupted"}, Session{Stdout: io.Discard}); err != interruptible.Err {
		t.Error(err)
	}
	if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 {
		t.Errorf("%s are left", left)
	}
	t.Setenv("PATH", dir)
	if _, err := New(t.Context(), "", nil, Session{}); err == nil || !strings.Contains(err.Error(), "no go command in the PATH; compiling needs Go 1.26") {
		t.Error(err)
	}
	if err := explained("go: go.mod requires go >= 1.26 (running go 1.24.1; GOTOOLCHAIN=local)\n", nil); err.Error() != "go: go.mod requires go >= 1.26 (running go 1.24.1; GOTOOLCHAIN=local)" {
		t.Error(err)
	}
}

// The mark in the output is found wherever the reads cut it.
func TestForward(t *testing.T) {
	mark := []byte("\x01\x01\x02\x01\x01\x02\x03abcdefgh!")
	text := append([]byte("one\x01\x01\x02\x01\x01two\x01"), mark...)
	for cut := range text {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		x := &process{pipes: []*os.File{nil, nil, r}, buffer: make([]byte, 1<<10)}
		copy(x.mark[:], mark)
		go func() {
			for _, part := range [][]byte{text[:cut], text[cut:], []byte("rest\x01\x01")} {
				_, _ = w.Write(part)
				time.Sleep(time.Millisecond)
			}
			w.Close()
		}()
		var out bytes.Buffer
		if !x.forward(&out) || out.String() != "one\x01\x01\x02\x01\x01two\x01" {
			t.Errorf("cut at %d: %q", cut, &out)
		}
		out.Reset()
		if x.forward(&out) || out.String() != "rest\x01\x01" {
			t.Errorf("cut at %d: then %q", cut, &out)
		}
		r.Close()
	}
}

func BenchmarkCall(b *testing.B) {
	next := function[func(int) int](compile(b, io.Discard, "func Next(n int) int { return n + 1 }", "Next"), 0)
	for b.Loop() {
		next(1)
	}
}

func BenchmarkMillion(b *testing.B) {
	p := compile(b, io.Discard, "func Read(x []float64) {}\nfunc Add(x []float64) { for i := range x { x[i]++ } }", "Read", "Add")
	for i, name := range []string{"read", "written"} {
		f, x := function[func([]float64)](p, i), make([]float64, 1e6)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f(x)
			}
		})
	}
}
