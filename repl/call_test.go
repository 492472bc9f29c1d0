package repl

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"symmom/internal/test/sessiontest"
	"symmom/widgets"
)

// interaction evaluates cells, the last of which is an interaction.
func interaction(t *testing.T, s *Session, cells ...string) *widgets.Interaction {
	t.Helper()
	var x *widgets.Interaction
	for _, c := range cells {
		r, err := s.Eval(context.Background(), c)
		if err != nil {
			t.Fatalf("%s: %v", c, err)
		}
		if len(r.Values) == 1 {
			x, _ = r.Values[0].(*widgets.Interaction)
		}
	}
	if x == nil {
		t.Fatal("no interaction")
	}
	return x
}

func TestControlsInASession(t *testing.T) {
	s := newSession(t).Session
	show := func(cell string) string {
		t.Helper()
		r, err := s.Eval(context.Background(), cell)
		if err != nil {
			t.Fatalf("%s: %v", cell, err)
		}
		return r.String()
	}
	show("type mode int\nfactor := 10.")
	show("x := widgets.Interact(func(rank mode, sigma float64) any { return []float64{float64(rank) * factor, sigma} }, widgets.Slider(\"rank\", 2, 10, 1), widgets.Slider(\"sigma\", 0, 1, .1))")
	for _, c := range []struct{ cell, want string }{
		{"x", "rank  = 2   (2 to 10 by 1)\nsigma = 0   (0 to 1 by 0.1)\nTo set one: x.Set(\"rank\", 3), where x is this value, or _ right after it.\n\n[20 0]"},
		{"_.Set(\"rank\", 5)", "rank  = 5   (2 to 10 by 1)\nsigma = 0   (0 to 1 by 0.1)\nTo set one: x.Set(\"rank\", 6), where x is this value, or _ right after it.\n\n[50 0]"},
		{"_, err := x.Set(\"rank\", 50)\nerr", `error: widgets: slider "rank" cannot be 50: want 2 to 10 by 1`},
		{`widgets.Interact(func(r int) any { return mat.NewDense(1, 2, []float64{float64(r), 2}) }, widgets.Slider("r", 2, 10, 1))`,
			"r = 2   (2 to 10 by 1)\nTo set one: x.Set(\"r\", 3), where x is this value, or _ right after it.\n\n1 x 2 matrix\n[2  2]"},
		{`import "symmom/widgets"` + "\nwidgets.KindPlay", "play"},
	} {
		if got := show(c.cell); got != c.want {
			t.Errorf("%s shows\n%s\nwant\n%s", c.cell, got, c.want)
		}
	}
	if _, err := s.Eval(t.Context(), `widgets.Slider("rank", 10, 2, 1)`); err == nil || err.Error() != `1:1: widgets: slider "rank": from 10 to 2: want the lower end first` {
		t.Error(err)
	}
	r, err := s.Eval(context.Background(), "x")
	if page, _ := r.Bundle()["text/html"].(string); err != nil || !strings.Contains(page, "rank <b>5</b>") || !strings.Contains(page, "[50 0]") {
		t.Error(page, err)
	}
}

// Call runs a function of an earlier cell as a cell runs.
func TestCall(t *testing.T) {
	var out sessiontest.Buffer
	s, err := New(Config{Stdout: &out, Stderr: &out, Controls: true})
	if err != nil {
		t.Fatal(err)
	}
	x := interaction(t, s, `n := 0`, `widgets.Interact(func(rank int) any {
	n++
	switch rank {
	case 3:
		panic(fmt.Sprint("three, ", n))
	case 4:
		for {
		}
	case 5:
		var f func(int) int
		f = func(k int) int { return f(k+1) + 1 }
		return f(0)
	}
	fmt.Println("printed", rank)
	return rank
}, widgets.Slider("rank", 2, 10, 1))`)
	if x.Current() || out.String() != "" {
		t.Error("the function ran before it was called")
	}
	call := func(ctx context.Context) error {
		return s.Call(ctx, func() {
			if err := x.Run(); err != nil {
				t.Error(err)
			}
		})
	}
	if err := call(context.Background()); err != nil || x.Text() != "2" || out.String() != "printed 2\n" {
		t.Errorf("%v, %s, printed %q", err, x.Text(), out.String())
	}
	set := func(v string) {
		t.Helper()
		if _, err := x.Controls()[0].Accept([]byte(v)); err != nil {
			t.Fatal(err)
		}
	}
	set("3")
	var e *Error
	if err := call(context.Background()); !errors.As(err, &e) || e.Kind != "panic" || e.Error() != "panic: three, 2" || !strings.Contains(e.Report(), "cell 2, line 2") {
		t.Errorf("%v\n%s", err, e.Report())
	}
	set("4")
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(300*time.Millisecond, cancel)
	if err := call(ctx); !errors.Is(err, ErrInterrupted) {
		t.Errorf("%v, want an interrupt", err)
	}
	set("5")
	if err := call(context.Background()); err == nil || !strings.Contains(err.Error(), "stack overflow") {
		t.Errorf("%.200v, want a stack overflow", err)
	}
	set("7")
	if err := call(context.Background()); err != nil || x.Text() != "7" {
		t.Errorf("%v, %s", err, x.Text())
	}
	if r, err := s.Eval(context.Background(), "n"); err != nil || r.String() != "5" {
		t.Errorf("n is %v, %v", r, err)
	}
}
