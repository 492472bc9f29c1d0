package main

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestNumbersForPeople(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{digits(1234.5), "1234"}, // to even
		{digits(43.21), "43.2"},
		{digits(4.321), "4.32"},
		{digits(.4321), "0.432"},
		{digits(.0432), "0.0432"},
		{duration(.0123), "12.3 ms"},
		{duration(33.3), "33.3 s"},
		{duration(math.NaN()), "-"},
		{milliseconds(sample{.001, .002, .003}), "2.00 ±50%"},
		{bytes(999), "999 bytes"},
		{bytes(3.375e6), "3.38 MB"},
		{bytes(2e9), "2 GB"},
		{percent(.714), "71%"},
		{gflops(7.94e10), "79.4 GFLOP/s"},
		{sweeps[0].others(), "n=500 r=10 d=3"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestGoals(t *testing.T) {
	for _, c := range []struct {
		g    goal
		want string
	}{
		{atLeast("x", 2, 2, "%.1f"), "pass"},
		{atLeast("x", 1.99, 2, "%.1f"), "**FAIL**"},
		{atLeast("x", math.NaN(), 2, "%.1f"), "**FAIL**"},
		{atMost("x", 1, 1, "%.1f"), "pass"},
		{atMost("x", 1.1, 1, "%.1f"), "**FAIL**"},
		{atMost("x", math.NaN(), 1, "%.1f"), "**FAIL**"},
	} {
		if got := c.g.verdict(); got != c.want {
			t.Errorf("%+v: %s, want %s", c.g, got, c.want)
		}
	}
}

func TestTableIsAlignedAndOneCellStaysOne(t *testing.T) {
	var b strings.Builder
	table(&b, []string{"who", "ms"}, [][]string{{"a|b", "1.0 ±3%"}, {"é", "-"}, {"", "20.0"}})
	want := `| who |      ms |
|-----|--------:|
| a/b | 1.0 ±3% |
| é   |       - |
|     |    20.0 |
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func sampleReport() *report {
	s := &section{title: "Part", header: []string{"n", "ms"}}
	s.row("3", "1.00")
	s.judge(atLeast("speed", 3, 2, "%.0f"))
	s.judge(atLeast("more speed", 3, 4, "%.0f"))
	s.note("about %d", 7)
	return &report{about: []string{"a machine"}, sections: []*section{s}}
}

func TestReportShowsEveryTarget(t *testing.T) {
	var b strings.Builder
	if err := sampleReport().write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"- a machine\n",
		"| speed      |   >= 2 |        3 | pass     |\n",
		"| more speed |   >= 4 |        3 | **FAIL** |\n",
		"## Part\n\n|   n |   ms |\n",
		"- about 7\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

func TestAVoidComparisonPassesNothing(t *testing.T) {
	r := sampleReport()
	r.void = "dgemm is slow"
	var b strings.Builder
	if err := r.write(&b); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); !strings.Contains(s, "THE COMPARISON IS VOID: dgemm is slow") || strings.Contains(s, "pass") || strings.Count(s, "void") != 2 {
		t.Error(s)
	}
}

func TestRoofIsTheLowerOne(t *testing.T) {
	r := roof{kernel: 100, dgemm: 80}
	if s := r.seconds(1000, 50, 10); s != 10 {
		t.Errorf("%v s, want the 10 of the operations", s)
	}
	if s := r.seconds(1000, 500, 10); s != 50 {
		t.Errorf("%v s, want the 50 of reading", s)
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-only", "table1,nonsense"},
			`there is no section "nonsense", but roofline, table1, mixture, massive, whole, forms, scaling, byrank`},
		{[]string{"fast"}, `unexpected argument "fast"`},
	} {
		if err := run(context.Background(), c.args); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.args, err, c.want)
		}
	}
	t.Setenv("SYMMOM_PYTHON", "no-such-python")
	if err := run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "scripts/setup.sh") {
		t.Errorf("no Python: %v", err)
	}
}

// The report says when a target is beyond the machine, from the rates alone.
func TestShort(t *testing.T) {
	r := roof{kernel: 100e9, dgemm: 80e9}
	c := contest{flops: 1e9, bytes: 1e8, bandwidth: 20e9, target: 2}
	got := r.short("row", c, .018, .013)
	want := "row: 2.00 times as fast as NumPy needs 111.1 GFLOP/s of a measured peak of 100.0 GFLOP/s (111%) and 11.1 GB/s of 20.0 measured; symmom reaches 76.9 GFLOP/s. Nothing can be more than 1.80 times as fast by the roofline: the target is out of reach on this machine"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := r.short("row", c, .03, .016); strings.Contains(got, "out of reach") {
		t.Errorf("within reach: %q", got)
	}
}

// A rank is held to its neighbours, and a short one to what reading allows.
func TestJudgeRanks(t *testing.T) {
	var s section
	judgeRanks(&s, []float64{30e9, 45e9, 100e9, 90e9}, 70e9)
	if want := (goal{"evaluation, r = 1 to 4, n = 500, in cache: least share of the best rank within 8", ">= 0.80", "0.30", false}); !slices.Equal(s.goals, []goal{want}) {
		t.Errorf("%+v", s.goals)
	}
	want := []string{
		"r = 1: 30% of the best within 8, 100.0 GFLOP/s. Reading allows 35.0 GFLOP/s: the target is out of reach on this machine",
		"r = 2: 45% of the best within 8, 100.0 GFLOP/s. Reading allows 70.0 GFLOP/s: the target is out of reach on this machine",
	}
	if !slices.Equal(s.notes, want) {
		t.Errorf("%q", s.notes)
	}
	s = section{}
	judgeRanks(&s, []float64{79, 100, 100, 100, 100, 100, 100, 100, 100, 200}, 1000)
	if len(s.notes) != 9 || strings.Contains(s.notes[0], "out of reach") {
		t.Errorf("%q", s.notes)
	}
	s = section{}
	judgeRanks(&s, []float64{50e9, 100e9}, 10e9) // the kernels have read faster
	if want := []string{"r = 1: 50% of the best within 8, 100.0 GFLOP/s. Reading allows 50.0 GFLOP/s: the target is out of reach on this machine"}; !slices.Equal(s.notes, want) {
		t.Errorf("%q", s.notes)
	}
}
