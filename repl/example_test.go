package repl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"reflect"
	"sort"
	"time"

	"symmom/repl"
)

func ExampleSession() {
	s, err := repl.New(repl.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	if _, err := s.Eval(ctx, "type Celsius float64\nfunc (c Celsius) String() string { return fmt.Sprint(float64(c), \" C\") }"); err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Eval(ctx, "t := Celsius(20)\nt + 1")
	fmt.Println(r, err)
	// Output: 21 C <nil>
}

func ExampleResult() {
	s, err := repl.New(repl.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Eval(context.Background(), "strconv.Atoi(\"7\")")
	fmt.Println(r, err)
	r, err = s.Eval(context.Background(), "import \"strconv\"\nstrconv.Atoi(\"7\")")
	fmt.Println(r, len(r.Values), err)
	// Output:
	// 1:1: undefined: strconv (write: import "strconv")
	// 7 2 <nil>
}

func ExampleConfig() {
	// Values shown by running cells go to Display instead of Stdout.
	s, err := repl.New(repl.Config{Args: []string{"program", "-n", "3"}, Display: func(d repl.Display) {
		fmt.Println("shown:", d.Result)
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := s.Eval(context.Background(), "import \"os\"\ndisplay.Show(os.Args[1:])"); err != nil {
		fmt.Println(err)
	}
	// Output: shown: [-n 3]
}

func ExampleDisplay() {
	show := func(d repl.Display) { fmt.Println(d.Update, d.Result) }
	s, err := repl.New(repl.Config{Display: show})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := s.Eval(context.Background(), "h := display.Show(1)\nh.Update(2)"); err != nil {
		fmt.Println(err)
	}
	// Output:
	// false 1
	// true 2
}

func ExampleBundle() {
	s, err := repl.New(repl.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Eval(context.Background(), "mat.NewDense(1, 2, []float64{1, 2.5})")
	if err != nil {
		fmt.Println(err)
		return
	}
	var forms []string
	for mime := range r.Bundle() {
		forms = append(forms, mime)
	}
	sort.Strings(forms)
	fmt.Println(forms)
	// Output: [text/html text/plain]
}

func ExampleRich() {
	s, err := repl.New(repl.Config{Stdout: os.Stdout})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Eval(context.Background(), "display.Markdown(\"*text*\")")
	if err != nil {
		fmt.Println(err)
		return
	}
	rich := r.Values[0].(repl.Rich)
	fmt.Println(rich, r.Bundle()["text/markdown"])
	// Output: *text* *text*
}

func ExampleHandle() {
	s, err := repl.New(repl.Config{Stdout: os.Stdout})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Eval(context.Background(), "display.Show(\"working\")")
	if err != nil {
		fmt.Println(err)
		return
	}
	r.Values[0].(*repl.Handle).Update("done")
	// Output:
	// working
	// done
}

func ExampleError() {
	s, err := repl.New(repl.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = s.Eval(context.Background(), "x := 1\nx + y")
	if e, ok := errors.AsType[*repl.Error](err); ok {
		fmt.Println(e.Kind, e.Line, e.Column)
		fmt.Println(e.Report())
	}
	// Output:
	// compile 2 5
	// 2:5: undefined: y
	//     x + y
	//         ^
}

func ExampleExitError() {
	s, err := repl.New(repl.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = s.Eval(context.Background(), "import \"os\"\nos.Exit(3)")
	var exit *repl.ExitError
	fmt.Println(errors.As(err, &exit), exit.Code)
	// Output: true 3
}

func ExampleCompletion() {
	s, err := repl.New(repl.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	item := s.Complete("math.Hypo", 9).Items[0]
	fmt.Println(item.Text, item.Kind)
	// Output: Hypot function
}

// A library may consist of functions that take the place of others.
func ExampleHost() {
	bind := func(h repl.Host) map[string]map[string]reflect.Value {
		prime := func(random io.Reader, bits int) (*big.Int, error) {
			for tried := 1; ; tried++ {
				p := big.NewInt(int64(1<<(bits-1) + tried))
				h.Progress(repl.Progress{Doing: "trying " + p.String(), Remaining: -1})
				if p.ProbablyPrime(20) || h.Context().Err() != nil {
					h.Progress(repl.Progress{Did: fmt.Sprint(tried, " tried"), Done: true})
					return p, h.Context().Err()
				}
			}
		}
		return map[string]map[string]reflect.Value{"crypto/rand/rand": {"Prime": reflect.ValueOf(prime)}}
	}
	s, err := repl.New(repl.Config{Library: &repl.Library{Bind: bind}, Progress: func(p repl.Progress) { fmt.Println(p.Doing + p.Did) }})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := s.Eval(context.Background(), "import \"crypto/rand\"\nrand.Prime(rand.Reader, 10)")
	fmt.Println(r, err)
	// Output:
	// trying 513
	// trying 514
	// trying 515
	// trying 516
	// trying 517
	// trying 518
	// trying 519
	// trying 520
	// trying 521
	// 9 tried
	// 521 <nil>
}

func ExampleLibrary() {
	s, err := repl.New(repl.Config{Library: &repl.Library{
		Preloaded: []string{"strings", "time"},
		Advice:    map[string]string{"upper": "strings.ToUpper changes the letters"},
		Describe: func(v any) (what, shape string) {
			if d, ok := v.(time.Duration); ok {
				return "duration", fmt.Sprint(d.Minutes(), " min")
			}
			return "", ""
		},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for _, cell := range []string{`strings.ToUpper("a")`, `upper("a")`, "pause := 90 * time.Second", "%data"} {
		r, err := s.Eval(ctx, cell)
		if err != nil {
			fmt.Println(err)
		} else if len(r.Values) > 0 {
			fmt.Println(r)
		}
	}
	// Output:
	// A
	// 1:1: undefined: upper; strings.ToUpper changes the letters
	//   name   what      summary
	//   pause  duration  1m30s
}

func ExampleProgress() {
	p := repl.Progress{Doing: "start 2 of 5  iteration 12", Label: "f", Value: 2.5, Share: .2, Elapsed: time.Second, Remaining: 4 * time.Second}
	fmt.Printf("%s  %s %g, %.0f%%, %v left", p.Doing, p.Label, p.Value, 100*p.Share, p.Remaining)
	// Output: start 2 of 5  iteration 12  f 2.5, 20%, 4s left
}

func ExampleCompletions() {
	s, err := repl.New(repl.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	source := "math.Sqr"
	c := s.Complete(source, len(source))
	for _, item := range c.Items {
		fmt.Println(source[:c.Start]+item.Text, item.Kind)
	}
	// Output:
	// math.Sqrt function
	// math.Sqrt2 constant
	// math.SqrtE constant
	// math.SqrtPhi constant
	// math.SqrtPi constant
}

func ExampleInspection() {
	s, err := repl.New(repl.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	i, ok := s.Inspect("math.Hypot(", len("math.Hypot("), 0)
	fmt.Println(ok, i.Signature)
	// Output: true func Hypot(p, q float64) float64
}

func ExampleStatus() {
	s, err := repl.New(repl.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, source := range []string{"1 + 2", "for i := range 3 {", "1 + )"} {
		status, indent := s.Completeness(source)
		fmt.Printf("%s %q\n", status, indent)
	}
	// Output:
	// complete ""
	// incomplete "    "
	// invalid ""
}
