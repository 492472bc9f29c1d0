package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"symmom/cmd/symmom/internal/objects"
	"symmom/symmom"
)

// NaN and the infinities are null in JSON; other numbers keep every bit.
func TestNumber(t *testing.T) {
	var out bytes.Buffer
	v := objects.Numbers([]float64{math.NaN(), math.Inf(1), math.Inf(-1), .1, 5e-324, -math.MaxFloat64})
	if err := (&app{out: &out}).print(true, func() any { return v }, nil); err != nil {
		t.Fatal(err)
	}
	if want := "[null,null,null,0.1,5e-324,-1.7976931348623157e+308]\n"; out.String() != want {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}

// An estimate is shown with its standard error everywhere.
func TestEstimate(t *testing.T) {
	estimate := symmom.Norm{Value: 2, StdErr: .25, Pairs: 100}
	e := symmom.Evaluation{ObjectiveShifted: -1.5, NormSquared: estimate, RelativeError: .25}
	var out bytes.Buffer
	if err := (&app{out: &out}).print(true, func() any { return objects.NewEvaluation(&e, nil, []string{}) }, nil); err != nil {
		t.Fatal(err)
	}
	want := `{"schema":"evaluate/2","order":0,"rank":0,"observations":0,"objective_shifted":-1.5,"norm_squared":2,"norm_squared_stderr":0.25,"relative_error":0.25,"gradient_norm":0,"score":null,"warnings":[]}` + "\n"
	if out.String() != want {
		t.Errorf("got %s, want %s", out.String(), want)
	}
}

// An interrupt is reported first and determines the exit code; other errors are
// reported as well.
func TestAll(t *testing.T) {
	full := errors.New("disk full")
	err := all(nil, full, &partly{"the best fit so far"}, nil)
	if got := err.Error(); got != "interrupted; this is the best fit so far; disk full" {
		t.Errorf("got %q", got)
	}
	if !errors.Is(err, symmom.ErrInterrupted) || !errors.Is(err, full) {
		t.Errorf("%v does not wrap both", err)
	}
	if all(nil, nil) != nil {
		t.Error("no error became one")
	}
}

func TestWords(t *testing.T) {
	for _, c := range [][]string{
		{rankName("a/model.json", 5), "a/model-rank5.json"}, {rankName("model", 5), "model-rank5"},
		{objects.Info{Constant: []string{"a", "b", "c", "d", "e", "f"}}.ConstantText(), "6 columns: a, b, c, d, e, ..."},
	} {
		if c[0] != c[1] {
			t.Errorf("got %q, want %q", c[0], c[1])
		}
	}
}

// So are those in the table of a sweep.
func TestSweepTellsErrors(t *testing.T) {
	s := symmom.FromRows([][]float64{{1, 2}, {2, 1}, {3, 4}, {4, 3.5}, {1, 1}, {0, 2}})
	w := s.Moment(3).With(symmom.Options{Starts: 1}).Sweep(1, 2)
	if text := sweepText(s, w); w.Err() != nil || strings.Contains(text, "±") {
		t.Errorf("exact, but printed with an error\n%s (%v)", text, w.Err())
	}
	for _, r := range w.Fits {
		r.NormSquared.StdErr, r.NormSquared.Pairs = r.NormSquared.Value/100, 10
	}
	text := sweepText(s, w)
	for _, r := range w.Fits {
		// The derivative of 1 + f/||X||^2 by ||X||^2, times a hundredth of that.
		if want := fmt.Sprintf("%.6g ± %.2g ", r.RelativeError, -r.ObjectiveShifted/r.NormSquared.Value/100); !strings.Contains(text, want) {
			t.Errorf("want %s in\n%s", want, text)
		}
	}
}
