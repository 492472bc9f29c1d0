package passes

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/estimate/fit"
	"symmom/internal/estimate/gmm"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
	"symmom/internal/text/diag"
)

// Sums that workers add up are the same bits as those that are added up here.
func TestMergedSameBits(t *testing.T) {
	slow.Test(t)
	defer func(fan int, bytes float64, split int) { LeastFan, MostTogether, splitBytes = fan, bytes, split }(LeastFan, MostTogether, splitBytes)
	LeastFan, splitBytes = 3, 1
	path := writeShards(t, "parquet", 3000, 12)
	o := load.Options{Weights: "w"}
	var all []string
	for _, most := range []float64{256e6, 0} {
		MostTogether = most
		before := merged.Load()
		for seed := range uint64(3) {
			x := open(t, restless{seed}, path, o)
			m := fit.New(x, 3)
			f, err := m.Decompose(t.Context(), 3, &fit.Options{Starts: 5, Seed: 1, Tolerance: 1e-6, MaxIterations: 200, MaxEvaluations: 400, Corrections: 5, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			g, err := gmm.Fit(t.Context(), x, 3, &gmm.Options{Shape: gmm.Full, Starts: 2, Seed: 1, Tolerance: 1e-6, MaxIterations: 5, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			v, err := tables.Describe(t.Context(), x.Storage)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprint(x.P, x.Sketch().Span, x.Sketch().Extremes.Numbers(), f.Model, f.RelativeError, g.Mixture, g.LogLikelihood, v.Numbers()))
		}
		// Of more splits than are added up at once surveys always are: their size is
		// not known before.
		passes := merged.Load() - before
		if surveys := int64(3); most > 0 && passes != surveys || most == 0 && passes < 10*surveys {
			t.Errorf("%d passes were added up by workers where %g bytes can come here", passes, most)
		}
	}
	if x := open(t, restless{1}, path, o).Storage.(*far); len(x.splits) < 8 {
		t.Errorf("%d splits", len(x.splits))
	}
	if len(slices.Compact(all)) != 1 {
		t.Error("the bits differ")
	}
}

// A worker that adds up answers says which are missing, and hands on errors.
func TestMerger(t *testing.T) {
	tr := &tree{Kind: tables.Each, Fan: 3, Splits: 5}
	line := func(split int, change func(*answer)) string {
		a := answer{Split: split, Tree: tr}
		change(&a)
		data := [][]float64{{1, 0, 1, 1, 1, 1}}
		if a.Error != "" {
			data = nil
		}
		text, err := pack(a, data)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%d\t%s\n", split, text)
	}
	same := func(*answer) {}
	bad := func(a *answer) { a.Error = "a.csv: is gone" }
	all := []string{line(0, same), line(1, same), line(2, same), line(3, same), line(4, same)}
	for name, c := range map[string]struct {
		in   []string
		want []string // errors, "" for none
	}{
		"all":           {all, []string{"", ""}},
		"twice":         {[]string{all[0], all[0], all[1], all[2]}, []string{""}},
		"second group":  {all[3:], []string{""}},
		"none":          {nil, nil},
		"one missing":   {[]string{all[0], all[2]}, []string{"split 1 of 5"}},
		"first missing": {all[1:3], []string{"split 0 of 5"}},
		"last missing":  {all[:2], []string{"only 2 of the splits 0 to 2"}},
		"cut":           {[]string{all[0][:len(all[0])-9] + "\n"}, []string{"damaged"}},
		"an error":      {[]string{all[0], line(1, bad), all[2], all[3], all[4]}, []string{"a.csv: is gone", ""}},
		"no tree":       {[]string{line(0, func(a *answer) { a.Tree = nil })}, []string{"damaged"}},
		"no message":    {[]string{line(0, func(a *answer) { a.Tree, a.Error = nil, "of another version" })}, []string{"of another version"}},
	} {
		var out bytes.Buffer
		if err := Serve(t.Context(), strings.NewReader(strings.Join(c.in, "")), &out, 1); err != nil {
			t.Fatal(err)
		}
		lines := strings.Fields(strings.ReplaceAll(strings.TrimSpace(out.String()), " ", "_"))
		if len(lines) != len(c.want) {
			t.Errorf("%s: %d answers, want %d", name, len(lines), len(c.want))
			continue
		}
		for i, text := range lines {
			var a answer
			data, err := unpack(strings.ReplaceAll(text, "_", " "), &a)
			if err != nil || (a.Error == "") != (c.want[i] == "") || !strings.Contains(a.Error, c.want[i]) {
				t.Errorf("%s: answer %d: %+v, %v, want %q", name, i, a, err, c.want[i])
			}
			if a.Error == "" && (len(a.Parts) != tr.size(a.Split) || data[0][4] != float64(len(a.Parts))) {
				t.Errorf("%s: answer %d: %+v, %v", name, i, a, data)
			}
		}
	}
}

// The size of an answer is known before.
func TestNumbersAreThoseOfAnswers(t *testing.T) {
	path := writeShards(t, "csv", 500, 6)
	x := open(t, Local{Threads: 1}, path, load.Options{}).Storage.(*far)
	q := make([]float64, 3*x.n)
	for i := range 3 {
		q[i*x.n+i] = 1
	}
	g := gmm.NewMixture(x.n, 2, gmm.Full)
	copy(g.Weights, []float64{.5, .5})
	for j := range 2 {
		for i := range x.n {
			g.Cov[(j*x.n+i)*x.n+i] = 1
		}
	}
	for _, p := range []block.Pass{
		{Kind: "products", Orders: []int{3}, Unit: 1, Data: [][]float64{nil, q, q}},
		{Kind: "moments", Orders: []int{3, 2}, Unit: 1, Data: [][]float64{q, nil}},
		{Kind: "moments", Orders: []int{2}, Unit: 1, Data: [][]float64{nil, nil}},
		{Kind: "means", Unit: 1},
		{Kind: "each", Unit: 1},
		{Kind: "em", Orders: []int{2, 3, 3, 1}, Unit: 1, Data: [][]float64{nil, g.Weights, g.Means, g.Cov}},
	} {
		m := x.message(p)
		v, ok := x.Sum(t.Context(), p, nil)
		if !ok {
			t.Fatal(p.Kind, x.Err())
		}
		if want := float64(len(v)); m.numbers() < want/1.2-2 || p.Kind != "means" && m.numbers() > want {
			t.Errorf("%s: %v numbers, want %v", p.Kind, m.numbers(), want)
		}
	}
}

// Warnings about a table that workers read are those of the table in memory, whoever adds
// up what they found: they are of all values, not of those of one split.
func TestWarnings(t *testing.T) {
	slow.Test(t)
	least := LeastFan
	defer func() { LeastFan = least }()
	const large = int64(1) << 53
	for name, row := range map[string]func(file, i int) string{
		"whole numbers": func(file, i int) string { return fmt.Sprintf("%d,%d", i*i-7, large*int64(file%2)+int64(i)) },
		"scales":        func(_, i int) string { return fmt.Sprintf("%d,%g", i-3, 1e5*float64(i+2)) },
		"constant":      func(_, i int) string { return fmt.Sprintf("1.5,%d", i-3) },
		"differs":       func(file, i int) string { return fmt.Sprintf("%d,%d", 1+file/6, i-3) }, // constant in each file
		"zero":          func(int, int) string { return "0,0" },
		"a comma":       func(file, i int) string { return fmt.Sprintf("%d,5;%d,25", i+file, i-3) },
		"text":          func(_, i int) string { return fmt.Sprintf("%d,%d,word", i+1, i-3) },
	} {
		dir := t.TempDir()
		for file := range 7 {
			text := "a,b\n"
			if name == "text" {
				text = "a,b,c\n"
			} else if name == "a comma" {
				text = "a;b\n"
			}
			for i := range 9 {
				text += row(file, i) + "\n"
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%d.csv", file)), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		set, err := load.Load(t.Context(), dir, load.Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		if (name == "differs") != (len(set.Warnings) == 0) {
			t.Errorf("%s: in memory %q", name, set.Warnings)
		}
		for _, LeastFan = range []int{least, 2} {
			for _, e := range []Engine{Local{Threads: 2}, restless{3}} {
				got := open(t, e, dir, load.Options{}).Info.Warnings
				if !slices.EqualFunc(got, set.Warnings, func(a, b diag.Warning) bool {
					return a.Code == b.Code && a.Text == b.Text && slices.Equal(a.Help, b.Help)
				}) {
					t.Errorf("%s, %s: %q, want %q", name, e.Name(), got, set.Warnings)
				}
			}
		}
	}
}
