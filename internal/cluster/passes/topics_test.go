package passes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/draw"
	"symmom/internal/data/load"
	"symmom/internal/estimate/progress"
	"symmom/internal/estimate/topics"
	"symmom/internal/moment/block"
	"symmom/internal/test/slow"
)

// writeDocuments writes counts of words in documents of k topics, and weights in a last column "w",
// to six CSV files.
func writeDocuments(t *testing.T, k, documents, words int) string {
	t.Helper()
	start, word, count, _, _, err := draw.Documents{Topics: k, Documents: documents, Words: words, Length: 40, Concentration: 1, Prior: .1}.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	const files = 6
	for file := range files {
		var text strings.Builder
		for i := range words {
			fmt.Fprintf(&text, "x%d,", i)
		}
		text.WriteString("w\n")
		for l := file * documents / files; l < (file+1)*documents/files; l++ {
			row := make([]float64, words+1)
			for at := start[l]; at < start[l+1]; at++ {
				row[word[at]] += count[at]
			}
			row[words] = 1 + float64(l%3)
			line := strings.ReplaceAll(strings.Trim(fmt.Sprint(row), "[]"), " ", ",")
			text.WriteString(line + "\n")
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%d.csv", file)), []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "*.csv")
}

// topicsOf finds k topics, and what the last step of the polish was worth.
func topicsOf(t *testing.T, x block.Source, k int) (r *topics.Result, objective float64) {
	t.Helper()
	d, err := topics.Survey(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	r, err = topics.Find(t.Context(), d, topics.Options{Topics: k, Starts: 5, Seed: 1, MaxIterations: 200, Tolerance: 3e-4, Threads: 2,
		Progress: func(p progress.Report) { objective = p.Objective }})
	if err != nil {
		t.Fatal(err)
	}
	return r, objective
}

// Topics found by passes are those of the counts in memory if none are kept of the documents there
// either, up to the rounding that some thirty steps make more of, and the same bits whatever the
// engine; and near those of the steps that keep them.
func TestTopicsEqualMemory(t *testing.T) {
	slow.Test(t)
	const k, words = 4, 60
	path := writeDocuments(t, k, 1200, words)
	for _, o := range []load.Options{{Weights: "w"}, {Columns: []string{fmt.Sprintf("1-%d", words)}}} {
		set, err := load.Load(t.Context(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		memory := set.Dense()
		kept, objective := topicsOf(t, memory, k)
		want := func() *topics.Result {
			defer func(b float64) { topics.KeptBytes = b }(topics.KeptBytes)
			topics.KeptBytes = 0
			r, _ := topicsOf(t, memory, k)
			return r
		}()
		far := open(t, Local{Threads: 2}, path, o).Storage
		got, farObjective := topicsOf(t, far, k)
		again := func() *topics.Result {
			defer func(fan int, bytes float64) { LeastFan, MostTogether = fan, bytes }(LeastFan, MostTogether)
			MostTogether = 0
			merges := merged.Load()
			r, _ := topicsOf(t, open(t, restless{7}, path, o).Storage, k)
			if merged.Load() == merges {
				t.Error("no pass was added up by workers")
			}
			return r
		}()
		for what, pair := range map[string][2][]float64{
			"topics":  {got.Topics, want.Topics},
			"weights": {append(got.Weights, got.Concentration, got.Prior), append(want.Weights, want.Concentration, want.Prior)},
		} {
			for i, v := range pair[1] {
				if !(math.Abs(pair[0][i]-v) <= 1e-9) {
					t.Fatalf("weights %q: %s: number %d is %v, want %v", o.Weights, what, i, pair[0][i], v)
				}
			}
		}
		if got.Iterations != want.Iterations || got.Above != want.Above || !got.Converged {
			t.Errorf("weights %q: %d iterations, %d above, want %d, %d", o.Weights, got.Iterations, got.Above, want.Iterations, want.Above)
		}
		if !slices.Equal(got.Topics, again.Topics) || got.Concentration != again.Concentration {
			t.Errorf("weights %q: another engine gives other bits", o.Weights)
		}
		apart := 0.
		for i, v := range kept.Topics {
			apart += math.Abs(v-got.Topics[i]) / k
		}
		t.Logf("weights %q: %d iterations, %d with counts kept; topics differ by %.2g, the objective by %.2g", o.Weights, got.Iterations, kept.Iterations, apart, farObjective-objective)
		if !(apart < 1e-2) || !(math.Abs(farObjective/objective-1) < 1e-4) {
			t.Errorf("weights %q: topics differ by %g from those of counts that are kept, objective %v, want %v", o.Weights, apart, farObjective, objective)
		}

		m := &topics.Model{N: words, Topics: got.Topics, Alpha: []float64{.2, .3, .2, .1}}
		here, err := m.Perplexity(t.Context(), memory, 3, 2)
		there, err2 := m.Perplexity(t.Context(), far, 3, 2)
		if err != nil || err2 != nil || !(math.Abs(there/here-1) < near) {
			t.Errorf("weights %q: perplexity %v, want %v (%v, %v)", o.Weights, there, here, err2, err)
		}
		top := [][]int{{0, 1, 2, 3}, {3, 40, 2}, {}, {5}}
		a, err := topics.Coherence(t.Context(), memory, top)
		b, err2 := topics.Coherence(t.Context(), far, top)
		if err != nil || err2 != nil || !slices.Equal(a, b) || a[0] == 0 {
			t.Errorf("weights %q: coherence %v, want %v (%v, %v)", o.Weights, b, a, err2, err)
		}
		shares, err := m.Shares(t.Context(), memory, 2)
		rows, err2 := m.Shares(t.Context(), far, 2)
		if err != nil || err2 != nil || !slices.Equal(shares, rows) {
			t.Errorf("weights %q: the shares of the documents differ (%v, %v)", o.Weights, err2, err)
		}
	}
}

// A value that is no count is named by its file, row and column.
func TestFarValueThatIsNoCount(t *testing.T) {
	path := writeDocuments(t, 2, 60, 5)
	file := filepath.Join(filepath.Dir(path), "part-3.csv")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitN(string(text), "\n", 4) // the names and two documents
	lines[2] = "1,2.5,0,0,0,1"
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = topics.Survey(t.Context(), open(t, Local{Threads: 2}, path, load.Options{Weights: "w"}).Storage)
	if want := `part-3.csv: row 2, column 2: got "2.5", want a count of a word`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want ..%s..", err, want)
	}
}

// A search that is interrupted in a pass keeps the topics of the last step.
func TestInterruptKeepsFarTopics(t *testing.T) {
	x := open(t, Local{Threads: 2}, writeDocuments(t, 2, 300, 20), load.Options{Weights: "w"}).Storage
	d, err := topics.Survey(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r, err := topics.Find(ctx, d, topics.Options{Topics: 2, Starts: 2, Seed: 1, MaxIterations: 50, Tolerance: 1e-9, Progress: func(p progress.Report) {
		if p.Iterations == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || r == nil || r.Iterations != 3 || len(r.Topics) != 40 || !(r.Prior > 0) {
		t.Errorf("%v, %+v", err, r)
	}
}

// What no message of topics says is refused.
func TestDamagedPassesOfTopics(t *testing.T) {
	x := &block.Dense{P: 1, N: 3, V: []float64{1, 2, 3}}
	table := make([]float64, 3*8)
	for _, p := range []block.Pass{
		{},
		{Orders: []int{0}},
		{Orders: []int{1}, Unit: 1},
		{Orders: []int{1}, Unit: 1, Data: [][]float64{{1}, {1}, table[1:], nil}},
		{Orders: []int{1}, Unit: 1, Data: [][]float64{nil, {1}, table, nil}},
		{Orders: []int{2}, Unit: 1, Data: [][]float64{{1}, nil, table, nil}},
		{Orders: []int{2}, Unit: 1, Data: [][]float64{{1}, {1}, table, {1, 2}}},
		{Orders: []int{3}, Unit: 1, Data: [][]float64{{1}, {.2, .3, .5}}},
		{Orders: []int{3, 1}, Unit: 1, Data: [][]float64{{1}, {.5}}},
		{Orders: []int{4, 2, 1}, Unit: 1},
		{Orders: []int{4, 1, 3}, Unit: 1},
		{Orders: []int{4, -1}, Unit: 1},
		{Orders: []int{5}, Unit: 1},
		{Orders: []int{-1}, Unit: 1},
	} {
		p.Kind = topics.Sums
		if sums, err := topics.Sum(t.Context(), x, p, 0, 1); err == nil || !strings.Contains(err.Error(), "different versions") {
			t.Errorf("%+v: %v, %v", p, sums, err)
		}
	}
}

// How many numbers a pass of topics returns is known before.
func TestNumbersOfTopics(t *testing.T) {
	x := &block.Dense{P: 2, N: 3, V: []float64{1, 2, 3, 1, 0, 2}}
	table := slices.Repeat([]float64{1}, 3*8)
	for what, p := range []block.Pass{
		{Orders: []int{0}},
		{Orders: []int{1}, Data: [][]float64{{1, 1}, {1}, table, nil}},
		{Orders: []int{2}, Data: [][]float64{{1, 1}, {1}, table, nil}},
		{Orders: []int{2}, Data: [][]float64{{1, 1}, {1}, table, {.5, .5}}},
		{Orders: []int{3, 1}, Data: [][]float64{{1}, {.2, .3, .5}}},
		{Orders: []int{4, 2, 0, 1, 1, 2}},
	} {
		p.Kind, p.Unit = topics.Sums, 1
		sums, err := topics.Sum(t.Context(), x, p, 0, 1)
		if m := (&Message{Pass: p, N: 3}).numbers(); err != nil || float64(len(sums)) != m {
			t.Errorf("pass %d: %v numbers, want %d (%v)", what, m, len(sums), err)
		}
	}
}
