//go:build e2e

package texts

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"symmom/internal/data/load"
)

// TestScikitLearn counts random texts in many scripts, by all options, as CountVectorizer does
// when it gets our words; its own words are those of the table in tokens_test.go. What
// scipy.sparse.save_npz writes is read, and SciPy reads what is written here.
func TestScikitLearn(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	var documents []string
	var tokens [][]string
	for _, c := range plain {
		documents = append(documents, c.text)
	}
	for range 400 {
		documents = append(documents, text(rng))
	}
	for _, d := range documents {
		tokens = append(tokens, wordsOf(d, false))
	}
	stop := []string{"the", "été", "und", "बस", "中国"}
	settings := []struct {
		ours   Options
		theirs map[string]any
	}{
		{Options{}, map[string]any{}},
		{Options{MinDocuments: 3}, map[string]any{"min_df": 3}},
		{Options{MaxShare: .05}, map[string]any{"max_df": .05}},
		{Options{MinDocuments: 2, MaxShare: .2, NGrams: 3}, map[string]any{"min_df": 2, "max_df": .2, "ngram_range": []int{1, 3}}},
		{Options{Stop: stop, NGrams: 2}, map[string]any{"stop_words": stop, "ngram_range": []int{1, 2}}},
		{Options{Vocabulary: []string{"the", "été de", "中国", "nowhere"}, NGrams: 2}, map[string]any{"vocabulary": []string{"the", "été de", "中国", "nowhere"}, "ngram_range": []int{1, 2}}},
		{Options{MaxWords: 20}, map[string]any{"max_features": 20}},
	}
	var theirs []map[string]any
	for _, s := range settings {
		theirs = append(theirs, s.theirs)
	}
	for name, x := range map[string]any{"documents": documents, "tokens": tokens, "options": theirs} {
		data, err := json.Marshal(x)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+".json"), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	python(t, "testdata/counts.py", dir)
	var own [][]string
	decode(t, filepath.Join(dir, "theirs.json"), &own)
	for i, c := range plain {
		want := c.theirs
		if want == "=" {
			want = c.words
		}
		if got := strings.Join(own[i], " "); got != want {
			t.Errorf("scikit-learn: %q: %q, want %q", c.text, got, want)
		}
	}
	for k, s := range settings {
		want := struct {
			Words []string
			Type  string
		}{}
		decode(t, filepath.Join(dir, fmt.Sprintf("%d.json", k)), &want)
		counts, err := Count(t.Context(), Strings{"texts", documents}, s.ours)
		if err != nil {
			t.Fatal(err)
		}
		set, err := counts.Set(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		x, err := load.Load(t.Context(), filepath.Join(dir, fmt.Sprintf("%d.npz", k)), load.Options{Names: want.Words, Sparse: true, Missing: load.MissingDrop})
		if err != nil {
			t.Fatal(err)
		}
		if x.Sparse == nil {
			if x, err = x.Sparsely(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if s.ours.MaxWords > 0 { // of those that are equally frequent it takes any
			if len(counts.Words) != 20 || sum(set.Sparse.V) != sum(x.Sparse.V) {
				t.Errorf("%v: %d words, %g times; scikit-learn %g times", s.theirs, len(counts.Words), sum(set.Sparse.V), sum(x.Sparse.V))
			}
			continue
		}
		if want.Type != "int64" || !slices.Equal(counts.Words, want.Words) || !slices.Equal(set.Sparse.Start, x.Sparse.Start) || !slices.Equal(set.Sparse.Index, x.Sparse.Index) || !slices.Equal(set.Sparse.V, x.Sparse.V) {
			t.Errorf("%v: %d words, %d counts; scikit-learn %d words, %d counts of type %s", s.theirs, len(counts.Words), set.Sparse.Stored(), len(want.Words), x.Sparse.Stored(), want.Type)
		}
		for _, extension := range Extensions {
			path := filepath.Join(dir, "ours."+extension)
			f, err := os.Create(path)
			if err == nil {
				_, err = counts.Write(t.Context(), f, path)
				f.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
			python(t, "-c", `import sys, scipy.sparse, scipy.io
read = lambda p: scipy.sparse.load_npz(p) if p.endswith("npz") else scipy.io.mmread(p).tocsr()
a, b = read(sys.argv[1]), read(sys.argv[2])
assert a.shape == b.shape and a.dtype == b.dtype and (a != b).nnz == 0 and a.nnz == b.nnz, (a, b)
assert a.has_canonical_format`, path, filepath.Join(dir, fmt.Sprintf("%d.npz", k)))
		}
	}
	t.Logf("%d documents, %d words", len(documents), len(slices.Concat(tokens...)))
}

func sum(v []float64) (s float64) {
	for _, x := range v {
		s += x
	}
	return s
}

// text is one of words and marks in several scripts, which may touch.
func text(rng *rand.Rand) string {
	parts := []string{" ", " ", " ", ". ", ", ", "-", "'", "’", "\n", "\u00ad", "\u0301", "_", ":", "…", "👍", "\u00a0", "(", ")", "1997", "3.14", "é", "É"}
	for _, c := range plain {
		parts = append(parts, strings.Fields(c.text)...)
	}
	var b strings.Builder
	for range rng.IntN(60) {
		b.WriteString(parts[min(rng.IntN(len(parts)), rng.IntN(2*len(parts)))])
		if rng.IntN(3) > 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func decode(t *testing.T, path string, to any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func python(t *testing.T, args ...string) {
	t.Helper()
	program := os.Getenv("SYMMOM_PYTHON")
	if program == "" {
		t.Fatal("SYMMOM_PYTHON is not set: give it the path of a Python that has scikit-learn")
	}
	cmd := exec.Command(program, args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
}
