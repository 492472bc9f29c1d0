package repl_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sort"

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
	var e *repl.Error
	if errors.As(err, &e) {
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

func ExampleProgress() {
	var last repl.Progress
	s, err := repl.New(repl.Config{Progress: func(p repl.Progress) { last = p }})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := s.Eval(context.Background(), "datasets.Uniform(3, 100, 1).Moment(3).Decompose(2)"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(last.Rank, last.Done)
	// Output: 2 true
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
