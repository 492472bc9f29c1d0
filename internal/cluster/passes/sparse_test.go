package passes

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"symmom/internal/data/draw"
	"symmom/internal/data/load"
	"symmom/internal/data/tables"
	"symmom/internal/estimate/topics"
	"symmom/internal/math/linalg"
	"symmom/internal/moment"
	"symmom/internal/moment/block"
)

// writeSparse writes counts of words in documents to three files of entries.
func writeSparse(t *testing.T, k, documents, words int) string {
	t.Helper()
	start, word, count, _, _, err := draw.Documents{Topics: k, Documents: documents, Words: words, Length: 30, Concentration: 1, Prior: .1}.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for file := range 3 {
		from, to := file*documents/3, (file+1)*documents/3
		var b strings.Builder
		fmt.Fprintf(&b, "%%%%MatrixMarket matrix coordinate integer general\n%d %d %d\n", to-from, words, start[to]-start[from])
		for l := from; l < to; l++ {
			for at := start[l]; at < start[l+1]; at++ {
				fmt.Fprintf(&b, "%d %d %g\n", l-from+1, word[at]+1, count[at])
			}
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%d.mtx", file)), []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "*.mtx")
}

// Sparse files are read without their zeros, and give what they give in memory.
func TestSparseEqualMemory(t *testing.T) {
	const k, words = 3, 600
	path := writeSparse(t, k, 900, words)
	set, err := load.Load(t.Context(), path, load.Options{Sparse: true})
	if err != nil || set.Sparse == nil {
		t.Fatal(err)
	}
	memory := tables.New(set).Storage
	far := open(t, Local{Threads: 2}, path, load.Options{}).Storage
	x := &reading{ctx: t.Context(), split: Split{Path: strings.Replace(path, "*", "part-1", 1)}}
	if _, _, _, err := x.read(t.Context(), func(n int, b block.Block) {
		if n != words || b.Sparse == nil {
			t.Errorf("a block of %d variables with zeros", n)
		}
	}); err != nil {
		t.Error(err)
	}
	same := func(what string, a, b []float64, within float64) {
		t.Helper()
		if len(a) != len(b) || len(a) == 0 {
			t.Fatalf("%s: %d numbers, want %d", what, len(a), len(b))
		}
		for i, v := range b {
			if !(math.Abs(a[i]-v) <= within*(1+math.Abs(v))) {
				t.Fatalf("%s: number %d is %v, want %v", what, i, a[i], v)
			}
		}
	}
	one, err := tables.Describe(t.Context(), far)
	two, err2 := tables.Describe(t.Context(), memory)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	same("means", one.Mean, two.Mean, near)
	for _, all := range []*tables.Variables{one, two} {
		linalg.Scale(1/math.Sqrt(all.Total), all.Root)
	}
	same("deviations", one.Root, two.Root, near)
	a := make([]float64, 2*words)
	for i := range a {
		a[i] = math.Sin(float64(i))
	}
	for _, d := range []int{2, 3} {
		p, _, ok := moment.NewObjective(&moment.Implicit{Data: far, D: d}, 2, 1, 1).TTSV(t.Context(), a)
		q, _, ok2 := moment.NewObjective(&moment.Implicit{Data: memory, D: d}, 2, 1, 1).TTSV(t.Context(), a)
		if !ok || !ok2 {
			t.Fatal(far.Err())
		}
		same("products", p, q, near)
	}
	defer func(b float64) { topics.KeptBytes = b }(topics.KeptBytes)
	topics.KeptBytes = 0
	got, objective := topicsOf(t, far, k)
	want, objective2 := topicsOf(t, memory, k)
	same("topics", got.Topics, want.Topics, 1e-9)
	same("objective", []float64{objective}, []float64{objective2}, near)
}
